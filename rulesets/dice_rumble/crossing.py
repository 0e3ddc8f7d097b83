"""Effects across the table in Dice Rumble: the damage of attacks and duels (DR-12, DR-13, DR-16)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.dice import Outcome
from rulesets.dice_rumble import rolls
from rulesets.dice_rumble.contest import Duels
from rulesets.dice_rumble.opposing import opposing_talents, words_for_opposing
from rulesets.dice_rumble.play import Damage, RepeatRoll, SpendDie
from rulesets.dice_rumble.sheet import DiceRumble
from rulesets.dice_rumble.talents import ATTRIBUTES, BRAWL, DODGE, KNOWN_TALENTS
from rulesets.kit import HIGHEST, Crossing, Data, Offer, Response, Roll, blank

if TYPE_CHECKING:
    from rulesets.dice_rumble.play.state import DiceRumblePlay


def offer_damage(_made: Any, outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """DR-12, DR-13: offer the target the damage of a hit or of a duel that the actor won."""
    if isinstance(outcome.value, int) and outcome.value:
        yield Damage.offer(points=outcome.value)


def offer_reaction_die(_made: rolls.Duel, _outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """DR-14: spend the target's initiative die, because it reacts by taking part in the duel."""
    if figures.get("initiative"):
        yield SpendDie.offer()


def offer_duel_effects(made: rolls.DuelDamage, outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """DR-12, DR-14: offer the target the damage of a lost duel, and spend its initiative die."""
    yield from offer_damage(made, outcome, figures)
    yield from offer_reaction_die(made, outcome, figures)


def offer_counter_damage(made: rolls.DuelDamage, outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """DR-12: offer the actor who lost a duel the difference plus the damage of the winner's weapon."""
    if outcome.figures["result"] == "lose":
        difference = abs(outcome.figures["own"] - outcome.figures["theirs"])
        weapon = made.opponent_weapon if isinstance(made, rolls.CounterDuel) else figures.get("weapon", 0)
        if points := difference + weapon:
            yield Damage.offer(points=points)


def offer_nothing(_made: rolls.UnansweredDuel, _outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Any]:
    """DR-13: offer nothing; the GM decides on the outcome of a duel without reaction."""
    return iter(())


_COUNTER, _DODGE, _REACT = _("Strike back: {what}"), _("Dodge: {what}"), _("React")
DEALT_VALUES = (3, 2, 1, 1)
"""The values that the book distributes among the four attributes (DR-01)."""
CAP = 6
"""The most points that a talent can have by the book (DR-02)."""


class Opponent(Duels):
    """A quick opponent with a few figures instead of a full sheet.

    It has no modifier of its own: the GM sets that for each roll (DR-11).
    """

    title = _("Opponent")

    @classmethod
    def offer(cls, *words: Any, **known: Any) -> Offer:
        """Return an offer that does not ask for the modifier."""
        return super().offer(*words, modifier=0, **known)


def _attacker(roll: Any, cls: type[Roll] = rolls.Attack) -> dict[str, Any]:
    """Return the figures of an attack or a duel that a roll of `cls` has fields for."""
    return {key: getattr(roll, key) for key in cls.model_fields}


class DiceRumbleCrossing(Crossing):
    """The figures, effects and responses of Dice Rumble across the table.

    In a duel each side meets the other's usual threshold (DR-12), and fate repeats its own die only (DR-17).
    """

    side, opponents_play = Opponent, {"npc": True}
    effects_on_target = {rolls.Duel: offer_reaction_die, rolls.DuelDamage: offer_duel_effects,
                         rolls.UnansweredDuel: offer_nothing, rolls.Attack: offer_damage,
                         rolls.CounterDuel: offer_damage, rolls.DodgeDuel: offer_damage}
    effects_on_actor = {rolls.DuelDamage: offer_counter_damage, rolls.CounterDuel: offer_counter_damage}
    rethrows, at_once = RepeatRoll, (SpendDie,)
    answered = frozenset({rolls.Attack, rolls.Duel, rolls.DuelDamage})

    @classmethod
    def figures(cls, sheet: DiceRumble, play: "DiceRumblePlay") -> Mapping[str, Any]:
        """DR-12, DR-14: add the initiative die, if there is one, and the talents with which to answer a duel."""
        die = {} if play.initiative is None else {"initiative": play.initiative}
        return {**super().figures(sheet, play), **die, "opposing": opposing_talents(play.effective(sheet))}

    @classmethod
    def with_target_figures(cls, offer: Offer, figures: Mapping[str, Any], *, veiled: bool = False) -> Offer:
        """DR-12: offer the opponent's talents for a duel without damage, without figures if these are secret."""
        found = super().with_target_figures(offer, figures, veiled=veiled)
        if offer.cls is not rolls.Duel or "opponent" not in found.from_target:
            return found
        words = dict(words_for_opposing(found.from_target["opponent"], figures["opposing"], veiled=veiled))
        return replace(offer, worded={"opponent": words}, veiled=veiled)

    @classmethod
    def responses(cls, sheet: DiceRumble, play: "DiceRumblePlay", roll: Any, *, turns: bool) -> Iterator[Response]:
        """DR-13, DR-14: yield the ways to strike back, to dodge, or to join a duel; each spends the die."""
        if turns and play.initiative is None:
            return
        if isinstance(roll, rolls.Duel) and not isinstance(roll, rolls.DuelDamage):
            spent = SpendDie.offer(_REACT) if play.initiative is not None else None
            yield Response("react", _REACT, str(roll.opponent), spent, rolls.Duel.offer(**roll.model_dump()))
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
            answers = {**known, "opponent": min(HIGHEST, threshold), "opponent_modifier": 0}
            duel = rolls.DodgeDuel.offer(**answers) if damage is None else rolls.CounterDuel.offer(
                opponent_weapon=damage, **answers)
            spent = SpendDie.offer(title) if play.initiative is not None else None
            yield Response(key, title, str(threshold), spent, duel)

    @classmethod
    def unanswered(cls, roll: Any) -> Offer:
        """DR-13: return the roll that replaces a duel to which nobody reacts."""
        alone = rolls.Attack if isinstance(roll, rolls.Attack | rolls.DuelDamage) else rolls.UnansweredDuel
        return alone.offer(**_attacker(roll, alone))

    @classmethod
    def opponent(cls, side: Any) -> tuple[Data, Data]:
        """Return (sheet data, play data) of a quick opponent (DR-01 to DR-07).

        Strength and brawling add up to its threshold, even one that no lawful sheet has (0, or above 9).
        Its life points are those given, not those of the sheet.
        """
        weapons = [{"name": str(_("Weapon")), "talent": BRAWL, "damage": side.weapon}] if side.weapon else []
        lawful = (value for value in DEALT_VALUES if value <= side.threshold <= value + CAP)
        strength = next(lawful, min(side.threshold, max(DEALT_VALUES)))
        rest = [*DEALT_VALUES]
        rest.remove(strength if strength in rest else min(rest))
        attributes = dict(zip(ATTRIBUTES, (strength, *rest), strict=True))
        talent = {"name": BRAWL, "attribute": KNOWN_TALENTS[BRAWL], "points": side.threshold - strength}
        data = blank(DiceRumble, weapons=weapons, attributes=attributes, talents=[talent])
        return data, {"full_life": side.life, **cls.opponents_play}
