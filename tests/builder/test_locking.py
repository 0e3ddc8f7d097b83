"""Slow work is done before anything is locked: odds, fixes and random characters stop nobody else's saves.

Dice fall under the lock, since a roll is numbered before its dice fall.
"""

from collections import Counter
from uuid import uuid4

import pytest
from django.db import connection
from django.template.base import Template
from django.utils import timezone

from rulesets import generate, systems
from rulesets.dice import thrown
from rulesets.kit import Roll, Ruleset, patched, short
from sheets.character import Character
from sheets.models import Event, Party, Scene, Sheet
from sheets.optimistic_lock import TRIES
from sheets.parties import scenes
from sheets.press import prepare as services
from sheets.press.prepare import lock_if_unchanged
from sheets.stage import rounds
from sheets.stage.table import PartyTable
from tests.support.guest import Guest, example
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.django_db
ATTACK = "roll-attack-attacks-0"
OVER = patched(example(), {"data.life": 99})


@pytest.fixture
def watched(monkeypatch):
    """Counts what is worked out, {what: times}; it fails as soon as anything is while something is held."""
    # The test's own transaction is always there.
    done, depth = Counter(), len(connection.atomic_blocks)

    def watch(owner, name):
        before = getattr(owner, name)

        def seen(*arguments, **options):
            if name != "check" or options.get("mends", True):
                assert len(connection.atomic_blocks) == depth, f"{name} while something is held"
                done[name] += 1
            return before(*arguments, **options)

        monkeypatch.setattr(owner, name, seen)

    watch(generate, "character")
    watch(generate, "filled")
    watch(Ruleset, "check")
    watch(Roll, "odds")
    return done


@pytest.fixture
def throws(monkeypatch):
    """Counts throws, which fall only while something is held."""
    done, depth = Counter(), len(connection.atomic_blocks)

    def seen(*arguments):
        assert len(connection.atomic_blocks) > depth, "dice before anything is held"
        done["thrown"] += 1
        return thrown(*arguments)

    monkeypatch.setattr("sheets.press.dice.thrown", seen)
    return done


def press(guest, which, **answers):
    return guest.client.post(f"/sheets/{guest.pk}/play/", {"w": which, "_press": str(uuid4()), **answers})


def test_a_random_character_is_made_before_anything_is_held(watched):
    Guest().client.post("/build/condice/", {"do": "random"})
    assert (watched["character"], Sheet.objects.count()) == (1, 2)


@pytest.mark.parametrize(("do", "what"), [("random:", "character"), ("fill:", "filled"), ("finish", "check")])
def test_what_the_wizard_works_out_is_done_before_the_draft_is_held(watched, do, what):
    juan = Guest(patched(example(), {"data.life": 3}))
    before = juan.sheet
    watched.clear()
    assert juan.post(do=do, _sure="1").status_code == 302
    assert watched[what] == 1
    assert (juan.data, juan.sheet.finished) != (before.data, None)


def test_a_mend_is_worked_out_before_the_draft_is_held(watched):
    juan = Guest(OVER)
    word = juan.get("finish").text.split('value="mend:')[1].split('"')[0]
    watched.clear()
    assert juan.post("finish", do=f"mend:{word}").status_code == 302
    assert (watched["check"], juan.data["life"] == 99) == (1, False)


def test_a_press_is_one_roll_however_often_it_arrives(throws):
    juan, key = Guest(example()), str(uuid4())
    assert press(juan, ATTACK, defence="x", extra_dice="0").status_code == 422
    assert (throws["thrown"], juan.sheet.played) == (0, None)
    for arrival in (1, 2):
        assert press(juan, ATTACK, _press=key, defence="0").status_code == 302
        assert (throws["thrown"], Event.objects.count()) == (arrival, 1)
    assert juan.sheet.played is not None


def test_what_follows_a_roll_is_found_with_its_odds_before_the_sheet_is_held(watched):
    knight = Guest(example("knight", "daemmersturm"), system="daemmersturm")
    attack = "roll-attack-weapons-0"
    while f"roll-damage-{attack}" not in knight.client.get(f"/sheets/{knight.pk}/").text:
        press(knight, attack, defence="0", criticals="20", fumbles="1")
    before = Event.objects.count()
    press(knight, f"roll-damage-{attack}", critical="0", rolls="1")
    assert Event.objects.count() == before + 1


