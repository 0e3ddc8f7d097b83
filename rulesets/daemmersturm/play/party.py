"""A party of Dämmersturm at one table: the GM sets the order; what begins, begins for all (DS-10, DS-50)."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import notices, rolls
from rulesets.daemmersturm.play.conditions import DamageOverTime, EndLasting
from rulesets.daemmersturm.play.fight import BeginRound, BeginTurn, EndProtection, NewFight, NewSection, RollExhaustion
from rulesets.kit import Offer, Seated, Table, Wording


class DaemmersturmTable(Table):
    """The table of a party: what begins for everybody at the same moment, and the rolls that are then due."""

    begins = (NewFight, NewSection)
    actions = (rolls.Attack, rolls.PairedAttack, rolls.FriendlyFire, rolls.WRoll, rolls.Perception)

    def out(self, seat: Seated) -> bool:
        """DS-32: return whether a character is out of the fight and has no turn, as at 0 life."""
        return bool(seat.play.down)

    def spent(self, seat: Seated) -> Wording:
        """DS-60: one action a turn; abilities may allow more."""
        return _("This turn's action is used.") if seat.acted or seat.play.acted else ""

    def unable(self, seat: Seated) -> Wording:
        """DS-32, DS-44, DS-54, DS-58: what forbids to act."""
        return notices.unable(seat.play)

    def turn_begins(self, seat: Seated) -> Iterator[Offer]:
        """DS-50, DS-60: begin the turn, in which what lasts has one turn fewer left."""
        yield BeginTurn.offer(counted=True)

    def round_begins(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """DS-56, DS-57: set back what a round limits."""
        yield BeginRound.offer()

    def turn_ends(self, seat: Seated) -> Iterator[Offer]:
        """DS-45, DS-50, DS-44, DS-58: rolls that are due and were left out are made; what lasts until now is over."""
        for index, one in enumerate(seat.play.conditions):
            if one.due:
                yield DamageOverTime.offer(index=index, reduced=0)
        yield RollExhaustion.offer()
        yield EndProtection.offer()
        yield EndLasting.offer()

    def rounds(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Yield the exhaustion rolls that are due, the fight, the Kampfabschnitt."""
        yield RollExhaustion.offer()
        yield NewFight.offer(life=None)
        yield NewSection.offer()
