import uuid
from copy import deepcopy

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from rulesets import systems
from rulesets.dice import LoadedTray
from rulesets.document import BYTES, read
from rulesets.kit import Refused
from sheets.character import Character
from sheets.documents import document_of, length, written
from sheets.models import Event, Sheet
from sheets.press.log import LOG, last_act, recent_events
from sheets.press.perform import press
from sheets.press.prepare import lock_if_unchanged
from sheets.press.undo import undo_act
from sheets.rolls.widgets import widgets
from sheets.stage.press_form import press_keys
from tests.support.guest import words_in

ATTACK = "roll-attack-attacks-0"


@pytest.fixture
def sheet(db):
    document = deepcopy(systems()["condice"].examples["juan"])
    return Sheet.objects.create(owner=User.objects.create_user("anna"), ruleset="condice", name=document["name"],
                                data=document["data"])


def widget(character, key, **answers):
    given = {name: value if isinstance(value, list) else [str(value)] for name, value in answers.items()}
    return next(one for one in widgets([*character.rolls(), *character.acts()], given, key) if one.key == key)


def do(sheet, key, *faces, **answers):
    assert lock_if_unchanged(sheet, played=timezone.now())
    character = Character(sheet)
    return press(character, widget(character, key, **answers), uuid.uuid4(), LoadedTray(*faces))


def left(sheet):
    character = Character(sheet)
    return character.play.life_left(character.written)


def test_a_roll_keeps_what_was_given_what_fell_and_what_came_of_it(sheet):
    event = do(sheet, ATTACK, 6, 5, 4, 2, defence=3)
    assert event.given == {"dice": 4, "defence": 3, "extra_dice": 0}
    assert (event.faces, event.outcome, event.figures) == ([6, 5, 4, 2], 1, {"successes": 4})
    assert sheet.played is not None


@pytest.fixture
def long(sheet, client):
    """The sheet with so long texts that its document has 1,000 bytes left; its owner plays."""
    attacks = [{"name": "x", "dice": 1, "range": 0, "description": "y" * 4000} for _ in range(15)]
    sheet.data = sheet.data | {"attacks": attacks}
    attacks.append({**attacks[0], "description": "y" * (BYTES - 1_100 - length(sheet))})
    sheet.save()
    assert 0 < BYTES - length(sheet) <= 1_100
    client.force_login(sheet.owner)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return sheet


def test_an_act_after_which_the_sheet_could_not_be_imported_is_refused_with_figures_and_a_way_out(long, client):
    def add(effect, **headers):
        form = {"w": "act-add-item", "_press": str(uuid.uuid4()), "name": "Karte", "effect": effect}
        return client.post(reverse("play", args=[long.pk]), form, follow=True, headers=headers).text

    for htmx in ({}, {"HX-Request": "true"}):
        told = ("64 KiB (65,536 bytes)", "Shorten the notes or a text of the sheet")
        assert words_in(add("z" * 1_000, **htmx), *told, "Karte") == [*told]
    assert not Event.objects.exists()
    assert Sheet.objects.get().play == {}
    add("z" * 100)
    assert read(written(document_of(Sheet.objects.get()).asdict())).play.items[0].name == "Karte"


def test_notes_with_which_the_sheet_could_not_be_imported_stay_in_their_field(long, client):
    address = reverse("keep", args=[long.pk])
    answer = client.post(address, {"do": "notes", "notes": "ä" * 1_000})
    assert answer.status_code == 422
    assert words_in(answer, "Shorten the notes", "ä" * 1_000)[1:] == ["ä" * 1_000]
    assert Sheet.objects.get().notes == ""
    assert client.post(address, {"do": "notes", "notes": "ä" * 300}).status_code == 302
    assert len(written(document_of(Sheet.objects.get()).asdict())) <= BYTES


def test_acts_are_taken_back_in_order_and_only_the_last_one(sheet):
    first, second = (do(sheet, "act-damage", against="nothing", points=points) for points in (3, 2))
    with pytest.raises(Refused):
        undo_act(sheet, first.pk)
    for event, before, after in ((second, 5, 7), (first, 7, 10)):
        assert left(sheet) == before
        assert undo_act(sheet, event.pk)
        assert left(sheet) == after
    assert last_act(sheet) is None
    assert {event.undone for event in Event.objects.all()} == {True}


def test_a_character_is_played_to_0_life_loses_points_and_is_taken_back_to_the_start(sheet):
    do(sheet, "act-damage", against="nothing", points=12)
    do(sheet, "act-roll-attribute", 2)
    do(sheet, "act-roll-loss", 3)
    do(sheet, "act-pick-loss-attacks-0")
    assert Character(sheet).now.attacks[0].dice == 1
    while event := last_act(sheet):
        assert undo_act(sheet, event.pk)
    assert sheet.play == {}
    assert Character(sheet).now == Character(sheet).written


def test_an_effect_shows_in_values_dice_and_odds(sheet):
    do(sheet, "act-change-attributes-others", attributes=["attack", "defence"], by=2, rounds=1, name="Aura")
    character = Character(sheet)
    assert (character.now.defence, character.now.attacks[0].dice) == (6, 6)
    assert widget(character, ATTACK).complete.dice == 6
    do(sheet, "act-end-round")
    assert Character(sheet).now.defence == 4


def test_the_log_is_the_newest_of_the_sheet_alone_and_asks_once(sheet, django_assert_num_queries):
    other = Sheet.objects.create(owner=sheet.owner, ruleset="condice", name="Other", data=sheet.data)
    Event.objects.bulk_create(Event(sheet=one, key=uuid.uuid4(), widget="x", title="x", given={"dice": 2})
                              for _number in range(LOG + 1) for one in (sheet, other))
    with django_assert_num_queries(1):
        found = recent_events(sheet)
        assert {event.sheet.name for event in found} == {sheet.name}
        assert all(event.given == {"dice": 2} for event in found)
    assert found == list(sheet.events.order_by("-pk")[:LOG])


def test_the_keys_of_a_page_are_many_and_another_page_has_others():
    one, other = press_keys(), press_keys()
    keys = [make() for make in (one, other) for _form in range(500)]
    assert len({*keys}) == 1_000
    assert {str(key)[:32] for key in keys[:500]} != {str(key)[:32] for key in keys[500:]}
