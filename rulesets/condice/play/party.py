"""A party of ConDice at one table (CD-52): the GM sets the order; rounds, fights and adventures end for all."""

from rulesets.condice.play.table import EndAdventure, EndRound, NewFight
from rulesets.kit import Table


class ConDiceTable(Table):
    """CD-49, CD-50, CD-46: what is over for everybody at the same moment."""

    begins = (NewFight,)
    ends = (EndAdventure,)

    def rounds(self, seats):
        """The round, the fight, the adventure."""
        yield EndRound.asking()
        yield NewFight.asking()
        yield EndAdventure.asking()
