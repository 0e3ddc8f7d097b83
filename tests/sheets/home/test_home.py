"""Home of somebody who is signed in: what goes on, what waits, whom they played last, their parties; how to begin."""

import html
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from rulesets import systems
from sheets.models import AskedRoll, Event, Question, Scene, Sheet
from sheets.parties import services as parties
from tests.support.guest import text_of
from tests.support.sheets import story as told

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def home(run, who):
    return run.browsers[who].get("/")


def test_who_has_nothing_yet_sees_how_to_begin(run, django_user_model, client):
    client.force_login(django_user_model.objects.create_user("neu"))
    page = client.get("/", headers={"Accept-Language": "en"})
    said = text_of(page)
    assert [one in said for one in ("Welcome, neu", "You are invited", "Create a party")] == [True] * 3
    assert page.text.count('class="world"') == len(systems())


def test_whose_turn_it_is_stands_first_with_the_one_filled_button(run):
    sheet = run.sheet("anna", name="Grete")
    other = parties.found_party(run.users["anna"], "Andere Runde", systems()["condice"])
    Scene.objects.create(party=other)
    Scene.objects.create(party=run.party, name="Im Keller", round=2, on=[str(sheet.pk)])
    page = home(run, "anna")
    (call,) = page.context["urgent"]
    assert (call.own_on_turn, call.scene.name) == (("Grete",), "Im Keller")
    assert "It is your turn: Grete" in text_of(page)
    assert page.text.count('class="button"') == 1
    assert f'class="button" href="{run.url}table/"' in page.text
    # Whose turn it is not is told nothing of the kind.
    assert home(run, "ben").context["urgent"] == []


def test_a_table_is_played_at_as_long_as_something_happened_lately(run):
    scene = Scene.objects.create(party=run.party)
    event = Event.objects.create(party=run.party, scene=scene, key=uuid4(), widget="x", title="x")
    assert [one.member.party for one in home(run, "ben").context["urgent"]] == [run.party]
    Event.objects.filter(pk=event.pk).update(made=timezone.now() - timedelta(days=2))
    page = home(run, "ben")
    assert page.context["urgent"] == []
    assert "a scene since" in text_of(page)


def test_what_is_played_just_now_stands_first_with_whose_turn_it_is_and_then_ones_own_turn(run):
    other = parties.found_party(run.users["ben"], "Andere Runde", systems()["condice"])
    parties.join_party(other, run.users["anna"])
    mine = Sheet.objects.create(owner=run.users["anna"], party=other, ruleset="condice", name="Grete", data=run.sheet(
        "anna").data)
    theirs = run.sheet("ben", name="Benno Bombe")
    troll = run.sheet("gm", name="Troll", opponent=True)
    Scene.objects.create(party=other, name="Die Furt", round=1, on=[str(mine.pk)])
    scene = Scene.objects.create(party=run.party, name="Im Keller", round=2, on=[str(theirs.pk), str(troll.pk)])
    Event.objects.create(party=run.party, scene=scene, key=uuid4(), widget="x", title="x")
    page = home(run, "anna")
    assert [(one.scene.name, one.own_on_turn, one.others_on_turn) for one in page.context["urgent"]] == [
        ("Im Keller", (), ("Benno",)), ("Die Furt", ("Grete",), ())]
    said = text_of(page)
    assert ["turn: Benno" in said, "Troll" in said] == [True, False]
    assert said.index("Go to the table") < said.index("Go to the scene")
    assert page.text.count('class="button"') == 1


def test_what_others_call_a_sheet_since_it_was_approved_is_told_to_nobody(rooms):
    rooms.approve()
    approved = rooms.sheet.name
    Sheet.objects.filter(pk=rooms.sheet.pk).update(name="Geheimer Name", version=rooms.sheet.version + 1)
    scene = Scene.objects.create(party=rooms.party, round=1, on=[str(rooms.sheet.pk)])
    Event.objects.create(party=rooms.party, scene=scene, key=uuid4(), widget="x", title="x")
    said = text_of(rooms.browsers["member"].get("/"))
    assert [approved.partition(" ")[0] in said, "Geheimer" in said] == [True, False]


