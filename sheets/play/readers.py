"""What those who read a sheet hear of it: a word, which is another as soon as its page would be."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from sheets.character import Character
from sheets.models import Sheet
from sheets.status.reviews import NEWEST


def with_newest(sheets: QuerySet[Sheet]) -> QuerySet[Any]:
    """The sheets with what their words are made of, and little else; `newest` is the number of the last decision."""
    return sheets.annotate(newest=NEWEST).only("version", "played", "owner", "guest", "party", "share_play")


def reader_word(sheet: Sheet, newest: int | None) -> str:
    """The word for those who see the sheet as it is played."""
    return ".".join(map(str, (sheet.version, sheet.played.timestamp() if sheet.played else "", newest or "")))


def link_word(sheet: Sheet, newest: int | None) -> str:
    """The word for those who hold its link: without what is played they hear nothing of that."""
    return f"link.{reader_word(sheet, newest)}" if sheet.share_play else f"{sheet.version}..{newest or ''}"


def watched(character: Character, request: HttpRequest, page: str, live: str, word_of=reader_word) -> dict[str, str]:
    """What a page that shows a character to be read has to know to hear of news at the address of its stream."""
    last = character.review_status.last
    asked = request.GET.copy()
    asked["known"] = word = word_of(character.sheet, last and last.number)
    return {"word": word, "look_url": f"{page}?{asked.urlencode()}", "live_url": live}


def known(request: HttpRequest, sheets: Callable[[], QuerySet[Sheet]], word_of=reader_word) -> HttpResponse | None:
    """The answer to whoever has seen all there is of a sheet (204); None for those who have not, or do not say so.

    The `sheets` are asked for only then: to word that question alone is dear.
    """
    if (word := request.GET.get("known")) is None:
        return None
    sheet = with_newest(sheets()).first()
    return HttpResponse(status=204) if sheet and word_of(sheet, sheet.newest) == word else None
