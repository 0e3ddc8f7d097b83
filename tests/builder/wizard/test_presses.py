"""What is pressed and typed on a step is kept and told: parts that may be absent, ends of numbers, rows on offer."""

import html
import re

import pytest

from builder.wizard.edits import Edit
from rulesets import systems
from rulesets.kit import patched
from sheets.forms.differences import field_changes
from sheets.forms.part_inputs import inputs_of
from sheets.models import Sheet
from tests.support.builder.held import held, lacking
from tests.support.guest import Guest, example

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
SHAPE = systems()["daemmersturm"].sheet
HANS, KNIGHT = example("hans-peter", "daemmersturm"), example("knight", "daemmersturm")
BURNER = example("charcoal-burner", "augen-des-zwielichts")
CLAIM = {"action_points": 1, "focus_points": 0, "magic_points": 0}


def test_a_part_is_given_empty_taken_with_its_broken_texts_and_not_given_anew():
    edit = Edit(SHAPE, HANS["data"], {"shield.target": "x", "life": "many"})
    assert (edit.apply("add", "shield"), edit.data["shield"]) == ("shield", {"target": 0})
    assert edit.typed == {"life": "many"}
    edit.apply("drop", "shield")
    assert edit.data["shield"] is None
    edit = Edit(SHAPE, KNIGHT["data"], {})
    edit.apply("add", "shield")
    assert edit.data["shield"] == {"target": 14}


def test_an_absent_part_has_no_inputs_and_differs_as_a_whole():
    assert [one.parts for one in inputs_of(SHAPE, HANS["data"]) if one.path == "shield"] == [[]]
    difference, = field_changes(SHAPE, KNIGHT["data"], {**KNIGHT["data"], "shield": None})
    assert (difference.path, difference.after, "14" in difference.before) == ("shield", "–", True)


@pytest.mark.parametrize(("start", "step", "posts", "data", "shown", "hidden"), [
    pytest.param(HANS, "equipment", [], {"shield": None}, ['value="add:shield"'], [], id="a part is on offer"),
    pytest.param(HANS, "equipment", [{"do": "add:shield"}], {"shield": {"target": 0}}, [], [], id="and given"),
    pytest.param(HANS, "equipment", [{"do": "add:shield"}, {"shield.target": "15"}, {"shield.target": "viele"}],
                 {"shield": {"target": 15}}, ["viele"], [], id="and filled"),
    pytest.param(HANS, "equipment", [{"do": "add:shield"}, {"shield.target": "viele"}, {"do": "drop:shield"}],
                 {"shield": None}, [], ["viele"], id="and taken with what was typed"),
    pytest.param(HANS, "skills", [], {}, [], ["claimed"], id="a field that means nothing now is not asked"),
    pytest.param(patched(KNIGHT, {"data.claimed": CLAIM}), "skills", [], {}, ['name="claimed.action_points"'], [],
                 id="and is where it means something"),
    pytest.param(HANS, "abilities", [], {}, ['<option value="Scharfschütze">', 'list="f-abilities-0-name-known"'], [],
                 id="abilities are suggested while one types"),
    pytest.param(HANS, "finish", [], {}, ["Hans-Peter: (N=20+3|15, F=20-3|12, Z=20+0|10) LP 20",
                                          "No problems found."], [], id="the last step has the text to copy"),
    pytest.param(HANS, "skills", [{"life": "0"}], {}, ["Findings: 1."], [], id="no points but findings"),
    pytest.param(BURNER, "fields", [], {}, [
        '<p id="f-fields-honour-word--hint" class="callout">', 'id="f-fields-mount-word--hint"',
        'aria-describedby="f-fields-honour-word--fault f-fields-honour-word--told f-fields-honour-word--hint"'], [
            "f-fields-item-word--hint"],
                 id="what a part's field should hold is said at it", marks=pytest.mark.rule("SZ-01")),
    pytest.param("dice-rumble", "talents", [
        {"do": "add:talents:Nahkampf"}, {"talents.0.points": "9"}, {"do": "more:talents.0.points"},
        {"do": "less:talents.0.points"}], {"talents.0.points": 8}, [], [], id="what is too much is lowered by steps"),
    pytest.param("dice-rumble", "weapons", [
        {"do": "add:weapons"}, {"do": "put:weapons.0.talent:Ballistik"}], {"weapons.0.talent": "Ballistik"}, [], [],
                 id="a weapon takes a talent"),
    pytest.param("daemmersturm", "abilities", [{"do": "add:abilities:Nachsetzen"}], {
        "abilities.0.name": "Nachsetzen", "abilities.0.cost": "1 AP",
        "abilities.0.text": "After a hit, one more melee attack on the same target, once per round."}, [], [],
                 id="a known ability brings its text and cost"),
    pytest.param("daemmersturm", "skills", [], {}, ["the defence is still 0"], [], id="a defence that is missing"),
    pytest.param("daemmersturm", "skills", [{"melee.defence": "130"}], {}, [
        "with a defence of 130 only a natural 20 hits"], [], id="a defence beyond all bonuses"),
    pytest.param("condice", "attacks", [{"do": "add:attacks"}], {}, [
        'name="attacks.0.name" value="" placeholder="e.g. ', "Distance beyond the adjacent squares, a point each."], [],
                 id="a text has an example and a number its rule before anything is broken"),
])
def test_what_is_pressed_and_typed_is_kept_and_told(start, step, posts, data, shown, hidden):
    guest = Guest(system=start) if isinstance(start, str) else Guest(start, system=start["ruleset"])
    for fields in posts:
        guest.post(step, fields)
    page = html.unescape(guest.get(step).text)
    assert held(guest.data, data) == data
    assert lacking(page, *shown) == []
    assert lacking(page, *hidden) == hidden


