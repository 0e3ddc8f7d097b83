"""The state of a sheet's reviews: what waits for its GMs, what they approved, what is played. Read from the chain."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import cycle, islice
from types import MappingProxyType
from typing import Any

from django.contrib.auth.models import User
from django.db.models import IntegerField, Max, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from rulesets.grouping import by_key
from sheets.documents import sealable
from sheets.models import GMS, Member, Review, Revision, Sheet, Standing
from sheets.models.compiled_queries import compiled
from sheets.models.reviews import APPROVED, PLAYED, RECALLED, RETURNED, SUBMITTED, WITHDRAWN

STATES = {
    "approved": (_("approved"), "good"),
    "earlier": (_("approved under earlier rules"), "ask"),
    "played": (_("approved, changed at the table since"), "good"),
    "changed": (_("changed since approval"), "ask"),
    "waiting": (_("waiting for approval"), "ask"),
    "returned": (_("returned with comments"), "ask"),
    "withdrawn": (_("approval withdrawn"), "error"),
    "none": (_("not approved"), "ask"),
    "alone": (_("counts once a GM has approved it"), "calm"),
}
"""{state: (title, tone)} of a sheet in review."""
NEWEST = Subquery(Review.objects.filter(sheet=OuterRef("pk"), party=OuterRef("party")).exclude(kind=PLAYED)
                  .order_by("-number").values("number")[:1])
"""A subquery for the number of a sheet's `ReviewStatus.last`."""
FEW = 2
"""The most sheets for which a cheap query first looks for new entries: an actor and its target."""
COUNTED = 100
"""The limit up to which waiting sheets are counted."""


@dataclass(frozen=True)
class ReviewStatus:
    """The reviews of a sheet in its present party, as far as they still count."""

    last: Review | None = None
    """The newest entry by its owner or the GMs; changes in play do not count."""
    decided: Review | None = None
    """The newest entry that made or ended an approval."""
    waiting: Review | None = None
    approval: Review | None = None
    played: Review | None = None
    """The entry whose revision is played: the approval, or that of a later act that changed the sheet for good."""
    revision: Revision | None = None
    """The revision that is played; None if the sheet is played as it stands."""
    state: str = ""

    @property
    def number(self) -> int:
        """The number of the newest entry, 0 if there is none."""
        return max((one.number for one in (self.last, self.played) if one), default=0)

    @property
    def title(self) -> Any:
        """The title of the state."""
        return STATES[self.state][0] if self.state else ""

    @property
    def tone(self) -> str:
        """The tone of the state in the style sheet."""
        return STATES[self.state][1] if self.state else ""

    @property
    def exceptions(self) -> list[dict[str, str]]:
        """The exceptions that the approval makes, as `granted` returns them."""
        return granted(self.approval) if self.approval else []


def shown_state(sheet: Sheet, status: ReviewStatus | None = None) -> Sheet | Revision:
    """Return the object that holds the name, data and house rules of a sheet as others see it: what is played.

    That is the approved revision, or the one that later acts have made of it; without one it is the sheet itself. Only
    its owner and its GMs see a draft beside it, by `stamp_asked_for`. `status` is the sheet's status, if it is known.
    """
    return (status or review_status(sheet)).revision or sheet


def shown_names(sheets: Iterable[Sheet]) -> dict[Any, str]:
    """Return {key: name} of sheets as others see them, by at most three queries."""
    sheets = list(sheets)
    statuses = review_statuses(sheets)
    return {sheet.pk: shown_state(sheet, statuses[sheet.pk]).name for sheet in sheets}


def granted(approval: Review) -> list[dict[str, str]]:
    """Return {rule, path, message, reason} of each exception that an approval makes; an erased reason is ""."""
    if approval.said or not approval.words:
        exceptions: list[dict[str, str]] = approval.said.get("exceptions", [])
        return exceptions
    return [{key: one[key] for key in ("rule", "path", "message")} | {"reason": ""}
            for one in approval.seen.get("findings", []) if one["severity"] == "approval"]


