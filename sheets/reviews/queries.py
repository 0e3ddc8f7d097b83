"""Queries for a GM's queue: sheets that wait for a decision, and approvals that newer rules have overtaken, in pages.

The standings tell which sheets these are, so that only the sheets on a page are loaded and checked.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets import systems
from rulesets.grouping import by_key
from rulesets.kit import Ruleset
from sheets.access import member_of
from sheets.audit_log.standings import rules_key_today
from sheets.models import GMS, Member, Party, Sheet, Standing
from sheets.models.compiled_queries import compiled
from sheets.reviews import services as reviews
from sheets.signed_in import signed_in_user
from sheets.status.reviews import COUNTED, ReviewStatus, review_statuses

PAGE = 20
"""The sheets on one page of the queue."""
WITH_SHEETS = Standing.objects.select_related("sheet__party", "sheet__owner")
WITHOUT_TEXTS = Standing.objects.select_related("sheet").only(
    "waiting", "party", "sheet__party", "sheet__owner", "sheet__deleted", "sheet__offered")
"""Standings with complete sheets, and with only the columns that show whether a sheet still waits."""


def member_for(request: HttpRequest, sheet: Sheet) -> Member:
    """Return the user's membership in the party of a sheet; raise Http404 if they are no GM there."""
    me = member_of(request, sheet.party_id)
    if me is None or not me.gm:
        raise Http404
    me.user = signed_in_user(request)
    return me


@dataclass(frozen=True)
class QueuedSheet:
    """A sheet in the queue: its status, the seal of the pending decision, and the findings of today's rules."""

    sheet: Sheet
    review_status: ReviewStatus
    seal: str = ""
    left: str = ""
    """The reason why it cannot be approved from the queue, "" if it can."""
    findings: tuple[Any, ...] = ()
    unreadable: bool = False

    @property
    def system(self) -> Ruleset:
        """The system of the sheet."""
        return self.sheet.system


@dataclass(frozen=True)
class QueuePage:
    """The rows of a page, and the key after which the next page begins, None on the last one."""

    rows: Sequence[QueuedSheet]
    more: int | None


def oldest_waiting(request: HttpRequest, n: int, after: int = 0) -> list[Standing]:
    """Return `n` standings that wait for the user as a GM, the oldest first, after a submission's number in the chain.

    Their sheets are not loaded completely.
    """
    return list(islice(_in_queue_order(request, n, after), n))


def _in_queue_order(request: HttpRequest, n: int, last: int, *, whole: bool = False,
                    backwards: bool = False) -> Iterator[Standing]:
    """Yield the standings that wait for the user after the number `last`, in order, in batches of `n` and more.

    The batches come from an index; sheets that have left the party or were deleted since are then skipped.
    """
    while user := request.user.pk:
        rows = _queued(user, [*systems()], last, n=n, whole=whole, backwards=backwards)
        yield from (one for one in rows if _still_waits(one, user))
        if len(rows) < n:
            return
        n, last = 2 * n, rows[-1].waiting or last


@compiled
def _queued(user: Any, rulesets: Any, last: Any, *, n: int, whole: bool, backwards: bool) -> QuerySet[Standing]:
    order, behind = ("-waiting", Q(waiting__lt=last)) if backwards else ("waiting", Q(waiting__gt=last))
    run_parties = Member.objects.filter(user=user, role__in=GMS, party__ruleset__in=rulesets).values("party")
    queued = Standing.objects.filter(behind, party__in=run_parties, waiting__isnull=False).order_by(order)
    return (WITH_SHEETS if whole else WITHOUT_TEXTS).filter(pk__in=queued.values("pk")[:n]).order_by(order)


def _still_waits(standing: Standing, user: int | None) -> bool:
    """Return True if the sheet of a standing still waits in its party, and is not the user's own."""
    sheet = standing.sheet
    in_party = sheet.party_id == standing.party_id and sheet.deleted is None and not sheet.offered
    return in_party and sheet.owner_id != user


@dataclass(frozen=True)
class QueuePages:
    """A page of waiting sheets and one of overtaken approvals, with {key: status} of the sheets that are shown."""

    waiting: QueuePage
    overtaken: QueuePage
    statuses: Mapping[UUID, ReviewStatus]


def queue_pages(request: HttpRequest, members: Iterable[Member], own: Iterable[Sheet], after: int = 0,
                earlier: int = 0) -> QueuePages:
    """Return the page of waiting sheets after a number of the chain, and of overtaken ones after a standing's key.

    `members` are all memberships of the user; `own` are further sheets whose status is loaded in the same query.
    """
    waiting = list(islice(_in_queue_order(request, PAGE + 1, after, whole=True), PAGE + 1))
    overtaken = _overtaken_page(request, members, earlier)
    shown = [one.sheet for found in (waiting, overtaken) for one in found[:PAGE]]
    statuses = review_statuses([*shown, *own], likely=bool(shown))
    first, behind = ([(one.sheet, statuses[one.sheet.pk]) for one in found[:PAGE]] for found in (waiting, overtaken))
    return QueuePages(
        QueuePage([_waiting_row(request, *one) for one in first if one[1].waiting], _next_key(waiting, "waiting")),
        QueuePage([judged for one in behind if (judged := _overtaken_row(*one))], _next_key(overtaken, "pk")), statuses)


