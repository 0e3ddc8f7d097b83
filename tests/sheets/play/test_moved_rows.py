"""A press on a page that is older than the sheet means the row that it showed, in every list of every system."""

import re

import pytest
from django.utils.html import escape

from rulesets import systems
from rulesets.battle_dice.tests.table import CORONA, FAN, PINA, SNOW
from rulesets.kit.row_marks import named, place_of
from sheets.character import Character
from sheets.models import Sheet
from sheets.play.services import pressed_widget
from sheets.rolls.widgets import key_of, pressed_as
from tests.support.guest import Guest, example, text_of

pytestmark = pytest.mark.django_db

WORDS = ("Erste", "Zweite", "Dritte")
PLAYS = {
    "condice": [{"effects": [{"name": word, "rounds": 2} for word in WORDS],
                 "items": [{"name": word} for word in WORDS],
                 "holds": [{"ability": "aggro-ziehen", "target": word, "dice": 3} for word in WORDS]}],
    "dice-rumble": [{"weapons": [{"name": f"{word} Beute", "talent": "Nahkampf", "damage": 2} for word in WORDS]}],
    "daemmersturm": [{
        "conditions": [{"name": word, "damage": "1-3", "due": True} for word in WORDS],
        "items": [{"name": word, "number": 2} for word in WORDS],
        "poisons": [{"kind": "dagger", "poison": word, "weapon": word} for word in WORDS],
        "unready": [{"steps": 2, "weapon": word} for word in WORDS]}],
    "augen-des-zwielichts": [
        {"conditions": [{"word": word} for word in WORDS],
         "tables": [{"into": "demon", "entries": [word]} for word in WORDS]},
        *({"steps": [step]} for step in ("exchange-ability", "drop-fear"))],
    "battle-dice": [
        {"phase": phase, "hand": [CORONA, PINA, SNOW], "mana": 9, "deck": [FAN], "coming": 3, "marks": 2,
         "avatars": [{"card": card, "damage": 1, "frost": 1} for card in (PINA, CORONA, FAN)]}
        for phase in ("chaos", "focus", "summon", "battle", "block", "enemy", "heal", "end")],
}
"""{system: states of play with three different rows in each of their lists}."""
DATA = {
    "condice": {"abilities": [
        {"ability": "explosion", "range": 0}, {"ability": "heilung", "extra_characters": 0, "range": 1},
        {"ability": "flaechenangriff", "fields": 1, "damage": 1, "distance": 1, "range": 0}]},
    "augen-des-zwielichts": {"fears": [*WORDS]},
    "dice-rumble": {"weapons": [{"name": word, "talent": "Nahkampf", "damage": 1} for word in WORDS]},
    "daemmersturm": {"weapons": [{"name": word, "kind": "bow", "hands": 2, "damage": "1-6", "reload_actions": 1}
                                 for word in WORDS]},
}
"""{system: lists of the sheet with three different rows}, where the example has fewer."""
LISTS = {
    "condice": {"effects", "items", "holds", "attacks", "abilities"},
    "dice-rumble": {"talents", "weapons"},
    "daemmersturm": {"conditions", "items", "poisons", "unready", "weapons"},
    "augen-des-zwielichts": {"conditions", "tables", "abilities", "fears"},
    "battle-dice": {"hand", "avatars"},
}
"""{system: lists of which something is offered for a row}."""


def seated(slug, play):
    """A guest whose finished sheet is played in that state."""
    document = example(next(iter(systems()[slug].examples)), slug)
    shape = systems()[slug].sheet.model_validate(document["data"] | DATA.get(slug, {}))
    guest = Guest(document | {"data": shape.model_dump()}, system=slug)
    Sheet.objects.filter(pk=guest.pk).update(play=play, finished="2026-01-01T00:00Z")
    return guest


def without(sheet, name, index, *, played=False):
    """The same sheet without a row of a list, as another page has left it."""
    where = sheet.play if played else sheet.data
    where[name] = where[name][:index] + where[name][index + 1:]
    sheet.save()
    return Sheet.objects.get(pk=sheet.pk)


def offered(sheet):
    """{name: offer} of what is about a row, of all that is offered."""
    return {pressed_as(one): one for one in Character(sheet).offers() if one.row}


def pressed(sheet, name):
    which, mark = named(name)
    return pressed_widget(Character(sheet), {}, which, row=mark)


