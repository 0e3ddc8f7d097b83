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
    """SZ-36: leave a fight after a successful “Take a risk”; somebody has to take over the weak point."""

    weak_point: Face | None = field(_("Which weak point do you hand over?"), None)
    title, rules, group = _("Leave the fight"), ("SZ-36",), headings.FIGHT

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it after a successful “Take a risk” if there are other fighters and no weak point is open."""
        if play.free and play.fighting and play.risk_won and play.open_weak_point is None and play.fighters != 1:
            yield cls.offer(weak_point=play.weak_points[-1],
                            note=_("“Take a risk” succeeded; somebody takes over weak point {n}.").format(
                                 n=listed(play.weak_points)))

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Open the last of the character's weak points; after the only one, leave the fight, without clues."""
        refuse_while_open(play)
        if not play.risk_won:
            raise Refused(_("To leave the fight, you must first succeed at “Take a risk”."))
        if play.fighters == 1:
            raise Refused(_("Nobody else is in the fight who could take over the weak point."))
        *kept, given = play.weak_points
        if kept:
            return play.evolve(taken_over=listed(kept[1:]), open_weak_point=given)
        # If the last fighter leaves, somebody who joins later begins a new fight.
        fought = play.fought if play.in_group else 0
        return play.after_leaving().evolve(
            danger_level=play.danger_level, open_weak_point=given, fought=fought).with_counts_changed(fighters=-1)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the weak point to be taken over, and if the character is out of the fight."""
        text = _("Somebody has to take over weak point {n}; then the next one can be handed "
                 "over.") if play.fighting else \
            _("Out of the fight; somebody has to take over weak point {n}.")
        return text.format(n=play.open_weak_point)


class TakeOver(Act):
    """SZ-36: take over another fighter's weak point."""

    weak_point: Face = field(_("Which weak point?"))
    title, rules, group = _("Take over a weak point"), ("SZ-36",), headings.FIGHT

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it to fighters in action: for the open weak point, or for any if none is open here."""
        if play.free and play.fighting and not play.out_of_action:
            if play.open_weak_point is None:
                yield cls.offer(note=_("From somebody leaving the fight."), rare=True)
            else:
                yield cls.offer(_("Take over weak point {n}").format(n=play.open_weak_point), "open",
                                _("From somebody leaving the fight."), weak_point=play.open_weak_point)

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Add the weak point. Raise `Refused` for a character who is in no fight, or out of action."""
        if not play.fighting:
            raise Refused(_("Only somebody in the fight can take over a weak point."))
        if play.out_of_action:
            raise Refused(_("Nobody out of action can take over a weak point."))
        if len(faces(play.taken_over)) >= 20:
            raise Refused(_("Nobody can have more weak points than that."))
        left = None if play.open_weak_point == self.weak_point else play.open_weak_point
        return play.evolve(taken_over=listed((*faces(play.taken_over), self.weak_point)), open_weak_point=left)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return all weak points of the character."""
        return _("Weak points: {faces}").format(faces=listed(play.weak_points))


class LeaveOthers(Act):
    """SZ-36: leave a fight whose other fighters have no sheets here; one of them takes over the weak points."""

    title, rules, group = _("Leave it to others"), ("SZ-36",), headings.FIGHT
    gm_only = True

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it to the only fighter here after a successful “Take a risk”."""
        if play.free and play.fighting and play.risk_won and play.fighters == 1:
            yield cls.offer(note=_("If somebody whose sheet is not here takes over the weak point."))

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """End the fight here and keep only its danger level."""
        return play.after_fight().evolve(danger_level=play.danger_level, open_weak_point=None, fought=0, fighters=0)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return that somebody without a sheet here takes over."""
        return str(_("Out of the fight; somebody whose sheet is not here takes over the weak point."))


class TakenOver(Act):
    """SZ-36: close a weak point that somebody without a sheet here has taken over."""

    title, rules, group = _("The weak point is taken over"), ("SZ-36",), headings.FIGHT
    gm_only = True

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it while a weak point is open."""
        if play.free and play.open_weak_point is not None:
            yield cls.offer(note=_("By somebody whose sheet is not in this party."), rare=True)

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Close the open weak point."""
        return play.evolve(open_weak_point=None)
