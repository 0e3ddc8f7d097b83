"""Responses that are given without asking, because whoever plays the target has said so beforehand."""

import uuid

import pytest

from sheets.models import Event, Member, Question, Sheet
from tests.sheets.press.test_responses import ATTACK, offered, waiting_fight
from tests.support.guest import text_of

ASKED = "From now on without asking"


@pytest.fixture
def table(django_user_model):
    return waiting_fight(django_user_model.objects)


def ready(table, **play):
    Sheet.objects.filter(name="Ben").update(play={"initiative": 4} | play)


def attack(table, htmx=False):
    return table.press(ATTACK, htmx=htmx)


def say(table, choice, who="ben", **fields):
    """Answer the newest question, and from now on without asking."""
    return table.browsers[who].post(f"{table.address}play/", {
        "do": f"respond:{Question.objects.latest('pk').pk}:{choice}", "_press": str(uuid.uuid4()),
        "_always": "on", **fields}, follow=True)


def standing(table, who="ben"):
    kept = Member.objects.get(user=table.users[who]).standing
    return [key for key, _titles in kept.get(str(table.sheets["ben"].pk), [])]


@pytest.mark.rule("DR-12", "DR-13")
@pytest.mark.parametrize("htmx", [False, True])
def test_what_was_said_beforehand_is_done_without_asking_while_it_is_possible(table, htmx):
    attack(table)
    assert ASKED in text_of(table.look("ben", "ben", None))
    page = say(table, "dodge")
    assert "Ben responds without being asked: Dodge" in text_of(page)
    assert standing(table) == ["dodge"]
    ready(table)
    table.look()
    page = attack(table, htmx=htmx)
    assert page.status_code == (200 if htmx else 302)
    assert not Question.objects.filter(response__isnull=True).exists()
    assert Event.objects.exclude(roll="").count() == 2
    assert "initiative" not in table.sheet("ben").play
    assert "is asked first" not in text_of(table.look())
    # Without a die there is nothing to dodge with, and nobody is asked but for what is possible.
    ready(table, initiative=None)
    attack(table)
    assert Event.objects.exclude(roll="").count() == 3


@pytest.mark.rule("DR-13")
def test_not_to_respond_comes_last_and_whoever_wants_is_asked_again(table):
    attack(table)
    say(table, "forgo")
    attack(table)
    assert Event.objects.exclude(roll="").count() == 2
    table.browsers["ben"].post(f"{table.address}play/", {"do": f"ask-again:0:{table.sheets['ben'].pk}"})
    assert standing(table) == []
    attack(table)
    assert offered(table)[-1] == "forgo"
    say(table, "weapon-0")
    ready(table)
    attack(table)
    assert not Question.objects.filter(response__isnull=True).exists()
    Member.objects.filter(user=table.users["ben"]).update(standing={str(table.sheets["ben"].pk): [
        ["gone", {"en": "Gone"}], ["forgo", {"en": "No"}]]})
    ready(table)
    attack(table)
    assert Question.objects.latest("pk").response is not None
    assert table.sheet("ben").play["initiative"] == 4


def test_nobody_says_it_for_somebody_else_s_character_and_a_gm_says_it_for_an_opponent(table):
    attack(table)
    assert table.browsers["anna"].post(f"{table.address}play/", {
        "do": f"respond:{Question.objects.get().pk}:forgo", "_press": str(uuid.uuid4()), "_always": "on"},
    ).status_code == 404
    assert standing(table, "anna") == []
    Member.objects.filter(user=table.users["anna"]).update(
        standing={str(table.sheets["ben"].pk): [["forgo", {"en": "No"}]]})
    say(table, "dodge", "gm")
    Member.objects.filter(user=table.users["gm"]).update(standing={})
    ready(table)
    attack(table)
    assert Question.objects.filter(response__isnull=True).exists()
    Sheet.objects.filter(name="Ben").update(owner=table.users["gm"], opponent=True)
    say(table, "forgo", "gm")
    attack(table)
    assert not Question.objects.filter(response__isnull=True).exists()
