"""What can be watched: who may, what changes with its news, and by which rows of the database one notices."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Sum
from django.http import HttpRequest

from rulesets import systems
from sheets.access import editable, readable, reviewable
from sheets.models import Member, Party, Sheet
from sheets.news import draft_word, link_word, queue_word, review_word, with_newest, with_word, word_for
from sheets.stage.answers import change_tokens

MANY = 500
"""Keys that one query asks about."""


Seen = tuple[str, set[UUID]] | None


def _table(requests: list[HttpRequest], pk: UUID) -> list[Seen]:
    """By one query for all: at a table there are many."""
    words = change_tokens(Member.objects.filter(
        party=pk, user__in={one.user.pk for one in requests}, party__ruleset__in=list(systems())))
    return [(words[one.user.pk], {pk}) if one.user.pk in words else None for one in requests]


def _sheet(request: HttpRequest, pk: UUID) -> Seen:
    """What is written, played and decided; for its owner what lands there and is asked from the party, too."""
    sheet = with_newest(readable(request).filter(pk=pk), request.user.pk).first()
    return (word_for(request)(sheet, sheet.newest), _where(sheet)) if sheet else None


def _draft(request: HttpRequest, pk: UUID) -> Seen:
    sheet = with_word(editable(request).filter(pk=pk)).select_related("party").only("version", "party__version").first()
    return (draft_word(sheet, sheet), _where(sheet)) if sheet else None


def _link(_request: HttpRequest, token: str) -> Seen:
    """What those hear who hold a sheet's link, which alone says which sheet it is."""
    sheet = with_newest(Sheet.objects.not_deleted().filter(share=token)).first()
    return (link_word(sheet, sheet.newest), {sheet.pk}) if sheet else None


def _review(request: HttpRequest, pk: UUID) -> Seen:
    sheet = with_word(reviewable(request).filter(pk=pk)).only("party").first()
    return (review_word(sheet), _where(sheet)) if sheet else None


def _queue(request: HttpRequest, _about: str) -> Seen:
    return queue_word(request)


def _where(sheet: Sheet) -> set[UUID]:
    """The sheet, and its party: who leaves that may read no more."""
    return {sheet.pk} if sheet.party_id is None else {sheet.pk, sheet.party_id}


def _each(look: Callable[[HttpRequest, Any], Seen]) -> Callable[[list[HttpRequest], Any], list[Seen]]:
    return lambda requests, about: [look(one, about) for one in requests]


TOPICS = {"table": _table, "sheet": _each(_sheet), "draft": _each(_draft), "review": _each(_review),
          "link": _each(_link), "queue": _each(_queue)}
"""{what is watched: function that answers for each of those who ask the word that changes with its news and the keys of
parties and sheets by which that is noticed, None for those who may not}."""


PARTY = ("version", "pulse", "secret", Sum("sheets__version"), Count("sheets"), Count("sheets__deleted"))
SHEET = ("version", "played", "deleted", "seen_by", "party", "owner", "share", "share_play", Max("reviews__number"),
         Max("reviews__replies"))
"""What of a party and of a sheet changes with what can be watched of them."""


def rows(keys: Iterable[UUID]) -> dict[UUID, Any]:
    """{key: what changes with it} of those of the parties and sheets that there are, by two queries for many."""
    asked, found = list(keys), {}
    for first in range(0, len(asked), MANY):
        some = asked[first:first + MANY]
        for model, columns in ((Party, PARTY), (Sheet, SHEET)):
            found |= {key: word for key, *word in model.objects.filter(pk__in=some).values_list("pk", *columns)}
    return found
