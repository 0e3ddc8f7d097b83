"""Addresses with a form's answers in the query string, short enough for browsers, servers and proxies."""

from django.utils.http import urlencode

from sheets.forms.inputs import Answers
from sheets.forms.part_inputs import field_answers

ROOM = 4 * 1024
"""The most bytes of answers; proxies refuse addresses of more than 8 KB."""
PLACE = 300
"""The most characters of a fragment; no element has a longer id."""


def query(answers: Answers) -> str:
    """Return the answers of fields as a query string, without the longest if there is no room for all."""
    return within(field_answers(answers))


def address(url: str, answers: Answers, place: str = "") -> str:
    """Return an address with as many answers as there is room for, and the fragment `place`."""
    return at_place("?".join(filter(None, (url, within(answers)))), place)


def at_place(url: str, place: str) -> str:
    """Return an address with a fragment, unless that is too long."""
    return f"{url}#{place}" if place and len(place) <= PLACE else url


def within(answers: Answers, room: int = ROOM) -> str:
    """Return answers as a query string of at most `room` bytes, without the longest ones if necessary."""
    pairs = [urlencode({name: texts}, doseq=True) for name, texts in answers.items() if texts]
    included, left = set(), room
    for pair in sorted(pairs, key=len):
        left -= len(pair) + 1
        if left < 0:
            break
        included.add(pair)
    return "&".join(pair for pair in pairs if pair in included)
