"""Topics that can be watched: who may watch each, its change token, and the parties and sheets that it depends on."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from django.db.models import Count, Max, QuerySet, Sum, Value
from django.http import HttpRequest

from rulesets import systems
from rulesets.kit import Ruleset
from sheets.access import editable, owns, readable, reviewable
from sheets.models import AskedRoll, Member, Party, Question, Sheet
from sheets.models.compiled_queries import compiled
from sheets.news import (
    draft_token,
    link_token,
    own_watched,
    queue_token,
    reader_token,
    review_token,
    token_for,
    with_decisions,
    with_newest,
)
from sheets.press.pending import waiting_effects
from sheets.stage.broadcast import Broadcast

BATCH = 500
"""The most keys in one query."""
CACHED_CONTENTS = 5_000
"""The number of sheet contents that are cached by change token."""
CACHED_TABLES = 200
"""The number of tables whose pieces are cached."""


_content_cache: dict[tuple[UUID, str], Any] = {}
"""{(key of a sheet, its owner's change token): the content of the page at that token}; only the newest are kept."""


class TopicQuery(Protocol):
    """The part of a watcher that topics need: its request, its page's language, and its last change token."""

    request: HttpRequest
    language: str
    change_token: str
    shown: Any
    """The content of the page at that change token, or None; the topic sets it."""


class TopicState(NamedTuple):
    """The current state of a topic as one watcher may see it."""

    change_token: str
    """It changes whenever there is news."""
    keys: set[UUID]
    """The parties and sheets whose changes may change the token."""
    pieces: Sequence[str] | None = None
    """The pieces of the page that have changed since the watcher's token, in JSON; None if the page must reload."""


@lru_cache(CACHED_TABLES)
def broadcast_of(_party: UUID) -> Broadcast:
    """Return the broadcast of a table; those of recently watched tables are cached."""
    return Broadcast()


def _table_states(queries: Sequence[TopicQuery], pk: UUID) -> list[TopicState | None]:
    """Return the state of a table for each watcher, with few database queries for all of them."""
    broadcast = broadcast_of(pk)
    tokens = broadcast.look(pk, {user for query in queries if (user := query.request.user.pk)})
    states: list[TopicState | None] = []
    for query in queries:
        user = query.request.user.pk
        role, change_token = tokens.get(user, ("", "")) if user else ("", "")
        pieces = None if query.change_token == change_token or not (user and role) else broadcast.since(
            query.change_token, Member(user_id=user, role=role), query.language)
        states.append(TopicState(change_token, {pk}, pieces) if role else None)
    broadcast.shrink()
    return states


def _sheet_states(queries: Sequence[TopicQuery], pk: UUID) -> list[TopicState | None]:
    """Return the state of a sheet for each watcher; it changes with the sheet's text, play and reviews."""
    return [_sheet_state(query, pk) for query in queries]


def _sheet_state(query: TopicQuery, pk: UUID) -> TopicState | None:
    """Return the state of a sheet for one watcher; for its owner, it also depends on the party."""
    request = query.request
    sheet = _own(own_watched, request, pk) or with_newest(
        readable(request).filter(pk=pk), request.user.pk).select_related("party").first()
    if sheet is None:
        return None
    change_token, shown_before = token_for(request)(sheet, sheet.newest), query.shown
    query.shown = None
    if owns(request, sheet) and sheet.party:
        # For a page that reconnects, its token identifies the content that it shows.
        shown_before = shown_before or _content_cache.get((pk, query.change_token))
        query.shown = _content_cache[pk, change_token] = _shown_content(sheet)
        while len(_content_cache) > CACHED_CONTENTS:
            del _content_cache[next(iter(_content_cache))]
    # A press by others at the table changes the owner's token, but rarely the content of the page.
    unchanged = shown_before is not None and shown_before == query.shown and change_token != query.change_token
    pieces = [json.dumps({"since": query.change_token, "word": change_token, "html": ""})] if unchanged else None
    return TopicState(change_token, _keys_of(sheet), pieces)


def _own(read: Callable[[UUID, int], list[Any]], request: HttpRequest, pk: UUID) -> Any:
    """Return the sheet if it is the user's own, else None; the query is compiled because most watchers are owners."""
    return next(iter(read(pk, request.user.pk)), None) if request.user.pk else None


def _shown_content(sheet: Any) -> tuple[Any, ...] | None:
    """Return everything that the page of a sheet in a party depends on; None if other sheets are part of it."""
    party, system = sheet.party, systems().get(sheet.ruleset)
    if system is None or system.crossing.pairs:
        return None
    return (reader_token(sheet, sheet.newest), party.version, party.approval, party.table if system.shared else None,
            {*_open_at(sheet.pk, party.pk, ruleset=system, waits=party.waits)})


@compiled
def _open_at(sheet: Any, party: Any, *, ruleset: Ruleset, waits: bool) -> QuerySet[Any, Any]:
    """Return (kind, key) of the pending effects and the rolls that wait at a sheet, and of its party's questions."""
    found: list[QuerySet[Any]] = [waiting_effects(ruleset, party).filter(sheet=sheet),
                                  AskedRoll.objects.filter(party=party, sheet=sheet)]
    found += [Question.objects.filter(party=party, response__isnull=True)] if waits else []
    first, *others = (one.annotate(kind=Value(kind)).values_list("kind", "pk") for kind, one in enumerate(found))
    return first.union(*others, all=True)


def _draft_state(request: HttpRequest, pk: UUID) -> TopicState | None:
    sheet = _own(_own_draft, request, pk) or _only_versions(
        with_decisions(editable(request).filter(pk=pk))).first()
    return TopicState(draft_token(sheet, sheet), _keys_of(sheet)) if sheet else None


@compiled
def _own_draft(pk: Any, owner: Any) -> QuerySet[Sheet]:
    return _only_versions(with_decisions(Sheet.objects.not_deleted().filter(pk=pk, owner=owner)))


def _only_versions(sheets: QuerySet[Any]) -> QuerySet[Any]:
    return sheets.select_related("party").only("version", "party__version")


def _link_state(_request: HttpRequest, token: str) -> TopicState | None:
    """Return the state of the sheet with this link, for anybody who has the link."""
    sheet = with_newest(Sheet.objects.not_deleted().filter(share=token)).first()
    return TopicState(link_token(sheet, sheet.newest), {sheet.pk}) if sheet else None


def _review_state(request: HttpRequest, pk: UUID) -> TopicState | None:
    sheet = _own(_own_draft, request, pk) or with_decisions(
        reviewable(request).filter(pk=pk)).only("party").first()
    return TopicState(review_token(sheet), _keys_of(sheet)) if sheet else None


def _queue_state(request: HttpRequest, _about: str) -> TopicState | None:
    token_and_keys = queue_token(request)
    return TopicState(*token_and_keys) if token_and_keys else None


def _keys_of(sheet: Sheet) -> set[UUID]:
    """Return the keys of a sheet and of its party, because a member who leaves the party may no longer read it."""
    return {sheet.pk} if sheet.party_id is None else {sheet.pk, sheet.party_id}


def _each_alone(
        state_of: Callable[[HttpRequest, Any], TopicState | None],
) -> Callable[[Sequence[TopicQuery], Any], list[TopicState | None]]:
    """Turn a function for one request into one for several watchers."""
    return lambda queries, about: [state_of(query.request, about) for query in queries]


TOPICS = {"table": _table_states, "sheet": _sheet_states, "draft": _each_alone(_draft_state),
          "review": _each_alone(_review_state), "link": _each_alone(_link_state), "queue": _each_alone(_queue_state)}
"""{topic: function that returns its state for each watcher, None for a watcher without permission}."""


PARTY_COLUMNS = ("version", "pulse", "secret", Sum("sheets__version"), Count("sheets"), Count("sheets__deleted"))
SHEET_COLUMNS = ("version", "played", "deleted", "seen_by", "party", "owner", "share", "share_play",
                 Max("reviews__number"), Max("reviews__replies"))
"""The columns and aggregates of a party and of a sheet; each change that can be watched changes one or more."""


def change_markers(keys: Iterable[UUID]) -> dict[UUID, Any]:
    """Return {key: values that differ after each change} of those parties and sheets that exist, in batches."""
    wanted, markers = list(keys), {}
    for first in range(0, len(wanted), BATCH):
        batch = wanted[first:first + BATCH]
        for model, columns in ((Party, PARTY_COLUMNS), (Sheet, SHEET_COLUMNS)):
            markers |= {key: values for key, *values in model.objects.filter(pk__in=batch).values_list("pk", *columns)}
    return markers
