"""What crosses the table in ConDice: damage, healing, life, boosts (CD-29, CD-33, CD-41 to CD-43, CD-48, CD-53)."""

from rulesets.condice import rolls
from rulesets.condice.contest import Blows
from rulesets.condice.play import AreaAttack, BoostOther, ChangeAttributes, Damage, Explode, GiveLife, Heal, TakeLife
from rulesets.condice.sheet import ConDice
from rulesets.kit import Crossing, blank


def hurt(_made, outcome, _figures):
    """CD-45: what is left after the target's protection arrives as it is."""
    if outcome.value:
        yield Damage.asking(points=outcome.value, against="nothing")


def healed(_made, outcome, _figures):
    """CD-48: the eyes are the life points that come back."""
    yield Heal.asking(points=outcome.value)


def given(made, _outcome, _figures):
    """CD-29: life goes over to another."""
    yield Heal.asking(points=made.points)


def taken(made, _outcome, _figures):
    """CD-29: life comes from a willing other; the unwilling has lost it by the mental attack already."""
    yield Damage.asking(points=made.points, against="nothing")


def exploded(_made, outcome, _figures):
    """CD-53: each neighbour's own defence takes off what it can of the successes of one pool."""
    if outcome.figures["successes"]:
        yield Damage.asking(points=outcome.figures["successes"], against="defence")


def swept(made, _outcome, _figures):
    """CD-35: damage that ignores what protects."""
    yield Damage.asking(points=made.damage, against="nothing")


def changed(made, _outcome, _figures):
    """CD-33, CD-50: attributes raised or lowered for some rounds."""
    yield ChangeAttributes.asking(name=str(made.title), attributes=list(made.attributes), by=made.change,
                                  rounds=made.rounds, most=made.most)


class ConDiceCrossing(Crossing):
    """CD-03, CD-05: defence and mental resistance are those of this moment."""

    side = Blows
    lands = {
        rolls.Attack: hurt, rolls.MentalDamage: hurt, rolls.Explosion: exploded, Explode: exploded,
        rolls.Healing: healed, GiveLife: given, TakeLife: taken, BoostOther: changed, AreaAttack: swept,
    }

    @classmethod
    def figures(cls, sheet, play):
        """What protects, boosts and losses included."""
        now = play.effective(sheet)
        return {"defence": now.defence, "mental_resistance": now.mental_resistance}

    @classmethod
    def opponent(cls, side):
        """CD-04: a point of life is two life points, and so an odd one is rounded up."""
        attacks = [{"name": str(rolls.Attack.title), "dice": side.dice}] if side.dice else []
        data = blank(ConDice, attacks=attacks, defence=side.defence, life=-(-side.life // 2),
                     mental_resistance=rolls.RESISTANCE)
        return data, {}
