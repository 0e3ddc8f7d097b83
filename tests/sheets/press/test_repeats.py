"""A repeat takes the act of the last roll back, throws one's own dice again and applies the act anew."""

import uuid
from copy import deepcopy

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation

from rulesets import systems
from rulesets.dice import LoadedTray
from rulesets.kit import Lasting, Refused
from rulesets.kit.fields import blank
from sheets.character import Character
from sheets.models import Event, Party, Sheet
from sheets.press.log import last_act, last_events, recent_events, superseded
from sheets.press.perform import press
from sheets.press.undo import undo_act
from sheets.rolls.rows import roll_cards
from sheets.rolls.stored import event_text
from sheets.rolls.widgets import widgets

REPEAT = "act-repeat"


@pytest.fixture(autouse=True)
def _english(db):
    with translation.override("en"):
        yield


def made(slug, name, data, **more):
    return Sheet.objects.create(owner=User.objects.create_user("anna"), ruleset=slug, name=name, data=data, **more)


@pytest.fixture
def healer():
    """Twelve life points, healing, mind control, a transfer of life and the repeat."""
    data = blank(systems()["condice"].sheet) | {"life": 6, "movement": 4, "mental_resistance": 4, "abilities": [
        {"ability": "heilung", "range": 0, "extra_characters": 0}, {"ability": "wurf-wiederholen", "range": 0},
        {"ability": "mindcontrol", "range": 0, "dice": 2},
        {"ability": "leben-transferieren", "range": 0, "life_points": 2}]}
    return made("condice", "Nuria", data, play={"life": 3})


@pytest.fixture
def baker():
    document = deepcopy(systems()["dice-rumble"].examples["baker"])
    return made("dice-rumble", document["name"], document["data"])


def do(sheet, key, *faces, **answers):
    """Press what is offered on the sheet, or what its last rolls lead on to."""
    character = Character(sheet)
    given = {name: [str(value)] for name, value in answers.items()}
    found = [*widgets([*character.rolls(), *character.acts()], given, key)]
    for card in roll_cards(character.ruleset, character.rolls(), last_events(sheet), given, key):
        found += [one.widget for one in card.with_followups()]
    widget = next(one for one in found if one.key == key)
    tray = LoadedTray(*faces)
    event = press(character, widget, uuid.uuid4(), tray)
    assert not tray.left
    return event


def left(sheet):
    character = Character(sheet)
    return character.play.life_left(character.written)


@pytest.mark.rule("CD-49")
def test_the_second_result_replaces_the_first_the_log_shows_both_and_the_whole_is_taken_back_before_the_act(healer):
    first = do(healer, "act-heal-yourself", 2)
    assert left(healer) == 5
    second = do(healer, REPEAT, 6)
    assert (left(healer), Character(healer).play.repeated) == (9, True)
    assert (first.faces, second.faces, second.again) == ([2], [6], first)
    assert (second.title, second.said["en"]) == ("Reroll the last roll", "Regained by the die, now 9")
    assert second.said["en"] in second.text
    assert superseded(recent_events(healer)) == {first.pk}
    assert undo_act(healer, second.pk)
    assert (left(healer), Character(healer).play.repeated) == (5, False)
    assert superseded(recent_events(healer)) == set()
    # Who repeats it after all has the die that fell.
    assert do(healer, REPEAT).faces == [6]
    assert left(healer) == 9
    for _act in range(2):
        assert undo_act(healer, last_act(healer).pk)
    assert healer.play == {"life": 3}


@pytest.mark.rule("DR-17")
def test_repeats_that_are_taken_back_and_made_again_show_the_dice_they_had_each_in_its_turn(baker):
    do(baker, "act-roll-initiative", 7, 1, fighters=2)
    for falls in ([(4,), (9,)], [(), ()], [(), ()]):
        assert [do(baker, REPEAT, *faces).faces for faces in falls] == [[4, 1], [9, 1]]
        for _act in range(2):
            assert undo_act(baker, last_act(baker).pk)
    # The act itself has the dice that it had, and its repeats with it.
    for falls in ((7, 4, 9), (7, 4, 9)):
        assert undo_act(baker, last_act(baker).pk)
        keys = ("act-roll-initiative", REPEAT, REPEAT)
        assert [do(baker, key, **({"fighters": 2} if key != REPEAT else {})).faces for key in keys] == [
            [face, 1] for face in falls]
        for _act in range(2):
            assert undo_act(baker, last_act(baker).pk)


