"""Encounters of a GM: begun where one looks for them, filled by one press, told apart, seen where they are on."""

import pytest

from rulesets import systems
from sheets.models import Encounter, Sheet
from sheets.parties.opponents import numbered
from tests.sheets.parties.test_library import LIBRARY, kept, make, press
from tests.support.guest import text_of
from tests.support.sheets.fight import TROLL, table_of


def page_of(table):
    return f"/parties/{table.party.pk}/opponents/"


def placed(found):
    return sorted((one.sheet.name, one.number) for one in found.placed.select_related("sheet"))


@table_of(*systems())
def test_a_new_encounter_begins_on_the_partys_page_and_in_the_library_and_leads_to_its_own(table):
    gm = table.browsers["gm"]
    for where, name in ((page_of(table), "Am Weiher"), (f"{LIBRARY}?system={table.ruleset.slug}", "Im Moor")):
        page = gm.get(where).text
        assert 'value="new"' in page
        fields = {key: one.text for key, one in _inputs(gm.get(where).context["act"])}
        answer = gm.post(LIBRARY, {"do": "new", "system": table.ruleset.slug, "encounter": name, **fields})
        found = Encounter.objects.get(name=name)
        assert answer["Location"] == f"{LIBRARY}encounters/{found.pk}/"
        assert name in text_of(gm.get(page_of(table)))
    press(table, "new", encounter="")
    assert Encounter.objects.count() == 2


def _inputs(widget):
    return [(one.path, one) for one in widget.inputs] if widget else []


def test_opponents_are_made_into_an_encounter_by_one_press_wherever_they_are_made(table):
    make(table, _count="4", _encounter="Am Weiher")
    found = Encounter.objects.get()
    assert (found.name, placed(found)) == ("Am Weiher", [("Troll", 4)])
    table.make("random", _count="2", _name="Räuber", _encounter="Am Weiher")
    assert placed(found) == [("Räuber 1", 1), ("Räuber 2", 1), ("Troll", 4)]
    assert not table.party.sheets.filter(opponent=True).exists()
    where = f"{LIBRARY}encounters/{found.pk}/"
    table.browsers["gm"].post(where, {"do": "figures", **TROLL, "_name": "Wolf", "_count": "3"})
    table.browsers["gm"].post(where, {"do": "add", "sheet": kept("Wolf").pk, "_count": "2"})
    assert ("Wolf", 5) in placed(found)
    assert table.browsers["gm"].post(where, {"do": "figures", **TROLL, "life": "0"}).status_code == 422
    for who in ("helper", "anna"):
        assert table.browsers[who].post(where, {"do": "add", "sheet": kept("Wolf").pk}).status_code == 404


def test_what_was_made_just_now_stands_first_and_is_ticked(table):
    make(table, _name="Alb")
    answer = make(table, _name="Wolf", _count="2")
    page = table.browsers["gm"].get(answer["Location"])
    assert [one.sheet.name for one in page.context["made"]] == ["Wolf 1", "Wolf 2"]
    assert [one.sheet.name for one in page.context["rows"]] == ["Alb"]
    assert page.text.count('name="sheet" value') >= 3
    assert page.text.count(" checked>") >= 2


def test_rolled_opponents_are_told_apart_by_their_numbers_their_kind_and_what_they_can_do(table):
    concept = next(iter(table.ruleset.concepts))
    make(table, "random", _name="Räuber", _count="3", _concept=concept)
    make(table, "random", _name="Räuber", _count="1", _concept=concept)
    rows = table.browsers["gm"].get(LIBRARY, {"system": table.ruleset.slug}).context["rows"]
    assert [one.sheet.name for one in rows] == ["Räuber 1", "Räuber 2", "Räuber 3", "Räuber 4"]
    for one in rows:
        assert one.line.startswith(table.ruleset.concept_title(concept))
        assert one.sheet.data["attacks"][0]["name"] in one.line


