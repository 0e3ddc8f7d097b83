import uuid
from copy import deepcopy

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from rulesets import systems
from rulesets.dice import LoadedTray
from rulesets.document import BYTES, read
from sheets.character import Character
from sheets.documents import document_of, length, written
from sheets.models import Event, Sheet
from sheets.play.event_log import LOG, last_act, recent_events
from sheets.play.services import press, to_play
from sheets.play.undo import undo_act
from sheets.rolls.widgets import widgets

pytestmark = pytest.mark.django_db


@pytest.fixture
def sheet():
    owner = User.objects.create_user("anna")
    document = deepcopy(systems()["condice"].examples["juan"])
    return Sheet.objects.create(owner=owner, ruleset="condice", name=document["name"], data=document["data"])


@pytest.fixture
def player(client, sheet):
    client.force_login(sheet.owner)
    return client


def widget(character, key, **answers):
    given = {name: value if isinstance(value, list) else [str(value)] for name, value in answers.items()}
    return next(one for one in widgets([*character.rolls(), *character.acts()], given, key) if one.key == key)


def do(sheet, key, *faces, **answers):
    character = Character(sheet)
    assert to_play(sheet)
    return press(character, widget(character, key, **answers), uuid.uuid4(), LoadedTray(*faces))


def left(sheet):
    character = Character(sheet)
    return character.play.left(character.written)


def test_a_roll_keeps_what_was_given_what_fell_and_what_came_of_it(sheet):
    event = do(sheet, "roll-attack-attacks-0", 6, 5, 4, 2, defence=3)
    assert event.given == {"dice": 4, "defence": 3, "extra_dice": 0}
    assert (event.faces, event.outcome, event.figures) == ([6, 5, 4, 2], 1, {"successes": 4})
    assert sheet.played is not None


@pytest.fixture
def long(sheet):
    """The sheet with so long texts that its document has 1,000 bytes left."""
    attacks = [{"name": "x", "dice": 1, "range": 0, "description": "y" * 4000} for _ in range(15)]
    sheet.data = sheet.data | {"attacks": attacks}
    attacks.append({**attacks[0], "description": "y" * (BYTES - 1_100 - length(sheet))})
    sheet.save()
    assert 0 < BYTES - length(sheet) <= 1_100
    return sheet


def test_an_act_after_which_the_sheet_could_not_be_imported_is_refused_with_figures_and_a_way_out(long, player):
    form = {"w": "act-add-item", "_press": str(uuid.uuid4()), "name": "Karte", "effect": "z" * 1_000}
    for htmx in ({}, {"HX-Request": "true"}):
        answer = player.post(reverse("play", args=[long.pk]), form | {"_press": str(uuid.uuid4())}, follow=True,
                             headers={"Accept-Language": "en"} | htmx)
        assert "are the most. Shorten the notes or a text of the sheet" in answer.text
        assert "64 KiB (65,536 bytes)" in answer.text
        assert "Karte" not in answer.text
    assert not Event.objects.exists()
    long.refresh_from_db()
    assert long.play == {}
    player.post(reverse("play", args=[long.pk]), form | {"effect": "z" * 100})
    long.refresh_from_db()
    assert read(written(document_of(long).asdict())).play.items[0].name == "Karte"


def test_notes_with_which_the_sheet_could_not_be_imported_stay_in_their_field(long, player):
    address = reverse("keep", args=[long.pk])
    answer = player.post(address, {"do": "notes", "notes": "ä" * 1_000}, headers={"Accept-Language": "en"})
    assert answer.status_code == 422
    assert "are the most. Shorten the notes" in answer.text
    assert "ä" * 1_000 in answer.text
    long.refresh_from_db()
    assert long.notes == ""
    assert player.post(address, {"do": "notes", "notes": "ä" * 300}).status_code == 302
    long.refresh_from_db()
    assert len(written(document_of(long).asdict())) <= BYTES


def test_damage_lowers_life_and_taking_it_back_restores_it(sheet):
    do(sheet, "act-damage", against="nothing", points=3)
    assert left(sheet) == 7
    assert undo_act(sheet, last_act(sheet).pk)
    assert left(sheet) == 10
    assert Event.objects.get().undone


def test_acts_are_taken_back_in_order_and_only_the_last_one(sheet):
    first, second = (do(sheet, "act-damage", against="nothing", points=points) for points in (3, 2))
    assert not undo_act(sheet, first.pk)
    assert left(sheet) == 5
    assert undo_act(sheet, second.pk)
    assert undo_act(sheet, first.pk)
    assert left(sheet) == 10
    assert last_act(sheet) is None


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
    assert widget(character, "roll-attack-attacks-0").made.dice == 6
    do(sheet, "act-end-round")
    assert Character(sheet).now.defence == 4


def test_a_repeat_throws_the_last_roll_anew_and_the_log_keeps_both(sheet):
    sheet.data["abilities"].append({"ability": "wurf-wiederholen", "range": 0})
    do(sheet, "roll-attack-attacks-0", 1, 1, 1, 1)
    event = do(sheet, "act-repeat", 6, 6, 6, 6)
    assert (event.roll, event.outcome) == ("attack", 8)
    assert [one.outcome for one in sheet.events.order_by("pk")] == [0, 8]
    assert not [one for one in widgets(Character(sheet).acts()) if one.key == "act-repeat"]