def review_status(sheet: Sheet, known: ReviewStatus | None = None, *, likely: bool = False) -> ReviewStatus:
    """Return the review status of one sheet; `known` and `likely` as in `review_statuses`."""
    return review_statuses([sheet], {sheet.pk: known} if known else {}, likely=likely)[sheet.pk]


def review_statuses(sheets: Iterable[Sheet], known: Mapping[Any, ReviewStatus] = MappingProxyType({}), *,
                    likely: bool = False) -> dict[Any, ReviewStatus]:
    """Return {key: status} of sheets, by at most three queries; a sheet in no party has none.

    `known` are statuses read earlier, which are returned if no entries have been added since. With `likely` the sheets
    probably have reviews, and the cheap query for new entries is skipped.
    """
    sheets = list(sheets)
    placed: dict[Any, Sheet] = {sheet.pk: sheet for sheet in sheets if sheet.party_id}
    found: dict[Any, list[Review]] = {}
    # Most sheets were never reviewed, and for up to FEW of them a cheap query can show that.
    if placed and (likely or len(placed) > FEW or _entered(placed.values(), known.values())):
        entries = _newest([*placed], [*{sheet.party_id for sheet in placed.values()}])
        found = by_key((one.sheet_id, one) for one in entries if one.party_id == placed[one.sheet_id].party_id)
    elif known:
        return {**known}
    read = {key: _read(entries) for key, entries in found.items()}
    shown = [entry for one in read.values() for entry in (one["played"], one["waiting"]) if entry]
    revisions = {one.pk: one for one in _revisions({entry.revision_id for entry in shown} - {None})}
    for entry in shown:
        entry.revision = revisions.get(entry.revision_id)
    return {sheet.pk: _review_status(sheet, read.get(sheet.pk, {}), revisions) for sheet in sheets}


def approved_among(sheets: Collection[Any], party: Any) -> set[Any]:
    """Return the keys of those sheets whose approval in a party is in force, so that their drafts are not played."""
    found = by_key((one.sheet_id, one) for one in _newest([*sheets], [party]))
    return {key for key, entries in found.items() if (played := _read(entries)["played"]) and played.revision_id}


def _entered(sheets: Iterable[Sheet], known: Iterable[ReviewStatus]) -> bool:
    """Return True if at most FEW sheets have entries newer than all known ones; all sheets share one numbering."""
    few, after = [*islice(cycle(sheets), FEW)], max((one.number for one in known), default=0)
    return bool(_newer([one.pk for one in few], [one.party_id for one in few], after))


@compiled
def _newest(sheets: Any, parties: Any) -> QuerySet[Review]:
    """Return the newest entry of each kind for each sheet in a party; a status depends on no others."""
    kinds = Review.objects.filter(sheet__pk__in=sheets, party__pk__in=parties).values("sheet", "party", "kind")
    newest = kinds.order_by().annotate(newest=Max("number")).values("newest")
    return Review.objects.filter(number__in=newest).select_related("by").order_by("number").defer("seen")


@compiled
def _revisions(keys: Any) -> QuerySet[Revision]:
    return Revision.objects.filter(pk__in=keys)


@compiled
def _newer(sheets: Any, parties: Any, number: Any) -> QuerySet[Review, int]:
    found = Review.objects.filter(sheet__pk__in=sheets, party__pk__in=parties, number__gt=number)
    return found.values_list("number", flat=True)[:1]


