"""Steps of a draft that somebody has been to and left: what is missing there is told plainly, elsewhere it is open."""

from collections.abc import Collection

from django.http import HttpRequest

from sheets.models import Sheet

SEEN = "seen_steps"
"""The key of the session that holds them, {key of a draft: slugs, the last one shown at the end}."""
DRAFTS = 30
"""Drafts whose steps a session keeps."""


def left_steps(request: HttpRequest, sheet: Sheet) -> Collection[str]:
    """The slugs of the steps that this browser showed before the one that it shows now."""
    return _seen(request, sheet)[:-1]


def show_step(request: HttpRequest, sheet: Sheet, slug: str) -> None:
    """Note that a step is shown."""
    seen = _seen(request, sheet)
    if seen[-1:] != [slug]:
        others = {key: slugs for key, slugs in request.session.get(SEEN, {}).items() if key != str(sheet.pk)}
        newest = dict(list(others.items())[1 - DRAFTS:])
        request.session[SEEN] = {**newest, str(sheet.pk): [*dict.fromkeys(seen), slug]}


def _seen(request: HttpRequest, sheet: Sheet) -> list[str]:
    found: list[str] = request.session.get(SEEN, {}).get(str(sheet.pk), [])
    return found
