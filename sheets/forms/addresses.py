"""Addresses that hold what was answered, never longer than browsers, servers and proxies take."""

from django.utils.http import urlencode

from sheets.forms.inputs import Answers
from sheets.forms.part_inputs import field_answers

ROOM = 4 * 1024
"""Bytes of answers; proxies refuse an address of 8 KB, with its path and whatever else stands there."""
PLACE = 300
"""Characters of the name of a place on a page; no element of ours has so long a one."""


def query(answers: Answers) -> str:
    """Return the answers as a query string: as many as there is room for, the shortest first to be kept."""
    return within(field_answers(answers))


def address(url: str, answers: Answers, place: str = "") -> str:
    """Return an address with the answers for a whole page, as far as there is room, that leads to a place there."""
    return at_place("?".join(filter(None, (url, within(answers)))), place)


def at_place(url: str, place: str) -> str:
    """Return an address that leads to a place on the page."""
    return f"{url}#{place}" if place and len(place) <= PLACE else url


def within(answers: Answers, room: int = ROOM) -> str:
    """Return as many of some answers as fit in so many bytes, as a query string."""
    written = [urlencode({name: texts}, doseq=True) for name, texts in answers.items() if texts]
    given, left = set(), room
    for one in sorted(written, key=len):
        left -= len(one) + 1
        if left < 0:
            break
        given.add(one)
    return "&".join(one for one in written if one in given)
