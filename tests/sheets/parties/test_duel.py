"""A game of Battle Dice between two: begun, fought and ended for both, each with the own cards alone."""

import pytest

from sheets.models import Event, Landing
from tests.guest import text_of
from tests.sheets.parties.duel import Duel

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel(django_user_model):
    return Duel(django_user_model.objects)


@pytest.fixture
def begun(duel):
    """Anna begins."""
    return duel.begin()


def phases(duel):
    return duel.state("anna").phase, duel.state("ben").phase


def to_battle(duel, who="anna"):
    """Through the turn to the Battle Dice Phase."""
    duel.do(who, "act-put-away-0")
    duel.do(who, "act-focus", change=0)
    duel.do(who, "act-to-battle")


@pytest.mark.rule("BD-10", "BD-28")
def test_a_challenge_that_is_accepted_begins_the_game_for_both(duel):
    duel.press("act-challenge", order="second")
    assert phases(duel) == ("none", "none")
    duel.settle("apply")
    assert phases(duel) == ("wait", "chaos")
    anna, ben = duel.state("anna"), duel.state("ben")
    assert (len(anna.hand), len(ben.hand), anna.mana, ben.mana) == (2, 2, 1, 0)
    assert duel.character("anna").foe.sheet == duel.sheets["ben"]
    assert duel.character("ben").foe.play.hand == ["", ""]


@pytest.mark.rule("BD-10")
def test_without_somebody_aimed_at_nobody_is_challenged(duel):
    page = duel.browsers["anna"].get(f"/sheets/{duel.sheets['anna'].pk}/").text
    assert "act-start-game" in page
    assert "act-challenge" not in page
    assert "act-challenge" not in duel.look(at=None).text
    assert "act-challenge" in duel.look().text


@pytest.mark.rule("BD-14", "BD-16")
def test_an_attack_crosses_and_life_0_ends_it_for_both(begun, dice):
    to_battle(begun)
    begun.put("ben", life=1)
    begun.do("anna", "act-declare", change=0)
    assert phases(begun) == ("wait", "enemy")
    assert begun.state("ben").threat == 1
    dice += [[6, 1]]
    begun.do("ben", "act-defend", change=0)
    begun.do("ben", "act-take-rest")
    assert phases(begun) == ("won", "lost")
    assert [one.state for one in Landing.objects.order_by("pk")] == ["applied"] * 4
    begun.play("ben", "undo", _event=begun.last("ben").pk)
    assert phases(begun) == ("wait", "block")
    assert Landing.objects.latest("pk").state == "dismissed"


@pytest.mark.rule("BD-14")
def test_who_skips_hands_the_turn_over(begun):
    to_battle(begun)
    begun.do("anna", "act-skip-battle")
    assert phases(begun) == ("wait", "end")
    begun.do("ben", "act-next-turn")
    assert phases(begun) == ("wait", "chaos")


@pytest.mark.rule("BD-11")
def test_what_was_drawn_is_not_taken_back(begun):
    for who in ("anna", "ben"):
        begun.play(who, "undo", _event=begun.last(who).pk)
    assert phases(begun) == ("chaos", "wait")
    assert not Event.objects.filter(undone=True).exists()
    begun.do("anna", "act-put-away-0")
    begun.play("anna", "undo", _event=begun.last("anna").pk)
    assert begun.state("anna").phase == "focus"
    assert "was taken back already, or something else happened since" in text_of(begun.look())
