"""What crosses the table in Dice Rumble: the damage of attacks and duels (DR-12, DR-13, DR-16)."""

from django.utils.translation import gettext_lazy as _

from rulesets.dice_rumble import rolls
from rulesets.dice_rumble.contest import Duels
from rulesets.dice_rumble.play import Damage, RepeatRoll
from rulesets.dice_rumble.sheet import BASE, DiceRumble
from rulesets.dice_rumble.talents import ATTRIBUTES, BRAWL, CONSTITUTION, KNOWN
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


class DiceRumbleCrossing(Crossing):
    """DR-12, DR-17: in a duel both meet the other's usual threshold, and each side's fate is its own die's."""

    side = Duels
    lands = {rolls.Attack: hurt, rolls.DuelDamage: hurt}
    recoils = {rolls.DuelDamage: struck_back}
    rethrows = RepeatRoll

    @classmethod
    def opponent(cls, side):
        """DR-04, DR-07: talents alone make up the threshold and the life; attributes are left out of it."""
        weapons = [{"name": str(_("Weapon")), "talent": BRAWL, "damage": side.weapon}] if side.weapon else []
        talents = {BRAWL: side.threshold, CONSTITUTION: max(0, side.life - BASE)}
        data = blank(DiceRumble, weapons=weapons, attributes=dict.fromkeys(ATTRIBUTES, 0), talents=[
            {"name": name, "attribute": KNOWN[name], "points": points} for name, points in talents.items()])
        return data, {"life_lost": max(0, BASE - side.life)}
