"""What crosses the table in Augen des Zwielichts: help for another, weak points handed on (SZ-25, SZ-36)."""

from rulesets.augen_des_zwielichts import rolls
from rulesets.augen_des_zwielichts.play import GetHelp, LeaveFight, TakeOver
from rulesets.kit import Crossing


def helped(made, outcome, _figures):
    """SZ-25: the die counts for whom it helps, in its colour."""
    yield GetHelp.asking(colour=made.colour, face=outcome.figures["face"])


def handed_on(made, _outcome, _figures):
    """SZ-36: who leaves needs somebody who takes the weak point over."""
    if made.weak_point:
        yield TakeOver.asking(weak_point=made.weak_point)


class AugenDesZwielichtsCrossing(Crossing):
    """SZ-09, SZ-31: the enemy's danger level, clues and corruption are the party's, and cross no table."""

    lands = {rolls.Help: helped, LeaveFight: handed_on}
