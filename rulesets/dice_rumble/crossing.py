"""Effects across the table in Dice Rumble: the damage of attacks and duels (DR-12, DR-13, DR-16)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.dice import Outcome
from rulesets.dice_rumble import rolls
from rulesets.dice_rumble.contest import Duels
from rulesets.dice_rumble.opposing import opposing, worded
from rulesets.dice_rumble.play import Damage, RepeatRoll, SpendDie
from rulesets.dice_rumble.sheet import DiceRumble
from rulesets.dice_rumble.talents import ATTRIBUTES, BRAWL, DODGE, KNOWN
from rulesets.kit import HIGHEST, Crossing, Data, Offer, Response, Roll, blank

if TYPE_CHECKING:
    from rulesets.dice_rumble.play.state import DiceRumblePlay


def hurt(_made: Any, outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """DR-12, DR-13: what a hit, or a duel that is won, deals."""
    if isinstance(outcome.value, int) and outcome.value:
        yield Damage.asking(points=outcome.value)


def reacted(_made: rolls.Duel, _outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """DR-14: whoever takes part in a duel against somebody reacts, which spends the die."""
    if figures.get("initiative"):
        yield SpendDie.asking()


def duelled(made: rolls.DuelDamage, outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """DR-12, DR-14: what a duel that is won deals, and the die that the reaction spends."""
    yield from hurt(made, outcome, figures)
    yield from reacted(made, outcome, figures)


def struck_back(made: rolls.DuelDamage, outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """DR-12: the loser of a duel takes the difference, and what the winner's weapon adds: the one chosen or usual."""
    if outcome.figures["result"] == "lose":
        difference = abs(outcome.figures["own"] - outcome.figures["theirs"])
        weapon = made.opponent_weapon if isinstance(made, rolls.CounterDuel) else figures.get("weapon", 0)
        if points := difference + weapon:
            yield Damage.asking(points=points)


def alone(_made: rolls.UnansweredDuel, _outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Any]:
    """DR-13: the GM says what comes of it where nobody reacts."""
    return iter(())


_COUNTER, _DODGE, _REACT = _("Strike back: {what}"), _("Dodge: {what}"), _("React")
GIFTS = (3, 2, 1, 1)
"""The points that the book deals out to the attributes (DR-01)."""
CAP = 6
"""Points of a talent at most (DR-02)."""


class Opponent(Duels):
    """Somebody of a few figures; the GM's modifier is a roll's, and not one's own (DR-11)."""

    title = _("Opponent")

    @classmethod
    def asking(cls, *words: Any, **known: Any) -> Offer:
        """Return all but the modifier."""
        return super().asking(*words, modifier=0, **known)


def _attacker(roll: Any, cls: type[Roll] = rolls.Attack) -> dict[str, Any]:
    """Return the attacker's figures of an attack or a duel, as far as another roll asks for them."""
    return {key: getattr(roll, key) for key in cls.model_fields}


class DiceRumbleCrossing(Crossing):
    """DR-12, DR-17: in a duel both meet the other's usual threshold, and each side's fate is its own die's."""

    side = Opponent
    effects_on_target = {rolls.Duel: reacted, rolls.DuelDamage: duelled,
                         rolls.UnansweredDuel: alone, rolls.Attack: hurt, rolls.CounterDuel: hurt,
                         rolls.DodgeDuel: hurt}
    effects_on_actor = {rolls.DuelDamage: struck_back, rolls.CounterDuel: struck_back}
    rethrows = RepeatRoll
    answered = frozenset({rolls.Attack, rolls.Duel, rolls.DuelDamage})

    @classmethod
    def figures(cls, sheet: DiceRumble, play: "DiceRumblePlay") -> Mapping[str, Any]:
        """DR-12, DR-14: the usual threshold with its weapon, and the die, if there is one."""
        die = {} if play.initiative is None else {"initiative": play.initiative}
        return {**super().figures(sheet, play), **die, "opposing": opposing(play.effective(sheet))}

    @classmethod
    def meeting(cls, offer: Offer, figures: Mapping[str, Any], *, veiled: bool = False) -> Offer:
        """DR-12: a duel without damage is against any talent, chosen by its name where the figures are secret."""
        found = super().meeting(offer, figures, veiled=veiled)
        if offer.cls is not rolls.Duel or "opponent" not in found.met:
            return found
        words = dict(worded(found.met["opponent"], figures["opposing"], veiled=veiled))
        return replace(offer, worded={"opponent": words}, veiled=veiled)

    @classmethod
    def responses(cls, sheet: DiceRumble, play: "DiceRumblePlay", roll: Any, *, turns: bool) -> Iterator[Response]:
        """DR-13, DR-14: whoever has a die left may strike back or dodge, or join a duel, which spends it."""
        if turns and play.initiative is None:
            return
        if isinstance(roll, rolls.Duel) and not isinstance(roll, rolls.DuelDamage):
            spent = SpendDie.asking(_REACT) if play.initiative is not None else None
            yield Response("react", _REACT, str(roll.opponent), spent, rolls.Duel.asking(**roll.model_dump()))
            return
        now, known = play.effective(sheet), _attacker(roll)
        arms = [(f"weapon-{index}", weapon.label, weapon.talent, weapon.damage)
                for index, weapon in enumerate(now.weapons)]
        for key, label, talent, damage in (*arms, ("unarmed", BRAWL, BRAWL, 0), ("dodge", DODGE, DODGE, None)):
            found = now.talent(talent)
            threshold = now.threshold(found) if found else None
            if threshold is None:
                continue
            title = (_DODGE if damage is None else _COUNTER).format(what=label)
            met = {**known, "opponent": min(HIGHEST, threshold), "opponent_modifier": 0}
            duel = rolls.DodgeDuel.asking(**met) if damage is None else rolls.CounterDuel.asking(
                opponent_weapon=damage, **met)
            spent = SpendDie.asking(title) if play.initiative is not None else None
            yield Response(key, title, str(threshold), spent, duel)

    @classmethod
    def unanswered(cls, roll: Any) -> Offer:
        """DR-13: what nobody reacts to is no duel."""
        falls = rolls.Attack if isinstance(roll, rolls.Attack | rolls.DuelDamage) else rolls.UnansweredDuel
        return falls.asking(**_attacker(roll, falls))

    @classmethod
    def opponent(cls, side: Any) -> tuple[Data, Data]:
        """DR-01 to DR-07: attributes as they are dealt out, of which strength and a talent make up the threshold.

        What no such sheet has, a threshold of 0 or above 9, is there all the same, and life is as it was said.
        """
        weapons = [{"name": str(_("Weapon")), "talent": BRAWL, "damage": side.weapon}] if side.weapon else []
        lawful = (gift for gift in GIFTS if gift <= side.threshold <= gift + CAP)
        strength = next(lawful, min(side.threshold, max(GIFTS)))
        rest = [*GIFTS]
        rest.remove(strength if strength in rest else min(rest))
        gifts = dict(zip(ATTRIBUTES, (strength, *rest), strict=True))
        talent = {"name": BRAWL, "attribute": KNOWN[BRAWL], "points": side.threshold - strength}
        data = blank(DiceRumble, weapons=weapons, attributes=gifts, talents=[talent])
        return data, {"full_life": side.life, "npc": True}
