"""Queries for who decides about sheets: what waits for them, page by page, and what other rules have overtaken.

They cost what is shown: the standings say where to look, and only what stands on the page is read and judged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets import systems
from rulesets.kit import Ruleset
from sheets.access import memberships
from sheets.audit_log.standings import under_today
from sheets.models import GMS, Member, Sheet, Standing
from sheets.reviews import services as reviews
from sheets.status.reviews import COUNTED, ReviewStatus, review_statuses

PAGE = 20
"""Sheets on one page of the queue."""


def member_for(request: HttpRequest, sheet: Sheet) -> Member:
    """Return the request's membership as a GM in the party of a sheet (Http404)."""
    me = memberships(request).filter(party=sheet.party_id).select_related("user").first()
    if me is None or not me.gm:
        raise Http404
    return me


@dataclass(frozen=True)
class Queued:
    """A sheet in the queue: its status, the seal of what is decided about, and what keeps it from a mere tick."""

    sheet: Sheet
    review_status: ReviewStatus
    seal: str = ""
    left: str = ""
    """Why it cannot be approved without being looked at, "" if it can."""
    findings: tuple[Any, ...] = ()
    unreadable: bool = False

    @property
    def system(self) -> Ruleset:
        """Its system."""
        return self.sheet.system


@dataclass(frozen=True)
class QueuePage:
    """Some of the queue, and the key after which the next page begins, None at its end."""

    rows: Sequence[Queued]
    more: int | None


def waiting_sheets(request: HttpRequest) -> QuerySet[Standing]:
    """Return the standings of all that waits for the request's user as a GM, the oldest first."""
    run = memberships(request).filter(role__in=GMS).values("party")
    return Standing.objects.waiting().filter(party__in=run).exclude(sheet__owner=request.user.pk).order_by("waiting")


def waiting_page(request: HttpRequest, after: int = 0) -> QueuePage:
    """Return what waits after a number of the chain."""
    found = waiting_sheets(request).filter(waiting__gt=after)
    rows, more = _page(found)
    return QueuePage([_waiting(request, sheet, taken) for sheet, taken in rows if taken.waiting],
                more.waiting if more else None)


def overtaken_page(request: HttpRequest, after: int = 0) -> QueuePage:
    """Return what is played as it was approved under earlier rules and does not wait, after the key of a standing."""
    parties = [one.party for one in memberships(request).filter(role__in=GMS)]
    known = systems()
    earlier = Q(pk__in=[])
    for party in parties:
        today = under_today(known[party.ruleset], party)
        # By two ranges of an index: all that is approved under the rules of today is passed over at once.
        earlier |= Q(party=party, under__gt="", under__lt=today) | Q(party=party, under__gt=today)
    found = Standing.objects.filter(earlier, waiting=None, sheet__party__in=parties, sheet__deleted=None,
                                    sheet__offered=False, pk__gt=after).exclude(sheet__owner=request.user.pk)
    rows, more = _page(found.order_by("pk"))
    judged = [_overtaken(sheet, taken) for sheet, taken in rows if not taken.waiting]
    return QueuePage([one for one in judged if one], more.pk if more else None)


def _page(found: QuerySet[Standing]) -> tuple[list[tuple[Sheet, ReviewStatus]], Standing | None]:
    rows = list(found.select_related("sheet__party", "sheet__owner")[:PAGE + 1])
    here = [one for one in rows[:PAGE] if one.sheet.party_id == one.party_id]
    statuses = review_statuses([one.sheet for one in here], likely=True)
    return [(one.sheet, statuses[one.sheet.pk]) for one in here], rows[PAGE - 1] if len(rows) > PAGE else None


def _waiting(request: HttpRequest, sheet: Sheet, taken: ReviewStatus) -> Queued:
    try:
        found = reviews.pending_decision(sheet, taken)
    except ValidationError:
        return Queued(sheet, taken, left=_("The rules can no longer read it."))
    if found is None:
        return Queued(sheet, taken, left=str(reviews.NOTHING_WAITS))
    return Queued(sheet, taken, found.seal, reviews.asks_more(found, request.user.pk))


def _overtaken(sheet: Sheet, taken: ReviewStatus) -> Queued | None:
    """Return what today's rules say of what is played; None if all is as before.

    A sheet that they cannot read does not hide the others.
    """
    try:
        found = reviews.pending_decision(sheet, taken)
    except ValidationError:
        return Queued(sheet, taken, unreadable=True)
    return Queued(sheet, taken, found.seal, findings=found.verdict.findings) if found else None


@dataclass(frozen=True)
class PlaceInQueue:
    """The place of a sheet among what waits: its number, how many there are, and the keys of those around it."""

    number: int
    of: int
    before: UUID | None
    after: UUID | None


def place_in_queue(request: HttpRequest, waiting: int) -> PlaceInQueue:
    """Return where the submission of this number stands; more than COUNTED are not counted."""
    found = waiting_sheets(request)
    first = [(number or 0, sheet) for number, sheet in found.values_list("waiting", "sheet")[:COUNTED]]
    earlier, later = ([sheet for number, sheet in first if side(number)] for side in (waiting.__gt__, waiting.__lt__))
    before, after = earlier[-1:], later[:1]
    if len(first) == COUNTED:
        before = found.filter(waiting__lt=waiting).order_by("-waiting").values_list("sheet", flat=True)[:1]
        after = found.filter(waiting__gt=waiting).values_list("sheet", flat=True)[:1]
    return PlaceInQueue(len(earlier) + 1, len(first), next(iter(before), None), next(iter(after), None))


def next_waiting(request: HttpRequest, pk: UUID) -> UUID | None:
    """Return the key of the sheet that comes after one in the queue, the oldest after the last; None without another.

    It is asked before that one is decided about.
    """
    found = waiting_sheets(request)
    here = found.filter(sheet=pk).values_list("waiting", flat=True).first() or 0
    others = found.exclude(sheet=pk).values_list("sheet", flat=True)
    return others.filter(waiting__gt=here).first() or others.first()