def test_more_stops_at_the_most_that_the_party_allows_in_a_talent_and_its_button_knows_why():
    guest = Guest(system="dice-rumble")
    Sheet.objects.filter(pk=guest.pk).update(house={"talent_cap": 2})
    for do in ("add:talents:Nahkampf", *["more:talents.0.points"] * 4):
        guest.post("talents", do=do)
    assert guest.data["talents"][0]["points"] == 2
    shown = html.unescape(guest.get("talents").text)
    assert re.search(r'value="more:talents.0.points"[^>]*data-end="The maximum here is 2."', shown)


def test_of_all_rows_one_alone_has_what_one_alone_can_have():
    guest = Guest(system="augen-des-zwielichts")
    guest.post("abilities", do="add:abilities")
    for index in (1, 0):
        guest.post("abilities", do=f"only:abilities.{index}.demon")
        assert [at for at, row in enumerate(guest.data["abilities"]) if row["demon"]] == [index]
    assert guest.post("abilities", do="only:abilities.0.name").status_code == 400


def test_a_weapon_is_offered_the_talents_of_the_sheet():
    guest = Guest(system="dice-rumble")
    guest.post("talents", do="add:talents:Akrobatik")
    guest.post("weapons", do="add:weapons")
    offered = re.findall(r'value="put:weapons.0.talent:(\w+)"', guest.get("weapons").text)
    assert offered == ["Nahkampf", "Ballistik", "Akrobatik"]


def test_a_choice_that_lets_other_fields_be_asked_brings_them_at_once():
    guest = Guest(system="daemmersturm")
    guest.post("equipment", do="add:weapons")
    assert "weapons.0.targets" not in guest.get("equipment").text
    answer = guest.post("equipment", {"weapons.0.kind": "explosive"}, htmx=True)
    assert (answer["HX-Retarget"], "weapons.0.targets" in answer.text) == ("#workspace", True)


def test_a_catalogue_finds_a_word_by_its_stem_and_says_what_each_piece_costs():
    shown = html.unescape(Guest().get("abilities", q="heals").text)
    assert re.findall(r"<h3>([^<]+)", shown) == ["Healing"]
    assert "Extra characters, Extra range: 1 point each" in shown
