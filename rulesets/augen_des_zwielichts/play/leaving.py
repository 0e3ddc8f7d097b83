"""Leaving a fight, and the weak points of those who leave (SZ-36)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts import headings
from rulesets.augen_des_zwielichts.play.fight import refuse_while_open
from rulesets.augen_des_zwielichts.play.state import Face
from rulesets.augen_des_zwielichts.texts import faces, listed
from rulesets.kit import Act, Offer, Play, Refused, Thrown, field

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts


class LeaveFight(Act):
    """SZ-36: leaving takes a won "Take a risk" and somebody who takes over the weak point."""

    weak_point: Face | None = field(_("Which weak point do you hand over?"), None)
    title, rules, group = _("Leave the fight"), ("SZ-36",), headings.FIGHT

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it once “Take a risk” is won in the fight, beside others, and no other weak point lies open."""
        if play.free and play.fighting and play.risk_won and play.open_weak_point is None and play.fighters != 1:
            yield cls.offer(weak_point=play.weak_points[-1],
                            note=_("“Take a risk” succeeded; somebody takes over weak point {n}.").format(
                                 n=listed(play.weak_points)))

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Open the last weak point held and leave the fight; clues are only for those who win it."""
        refuse_while_open(play)
        if not play.risk_won:
            raise Refused(_("To leave the fight, you must first succeed at “Take a risk”."))
        if play.fighters == 1:
            raise Refused(_("Nobody else is in the fight who could take over the weak point."))
        *kept, given = play.weak_points
        if kept:
            return play.evolve(taken_over=listed(kept[1:]), open_weak_point=given)
        # A latecomer after the last one has left begins a fight of their own.
        fought = play.fought if play.in_group else 0
        return play.after_leaving().evolve(
            danger_level=play.danger_level, open_weak_point=given, fought=fought).more(fighters=-1)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Say which weak point is to be taken over, and whether the character is out of the fight."""
        text = _("Somebody has to take over weak point {n}; then the next one can be handed "
                 "over.") if play.fighting else \
            _("Out of the fight; somebody has to take over weak point {n}.")
        return text.format(n=play.open_weak_point)


class TakeOver(Act):
    """SZ-36: another's weak point is taken over."""

    weak_point: Face = field(_("Which weak point?"))
    title, rules, group = _("Take over a weak point"), ("SZ-36",), headings.FIGHT

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it to fighters who are in action; at a party's table the one that is open."""
        if play.free and play.fighting and not play.out:
            if play.open_weak_point is None:
                yield cls.offer(note=_("From somebody leaving the fight."), rare=True)
            else:
                yield cls.offer(_("Take over weak point {n}").format(n=play.open_weak_point), "open",
                                _("From somebody leaving the fight."), weak_point=play.open_weak_point)

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Let both be hit from now on (`Refused` for those who are in no fight, or out of action)."""
        if not play.fighting:
            raise Refused(_("Only somebody in the fight can take over a weak point."))
        if play.out:
            raise Refused(_("Nobody out of action can take over a weak point."))
        if len(faces(play.taken_over)) >= 20:
            raise Refused(_("Nobody can have more weak points than that."))
        left = None if play.open_weak_point == self.weak_point else play.open_weak_point
        return play.evolve(taken_over=listed((*faces(play.taken_over), self.weak_point)), open_weak_point=left)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the weak points held now."""
        return _("Weak points: {faces}").format(faces=listed(play.weak_points))


class LeaveOthers(Act):
    """SZ-36: somebody leaves whose companions have their sheets elsewhere; one of them takes over the weak points."""

    title, rules, group = _("Leave it to others"), ("SZ-36",), headings.FIGHT
    gm_only = True

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it once “Take a risk” is won by the only one in the fight here."""
        if play.free and play.fighting and play.risk_won and play.fighters == 1:
            yield cls.offer(note=_("If somebody whose sheet is not here takes over the weak point."))

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """End the fight here and keep only its danger level."""
        return play.after_fight().evolve(danger_level=play.danger_level, open_weak_point=None, fought=0, fighters=0)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Say that others go on."""
        return str(_("Out of the fight; somebody whose sheet is not here takes over the weak point."))


class TakenOver(Act):
    """SZ-36: a weak point was taken over by somebody whose sheet is elsewhere."""

    title, rules, group = _("The weak point is taken over"), ("SZ-36",), headings.FIGHT
    gm_only = True

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it while one is open."""
        if play.free and play.open_weak_point is not None:
            yield cls.offer(note=_("By somebody whose sheet is not in this party."), rare=True)

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Close the open weak point."""
        return play.evolve(open_weak_point=None)
