"""A Dämmersturm party at the table: the GM sets the order, fights and sections begin for everybody (DS-10, DS-50)."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import notices, rolls
from rulesets.daemmersturm.play.conditions import DamageOverTime, EndLasting
from rulesets.daemmersturm.play.fight import BeginRound, BeginTurn, EndProtection, NewFight, NewSection, RollExhaustion
from rulesets.kit import Offer, Seated, Table, Wording


class DaemmersturmTable(Table):
    """The party's table: turns, rounds, and the rolls due when they begin or end."""

    scene_start_acts = (NewFight, NewSection)
    actions = (rolls.Attack, rolls.PairedAttack, rolls.FriendlyFire, rolls.WRoll, rolls.Perception)

    def is_out(self, seat: Seated) -> bool:
        """DS-32: return True if a character is out of the fight, as at 0 life, and so has no turn."""
        return bool(seat.play.down)

    def turn_used_note(self, seat: Seated) -> Wording:
        """DS-60: say that the turn's one action has been used; abilities may allow another."""
        return _("This turn's action is used.") if seat.acted or seat.play.acted else ""

    def unable_note(self, seat: Seated) -> Wording:
        """DS-32, DS-44, DS-54, DS-58: return the reason why a character cannot act, if there is one."""
        return notices.unable_note(seat.play)

    def turn_begins(self, seat: Seated) -> Iterator[Offer]:
        """DS-50, DS-60: begin the turn; lasting effects have one turn less to run."""
        yield BeginTurn.offer(counted=True)

    def round_begins(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """DS-56, DS-57: reset what may be used once a round."""
        yield BeginRound.offer()

    def turn_ends(self, seat: Seated) -> Iterator[Offer]:
        """DS-45, DS-50, DS-44, DS-58: make the rolls still due, then end protection and conditions that run out now."""
        for index, one in enumerate(seat.play.conditions):
            if one.due:
                yield DamageOverTime.offer(index=index, reduced=0)
        yield RollExhaustion.offer()
        yield EndProtection.offer()
        yield EndLasting.offer()

    def rounds(self, seats: Sequence[Seated]) -> Iterator[Offer]:
        """Offer the exhaustion rolls that are due, a new fight, and a new section of the fight (Kampfabschnitt)."""
        yield RollExhaustion.offer()
        yield NewFight.offer(life=None)
        yield NewSection.offer()
