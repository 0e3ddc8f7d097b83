"""What crosses the table in Dice Rumble: the damage of attacks and duels (DR-12, DR-13, DR-16)."""

from django.utils.translation import gettext_lazy as _

from rulesets.dice_rumble import rolls
from rulesets.dice_rumble.contest import Duels
from rulesets.dice_rumble.play import Damage, RepeatRoll
from rulesets.dice_rumble.sheet import DiceRumble
from rulesets.dice_rumble.talents import ATTRIBUTES, BRAWL, KNOWN
from rulesets.kit import Crossing, blank


def hurt(_made, outcome, _figures):
    """DR-12, DR-13: what a hit, or a duel that is won, deals."""
    if isinstance(outcome.value, int) and outcome.value:
        yield Damage.asking(points=outcome.value)


def struck_back(_made, outcome, figures):
    """DR-12: who loses a duel takes the difference, and what the winner's weapon adds."""
    if outcome.figures["result"] == "lose":
        difference = abs(outcome.figures["own"] - outcome.figures["theirs"])
        yield Damage.asking(points=difference + figures.get("weapon", 0))


GIFTS = (3, 2, 1, 1)
"""What the book deals out to the attributes (DR-01)."""
CAP = 6
"""Points of a talent at most (DR-02)."""


class Opponent(Duels):
    """Somebody of a few figures; the GM's modifier is a roll's, and not one's own (DR-11)."""

    title = _("Opponent")

    @classmethod
    def asking(cls, *words, **known):
        """All but the modifier."""
        return super().asking(*words, modifier=0, **known)


class DiceRumbleCrossing(Crossing):
    """DR-12, DR-17: in a duel both meet the other's usual threshold, and each side's fate is its own die's."""

    side = Opponent
    lands = {rolls.Attack: hurt, rolls.DuelDamage: hurt}
    recoils = {rolls.DuelDamage: struck_back}
    rethrows = RepeatRoll

    @classmethod
    def opponent(cls, side):
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