@pytest.mark.parametrize("slug", systems())
def test_a_row_that_moved_is_found_again_and_one_that_is_gone_is_not(slug):
    seen = set()
    for play in PLAYS[slug]:
        sheet = seated(slug, play).sheet
        for name, offer in offered(sheet).items():
            where, index = place_of(offer.key)
            if index != 1:
                continue
            moved = without(Sheet.objects.get(pk=sheet.pk), where, 0, played=offer.row.played)
            found = pressed(moved, name)
            # What is left may allow less: then nothing is pressed, and no other row.
            if any(one.row.value == offer.row.value and one.cls is offer.cls for one in offered(moved).values()):
                assert found.offer.row.value == offer.row.value, name
                seen.add(where)
            else:
                assert found is None, name
            assert pressed(without(moved, where, 0, played=offer.row.played), name) is None, name
            Sheet.objects.filter(pk=sheet.pk).update(play=sheet.play, data=sheet.data)
    assert seen == LISTS[slug]


@pytest.mark.parametrize("slug", systems())
def test_whatever_a_page_offers_for_a_row_says_which_row_it_means(slug):
    for play in PLAYS[slug]:
        guest = seated(slug, play)
        page = guest.client.get(f"/sheets/{guest.pk}/").text
        names = {pressed_as(one) for one in Character(guest.sheet).offers() if place_of(one.key)}
        posted = set(re.findall(r'name="w" value="([^"]*)"', page))
        assert {named(one)[0] for one in names} & posted == set()
        assert {escape(one) for one in names} & posted


def test_figures_that_count_up_and_down_make_no_other_row_of_one():
    guest = seated("condice", PLAYS["condice"][0])
    name = next(one for one in offered(guest.sheet) if one.startswith("act-end-effect") and "-1~" in one)
    sheet = guest.sheet
    for effect in sheet.play["effects"]:
        effect["rounds"] -= 1
    sheet.save()
    assert pressed(sheet, name).offer.row.value.name == WORDS[1]


def test_of_rows_that_are_alike_in_play_the_one_that_stood_there_is_meant():
    alike = {"effects": [{"name": "Nebel", "rounds": rounds} for rounds in (3, 2, 1)]}
    sheet = seated("condice", alike).sheet
    name = next(one for one in offered(sheet) if "-1~" in one)
    assert key_of(pressed(sheet, name).offer) == named(name)[0]


def test_of_rows_of_the_sheet_without_a_name_the_same_one_is_meant_wherever_it_stands():
    guest = Guest(example(), system="condice")
    sheet = guest.sheet
    sheet.data["attacks"] = [{**sheet.data["attacks"][0], "name": "", "description": "", "dice": dice}
                             for dice in (3, 5, 4)]
    sheet.save()
    name = next(one for one in offered(sheet) if one.startswith("roll-attack-attacks-1~"))
    assert pressed(without(sheet, "attacks", 0), name).offer.row.value.dice == 5


def test_the_next_row_is_not_pressed_for_one_that_is_gone_and_the_page_says_so():
    guest = seated("condice", PLAYS["condice"][0])
    page = guest.client.get(f"/sheets/{guest.pk}/").text
    name = next(one for one in offered(guest.sheet) if one.startswith("act-end-effect") and "-1~" in one)
    form = re.search(rf'value="{re.escape(name)}">.*?name="_press" value="([^"]*)"', page, re.S)
    without(without(guest.sheet, "effects", 1, played=True), "effects", 0, played=True)
    answer = guest.client.post(f"/sheets/{guest.pk}/play/", {"w": name, "_press": form[1]}, follow=True)
    assert "no longer offered" in text_of(answer)
    assert [one["name"] for one in guest.sheet.play["effects"]] == [WORDS[2]]


def target_of(sheet, name, text):
    """What a page has chosen in the select of an act, as it is read now."""
    found, = pressed_widget(Character(sheet), {"target": [text]}, name).inputs[:1]
    return found.value, found.fault


@pytest.mark.parametrize(("name", "phase"), [("act-aimed", "block"), ("act-strike", "battle")])
def test_a_row_that_is_chosen_is_found_again_or_told_to_be_gone(name, phase):
    play = next(one for one in PLAYS["battle-dice"] if one["phase"] == phase)
    sheet = seated("battle-dice", play).sheet
    chosen = pressed_widget(Character(sheet), {}, name).inputs[0].options[1][0]
    assert target_of(sheet, name, chosen) == (1, "")
    assert target_of(without(sheet, "avatars", 0, played=True), name, chosen) == (0, "")
    value, fault = target_of(without(sheet, "avatars", 0, played=True), name, chosen)
    assert (value, "no longer there" in fault) == (None, True)