def test_characters_in_play_come_first_with_what_is_left_of_them_and_drafts_are_marked(run):
    run.sheet("anna", inside=False, name="Entwurf")
    sheet = run.sheet("anna", inside=False, name="Allein", finished=timezone.now() - timedelta(days=2))
    Sheet.objects.filter(pk=sheet.pk).update(updated=timezone.now() - timedelta(days=1))
    inside = run.sheet("anna", name="Drinnen")
    first, second, third = home(run, "anna").context["mine"]
    assert [one.sheet.name for one in (first, second, third)] == ["Allein", "Drinnen", "Entwurf"]
    assert [bool(one.gauge_text) for one in (first, second, third)] == [True, False, False]
    Scene.objects.create(party=run.party)
    page = home(run, "anna")
    shown = {one.sheet.name: one for one in page.context["mine"]}
    life = sheet.system.sheet.model_validate(sheet.data).life_points()
    assert (shown["Drinnen"].in_play, shown["Drinnen"].gauge_text) == (True, f"{life}/{life}")
    assert f'href="/sheets/{inside.pk}/"' in page.text
    assert text_of(page).count("draft") == 1


def test_what_is_asked_of_ones_characters_waits_and_of_others_does_not(run):
    sheet = run.sheet("anna", name="Grete")
    AskedRoll.objects.create(party=run.party, sheet=sheet, key=uuid4(), widget="attack.attacks.0")
    assert "1 thing is waiting for you at the table" in text_of(home(run, "anna"))
    assert home(run, "ben").context["urgent"] == []


def test_a_question_to_ones_character_waits_until_it_is_answered(run):
    asking, asked = run.sheet("ben", name="Ben"), run.sheet("anna", name="Grete")
    question = Question.objects.create(party=run.party, sheet=asking, target=asked, key=uuid4())
    assert [[one.n_waiting for one in home(run, who).context["parties"]] for who in ("anna", "ben")] == [[1], [0]]
    question.response = {"en": "Dodge"}
    question.save()
    assert [one.n_waiting for one in home(run, "anna").context["parties"]] == [0]


def test_a_gm_finds_what_waits_and_a_player_what_came_back(rooms):
    told.submit(rooms.sheet)
    gm, player = rooms.browsers["gm"], rooms.browsers["player"]
    page = gm.get("/")
    assert [one.sheet for one in page.context["waiting"]] == [rooms.sheet]
    assert f'href="/sheets/{rooms.sheet.pk}/review/"' in page.text
    told.give_back(told.fresh(rooms.sheet), rooms.gm, comment="x", at={"life": "Zu wenig."})
    assert gm.get("/").context["waiting"] == []
    said = text_of(player.get("/"))
    assert [one in said for one in ("was returned", "1 comment to look at")] == [True, True]
    rooms.change(life=rooms.sheet.data["life"] - 1)
    told.submit(told.fresh(rooms.sheet))
    assert player.get("/").context["returned"] == []


def test_characters_are_played_where_their_party_plays(run):
    inside = run.sheet("anna", name="Drinnen", finished=timezone.now())
    alone = run.sheet("anna", inside=False, name="Allein", finished=timezone.now())
    draft = run.sheet("anna", inside=False, name="Entwurf")
    page = html.unescape(home(run, "anna").text)
    for href in (f"{run.url}table/", f"/sheets/{inside.pk}/", f"/sheets/{alone.pk}/", f"/drafts/{draft.pk}/"):
        assert f'href="{href}"' in page, href


def test_home_asks_as_much_whatever_there_is(run):
    def asked():
        with CaptureQueriesContext(connection) as found:
            home(run, "anna")
        return len(found)

    run.sheet("anna", name="Eine")
    few = asked()
    for number in range(6):
        party = parties.found_party(run.users["anna"], f"Runde {number}", systems()["condice"])
        Scene.objects.create(party=party, on=[])
        for name in ("A", "B"):
            Sheet.objects.create(owner=run.users["anna"], party=party, ruleset="condice", name=name, data={})
    assert asked() <= few + 1