def test_the_dice_of_a_round_and_of_a_gm_fall_once_and_characters_are_made_before(watched, throws, django_user_model):
    round_table = RoundTable(django_user_model.objects, "dice-rumble")
    round_table.do("round", w="act-roll-initiative")
    assert throws["thrown"] == 2
    round_table.do("throw:open", w="roll-initiative")
    assert (throws["thrown"], Event.objects.count()) == (3, 3)
    round_table.browsers["gm"].post(f"/parties/{round_table.party.pk}/ready/", {"do": "generate", "count": "3"})
    assert watched["character"] == 3


def meanwhile(monkeypatch, owner, name, change, times):
    """Something that somebody else does while this is worked out, so often; {what: times it was worked out}."""
    before, done = getattr(owner, name), Counter()

    def disturbed(*arguments, **options):
        done[name] += 1
        if done[name] <= times:
            change()
        return before(*arguments, **options)

    monkeypatch.setattr(owner, name, disturbed)
    return done


def test_what_was_worked_out_for_a_draft_that_somebody_changed_meanwhile_is_a_conflict(monkeypatch):
    juan = Guest(example())
    done = meanwhile(monkeypatch, generate, "character", lambda: juan.post("figure", _name="Another"), 1)
    assert (juan.post(do="random:", _sure="1").status_code, done["character"]) == (409, 1)
    assert (juan.sheet.name, juan.data) == ("Another", example()["data"])


@pytest.mark.parametrize("times", [1, 99])
def test_what_was_worked_out_under_other_house_rules_is_worked_out_anew_and_in_the_end_while_held(monkeypatch, times):
    juan, budgets = Guest(example()), iter(range(31, 200))

    def change():
        Sheet.objects.filter(pk=juan.pk).update(house={"budget": next(budgets)})

    done = meanwhile(monkeypatch, generate, "character", change, times)
    assert juan.post(do="random:", _sure="1").status_code == 302
    assert done["character"] == (2 if times == 1 else TRIES + 1)
    ruleset = systems()["condice"]
    house = ruleset.house.model_validate({"budget": juan.sheet.house["budget"] - (times > 1)})
    assert ruleset.sheet.model_validate(juan.data).ledger(house).left == 0


@pytest.mark.parametrize(("times", "tries"), [(1, 2), (99, TRIES + 1)])
def test_a_press_is_prepared_anew_where_its_sheet_changed_meanwhile_and_its_dice_fall_once(
        monkeypatch, throws, times, tries):
    juan = Guest(example())
    done = meanwhile(monkeypatch, services, "titles",
                     lambda: Sheet.objects.filter(pk=juan.pk).update(played=timezone.now()), times)
    assert press(juan, ATTACK, defence="0").status_code == 302
    assert (done["titles"], throws["thrown"], Event.objects.count()) == (tries, 1, 1)


@pytest.mark.parametrize(("model", "change"), [
    (Sheet, {"deleted": timezone.now()}), (Sheet, {"version": 7}), (Sheet, {"played": timezone.now()}),
    (Sheet, {"guest": "another"}), (Sheet, {"house": {"budget": 40}}),
    (Party, {"version": 7}), (Party, {"table": {"x": 1}}), (Party, {"approval": True}),
], ids=["deleted", "version", "played", "guest", "house", "party", "table", "approval"])
def test_a_sheet_is_held_only_as_it_and_its_party_were_read(django_user_model, model, change):
    seats = RoundTable(django_user_model.objects).sheets.values()
    pk = Guest(example()).pk if model is Sheet else next(iter(seats)).pk
    Sheet.objects.filter(pk=pk).update(house={"budget": 35})
    sheet = Sheet.objects.select_related("party").get(pk=pk)
    assert lock_if_unchanged(sheet, notes="held")
    assert Sheet.objects.filter(pk=pk, notes="held").exists()
    model.objects.filter(pk=pk if model is Sheet else sheet.party_id).update(**change)
    assert not lock_if_unchanged(sheet, notes="held again")
    assert (sheet.notes, Sheet.objects.filter(notes="held again").exists()) == ("held", False)


@pytest.fixture
def drawn(monkeypatch):
    """Counts templates that are drawn and sheets that are read for a table; it fails where either is while held."""
    done, depth = Counter(), len(connection.atomic_blocks)

    def watch(owner, name):
        before = getattr(owner, name)

        def seen(*arguments, **options):
            assert len(connection.atomic_blocks) == depth, f"{name} while something is held"
            done[name] += 1
            return before(*arguments, **options)

        monkeypatch.setattr(owner, name, seen)

    watch(Template, "render")
    watch(PartyTable, "_participant")
    watch(rounds.PreparedTurn, "of")
    return done


