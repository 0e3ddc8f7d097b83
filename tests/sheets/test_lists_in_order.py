"""Searches and the order of names in every list, alike on both databases, from the columns that the migration fills."""

import io
import json
import random
import re
import zipfile
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.test import Client

from rulesets import systems
from sheets.models import Encounter, Member, Party, Placed, Sheet, Tag
from sheets.models.called import holding
from sheets.parties import services as parties
from sheets.stage.sheet_page import FEW
from tests.support.folding import NAMES, SEARCHES

pytestmark = [pytest.mark.django_db, pytest.mark.every_case]
TAG = re.compile('<span class="tag">([^<]*)</span>')
BY_CODE_POINT = re.compile(
    r"""order_by\([^()]*"-?(?:\w+__)*(?:name|username|title)"|key=lambda \w+: [\w.]+\.(?:name|username|title)\b"""
    r"""|attrgetter\("[\w.]*(?:name|title)"\)""")
"""Rows in the order of their names otherwise than by `sheets.models.called` or `rulesets.folding`."""


@pytest.fixture
def mine():
    """Somebody with a sheet and a party of each of the names, made in any order."""
    mine, mixed = User.objects.create_user("mia"), [*NAMES]
    random.Random(3).shuffle(mixed)  # noqa: S311 - an order, no secret
    party = parties.found_party(mine, "Runde", systems()["condice"])
    document = next(iter(systems()["condice"].examples.values()))
    for name in mixed:
        Sheet.objects.create(owner=mine, ruleset="condice", name=name, data=document["data"])
    Sheet.objects.bulk_create(Sheet(owner=mine, ruleset="condice", name=name, data=document["data"], party=party,
                                    opponent=True) for name in mixed)
    browser = Client(headers={"Accept-Language": "de"})
    browser.force_login(mine)
    return browser, party, mine


def pages_of(browser, address, last="last"):
    """Yield the page at an address and all that lead on from it."""
    path, at = address.partition("?")[0], address
    while at:
        yield (page := browser.get(at))
        link = re.search(rf'href="(\?[^"]*{last}=[^"&#]+)["#]', page.text)
        at = link and path + unescape(link[1])


def test_ones_own_sheets_stand_in_german_order_page_by_page(mine):
    browser, _party, _user = mine
    pages = pages_of(browser, "/sheets/?sort=called")
    assert [sheet.name for page in pages for sheet, *_rest in page.context["sheets"]] == NAMES


def test_opponents_and_what_may_be_brought_stand_in_german_order(mine):
    browser, party, _user = mine
    pages = [*pages_of(browser, f"/parties/{party.pk}/opponents/")]
    assert [one.sheet.name for one in pages[0].context["opponents"]] == NAMES
    assert [one for page in pages for _pk, one in page.context["sources"]] == NAMES
    assert [one.name for one in browser.get(f"/parties/{party.pk}/").context["loose"]] == NAMES
    assert [*dict.fromkeys(one.name for one in browser.get(f"/parties/{party.pk}/ready/").context["own"])] == NAMES


def test_sheets_in_a_party_and_parties_stand_in_german_order(mine):
    browser, party, user = mine
    Sheet.objects.filter(opponent=False).update(party=party)
    assert [one.name for one in browser.get(f"/parties/{party.pk}/").context["people"][0][2]] == NAMES
    made = Party.objects.bulk_create(Party(name=name, ruleset="condice") for name in reversed(NAMES))
    Member.objects.bulk_create(Member(party=one, user=user) for one in made)
    found = [one.party.name for one, *_rest in browser.get("/parties/").context["parties"]]
    assert [name for name in found if name in NAMES] == NAMES


def test_tags_and_encounters_stand_in_german_order(mine):
    browser, _party, user = mine
    sheet = Sheet.objects.filter(opponent=True).first()
    sheet.tags.set(Tag.objects.bulk_create(Tag(owner=user, name=name) for name in reversed(NAMES)))
    Encounter.objects.bulk_create(Encounter(owner=user, ruleset="condice", name=name) for name in reversed(NAMES))
    page = browser.get("/opponents/?system=condice")
    assert [one.name for one in page.context["tags"]] == [one.name for one in page.context["encounters"]] == NAMES


