"""What can be watched: who may, what changes with its news, and by which rows of the database one notices."""

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Sum
from django.http import Http404, HttpRequest

from sheets.access import memberships, owns, readable, reviewable
from sheets.models import Party, Sheet
from sheets.parties.table import change_token

MANY = 500
"""Keys that one query asks about."""


def _table(request: HttpRequest, pk: UUID) -> tuple[str, set[UUID]]:
    return change_token(memberships(request).filter(party=pk)), {pk}


def _sheet(request: HttpRequest, pk: UUID) -> tuple[str, set[UUID]]:
    """What is written and played; for its owner what lands there and is asked from the party, too."""
    sheet = readable(request).filter(pk=pk).select_related("party").first()
    if sheet is None:
        raise Http404
    mine = owns(request, sheet) and sheet.party
    words = sheet.version, sheet.played and sheet.played.timestamp(), mine.pulse if mine else ""
    return ".".join(map(str, words)), {pk, sheet.party_id} if mine else {pk}


def _review(request: HttpRequest, pk: UUID) -> tuple[str, set[UUID]]:
    found = reviewable(request).filter(pk=pk).values_list(Max("reviews__number"), "version").first()
    if found is None:
        raise Http404
    return ".".join(map(str, found)), {pk}


TOPICS: dict[str, Callable[[HttpRequest, UUID], tuple[str, set[UUID]]]] = {
    "table": _table, "sheet": _sheet, "review": _review}
"""{what is watched: function that answers the word that changes with its news, for whoever asks (Http404 for those who
may not), and the keys of parties and sheets by which that is noticed}."""


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
