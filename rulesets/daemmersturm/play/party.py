"""A party of Dämmersturm at one table: the GM sets the order; what begins, begins for all (DS-10, DS-50)."""

from rulesets.daemmersturm.play.fight import BeginTurn, NewFight, NewSection, RollExhaustion
from rulesets.kit import Table


class DaemmersturmTable(Table):
    """What begins for everybody at the same moment, and the rolls that then are due."""

    begins = (NewFight, NewSection)

    def rounds(self, seats):
        """The turn, the exhaustion rolls of whom they are due for, the fight, the Kampfabschnitt."""
        yield BeginTurn.asking()
        yield RollExhaustion.asking()
        yield NewFight.asking(life=None)
        yield NewSection.asking()
