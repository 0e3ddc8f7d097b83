"""Numbers go no further than the rules and the party allow; what is offered is written by a press."""

import html
import re

import pytest

from sheets.models import Sheet
from tests.support.guest import Guest

pytestmark = pytest.mark.django_db


def test_more_stops_at_the_most_that_the_party_allows_in_a_talent_and_its_button_knows_why():
    guest = Guest(system="dice-rumble")
    Sheet.objects.filter(pk=guest.pk).update(house={"talent_cap": 2})
    guest.post("talents", do="add:talents:Nahkampf")
    for _time in range(4):
        guest.post("talents", do="more:talents.0.points")
    assert guest.data["talents"][0]["points"] == 2
    shown = html.unescape(guest.get("talents").content.decode())
    assert re.search(r'value="more:talents.0.points"[^>]*data-end="2 is the most here."', shown)


def test_what_was_typed_beyond_the_most_can_be_lowered_step_by_step():
    guest = Guest(system="dice-rumble")
    guest.post("talents", do="add:talents:Nahkampf")
    guest.post("talents", {"talents.0.points": "9"})
    guest.post("talents", do="more:talents.0.points")
    assert guest.data["talents"][0]["points"] == 9
    guest.post("talents", do="less:talents.0.points")
    assert guest.data["talents"][0]["points"] == 8


def test_of_all_rows_one_alone_has_what_one_alone_can_have():
    guest = Guest(system="augen-des-zwielichts")
    for _time in range(2):
        guest.post("abilities", do="add:abilities")
    for index in (1, 0):
        guest.post("abilities", do=f"only:abilities.{index}.demon")
        assert [row["demon"] for row in guest.data["abilities"]].index(True) == index
    assert sum(row["demon"] for row in guest.data["abilities"]) == 1
    assert guest.post("abilities", do="only:abilities.0.name").status_code == 400


def test_a_weapon_takes_a_talent_that_the_sheet_offers():
    guest = Guest(system="dice-rumble")
    guest.post("talents", do="add:talents:Akrobatik")
    guest.post("weapons", do="add:weapons")
    shown = guest.get("weapons").content.decode()
    assert re.findall(r'value="put:weapons.0.talent:(\w+)"', shown) == ["Nahkampf", "Ballistik", "Akrobatik"]
    guest.post("weapons", do="put:weapons.0.talent:Akrobatik")
    assert guest.data["weapons"][0]["talent"] == "Akrobatik"


def test_an_ability_that_the_source_knows_brings_its_text_and_cost():
    guest = Guest(system="daemmersturm")
    guest.post("abilities", do="add:abilities:Nachsetzen")
    row = guest.data["abilities"][0]
    assert (row["name"], row["cost"], bool(row["text"])) == ("Nachsetzen", "1 AP", True)


def test_a_choice_that_lets_other_fields_be_asked_brings_them_at_once():
    guest = Guest(system="daemmersturm")
    guest.post("equipment", do="add:weapons")
    assert "weapons.0.targets" not in guest.get("equipment").content.decode()
    answer = guest.post("equipment", {"weapons.0.kind": "explosive"}, htmx=True)
    assert answer["HX-Retarget"] == "#workspace"
    assert "weapons.0.targets" in answer.content.decode()


def test_a_catalogue_finds_a_word_by_its_stem_and_says_what_each_piece_costs():
    guest = Guest()
    shown = html.unescape(guest.get("abilities", q="heals").content.decode())
    assert re.findall(r"<h3>([^<]+)", shown) == ["Healing"]
    assert "1 point for each: Extra characters, Range bought" in shown


def test_a_new_roll_says_who_was_there_and_takes_it_back():
    guest = Guest()
    pk = guest.client.post("/build/condice/", {"do": "random"})["Location"].split("/")[2]
    before = Sheet.objects.get(pk=pk).state
    guest.client.post(f"/drafts/{pk}/", {"do": "another"})
    shown = html.unescape(guest.client.get(f"/sheets/{pk}/").content.decode())
    assert f"{Sheet.objects.get(pk=pk).name} instead of {before.name}." in shown
    guest.client.post(f"/drafts/{pk}/", {"do": "back"})
    assert Sheet.objects.get(pk=pk).state == before


def test_a_defence_that_is_missing_or_beyond_all_bonuses_is_asked_about():
    guest = Guest(system="daemmersturm")
    assert "the defence is still 0" in guest.get("skills").content.decode()
    guest.post("skills", {"melee.defence": "130"})
    assert "with a defence of 130 only a natural 20 hits" in guest.get("skills").content.decode()
