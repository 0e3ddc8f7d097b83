"""What a browser fetches that opens a sheet for the first time: little, and from nobody else."""

import gzip
import re
from functools import cache
from os.path import normpath
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from builder.static_files import without_comments
from rulesets import systems
from tests.support.guest import Guest

MOST = 80 * 1024
"""Bytes that cross the wire: files as whitenoise has pressed them, the page as nginx presses it on the way."""
EXAMPLES = [(slug, name) for slug, ruleset in systems().items() for name in ruleset.examples]


@cache
def pressed(address):
    """Bytes of a static file as it is sent, with the addresses that it names in turn."""
    content, named = Path(finders.find(address.removeprefix("/static/"))).read_bytes(), []
    if address.endswith(".css"):
        style = without_comments(content.decode())
        content, named = style.encode(), re.findall(r"url\([\"']?([^\"')]+)", style)
    return len(gzip.compress(content, 9)), [one for one in named if not one.startswith(("data:", "#"))]


def imported(address):
    """The addresses of the scripts that a script imports."""
    if not address.startswith("/static/") or not address.endswith(".js"):
        return set()
    script = Path(finders.find(address.removeprefix("/static/"))).read_text()
    return {normpath(f"{address}/../{one}") for one in re.findall('^import .* from "([^"]*)"', script, re.M)}


@pytest.mark.django_db
@pytest.mark.parametrize(("slug", "name"), EXAMPLES)
def test_the_first_visit_of_a_sheet_is_light_and_asks_nobody_else(slug, name):
    guest = Guest(systems()[slug].examples[name], system=slug)
    page = guest.client.get(f"/sheets/{guest.pk}/").content
    fetched = re.findall(r'<(?:link (?!rel="canonical")[^>]*href|(?:script|img) [^>]*src)="([^"]+)"', page.decode())
    assert len(fetched) > 5
    assert all(one.startswith("/static/") for one in fetched), fetched
    weights = {one: pressed(one) for one in {*fetched}.union(*map(imported, fetched))}
    assert not [named for _bytes, named in weights.values() if named]
    sent = len(gzip.compress(page, 1)) + sum(weight for weight, _named in weights.values())
    assert sent <= MOST, f"{sent} bytes of a page of {len(page)}: {weights}"
