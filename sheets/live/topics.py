"""What can be watched: who may, what changes with its news, and by which rows of the database one notices."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Sum
from django.http import HttpRequest

from rulesets import systems
from sheets.access import owns, readable, reviewable
from sheets.models import Member, Party, Sheet
from sheets.parties.table import change_tokens

MANY = 500
"""Keys that one query asks about."""


Seen = tuple[str, set[UUID]] | None


def _table(requests: list[HttpRequest], pk: UUID) -> list[Seen]:
    """By one query for all: at a table there are many."""
    words = change_tokens(Member.objects.filter(
        party=pk, user__in={one.user.pk for one in requests}, party__ruleset__in=list(systems())))
    return [(words[one.user.pk], {pk}) if one.user.pk in words else None for one in requests]


def _sheet(request: HttpRequest, pk: UUID) -> Seen:
    """What is written and played; for its owner what lands there and is asked from the party, too."""
    sheet = readable(request).filter(pk=pk).select_related("party").first()
    if sheet is None:
        return None
    mine = owns(request, sheet) and sheet.party
    words = sheet.version, sheet.played and sheet.played.timestamp(), mine.pulse if mine else ""
    return ".".join(map(str, words)), {pk, sheet.party_id} if mine else {pk}


def _review(request: HttpRequest, pk: UUID) -> Seen:
    found = reviewable(request).filter(pk=pk).values_list(Max("reviews__number"), "version").first()
    return found and (".".join(map(str, found)), {pk})


def _each(look: Callable[[HttpRequest, UUID], Seen]) -> Callable[[list[HttpRequest], UUID], list[Seen]]:
    return lambda requests, pk: [look(one, pk) for one in requests]


TOPICS = {"table": _table, "sheet": _each(_sheet), "review": _each(_review)}
"""{what is watched: function that answers for each of those who ask the word that changes with its news and the keys of
parties and sheets by which that is noticed, None for those who may not}."""


PARTY = ("version", "pulse", "secret", Sum("sheets__version"), Count("sheets"), Count("sheets__deleted"))
SHEET = ("version", "played", "deleted", "seen_by", "party", "owner", Max("reviews__number"))
"""What of a party and of a sheet changes with what can be watched of them."""


def rows(keys: Iterable[UUID]) -> dict[UUID, Any]:
    """{key: what changes with it} of those of the parties and sheets that there are, by two queries for many."""
    asked, found = list(keys), {}
    for first in range(0, len(asked), MANY):
        some = asked[first:first + MANY]
        for model, columns in ((Party, PARTY), (Sheet, SHEET)):
            found |= {key: word for key, *word in model.objects.filter(pk__in=some).values_list("pk", *columns)}
    return found