class CountOf(Subquery):
    """A subquery that counts the rows of a query, which may have a limit."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) found)"
    output_field = IntegerField()


def waiting_for(user: User) -> int | None:
    """Return the number of sheets that wait for a user as a GM, at most COUNTED; None if they are GM nowhere.

    It takes one query, because the header of every page needs it.
    """
    return next(iter(_count_waiting(user.pk)), None)


@compiled
def _count_waiting(user: Any) -> QuerySet[Member, int]:
    """Return the number of sheets that wait for a user, in one row; no row if they are GM nowhere."""
    run = Member.objects.filter(user=user, role__in=GMS)
    waits = Standing.objects.waiting().filter(party__in=run.values("party")).exclude(sheet__owner=user)
    return run.order_by().values_list(CountOf(waits.order_by().values("pk")[:COUNTED]), flat=True)[:1]


def entries_since(sheet: Sheet, approval: Review) -> QuerySet[Review]:
    """Return the entries that determine what is played since an approval: its own, and those of later acts."""
    return Review.objects.filter(sheet=sheet, party=approval.party_id, number__gte=approval.number,
                                 kind__in=(APPROVED, PLAYED))


def _read(entries: list[Review]) -> dict[str, Review | None]:
    state: dict[str, Review | None] = dict.fromkeys(("last", "decided", "waiting", "approval", "played"))
    for entry in entries:
        if entry.kind in (SUBMITTED, RECALLED, RETURNED, APPROVED):
            state["waiting"] = entry if entry.kind == SUBMITTED else None
        if entry.kind in (APPROVED, WITHDRAWN):
            state["decided"] = entry
        if entry.kind == WITHDRAWN:
            state |= {"approval": None, "played": None}
        elif entry.kind in (APPROVED, PLAYED):
            state |= {"played": entry} if entry.kind == PLAYED else {"played": entry, "approval": entry}
        if entry.kind != PLAYED:
            state["last"] = entry
    return state


def _review_status(sheet: Sheet, read: dict[str, Review | None], revisions: dict[Any, Revision]) -> ReviewStatus:
    played = read.get("played")
    revision = revisions.get(played.revision_id) if played else None
    return ReviewStatus(**read, revision=revision, state=_state(sheet, read, revision))


def _state(sheet: Sheet, read: dict[str, Review | None], revision: Revision | None) -> str:
    last, approval = read.get("last"), read.get("approval")
    if read.get("waiting"):
        return "waiting"
    if revision and approval:
        if (seal := _seal(sheet, revision)) is None:
            return "returned" if last and last.kind == RETURNED else "changed"
        if revision.pk != approval.revision_id:
            return "played"
        return "approved" if seal == revision.seal else "earlier"
    if last and last.kind in (RETURNED, WITHDRAWN):
        return last.kind
    return _unapproved(sheet)


def _unapproved(sheet: Sheet) -> str:
    """Return the state of a sheet without reviews; opponents need no approval, because they belong to GMs."""
    if sheet.opponent:
        return ""
    signed = sheet.system.needs_approval
    if sheet.party is None:
        return "alone" if signed else ""
    return "none" if signed or sheet.party.approval else ""


def outward_state(sheet: Sheet, status: ReviewStatus) -> str:
    """Return the state of a sheet as others see it: that of the revision in play, regardless of any draft."""
    revision, approval = status.revision, status.approval
    if revision is None or approval is None:
        return _unapproved(sheet)
    if revision.pk != approval.revision_id:
        return "played"
    return "approved" if _sealed_today(sheet, revision) == revision.seal else "earlier"


def _sealed_today(sheet: Sheet, revision: Revision) -> str | None:
    """Return the seal of a revision of a sheet under today's rules, None if they cannot read it."""
    try:
        return str(sealable(sheet, {"name": revision.name, "data": revision.data})["seal"])
    except ValidationError:
        return None


def _seal(sheet: Sheet, revision: Revision) -> str | None:
    """Return the seal of a sheet if its name and data equal a revision's, as today's rules write both; else None."""
    try:
        now = sealable(sheet)
        if (now["name"], now["data"]) == (revision.name, revision.data):
            return str(now["seal"])
        then = now["rules"] != revision.rules and sealable(sheet, {"name": revision.name, "data": revision.data})
    except ValidationError:
        # A sheet that the rules can no longer read does not equal what was approved.
        return None
    return str(now["seal"]) if then and then["seal"] == now["seal"] else None