def _next_key(standings: list[Standing], key: str) -> int | None:
    """Return the key of the last standing on a page, or None if no page follows."""
    return getattr(standings[PAGE - 1], key) if len(standings) > PAGE else None


def _overtaken_page(request: HttpRequest, members: Iterable[Member], after: int) -> list[Standing]:
    """Return the standings approved under other rules than today's and not waiting, after the key of a standing."""
    known = systems()
    today = by_key((rules_key_today(known[one.party.ruleset], one.party), one.party_id) for one in members if one.gm)
    # Two index lookups suffice for the many parties whose approvals are all under today's rules.
    others = [Q(pk__in=keys) & (Q(Exists(_under(Q(under__lt=rules)))) | Q(Exists(_under(Q(under__gt=rules)))))
              for rules, keys in today.items()]
    outdated = set(Party.objects.filter(reduce(or_, others)).values_list("pk", flat=True)) if others else set()
    if not outdated:
        return []
    earlier = reduce(or_, (Q(party__in=outdated.intersection(keys)) & ~Q(under=rules) for rules, keys in today.items()))
    standings = WITH_SHEETS.filter(earlier, ~Q(under=""), party__in=outdated, waiting=None, sheet__party=F("party"),
                         sheet__deleted=None, sheet__offered=False).exclude(sheet__owner=request.user.pk)
    last = Standing.objects.filter(pk=after).first() if after else None
    if last:
        standings = standings.filter(Q(party__gt=last.party_id) | Q(party=last.party_id, under__gt=last.under)
                             | Q(party=last.party_id, under=last.under, pk__gt=last.pk))
    return list(standings.order_by("party", "under", "pk")[:PAGE + 1])


def _under(others: Q) -> QuerySet[Standing]:
    """Return the standings of the outer query's party that are approved under rules as `others` restricts them."""
    return Standing.objects.filter(~Q(under=""), others, party=OuterRef("pk"), under__gt="")


def _waiting_row(request: HttpRequest, sheet: Sheet, status: ReviewStatus) -> QueuedSheet:
    try:
        pending = reviews.pending_decision(sheet, status)
    except ValidationError:
        return QueuedSheet(sheet, status, left=_("The rules can no longer read it."))
    if pending is None:
        return QueuedSheet(sheet, status, left=str(reviews.NOTHING_WAITS))
    return QueuedSheet(sheet, status, pending.seal, reviews.why_not_approvable(pending, request.user.pk))


def _overtaken_row(sheet: Sheet, status: ReviewStatus) -> QueuedSheet | None:
    """Return the row of a sheet with the findings of today's rules, None if they change nothing.

    A sheet that they cannot read gets a row, too.
    """
    if status.waiting:
        return None
    try:
        pending = reviews.pending_decision(sheet, status)
    except ValidationError:
        return QueuedSheet(sheet, status, unreadable=True)
    return QueuedSheet(sheet, status, pending.seal, findings=pending.verdict.findings) if pending else None


def count_text(n: int) -> str:
    """Return the number of waiting sheets as text; the count stops at `COUNTED`."""
    return str(n) if n < COUNTED else f"{COUNTED - 1}+"


@dataclass(frozen=True)
class PlaceInQueue:
    """The place of a sheet in the queue: its position, the total, and the keys of the sheets before and after it."""

    number: str
    of: str
    before: UUID | None
    after: UUID | None


def place_in_queue(request: HttpRequest, waiting: int) -> PlaceInQueue:
    """Return the place in the queue of the submission with this number in the chain."""
    first = oldest_waiting(request, COUNTED)
    earlier, later = ([one for one in first if side(one.waiting or 0)] for side in (waiting.__gt__, waiting.__lt__))
    before, after = earlier[-1:], later[:1]
    if len(first) == COUNTED:
        before = list(islice(_in_queue_order(request, 1, waiting, backwards=True), 1))
        after = oldest_waiting(request, 1, waiting)
    around = [next((one.sheet_id for one in some), None) for some in (before, after)]
    return PlaceInQueue(count_text(len(earlier) + 1), count_text(len(first)), *around)


def next_waiting(request: HttpRequest, pk: UUID) -> UUID | None:
    """Return the key of the sheet that follows one in the queue, the oldest after the last; None if there is no other.

    Call it before the sheet is decided, because the sheet then leaves the queue.
    """
    number_now = next(iter(_number_of(pk)), 0)
    return next((one.sheet_id for number in (number_now, 0) for one in oldest_waiting(request, 2, number)
                 if one.sheet_id != pk), None)


@compiled
def _number_of(pk: Any) -> QuerySet[Standing, int | None]:
    found = Standing.objects.filter(sheet=pk, waiting__isnull=False, sheet__party=F("party"))
    return found.values_list("waiting", flat=True)
