"""The status of a sheet for others: whether it is approved. The rest of its reviews is for its owner and GMs."""

from dataclasses import replace

from django.db.models import Case, OuterRef, Q, Subquery, When

from sheets.models import GMS, Member, Review, Sheet
from sheets.models.reviews import APPROVED, WITHDRAWN
from sheets.status.reviews import NEWEST, ReviewStatus, outward_state, review_status

DECIDED = Subquery(Review.objects.filter(sheet=OuterRef("pk"), party=OuterRef("party"), kind__in=(APPROVED, WITHDRAWN))
                   .order_by("-number").values("number")[:1])
"""A subquery for the number of a sheet's `ReviewStatus.decided`."""


def outward(sheet: Sheet, status: ReviewStatus | None = None) -> ReviewStatus:
    """Return the review status that outsiders may see, without submissions and returns; `status` is the full one."""
    status = status or review_status(sheet)
    return replace(status, last=status.decided, waiting=None, state=outward_state(sheet, status))


def newest_for(user: int | None) -> Case | Subquery:
    """Return an expression for the number of a sheet's newest entry that the user with this key may know of."""
    if user is None:
        return DECIDED
    run = Member.objects.filter(user=user, role__in=GMS).values("party")
    return Case(When(Q(owner=user) | Q(party__in=run), then=NEWEST), default=DECIDED)