def test_the_same_press_is_one_roll_however_often_it_arrives(player, sheet):
    url, form = reverse("play", args=[sheet.pk]), {"w": "roll-attack-attacks-0", "_press": str(uuid.uuid4())}
    for _ in range(5):
        assert player.post(url, form).status_code == 302
    assert sheet.events.count() == 1


def test_loading_the_page_anew_rolls_nothing(player, sheet):
    for _ in range(3):
        player.get(reverse("sheet", args=[sheet.pk]), {"w": "roll-attack-attacks-0", "defence": "2"})
    assert sheet.events.count() == 0


def test_an_answer_that_is_no_number_stays_in_its_field_with_its_message(player, sheet):
    form = {"w": "act-damage", "_press": str(uuid.uuid4()), "points": "viel"}
    answer = player.post(reverse("play", args=[sheet.pk]), form, headers={"accept-language": "en"})
    assert answer.status_code == 422
    assert 'value="viel"' in answer.content.decode()
    assert "is no whole number" in answer.content.decode()
    assert sheet.events.count() == 0


def test_an_act_that_is_no_longer_offered_changes_nothing_and_says_so(player, sheet):
    form = {"w": "act-use-item-items-0", "_press": str(uuid.uuid4())}
    answer = player.post(reverse("play", args=[sheet.pk]), form, follow=True, headers={"accept-language": "en"})
    assert "no longer offered" in answer.content.decode()
    assert sheet.events.count() == 0


@pytest.mark.parametrize("form", [{}, {"w": "roll-attack-attacks-0"}, {"_press": "1", "w": "x"}])
def test_a_press_without_its_key_is_refused_with_a_page(player, sheet, form):
    answer = player.post(reverse("play", args=[sheet.pk]), form)
    assert answer.status_code == 400
    assert b"Traceback" not in answer.content


def test_a_shared_link_reads_without_an_account_until_it_is_revoked(player, sheet):
    keep = reverse("keep", args=[sheet.pk])
    player.post(keep, {"do": "share"})
    sheet.refresh_from_db()
    stranger, link = Client(), reverse("shared", args=[sheet.share])
    page = stranger.get(link).content.decode()
    assert "Einhornpiranhas" in page
    assert "act-damage" not in page
    assert "button roll" not in page
    player.post(keep, {"do": "revoke"})
    assert stranger.get(link).status_code == 404


def test_notes_are_kept_and_too_long_ones_stay_in_their_field(player, sheet):
    keep = reverse("keep", args=[sheet.pk])
    player.post(keep, {"do": "notes", "notes": "Schuldet dem Wirt\r\n3 Taler."})
    sheet.refresh_from_db()
    assert sheet.notes == "Schuldet dem Wirt\n3 Taler."
    answer = player.post(keep, {"do": "notes", "notes": "x" * 4001})
    assert answer.status_code == 422
    assert "x" * 4001 in answer.content.decode()


def test_the_dice_of_a_system_roll_without_a_sheet_and_reload_shows_the_same_roll(client):
    url = reverse("dicebox", args=["condice"])
    answer = client.post(url, {"w": "roll-attack", "dice": "4", "defence": "1", "extra_dice": "0"})
    assert answer.status_code == 302
    first, second = (client.get(answer["location"]).content for _ in range(2))
    assert b'class="fallen' in first
    assert first.split(b'class="fallen')[1:] == second.split(b'class="fallen')[1:]
    assert b'class="fallen' not in client.get(url + "?w=roll-attack&fell=forged").content


def test_my_sheets_are_found_by_name_system_and_state_and_paged_without_a_gap(player, sheet):
    for number in range(60):
        Sheet.objects.create(owner=sheet.owner, ruleset="condice", name=f"Nummer {number}", data=sheet.data)
    found, url = [], reverse("mine")
    while url:
        page = player.get(url)
        found += [one.pk for one, *_rest in page.context["sheets"]]
        more = page.context["more"]
        url = more and f"{reverse('mine')}?before={more.touched.isoformat().replace('+', '%2B')}&last={more.pk}"
    assert len(found) == len(set(found)) == 61
    assert [one.name for one, *_rest in player.get(reverse("mine"), {"q": "juan"}).context["sheets"]] == ["Juan"]
    assert not player.get(reverse("mine"), {"state": "finished"}).context["sheets"]
    assert player.get(reverse("mine"), {"before": "x", "last": "1,2", "system": "nope"}).status_code == 200


def test_the_log_is_the_newest_of_the_sheet_alone_and_asks_once(sheet, django_assert_num_queries):
    other = Sheet.objects.create(owner=sheet.owner, ruleset="condice", name="Other", data=sheet.data)
    Event.objects.bulk_create(Event(sheet=one, key=uuid.uuid4(), widget="x", title="x", given={"dice": 2})
                              for _number in range(LOG + 1) for one in (sheet, other))
    with django_assert_num_queries(1):
        found = recent_events(sheet)
        assert {event.sheet.name for event in found} == {sheet.name}
        assert all(event.given == {"dice": 2} for event in found)
    assert found == list(sheet.events.order_by("-pk")[:LOG])