@pytest.mark.rule("CD-46")
def test_an_act_that_is_taken_back_and_done_again_has_the_dice_that_it_had_until_something_else_was_done(healer):
    for faces in ((3,), (), ()):
        assert do(healer, "act-heal-yourself", *faces).faces == [3]
        assert undo_act(healer, last_act(healer).pk)
        # A roll stays rolled, and changes nothing.
        do(healer, "roll-mental-attack-abilities-2", 1, 2, 4, 5, 1, resistance=3)
    do(healer, "act-damage", points=1, against="nothing")
    assert do(healer, "act-heal-yourself", 2).faces == [2]


@pytest.mark.rule("DR-17")
def test_an_act_that_is_done_again_with_another_answer_has_its_dice_as_far_as_it_asks_for_them(baker):
    do(baker, "act-roll-initiative", 7, 1, fighters=2)
    assert undo_act(baker, last_act(baker).pk)
    assert do(baker, "act-roll-initiative", 4, fighters=3).faces == [7, 1, 4]


@pytest.mark.rule("CD-49")
@pytest.mark.rule("CD-42")
def test_the_dice_of_the_other_side_stay_as_they_fell(healer):
    do(healer, "roll-mental-attack-abilities-2", 1, 2, 4, 5, 1, resistance=3)
    event = do(healer, REPEAT, 6, 6)
    assert event.faces == [6, 6, 4, 5, 1]
    assert (event.outcome, event.figures) == ("works", {"attack": 4, "defence": 2})


@pytest.mark.rule("CD-54")
def test_breaking_free_says_who_is_free_and_can_be_repeated(healer):
    do(healer, "act-hold-target-abilities-2", target="Ork")
    event = do(healer, "act-try-free-holds-0", 1, 1, 6, resistance=1)
    assert (event.outcome, Character(healer).play.holds) == ("free", [])
    assert event_text(healer.system, event) == "0 against 2: breaks free"
    do(healer, REPEAT, 6, 6)
    assert [hold.target for hold in Character(healer).play.holds] == ["Ork"]


@pytest.mark.rule("CD-29")
@pytest.mark.rule("CD-49")
def test_what_followed_from_a_roll_is_taken_back_with_it_and_offered_anew(healer):
    roll = "roll-drain-life-abilities-3"
    do(healer, roll, 6, 6, resistance=0)
    # Four life points, though two were bought.
    do(healer, f"act-draw-life-{roll}")
    assert left(healer) == 7
    do(healer, REPEAT, 4, 1)
    assert left(healer) == 3
    do(healer, f"act-draw-life-{roll}")
    assert left(healer) == 4


@pytest.mark.rule("CD-49")
def test_what_came_in_between_has_to_be_taken_back_first(healer):
    do(healer, "act-heal-yourself", 2)
    do(healer, "act-damage", points=1, against="nothing")
    before = deepcopy(healer.play)
    with pytest.raises(Refused, match=r"1 damage taken, life 4.* came after that roll"):
        do(healer, REPEAT)
    healer.refresh_from_db()
    assert healer.play == before
    assert undo_act(healer, last_act(healer).pk)
    do(healer, REPEAT, 6)
    assert left(healer) == 9


def test_a_roll_without_an_act_is_repeated_whatever_was_done_since(baker):
    do(baker, "roll-test-talents-0", 9, threshold=8)
    do(baker, "act-damage", points=2)
    event = do(baker, REPEAT, 3)
    assert (event.faces, event.outcome) == ([3], "success")
    assert (Character(baker).play.life_lost, Character(baker).play.fate_spent) == (2, 1)


@pytest.mark.rule("DR-17")
@pytest.mark.rule("DR-12")
def test_a_fate_point_throws_ones_own_die_of_a_duel_and_a_tie_is_thrown_by_both(baker):
    do(baker, "roll-duel", 9, 4, threshold=9, opponent=9)
    event = do(baker, REPEAT, 2)
    assert (event.faces, event.outcome) == ([2, 4], "win")
    tied = do(baker, REPEAT, 4, 5, 3)
    assert (tied.tries, tied.faces, tied.outcome) == ([[4, 4]], [5, 3], "lose")
    assert Character(baker).play.fate_spent == 2


