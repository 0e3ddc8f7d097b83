"""Topics that can be watched: who may watch, what changes with their news, and the rows that reveal them."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from django.db.models import Count, Max, Sum
from django.http import HttpRequest

from rulesets import systems
from sheets.access import editable, owns, readable, reviewable
from sheets.models import AskedRoll, Member, Party, Sheet
from sheets.news import (
    draft_token,
    link_token,
    queue_token,
    reader_token,
    review_token,
    token_for,
    with_decisions,
    with_newest,
)
from sheets.press.pending import waiting
from sheets.stage.broadcast import Broadcast

MANY = 500
"""Keys in one query."""
TABLES = 200
"""Tables of which pieces are kept."""


class Asking(Protocol):
    """A watcher's question: their request, the language of their page and the last change token that it has."""

    request: HttpRequest
    language: str
    change_token: str
    shown: Any
    """The content of their page at that time, if its topic keeps it."""


class Seen(NamedTuple):
    """The state of a topic that one watcher may see now."""

    change_token: str
    """It changes as soon as there is news."""
    keys: set[UUID]
    """The parties and sheets whose changes reveal that."""
    pieces: Sequence[str] | None = None
    """The pieces of the page that differ since their last token, in JSON; None if the page is to be asked for."""


@lru_cache(TABLES)
def broadcast(_party: UUID) -> Broadcast:
    """Return the news of a table; of many tables only those watched last are remembered."""
    return Broadcast()


def _table(asking: Sequence[Asking], pk: UUID) -> list[Seen | None]:
    """Return what each sees of a table, by few queries for all: there are many at a table."""
    news = broadcast(pk)
    there = news.look(pk, Member.objects.filter(
        party=pk, user__in={one.request.user.pk for one in asking}, party__ruleset__in=list(systems())))
    found: list[Seen | None] = []
    for one in asking:
        user = one.request.user.pk
        role, change_token = there.get(user, ("", "")) if user else ("", "")
        pieces = None if one.change_token == change_token or not (user and role) else news.since(
            one.change_token, Member(user_id=user, role=role), one.language)
        found.append(Seen(change_token, {pk}, pieces) if role else None)
    news.shrink()
    return found


def _sheet(asking: Sequence[Asking], pk: UUID) -> list[Seen | None]:
    """Return the state as written, played and reviewed; for its owner also effects and what is asked from the party."""
    return [_sheet_of(one, pk) for one in asking]


def _sheet_of(asking: Asking, pk: UUID) -> Seen | None:
    request = asking.request
    sheet = with_newest(readable(request).filter(pk=pk), request.user.pk).select_related("party").first()
    if sheet is None:
        return None
    change_token, before = token_for(request)(sheet, sheet.newest), asking.shown
    asking.shown = _shown(sheet) if owns(request, sheet) and sheet.party else None
    # What others do at the table is news for the page of one who plays there, but mostly changes nothing of it.
    same = before is not None and before == asking.shown and change_token != asking.change_token
    pieces = [json.dumps({"since": asking.change_token, "word": change_token, "html": ""})] if same else None
    return Seen(change_token, _where(sheet), pieces)


def _shown(sheet: Any) -> tuple[Any, ...] | None:
    """Return all that the page of a sheet in a party shows; None if that depends on another sheet, too."""
    party, system = sheet.party, systems().get(sheet.ruleset)
    if system is None or system.crossing.pairs:
        return None
    waits = waiting(system, party.pk).filter(sheet=sheet.pk).values_list("pk", flat=True)
    asked = AskedRoll.objects.filter(party=party.pk, sheet=sheet.pk).values_list("pk", flat=True)
    questions = party.questions.filter(response__isnull=True).values_list("pk", flat=True) if party.waits else ()
    return (reader_token(sheet, sheet.newest), party.version, party.approval, party.table if system.shared else None,
            [*waits.order_by("pk")], [*asked.order_by("pk")], {*questions})


def _draft(request: HttpRequest, pk: UUID) -> Seen | None:
    drafts = with_decisions(editable(request).filter(pk=pk)).select_related("party")
    sheet = drafts.only("version", "party__version").first()
    return Seen(draft_token(sheet, sheet), _where(sheet)) if sheet else None


def _link(_request: HttpRequest, token: str) -> Seen | None:
    """Return the state for holders of a sheet's link, which alone tells which sheet it is."""
    sheet = with_newest(Sheet.objects.not_deleted().filter(share=token)).first()
    return Seen(link_token(sheet, sheet.newest), {sheet.pk}) if sheet else None


def _review(request: HttpRequest, pk: UUID) -> Seen | None:
    sheet = with_decisions(reviewable(request).filter(pk=pk)).only("party").first()
    return Seen(review_token(sheet), _where(sheet)) if sheet else None


def _queue(request: HttpRequest, _about: str) -> Seen | None:
    found = queue_token(request)
    return Seen(*found) if found else None


def _where(sheet: Sheet) -> set[UUID]:
    """Return the keys of a sheet and its party: whoever leaves that may read no more."""
    return {sheet.pk} if sheet.party_id is None else {sheet.pk, sheet.party_id}


def _each(look: Callable[[HttpRequest, Any], Seen | None]) -> Callable[[Sequence[Asking], Any], list[Seen | None]]:
    return lambda asking, about: [look(one.request, about) for one in asking]


TOPICS = {"table": _table, "sheet": _sheet, "draft": _each(_draft), "review": _each(_review),
          "link": _each(_link), "queue": _each(_queue)}
"""{topic: function that returns what each of those who ask sees of it, None for those who may not}."""


PARTY = ("version", "pulse", "secret", Sum("sheets__version"), Count("sheets"), Count("sheets__deleted"))
SHEET = ("version", "played", "deleted", "seen_by", "party", "owner", "share", "share_play", Max("reviews__number"),
         Max("reviews__replies"))
"""The fields of a party and of a sheet that change with what can be watched of them."""


def rows(keys: Iterable[UUID]) -> dict[UUID, Any]:
    """Return {key: what changes with it} of those parties and sheets that exist, by two queries for many."""
    asked, found = list(keys), {}
    for first in range(0, len(asked), MANY):
        some = asked[first:first + MANY]
        for model, columns in ((Party, PARTY), (Sheet, SHEET)):
            found |= {key: values for key, *values in model.objects.filter(pk__in=some).values_list("pk", *columns)}
    return found
