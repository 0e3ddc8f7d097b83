"""The steps of a draft that a browser has visited, stored in its session.

Fixes for what is missing are offered only on steps that were visited before the current one.
"""

from collections.abc import Collection

from django.http import HttpRequest

from sheets.models import Sheet

SEEN = "seen_steps"
"""The session key of {id of a draft: slugs of its visited steps, the last one shown at the end}."""
DRAFTS = 30
"""The most drafts whose steps a session stores."""


def visited_steps(request: HttpRequest, sheet: Sheet) -> Collection[str]:
    """Return the slugs of the steps that this browser showed before the current one."""
    return _seen(request, sheet)[:-1]


def show_step(request: HttpRequest, sheet: Sheet, slug: str) -> None:
    """Store in the session that a step is shown."""
    seen = _seen(request, sheet)
    if seen[-1:] != [slug]:
        others = {key: slugs for key, slugs in request.session.get(SEEN, {}).items() if key != str(sheet.pk)}
        newest = dict(list(others.items())[1 - DRAFTS:])
        request.session[SEEN] = {**newest, str(sheet.pk): [*dict.fromkeys(seen), slug]}


def _seen(request: HttpRequest, sheet: Sheet) -> list[str]:
    found: list[str] = request.session.get(SEEN, {}).get(str(sheet.pk), [])
    return found
