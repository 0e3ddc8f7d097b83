"""A party of Dämmersturm at one table: the GM sets the order; what begins, begins for all (DS-10, DS-50)."""

from rulesets.daemmersturm import notices
from rulesets.daemmersturm.play.fight import BeginTurn, EndProtection, NewFight, NewSection, RollExhaustion
from rulesets.kit import Table


class DaemmersturmTable(Table):
    """The table of a party: what begins for everybody at the same moment, and the rolls that are then due."""

    begins = (NewFight, NewSection)

    def due(self, seat):
        """DS-32: those who are out of the fight have no turn."""
        return not seat.play.down

    def unable(self, seat):
        """DS-32, DS-44, DS-54, DS-58: what forbids to act."""
        return notices.unable(seat.play)

    def turn_begins(self, seat):
        """DS-50, DS-60: what lasts has one turn less, and what is due is due."""
        yield BeginTurn.asking()

    def turn_ends(self, seat):
        """DS-44: protection lasts until the end of the next turn."""
        yield EndProtection.asking()

    def rounds(self, seats):
        """Yield the exhaustion rolls that are due, the fight, the Kampfabschnitt."""
        yield RollExhaustion.asking()
        yield NewFight.asking(life=None)
        yield NewSection.asking()