@pytest.mark.parametrize(("path", "form", "status"), [
    ("settings/", {"name": "x" * 201, "seen_by": "party"}, 422), ("", {"do": "notes", "notes": "x" * 60_000}, 422),
    ("table/", {"do": "throw:open", "w": "roll-success", "dice": "3"}, 302),
    ("table/", {"do": "throw:open", "w": "roll-success", "dice": "x"}, 422), ("table/", {"do": "place:{anna}:1"}, 302),
    ("table/", {"do": "round", "w": "act-end-adventure"}, 302), ("table/", {"do": "round", "w": "nothing"}, 302),
    ("scenes/", {"do": "begin", "name": "x"}, 302), ("scenes/", {"do": "begin", "name": "x" * 201}, 422),
    ("scenes/", {"do": "end:{scene}", "also": "act-end-adventure"}, 302),
    ("table/play/", {"do": "turn:begin"}, 302), ("table/play/", {"do": "turn:next", "_turn": "9.x"}, 302),
    ("table/waiting/", {"do": "dismiss-all:1"}, 302),
    ("table/asked/", {"do": "ask", "_roll": "{roll}", "_whom": "{anna}"}, 302),
    ("members/{helper}/", None, 200),
], ids=["rename", "notes", "throw", "no throw", "place", "round", "no round", "scene", "no scene", "end", "begin",
        "next", "dismiss", "ask", "member"])
def test_no_page_is_drawn_and_nobodys_sheet_read_for_a_table_while_a_party_is_held(
        drawn, django_user_model, path, form, status):
    table = RoundTable(django_user_model.objects)
    helper, anna = table.party.members.get(user=table.users["helper"]), table.sheets["anna"]
    roll = str(short(next(iter(Character(anna).rolls())).title))
    scene = Scene.objects.create(party=table.party) if "also" in (form or {}) else None
    Sheet.objects.update(play={"life": 2})
    filled = {name: text.format(anna=anna.pk, roll=roll, scene=scene and scene.uuid)
              for name, text in (form or {}).items()}
    address, gm = f"/parties/{table.party.pk}/{path.format(helper=helper.pk)}", table.browsers["gm"]
    answer = gm.get(address) if form is None else gm.post(address, {"_press": str(uuid4()), **filled})
    assert answer.status_code == status
    assert drawn
    # What all do at once is done to both.
    assert Event.objects.exclude(act="").count() == 2 * ("act-end-adventure" in (form or {}).values())


def test_who_gets_a_place_gets_it_in_the_order_that_others_have_made_meanwhile(monkeypatch, django_user_model):
    table = RoundTable(django_user_model.objects)
    for name in ("Cleo", "Dora"):
        table.sheets[name.lower()] = Sheet.objects.create(
            owner=table.users["gm"], party=table.party, seen_by="party", ruleset="condice", name=name,
            data=table.sheets["anna"].data)
    names = ("dora", "cleo", "ben", "anna")
    order = [str(table.sheets[name].pk) for name in names]
    with monkeypatch.context() as patch:
        meanwhile(patch, PartyTable, "_participant", lambda: Scene.objects.update_or_create(
            party=table.party, ended=None, defaults={"order": order}), 1)
        table.do(f"place:{table.sheets['anna'].pk}:0")
    assert table.names() == ["Anna", "Dora", "Cleo", "Ben"]


@pytest.mark.parametrize(("times", "tries", "last"), [(1, 2, 1), (99, TRIES + 1, TRIES)])
@pytest.mark.parametrize(("path", "form"), [
    ("table/", {"do": "round", "w": "act-roll-initiative"}),
    ("scenes/", {"do": "begin", "also": "act-new-adventure"}),
], ids=["round", "scene"])
def test_what_all_do_is_worked_out_anew_for_whom_somebody_changed_meanwhile_and_done_once(
        monkeypatch, django_user_model, path, form, times, tries, last):
    table = RoundTable(django_user_model.objects, "dice-rumble")
    anna, fates = table.sheets["anna"], iter(range(1, 100))
    Sheet.objects.update(play={"fate_spent": 1})

    def change():
        Sheet.objects.filter(pk=anna.pk).update(played=timezone.now(), play={"fate_spent": next(fates)})

    done = meanwhile(monkeypatch, rounds if path == "table/" else scenes, "ahead_of", change, times)
    table.browsers["gm"].post(f"/parties/{table.party.pk}/{path}", {"_press": str(uuid4()), **form})
    assert (done["ahead_of"], Event.objects.count()) == (tries, 2)
    # What was changed last is what the act found.
    assert anna.events.get().before == {"fate_spent": last}
