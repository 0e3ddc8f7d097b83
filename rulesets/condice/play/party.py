"""A party of ConDice at one table (CD-52): the players are on, then the GM; fights and adventures end for all."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from rulesets.condice.play.table import EndAdventure, EndRound, NewFight
from rulesets.condice.play.turn import BeginTurn, EndTurn
from rulesets.kit import Offer, Seated, Table, Wording


class ConDiceTable(Table):
    """CD-49, CD-50, CD-46: what is over for everybody at the same moment."""

    together = "side"
    begins = (NewFight,)
    ends = (EndAdventure,)

    def turn_begins(self, seat: Seated) -> Iterator[Offer]:
        """CD-52: what was done while it was not one's turn is spent in none."""
        yield BeginTurn.asking()

    def turn_ends(self, seat: Seated) -> Iterator[Offer]:
        """CD-52: the next turn has a movement and an action again."""
        yield EndTurn.asking()

    def round_ends(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """CD-50: effects have one round less."""
        yield EndRound.asking()

    def spent(self, seat: Seated) -> Wording:
        """CD-52, CD-54: one action a turn, and what holds whoever has it."""
        used = "" if seat.play.open(seat.sheet)[1] else _(
            "The action of this turn is used; it may still reach its other targets.") if seat.play.reached else _(
            "The action of this turn is used.")
        return " ".join(map(str, filter(None, (*seat.play.bound(), used))))

    def rounds(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Yield the fight, the adventure."""
        yield NewFight.asking()
        yield EndAdventure.asking()
