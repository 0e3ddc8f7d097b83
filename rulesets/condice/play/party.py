"""The shared table of a ConDice party: turns, rounds, fights and adventures (CD-46, CD-49, CD-50, CD-52)."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from rulesets.condice.play.table import EndAdventure, EndRound, NewFightForAll
from rulesets.condice.play.turn import BeginTurn, EndTurn
from rulesets.kit import Offer, Seated, Table, Wording


class ConDiceTable(Table):
    """A table where sides take turns (CD-52), and fights and adventures end for all at once (CD-46, CD-49)."""

    together = "side"
    scene_start_acts = (NewFightForAll,)
    scene_end_acts = (EndAdventure,)

    def turn_begins(self, seat: Seated) -> Iterator[Offer]:
        """CD-52: begin the turn; anything done before it does not count against its movement and action."""
        yield BeginTurn.offer()

    def turn_ends(self, seat: Seated) -> Iterator[Offer]:
        """CD-52: end the turn; movement and action are available again in the next one."""
        yield EndTurn.offer()

    def round_ends(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """CD-50: end the round; effects have one round fewer left."""
        yield EndRound.offer()

    def turn_used_note(self, seat: Seated) -> Wording:
        """Return what bonds demand of the character (CD-54), and that its action is used (CD-52)."""
        used: Wording = ""
        if not seat.play.open_parts(seat.sheet)[1]:
            used = _("This turn's action is used; it may still hit its other targets.") if seat.play.reached \
                else _("This turn's action is used.")
        return " ".join(map(str, filter(None, (*seat.play.bond_demands(), used))))

    def rounds(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Offer to begin a new fight and to end the adventure."""
        yield NewFightForAll.offer()
        yield EndAdventure.offer()