def test_an_encounter_that_is_at_the_table_says_so_and_comes_once_more_numbered_on(table):
    make(table, "random", _name="Räuber", _count="2", _encounter="Am Weiher")
    make(table, _name="Wolf", _count="2", _encounter="Im Moor")
    found, gm = Encounter.objects.get(name="Am Weiher"), table.browsers["gm"]
    assert "at the table:" not in text_of(gm.get(page_of(table)))
    for number in (2, 4):
        gm.post(page_of(table), {"do": f"encounter:{found.pk}"})
        for where in (page_of(table), f"{LIBRARY}encounters/{found.pk}/"):
            said = text_of(gm.get(where))
            assert (f"at the table: {number}" in said, said.count("into play again")) == (True, 1), where
    assert sorted(table.party.sheets.filter(opponent=True).values_list("name", flat=True)) == [
        f"Räuber {number}" for number in (1, 2, 3, 4)]


@pytest.mark.parametrize(("name", "count", "there", "named"), [
    ("Goblin", 1, [], ["Goblin"]),
    ("Goblin", 2, [], ["Goblin 1", "Goblin 2"]),
    ("Goblin", 1, ["Goblin"], ["Goblin 2"]),
    ("Goblin 2", 1, ["Goblin 1"], ["Goblin 2"]),
    ("Goblin 2", 1, ["Goblin 1", "Goblin 2"], ["Goblin 3"]),
    ("Goblin", 1, ["Goblinkönig 7"], ["Goblin"]),
    ("Goblin", 2, ["Goblin 99", "Goblin 100"], ["Goblin 101", "Goblin 102"]),
    ("1984", 2, [], ["1984 1", "1984 2"]),
    ("", 2, [""], ["", ""]),
])
def test_a_number_goes_on_from_the_highest_that_is_there(name, count, there, named):
    assert numbered(name, count, there) == named


def test_a_kept_opponent_says_its_kind_after_it_was_copied_and_brought_in(table):
    concept = next(iter(table.ruleset.concepts))
    make(table, "random", _name="Räuber", _concept=concept)
    press(table, "copy-these", kept("Räuber"))
    table.browsers["gm"].post(page_of(table), {"do": "stage", "sheet": kept("Räuber").pk, "_count": "1"})
    assert [*Sheet.objects.filter(opponent=True).values_list("concept", flat=True)] == [concept] * 3


def test_an_encounter_without_opponents_is_not_offered_to_the_table_but_says_that_it_is_empty(table):
    press(table, "new", encounter="Am Weiher")
    page = table.browsers["gm"].get(page_of(table))
    assert "Nobody is in it yet." in text_of(page)
    assert 'value="encounter:' not in page.text


@table_of("daemmersturm")
@pytest.mark.rule("DS-05")
def test_an_opponent_of_a_gm_needs_no_approval_and_its_own_abilities_count_as_agreed(table):
    gm, ability = table.browsers["gm"], {"name": "Moorgriff", "focus_points": 3}
    make(table, _encounter="Am Weiher", life="20")
    troll = Sheet.objects.get(opponent=True)
    troll.data["abilities"] = [ability]
    troll.save()
    gm.post(page_of(table), {"do": "stage", "sheet": troll.pk, "_count": "1"})
    for sheet in Sheet.objects.filter(opponent=True):
        page = text_of(gm.get(f"/sheets/{sheet.pk}/"))
        for words in ("counts once a GM has approved it", "not approved", "needs approval", "Not in force"):
            assert words.casefold() not in page.casefold(), words
    assert "Troll" not in text_of(gm.get("/reviews/"))


def test_the_page_of_a_kept_opponent_leads_back_to_the_library_and_to_where_it_stands(table):
    make(table, _encounter="Am Weiher")
    page, found = table.browsers["gm"].get(f"/sheets/{kept().pk}/").text, Encounter.objects.get()
    assert f'href="{LIBRARY}?system=condice"' in page
    assert f'href="{LIBRARY}encounters/{found.pk}/">Am Weiher' in page
    assert f'href="{page_of(table)}"' in table.browsers["gm"].get(f"{LIBRARY}?system=condice").text
    assert f'href="{page_of(table)}"' in table.browsers["gm"].get(f"{LIBRARY}encounters/{found.pk}/").text
