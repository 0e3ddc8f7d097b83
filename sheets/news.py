"""Change tokens of a sheet, its approval and the queue: they change as soon as the page would.

`access` decides who may watch; this module alone decides what a token is made of, for pages and for streams.
"""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID
from zlib import crc32

from django.db.models import Count, Max, OuterRef, QuerySet, Subquery, Sum
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from sheets.access import memberships, owns
from sheets.models import GMS, Member, Reply, Review, Sheet, Standing
from sheets.models.compiled_queries import compiled
from sheets.status.outward import newest_for
from sheets.status.reviews import COUNTED, NEWEST, ReviewStatus

TokenOf = Callable[[Any, int | None], str]
"""A function that returns the change token of a sheet, given the number of the newest decision about it."""
REPLIED = Subquery(Reply.objects.filter(entry__sheet=OuterRef("pk")).order_by().values("entry__sheet")
                   .annotate(newest=Max("pk")).values("newest"))


def with_newest(sheets: QuerySet[Sheet], user: int | None = None) -> QuerySet[Any]:
    """Return the sheets with only the columns that the change tokens of a reader with the key `user` need.

    The annotation `newest` is the last entry about their approval that this reader may know of.
    """
    return sheets.annotate(newest=newest_for(user)).select_related("party").only(
        "version", "played", "owner", "guest", "share_play", "ruleset", "party__version", "party__pulse",
        "party__approval", "party__table", "party__waits")


@compiled
def own_watched(pk: Any, owner: Any) -> QuerySet[Any]:
    """Return the sheet of `with_newest` if it is its owner's own."""
    return with_newest(Sheet.objects.not_deleted().filter(pk=pk, owner=owner), owner)


def reader_token(sheet: Sheet, newest: int | None) -> str:
    """Return the change token for readers who see the sheet's state of play."""
    return ".".join(map(str, (sheet.version, sheet.played.timestamp() if sheet.played else "", newest or "")))


def link_token(sheet: Sheet, newest: int | None) -> str:
    """Return the change token for readers with its link; it covers play only if the link shows that."""
    return f"link.{reader_token(sheet, newest)}" if sheet.share_play else f"{sheet.version}..{newest or ''}"


def owner_token(sheet: Sheet, newest: int | None) -> str:
    """Return the change token for the owner; it also covers pending effects, asked rolls and the party's settings."""
    party = sheet.party
    here = (party.version, party.pulse, party.approval) if party else ()
    return ".".join(map(str, (reader_token(sheet, newest), *here)))


def own_token(character: Any) -> str:
    """Return the current change token for the page of a character's owner."""
    return owner_token(character.sheet, newest_decision(character.review_status))


def fingerprint(character: Any) -> str:
    """Return a fingerprint of everything that the page shows."""
    sheet, last = character.sheet, character.review_status.last
    counted = sheet.party and (sheet.party.version, character.ruleset.shared and sheet.party.table)
    foe = character.foe and character.foe.sheet.played
    whole = (get_language(), sheet.version, sheet.played, sheet.house, character.barred, last and last.number, counted,
             foe)
    return f"{crc32(repr(whole).encode()):08x}"


def page_tokens(character: Any) -> tuple[str, str]:
    """Return (fingerprint, change token) of the page of a character's owner."""
    return fingerprint(character), own_token(character)


def token_for(request: HttpRequest) -> TokenOf:
    """Return the function that makes the change token of a sheet's page, for its owner or for other readers."""
    return lambda sheet, newest: (owner_token if owns(request, sheet) else reader_token)(sheet, newest)


def with_decisions(sheets: QuerySet[Sheet]) -> QuerySet[Any]:
    """Return the sheets with the newest decision and reply, of which the change tokens of their approval are made."""
    return sheets.annotate(newest=NEWEST, replied=REPLIED)


def draft_token(sheet: Sheet, found: Any) -> str:
    """Return the change token of a draft: its version and, in a party, house rules and approval as in `found`."""
    return ".".join(map(str, (sheet.version, *((found.party.version, review_token(found)) if found.party_id else ()))))


def newest_draft_token(sheet: Sheet) -> str:
    """Return the change token of a draft, with its party and its approval as they are now."""
    return draft_token(sheet, _with_party_and_decisions(sheet.pk)[0] if sheet.party_id else sheet)


@compiled
def _with_party_and_decisions(pk: Any) -> QuerySet[Sheet]:
    return with_decisions(Sheet.objects.filter(pk=pk)).select_related("party").only("party__version")


def review_token(sheet: Any) -> str:
    """Return the change token of a sheet's approval, for a sheet queried by `with_decisions`."""
    return f"{sheet.newest or ''}.{sheet.replied or ''}"


def queue_token(request: HttpRequest, members: Iterable[Member] | None = None) -> tuple[str, set[UUID]] | None:
    """Return (change token of the queue, keys of the user's parties); None for users who are in no party.

    The token changes with decisions, with house rules, and when sheets are added or removed, up to the maximum count.
    `members` are the memberships of the request's user, if already loaded.
    """
    mine = {one.party_id: (one.role, one.party.version) for one in members} if members is not None else {
        party: (role, version) for party, role, version in
        memberships(request).values_list("party", "role", "party__version")}
    if not mine:
        return None
    run = [party for party, (role, _version) in mine.items() if role in GMS]
    # The party's last decision is enough to notice a new one; querying each sheet's would read all of them.
    newest = Member.objects.filter(user=request.user.pk, role__in=GMS).annotate(newest=Subquery(
        Review.objects.filter(party=OuterRef("party")).order_by("-number").values("number")[:1]))
    decided = max((number or 0 for number in newest.values_list("newest", flat=True)), default=0)
    waiting = Standing.objects.waiting().filter(party__in=run)[:COUNTED].count() if run else 0
    own = Sheet.objects.not_deleted().filter(party__in=mine, owner=request.user.pk, offered=False)
    found = own.annotate(newest=NEWEST).aggregate(n=Count("pk"), decided=Sum("newest"))
    versions = sum(version for _role, version in mine.values())
    change_token = f"{versions}.{len(run)}.{waiting}.{decided}.{found['n']}.{found['decided'] or ''}"
    return change_token, set(mine)


def watched(sheet: Sheet, status: ReviewStatus, request: HttpRequest, page: str, live: str,
            token_of: TokenOf = reader_token) -> dict[str, str]:
    """Return the context with which a page for readers of a sheet learns of news; `live` is its stream's address."""
    asked = request.GET.copy()
    asked["known"] = change_token = token_of(sheet, newest_decision(status))
    return {"change_token": change_token, "look_url": f"{page}?{asked.urlencode()}", "live_url": live}


def newest_decision(status: ReviewStatus) -> int | None:
    """Return the number of the newest decision, as used in change tokens; None if there is none."""
    return status.last.number if status.last else None


def unchanged_response(request: HttpRequest, sheets: Callable[[], Iterable[Any]],
                       token_of: TokenOf = reader_token) -> HttpResponse | None:
    """Return a 204 response if the change token `?known=` of a sheet's page is current; otherwise None.

    `sheets` returns the sheet as queried by `with_newest`, or nothing; it is only called if needed, because
    building the query is expensive.
    """
    if (change_token := request.GET.get("known")) is None:
        return None
    sheet = next(iter(sheets()), None)
    return HttpResponse(status=204) if sheet and token_of(sheet, sheet.newest) == change_token else None