def test_the_tags_of_a_sheet_stand_in_german_order_on_its_rows_and_in_the_download(mine):
    browser, _party, user = mine
    sheet = Sheet.objects.filter(opponent=False).first()
    Sheet.objects.exclude(pk=sheet.pk).delete()
    sheet.tags.set(Tag.objects.bulk_create(Tag(owner=user, name=name) for name in reversed(NAMES)))
    assert TAG.findall(browser.get("/sheets/").text) == NAMES
    with zipfile.ZipFile(io.BytesIO(browser.get("/account/download/").getvalue())) as found:
        assert json.loads(found.read(f"sheets/{sheet.pk}.all.json"))["tags"] == NAMES
    Sheet.objects.update(opponent=True)
    assert TAG.findall(browser.get("/opponents/?system=condice").text) == NAMES


def test_kept_opponents_and_the_encounters_of_one_stand_in_german_order(mine):
    browser, party, user = mine
    Sheet.objects.filter(opponent=True).update(party=None)
    pages = pages_of(browser, "/opponents/?system=condice", last="after")
    assert [one.sheet.name for page in pages for one in page.context["rows"]] == NAMES
    assert [one.name for one in browser.get(f"/parties/{party.pk}/opponents/").context["own"]] == NAMES
    sheet = Sheet.objects.filter(opponent=True).first()
    made = Encounter.objects.bulk_create(
        Encounter(owner=user, ruleset="condice", name=name) for name in reversed(NAMES))
    Placed.objects.bulk_create(Placed(encounter=one, sheet=sheet) for one in made)
    page = browser.get(f"/sheets/{sheet.pk}/").text
    assert re.findall(r'<a href="/opponents/encounters/[^"]*">([^<]*)</a>', page) == NAMES[:FEW]


@pytest.mark.alike
def test_no_list_is_put_in_order_by_the_code_points_of_names():
    texts = {path: path.read_text(encoding="utf-8") for room in ("sheets", "builder", "rulesets")
             for path in Path(room).rglob("*.py") if not {"migrations", "tests"} & {*path.parts}}
    assert {str(path): found for path, text in texts.items() if (found := BY_CODE_POINT.findall(text))} == {}


def test_members_stand_in_german_order(mine):
    browser, party, _user = mine
    for name in ("zora", "Ägidius", "Öre", "otto", "agnes", "Ulf"):
        Member.objects.create(party=party, user=User.objects.create_user(name))
    page = browser.get(f"/parties/{party.pk}/handouts/")
    assert [one.user.username for one in page.context["players"]] == ["Ägidius", "agnes", "Öre", "otto", "Ulf", "zora"]


@pytest.mark.parametrize(("query", "name", "found"), SEARCHES)
def test_both_databases_find_the_same_by_name_and_by_notes(query, name, found):
    user = User.objects.create_user("mia")
    named = Sheet.objects.create(owner=user, ruleset="condice", name=name, data={})
    noted = Sheet.objects.create(owner=user, ruleset="condice", notes=f"Kennt\n{name} gut.", data={})
    there = {one.pk for one in Sheet.objects.filter(holding(query))}
    assert (named.pk in there, noted.pk in there) == (found, found)


def test_what_is_renamed_or_noted_is_found_by_it_from_then_on():
    sheet = Sheet.objects.create(owner=User.objects.create_user("mia"), ruleset="condice", name="Alt", data={})
    sheet.name = "Ötzi"
    sheet.save(update_fields=["name"])
    sheet.notes = "Wohnt in der Bergstraße."
    sheet.save(update_fields=["notes"])
    assert Sheet.objects.filter(holding("oetzi strasse")).exists()
    read = Sheet.objects.defer("data", "called", "sought").get()
    read.name = "Jürgen"
    read.save()
    assert [bool(Sheet.objects.filter(holding(one))) for one in ("juergen", "otzi", "bergstrasse")] == [
        True, False, True]


def test_the_migration_fills_the_columns_of_what_there_is(mine):
    was = {one.pk: (bytes(one.called), one.sought) for one in Sheet.objects.all()}
    Sheet.objects.update(called=b"", sought="")
    Party.objects.update(called=b"")
    known = MigrationLoader(None).disk_migrations["sheets", "0050_called"]
    known.operations[-1].code(apps, SimpleNamespace(connection=connection, quote_name=connection.ops.quote_name))
    assert {one.pk: (bytes(one.called), one.sought) for one in Sheet.objects.all()} == was
    assert bytes(Party.objects.get().called)
