"""Queries for who decides about sheets: what waits for them, page by page, and what other rules have overtaken.

They cost what is shown: the standings say where to look, and only what stands on the page is read and judged.
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
from sheets.access import memberships
from sheets.audit_log.standings import under_today
from sheets.models import GMS, Member, Party, Sheet, Standing
from sheets.reviews import services as reviews
from sheets.status.reviews import COUNTED, ReviewStatus, review_statuses

PAGE = 20
"""Sheets on one page of the queue."""
WHOLE = Standing.objects.select_related("sheet__party", "sheet__owner")
LIGHT = Standing.objects.select_related("sheet").only(
    "waiting", "party", "sheet__party", "sheet__owner", "sheet__deleted", "sheet__offered")
"""Standings with all of their sheets, and with what tells that these wait."""


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


def oldest_waiting(request: HttpRequest, n: int, after: int = 0) -> list[Standing]:
    """Return so many of what waits for the request's user as a GM after a number of the chain, the oldest first.

    Of the sheets it reads no more than is needed to tell that they wait.
    """
    return list(islice(_in_turn(request, LIGHT, n, Q(waiting__gt=after)), n))


def _in_turn(request: HttpRequest, standings: QuerySet[Standing], n: int, where: Q,
             order: str = "waiting") -> Iterator[Standing]:
    """Yield what waits in an order, read by so many at a time.

    An index says which come first, and only these are looked at: sheets that have left or are thrown away wait no more.
    """
    run = memberships(request).filter(role__in=GMS).values("party")
    found, there = Standing.objects.filter(party__in=run, waiting__isnull=False).order_by(order), where
    while True:
        rows = list(standings.filter(pk__in=found.filter(there).values("pk")[:n]).order_by(order))
        yield from (one for one in rows if _waits(one, request.user.pk))
        if len(rows) < n:
            return
        n, last = 2 * n, rows[-1].waiting
        there = where & (Q(waiting__lt=last) if order.startswith("-") else Q(waiting__gt=last))


def _waits(one: Standing, user: int | None) -> bool:
    """Return True if what a standing is of still waits in its party, and for this user."""
    sheet = one.sheet
    return (sheet.party_id == one.party_id and sheet.deleted is None and not sheet.offered and sheet.owner_id != user)


@dataclass(frozen=True)
class QueuePages:
    """A page of what waits and one of what other rules have overtaken, and the status of each sheet that is shown."""

    waiting: QueuePage
    overtaken: QueuePage
    statuses: Mapping[UUID, ReviewStatus]


def queue_pages(request: HttpRequest, members: Iterable[Member], own: Iterable[Sheet], after: int = 0,
                earlier: int = 0) -> QueuePages:
    """Return what waits after a number of the chain, and what is overtaken after the key of a standing.

    `members` are all the memberships of the request's user, `own` other sheets whose status is wanted. All are read
    together.
    """
    waiting = list(islice(_in_turn(request, WHOLE, PAGE + 1, Q(waiting__gt=after)), PAGE + 1))
    overtaken = _overtaken_standings(request, members, earlier)
    shown = [one.sheet for found in (waiting, overtaken) for one in found[:PAGE]]
    statuses = review_statuses([*shown, *own], likely=bool(shown))
    first, behind = ([(one.sheet, statuses[one.sheet.pk]) for one in found[:PAGE]] for found in (waiting, overtaken))
    return QueuePages(
        QueuePage([_waiting(request, *one) for one in first if one[1].waiting], _more(waiting, "waiting")),
        QueuePage([judged for one in behind if (judged := _overtaken(*one))], _more(overtaken, "pk")), statuses)


def _more(found: list[Standing], key: str) -> int | None:
    """Return the key of the last one on a page where there are more, None where there are not."""
    return getattr(found[PAGE - 1], key) if len(found) > PAGE else None


def _overtaken_standings(request: HttpRequest, members: Iterable[Member], after: int) -> list[Standing]:
    """Return what is played as it was approved under earlier rules and does not wait, after the key of a standing."""
    known = systems()
    today = by_key((under_today(known[one.party.ruleset], one.party), one.party_id) for one in members if one.gm)
    # Of most parties all is approved under the rules of today, which two looks into an index tell.
    others = [Q(pk__in=keys) & (Q(Exists(_under(Q(under__lt=word)))) | Q(Exists(_under(Q(under__gt=word)))))
              for word, keys in today.items()]
    behind = set(Party.objects.filter(reduce(or_, others)).values_list("pk", flat=True)) if others else set()
    if not behind:
        return []
    earlier = reduce(or_, (Q(party__in=behind.intersection(keys)) & ~Q(under=word) for word, keys in today.items()))
    found = WHOLE.filter(earlier, ~Q(under=""), party__in=behind, waiting=None, sheet__party=F("party"),
                         sheet__deleted=None, sheet__offered=False).exclude(sheet__owner=request.user.pk)
    last = Standing.objects.filter(pk=after).first() if after else None
    if last:
        found = found.filter(Q(party__gt=last.party_id) | Q(party=last.party_id, under__gt=last.under)
                             | Q(party=last.party_id, under=last.under, pk__gt=last.pk))
    return list(found.order_by("party", "under", "pk")[:PAGE + 1])


def _under(others: Q) -> QuerySet[Standing]:
    """Return the standings of a party in a query that are approved under other rules."""
    return Standing.objects.filter(~Q(under=""), others, party=OuterRef("pk"), under__gt="")


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
    if taken.waiting:
        return None
    try:
        found = reviews.pending_decision(sheet, taken)
    except ValidationError:
        return Queued(sheet, taken, unreadable=True)
    return Queued(sheet, taken, found.seal, findings=found.verdict.findings) if found else None


def counted(n: int) -> str:
    """Return a number of sheets that wait as pages show it; more than COUNTED are never counted."""
    return str(n) if n < COUNTED else f"{COUNTED - 1}+"


@dataclass(frozen=True)
class PlaceInQueue:
    """The place of a sheet among what waits: its number, how many there are, and the keys of those around it."""

    number: str
    of: str
    before: UUID | None
    after: UUID | None


def place_in_queue(request: HttpRequest, waiting: int) -> PlaceInQueue:
    """Return where the submission of this number stands."""
    first = oldest_waiting(request, COUNTED)
    earlier, later = ([one for one in first if side(one.waiting or 0)] for side in (waiting.__gt__, waiting.__lt__))
    before, after = earlier[-1:], later[:1]
    if len(first) == COUNTED:
        before = list(islice(_in_turn(request, LIGHT, 1, Q(waiting__lt=waiting), "-waiting"), 1))
        after = oldest_waiting(request, 1, waiting)
    around = [next((one.sheet_id for one in some), None) for some in (before, after)]
    return PlaceInQueue(counted(len(earlier) + 1), counted(len(first)), *around)


def next_waiting(request: HttpRequest, pk: UUID) -> UUID | None:
    """Return the key of the sheet that comes after one in the queue, the oldest after the last; None without another.

    It is asked before that one is decided about.
    """
    here = Standing.objects.filter(sheet=pk, waiting__isnull=False, sheet__party=F("party")).values_list(
        "waiting", flat=True).first() or 0
    return next((one.sheet_id for number in (here, 0) for one in oldest_waiting(request, 2, number)
                 if one.sheet_id != pk), None)
