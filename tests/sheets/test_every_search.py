"""Every list that has a search finds what people mean by their words, alike on both databases; its pages are asked."""

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from rulesets import systems
from rulesets.kit import slots, tag_of
from sheets.models import Encounter, Member, Sheet
from sheets.parties import services as parties
from tests.support.everyday import everyday
from tests.support.folding import SEARCHES
from tests.support.guest import Guest

OWN = {"own", "noted", "brought"}


def mine(page):
    """The keys on a page of one's own sheets."""
    return [one.pk for one, *_rest in page["sheets"]]


def sources(page):
    """The keys of those after whom an opponent may be made."""
    return [pk for pk, _name in page["sources"]]


def choice(page):
    """The keys that a page offers to choose from."""
    return [one.pk for one in page["own"]]


LISTS = [
    ("/sheets/?q=", mine, OWN),
    ("/sheets/?sort=called&q=", mine, OWN),
    ("/sheets/?state=archived&q=", mine, {"archived"}),
    ("/opponents/?system=condice&find=", lambda page: [one.sheet.pk for one in page["rows"]], {"kept"}),
    ("/opponents/?system=condice&q=", sources, OWN),
    ("/parties/{party}/opponents/?q=", sources, {*OWN, "theirs"}),
    ("/parties/{party}/opponents/?find=", choice, {"kept"}),
    ("/parties/{party}/ready/?q=", choice, OWN),
    ("/opponents/encounters/{encounter}/?q=", sources, OWN),
    ("/opponents/encounters/{encounter}/?find=", choice, {"kept"}),
]
"""(a page up to its search, the keys that it lists, which sheets stand there)."""
FIELDS = {"site/my_sheets.html": 1, "parties/library.html": 1, "parties/_making.html": 1, "parties/_search.html": 1,
          "wizard/_catalogues.html": 1, "wizard/_row_sources.html": 1, "parties/catalogue/list.html": 1}
"""The number of searches in each template: `_making` on three pages, `_search` in two templates."""


@pytest.fixture
def lists(db):
    """A GM's browser, {which: sheet}, of each kind one, and what stands in addresses."""
    gm, player = (User.objects.create_user(name) for name in ("mia", "paul"))
    party = parties.found_party(gm, "Runde", systems()["condice"])
    Member.objects.create(party=party, user=player)
    made = {"own": {}, "noted": {}, "archived": {"archived": timezone.now()}, "kept": {"opponent": True},
            "brought": {"party": party}, "theirs": {"party": party, "owner": player, "seen_by": "party"}}
    sheets = {which: Sheet.objects.create(**{"owner": gm, "ruleset": "condice", "data": {}, "finished": timezone.now(),
                                             **more}) for which, more in made.items()}
    encounter = Encounter.objects.create(owner=gm, ruleset="condice", name="Am Weiher")
    browser = Client()
    browser.force_login(gm)
    return browser, sheets, {"party": party.pk, "encounter": encounter.pk}


@pytest.mark.every_case
@pytest.mark.parametrize(("query", "name", "found"), everyday(SEARCHES, each=5))
def test_every_list_finds_the_same(lists, query, name, found):
    browser, sheets, places = lists
    for which, sheet in sheets.items():
        sheet.name, sheet.notes = ("", f"Kennt\n{name} gut.") if which == "noted" else (name, "")
        sheet.save()
    Sheet.objects.create(owner=sheets["own"].owner, ruleset="condice", name="Xyxq", data={})
    for address, listed, stand_there in LISTS:
        path, _mark, rest = address.format(**places).partition("?")
        asked = dict(one.split("=") for one in rest.split("&"))
        page = browser.get(path, {key: value or query for key, value in asked.items()})
        there = {which for which, sheet in sheets.items() if sheet.pk in listed(page.context)}
        assert there == (stand_there if found else set()), address
        assert len(listed(page.context)) == len(there)


@pytest.mark.django_db
@pytest.mark.alike
@pytest.mark.parametrize(("query", "name", "found"), everyday(SEARCHES, each=7))
def test_a_catalogue_of_the_builder_finds_the_same(monkeypatch, query, name, found):
    first = slots(systems()["condice"].sheet)["abilities"].parts[0]
    monkeypatch.setattr(first, "title", name)
    monkeypatch.setattr(first, "text", "")
    assert (f"add:abilities:{tag_of(first, 'ability')}" in Guest().get("abilities", q=query).text) == found


@pytest.mark.alike
def test_no_other_page_has_a_search():
    found = {}
    for folder in ("templates", *Path("rulesets").glob("*/templates")):
        for path in Path(folder).rglob("*.html"):
            if number := len(re.findall('type="search"', path.read_text(encoding="utf-8"))):
                found[str(path.relative_to(folder))] = number
    assert found == FIELDS
