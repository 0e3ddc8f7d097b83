"""Addresses with a form's answers in the query string, short enough for browsers, servers and proxies."""

from django.utils.http import urlencode

from sheets.forms.inputs import Answers
from sheets.forms.part_inputs import field_answers

MAX_BYTES = 4 * 1024
"""The most bytes of answers; proxies refuse addresses of more than 8 KB."""
MAX_FRAGMENT = 300
"""The most characters of a fragment; no element has a longer id."""


def fields_query_string(answers: Answers) -> str:
    """Return the answers of fields as a query string, without the longest if there is no room for all."""
    return query_string(field_answers(answers))


def address(url: str, answers: Answers, fragment: str = "") -> str:
    """Return an address with as many answers as there is room for, and a fragment."""
    return with_fragment("?".join(filter(None, (url, query_string(answers)))), fragment)


def with_fragment(url: str, fragment: str) -> str:
    """Return an address with a fragment, unless that is too long."""
    return f"{url}#{fragment}" if fragment and len(fragment) <= MAX_FRAGMENT else url


def query_string(answers: Answers, max_bytes: int = MAX_BYTES) -> str:
    """Return answers as a query string of at most `max_bytes`, without the longest ones if necessary."""
    pairs = [urlencode({name: texts}, doseq=True) for name, texts in answers.items() if texts]
    included, left = set(), max_bytes
    for pair in sorted(pairs, key=len):
        left -= len(pair) + 1
        if left < 0:
            break
        included.add(pair)
    return "&".join(pair for pair in pairs if pair in included)
