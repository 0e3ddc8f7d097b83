"""A press on a page that is older than the sheet means the row that it showed, in every list of every system."""

import re
from uuid import uuid4

import pytest
from django.utils.html import escape

from rulesets import systems
from rulesets.battle_dice.tests.table import CORONA, FAN, PINA, SNOW
from rulesets.kit import blank, slots
from rulesets.kit.row_marks import named, place_of
from sheets.character import Character
from sheets.forms.inputs import option_of
from sheets.models import Event, Sheet
from sheets.press.prepare import pressed_widget
from sheets.rolls.widgets import key_of, press_value_of
from tests.support.guest import Guest, example, text_of
from tests.support.sheets.pieces import answers

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
    "condice": {"attacks": [{"name": word, "dice": 2, "range": 0, "description": ""} for word in WORDS], "abilities": [
        {"ability": "explosion", "range": 0}, {"ability": "heilung", "extra_characters": 0, "range": 1},
        {"ability": "flaechenangriff", "fields": 1, "damage": 1, "distance": 1, "range": 0}]},
    "augen-des-zwielichts": {"fears": [*WORDS], "abilities": [{"name": word, "demon": False} for word in WORDS]},
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


SELECTS = {"battle-dice": {"aimed", "strike"}}
"""{system: acts that ask for a row of a list}."""


def three(part):
    """{list: three different rows} of all that a shape has, for a system of which nothing is stated here."""
    return {key: [{**blank(slot.parts[0]), next(name for name, one in slots(slot.parts[0]).items()
                                                if one.kind == "text"): word} for word in WORDS]
            for key, slot in slots(part).items() if slot.kind == "rows"}


def first_text(row):
    return next((text for text in row.values() if isinstance(text, str)), "") if isinstance(row, dict) else ""


def lists(slug, offers):
    """The lists of which something is offered for a row; of a system of which nothing is stated here all there are."""
    return LISTS[slug] if slug in LISTS else {place_of(one.key)[0] for one in offers}


def plays(slug):
    return PLAYS.get(slug) or [three(systems()[slug].play)]


def seated(slug, play):
    """A guest whose finished sheet is played in that state."""
    document = example(next(iter(systems()[slug].examples)), slug)
    rows = DATA.get(slug, {}) if slug in PLAYS else three(systems()[slug].sheet)
    shape = systems()[slug].sheet.model_validate(document["data"] | rows)
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
    return {press_value_of(one): one for one in Character(sheet).offers() if one.row}


def pressed(sheet, name):
    which, mark = named(name)
    return pressed_widget(Character(sheet), {}, which, row=mark)


@pytest.mark.parametrize("slug", systems())
def test_a_row_that_moved_is_found_again_and_one_that_is_gone_is_not(slug):
    seen = set()
    for play in plays(slug):
        sheet = seated(slug, play).sheet
        found_there = offered(sheet)
        for name, offer in found_there.items():
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
    assert seen == lists(slug, found_there.values())


@pytest.mark.parametrize("slug", systems())
def test_whatever_a_page_offers_for_a_row_says_which_row_it_means(slug):
    for play in plays(slug):
        guest = seated(slug, play)
        page = guest.client.get(f"/sheets/{guest.pk}/").text
        names = {press_value_of(one) for one in Character(guest.sheet).offers() if place_of(one.key)}
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
    assert "no longer available" in text_of(answer)
    assert [one["name"] for one in guest.sheet.play["effects"]] == [WORDS[2]]


class OpenPage:
    """The page of a sheet as somebody has it open, whatever becomes of the sheet elsewhere."""

    def __init__(self, slug, play):
        self.guest = seated(slug, play)
        self.sheet = self.guest.sheet
        self.page = self.guest.client.get(f"/sheets/{self.guest.pk}/").text

    def form(self, name):
        """What the form of an offer sends as it stands there, with whatever it needs; None where it stands nowhere."""
        which, _mark = named(name)
        form = re.search(rf'id="w-{which}".*?</form>', self.page, re.S)
        if form is None or f'value="{escape(name)}"' not in form[0]:
            return None
        found = {one: text or "Neu" for one, text in answers(self.page, which).items()}
        return found | {one: "1" for one in ("points", "by") if one in found} | {"w": name, "_press": str(uuid4())}

    def posted(self, fields, name, index, *, played):
        """The sheet as it was just before the form was posted, without a row by then, and what came of that."""
        before = without(Sheet.objects.get(pk=self.sheet.pk), name, index, played=played)
        self.guest.client.post(f"/sheets/{self.guest.pk}/play/", fields)
        return before, self.guest.sheet.events.first()

    def as_it_was(self):
        Event.objects.filter(sheet=self.sheet.pk).delete()
        Sheet.objects.filter(pk=self.sheet.pk).update(play=self.sheet.play, data=self.sheet.data)


def rows_of(sheet, name, *, played):
    return (sheet.play if played else sheet.data).get(name, [])


@pytest.mark.parametrize("slug", systems())
def test_the_form_of_the_second_row_is_about_that_row_when_the_first_is_gone(slug):
    seen = set()
    for play in plays(slug):
        here = OpenPage(slug, play)
        found_there = offered(here.sheet)
        for name, offer in found_there.items():
            where, index = place_of(offer.key)
            if index != 1 or where in seen or (fields := here.form(name)) is None:
                continue
            played = offer.row.played
            assert len(rows_of(here.sheet, where, played=played)) >= len(WORDS)
            before, event = here.posted(fields, where, 0, played=played)
            if event:
                seen.add(where)
                about = next(one for one in offered(before).values() if key_of(one) == event.widget)
                assert about.row.value == offer.row.value, name
                # The third one stays what it is.
                assert rows_of(before, where, played=played)[1] in rows_of(here.guest.sheet, where, played=played), name
            here.as_it_was()
    assert seen == lists(slug, found_there.values())


@pytest.mark.parametrize("slug", systems())
def test_the_second_row_of_a_select_is_the_one_that_is_meant_when_the_first_is_gone(slug):
    seen, asking = set(), set()
    for play in plays(slug):
        here = OpenPage(slug, play)
        for offer in Character(here.sheet).offers():
            for field in (name for name, slot in offer.asks.items() if slot.positional):
                slot = offer.asks[field]
                fields = here.form(press_value_of(offer)) | {field: option_of(slot, 1)}
                called, asking = [slot.label(one) for one in slot.choices], asking | {offer.cls.slug}
                rows = next(name for name, found in play.items()
                            if isinstance(found, list) and [*map(first_text, found)] == called)
                before, event = here.posted(fields, rows, 0, played=True)
                if event:
                    seen.add(event.act)
                    assert before.play[rows][event.done[field]] == here.sheet.play[rows][1], offer.title
                here.as_it_was()
    assert seen == (SELECTS.get(slug, set()) if slug in PLAYS else asking)


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