@pytest.mark.rule("DR-17")
@pytest.mark.rule("DR-14")
def test_initiative_repeated_twice_is_the_last_die_and_costs_two_points(baker):
    first = do(baker, "act-roll-initiative", 9, 4, 7, fighters=3)
    do(baker, REPEAT, 8)
    event = do(baker, REPEAT, 2)
    play = Character(baker).play
    assert (event.faces, play.initiative, play.fate_spent) == ([2, 4, 7], 2, 2)
    for held in (8, 9, None):
        assert undo_act(baker, last_act(baker).pk)
        assert Character(baker).play.initiative == held
    first.refresh_from_db()
    assert first.undone


def test_events_of_older_versions_stay_readable_and_say_so_where_they_cannot_be_repeated(baker):
    do(baker, "act-roll-initiative", 9, 4, 7, fighters=3)
    Event.objects.update(done=None)
    with pytest.raises(Refused, match="older version"):
        do(baker, REPEAT)
    client = Client()
    client.force_login(baker.owner)
    assert "Roll initiative" in client.get(reverse("sheet", args=[baker.pk]), headers={"Accept-Language": "en"}).text
    # An old repeat is a roll that nothing came of.
    do(baker, "roll-test-talents-0", 9, threshold=8)
    do(baker, REPEAT, 8)
    Event.objects.update(done=None, again=None)
    do(baker, REPEAT, 2)
    assert Character(baker).play.fate_spent == 2


@pytest.mark.parametrize("htmx", [{}, {"HX-Request": "true"}])
def test_the_page_marks_the_first_throw_and_a_second_press_of_the_form_does_nothing(healer, htmx):
    client = Client(headers={"Accept-Language": "en"} | htmx)
    client.force_login(healer.owner)
    do(healer, "act-heal-yourself", 2)
    form = {"w": REPEAT, "_press": str(uuid.uuid4())}
    page = client.post(reverse("play", args=[healer.pk]), form, follow=True).text
    assert "(rerolled)" in page
    client.post(reverse("play", args=[healer.pk]), form)
    assert healer.events.count() == 2


def test_what_an_act_changed_for_good_is_changed_otherwise_and_taken_back_in_order(healer, monkeypatch):
    """Healing changes the sheet by what the die shows; where that was changed meanwhile it is left alone."""
    def apply(self, sheet, play, outcome=None):
        data = sheet.model_dump()
        return Lasting(play, data | {"defence": data["defence"] + outcome.value})

    monkeypatch.setattr(systems()["condice"].acts["heal-yourself"], "apply", apply)
    before = deepcopy(healer.data)
    do(healer, "act-heal-yourself", 2)
    do(healer, REPEAT, 5)
    for defence in (5, 2):
        assert healer.data["defence"] == defence
        assert undo_act(healer, last_act(healer).pk)
    assert healer.data == before
    do(healer, "act-heal-yourself")
    healer.version += 1
    healer.save()
    with pytest.raises(Refused, match="The sheet was changed"):
        do(healer, REPEAT)


def test_what_the_party_counts_in_common_is_counted_once(monkeypatch):
    ruleset = systems()["augen-des-zwielichts"]
    document = deepcopy(ruleset.examples["smith"])
    party = Party.objects.create(name="Runde", ruleset=ruleset.slug, table={"danger_level": 3})
    sheet = made(ruleset.slug, document["name"], document["data"], party=party)
    slug = next(slug for slug, act in ruleset.acts.items() if not act.model_fields)
    act, roll = ruleset.acts[slug], ruleset.rolls["weak-point"](shade="dark")
    monkeypatch.setattr(act, "offered", classmethod(lambda cls, sheet, play: iter([cls.offer()])))
    monkeypatch.setattr(act, "roll", lambda self, sheet, play: roll)
    monkeypatch.setattr(act, "apply", lambda self, sheet, play, outcome: play.model_copy(
        update={"danger_level": play.danger_level + outcome.value}))
    monkeypatch.setattr(act, "tell", lambda self, sheet, play: "counted")
    again = ruleset.acts["repeat"] = type("RepeatAct", (act,), {"repeats": True, "apply": (
        lambda self, sheet, play, outcome: play)})
    try:
        monkeypatch.setattr(again, "offered", classmethod(lambda cls, sheet, play: iter([cls.offer()])))
        do(sheet, f"act-{slug}", 2, 6)
        assert sheet.party.table["danger_level"] == 5
        # Others have counted one on since.
        sheet.party.table = sheet.party.table | {"danger_level": 6}
        do(sheet, "act-repeat", 4, 5)
        for level in (8, 6):
            assert sheet.party.table["danger_level"] == level
            assert undo_act(sheet, last_act(sheet).pk)
        assert sheet.party.table["danger_level"] == 4
    finally:
        del ruleset.acts["repeat"]
