"""A scene that is played by post: the address of its thread, the time that a turn may take, and who is reminded."""

import re
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from sheets.models import Notification, Scene
from sheets.press.reminders import remind_of_turns
from tests.support.commands import run
from tests.support.guest import text_of

THREAD = "https://forum.example.org/t/4711"
HOURS = 48


def save(table, who="gm", **fields):
    scene = Scene.objects.get()
    return table.browsers[who].post(f"/parties/{table.party.pk}/scenes/{scene.uuid}/settings/", {
        "do": "save", "name": "Die Furt", "thread": THREAD, "hours": str(HOURS), **fields})


def turn(table, word, who="gm"):
    return table.browsers[who].post(f"{table.address}play/", {"do": f"turn:{word}", "_press": str(uuid.uuid4())})


def let_time_pass(hours=HOURS + 1):
    scene = Scene.objects.get()
    scene.turn_until -= timedelta(hours=hours)
    scene.save()


def late():
    """The reminders."""
    return Notification.objects.filter(kind="turn-late")


def said(answer):
    return re.sub("[\u2066-\u2069]", "", text_of(answer))


@pytest.fixture
def post(table):
    """Anna and Ben take turns in a scene beside a thread; it is Anna's turn."""
    table.browsers["gm"].post(f"/parties/{table.party.pk}/scenes/", {"do": "begin"})
    assert save(table).status_code == 302
    table.do(f"place:{table.sheets['anna'].pk}:0")
    turn(table, "begin")
    assert table.on == ["Anna"]
    return table


def test_the_thread_is_a_link_that_shows_its_host_and_passes_nothing_on(post):
    link = f'<a class="thread" href="{THREAD}" rel="nofollow ugc noopener">'
    scene = Scene.objects.get()
    for address in (post.address, f"/parties/{post.party.pk}/scenes/{scene.uuid}/"):
        page = post.browsers["anna"].get(address)
        assert link in page.text
        assert "Thread at forum.example.org" in said(page)


@pytest.mark.parametrize("thread", [
    "javascript:alert(1)", "ftp://forum.example.org/", "forum.example.org", "https://", "https://me@forum.example.org/",
    "https://forum.example.org@evil.example/", "https://forum.example.org/" + "x" * 500, "data:text/html,x"])
def test_what_is_no_address_of_a_page_is_sent_back_and_nothing_is_changed(post, thread):
    answer = save(post, thread=thread, name="Anders")
    assert (answer.status_code, Scene.objects.get().thread, Scene.objects.get().name) == (422, THREAD, "Die Furt")
    assert "The address of the thread" in answer.text
    assert 'value="Anders"' in answer.text


@pytest.mark.parametrize("hours", ["0", "-1", "1441", "viel", "1.5"])
def test_a_limit_that_is_none_is_sent_back(post, hours):
    answer = save(post, hours=hours)
    assert (answer.status_code, Scene.objects.get().turn_hours) == (422, HOURS)
    assert "from 1 to 1440" in said(answer)


def test_the_time_begins_with_each_turn_and_not_with_what_else_is_pressed(post):
    until = Scene.objects.get().turn_until
    assert timedelta(hours=HOURS - 1) < until - timezone.now() <= timedelta(hours=HOURS)
    assert 'id="turn-until"' in post.read("anna").text
    save(post, name="Anders")
    assert Scene.objects.get().turn_until == until
    let_time_pass(5)
    turn(post, "next")
    assert post.on == ["Ben"]
    assert Scene.objects.get().turn_until - timezone.now() > timedelta(hours=HOURS - 1)
    save(post, hours="")
    assert Scene.objects.get().turn_until is None
    turn(post, "end")
    save(post, hours="3")
    assert Scene.objects.get().turn_until is None


def test_whoever_is_late_is_reminded_once_and_the_turn_goes_on(post):
    assert remind_of_turns() == 0
    let_time_pass()
    assert (remind_of_turns(), remind_of_turns()) == (1, 0)
    told = late().get()
    assert (told.user, told.kind, told.who) == (post.users["anna"], "turn-late", None)
    assert told.url == f"{post.address}?_scene={Scene.objects.get().uuid}"
    page = post.browsers["anna"].get("/notifications/")
    assert "It is still the turn of “Anna” in “Die Runde”; the time for it has passed." in said(page)
    assert post.on == ["Anna"]
    assert "The time was up" in said(post.read("ben"))
    turn(post, "next")
    let_time_pass()
    assert remind_of_turns() == 1
    assert late().latest("pk").user == post.users["ben"]


def test_for_an_opponent_the_gms_are_reminded_each_once(post):
    for name in ("Troll", "Wolf"):
        post.bring(name)
    scene = Scene.objects.get()
    scene.on = [str(post.sheets[name].pk) for name in ("troll", "wolf")]
    scene.save()
    let_time_pass()
    assert remind_of_turns() == 1
    assert {one.user for one in late().all()} == {post.users["gm"], post.users["helper"]}
    assert late().count() == 2


def test_nobody_is_reminded_who_is_away_or_whose_scene_has_ended(post):
    post.party.members.filter(user=post.users["anna"]).update(away_until=timezone.localdate())
    assert "anna is away until" in said(post.read("ben"))
    let_time_pass()
    remind_of_turns()
    assert not late().exists()
    post.party.members.update(away_until=timezone.localdate() - timedelta(days=1))
    assert "is away until" not in said(post.read("ben"))
    Scene.objects.update(reminded=False, ended=timezone.now())
    assert remind_of_turns() == 0


def test_the_command_that_delivers_reminds(post, settings):
    settings.SITE_URL = "https://sheets.example.org"
    let_time_pass()
    run("deliver")
    assert late().get().kind == "turn-late"


def test_a_turn_that_is_taken_back_has_its_time_anew(post):
    turn(post, "next")
    let_time_pass()
    passed = Scene.objects.get().events.filter(turn__isnull=False).latest("pk")
    post.browsers["gm"].post(f"{post.address}play/", {"do": f"turn:back:{passed.pk}"})
    assert post.on == ["Anna"]
    assert Scene.objects.get().turn_until > timezone.now()
