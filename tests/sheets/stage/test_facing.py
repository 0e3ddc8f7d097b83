"""The table of two who play each other: both boards on one page, and of the other one what lies open alone."""

import pytest

from tests.support.sheets.duel import Duel, duel  # noqa: F401 - a fixture
from tests.support.sheets.fight import Fight

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
BOARD = 'class="felt'


@pytest.fixture
def apart(django_user_model):
    """A game of two in which the names of the cards tell whose they are."""
    return Duel(django_user_model.objects).told_apart().begin()


def page(duel, who, by=None, **headers):  # noqa: F811
    return duel.look(who, by or who, None, **headers).text


def test_before_a_game_one_press_challenges_the_only_other_one(duel):  # noqa: F811
    said = page(duel, "anna")
    assert BOARD in said
    assert 'id="board-act-challenge-' in said
    assert 'id="board-act-start-game-' not in said


@pytest.mark.rule("BD-10")
@pytest.mark.parametrize(("who", "other"), [("anna", "ben"), ("ben", "anna")])
def test_one_sees_the_own_hand_and_no_card_that_the_other_one_alone_knows(apart, who, other):
    for said in (page(apart, who), page(apart, who, **{"HX-Request": "true"})):
        assert all(card in said for card in apart.state(who).hand)
        assert 'id="foe"' in said
        assert not [card for card in apart.hidden(other) if card in said]


@pytest.mark.rule("BD-10")
def test_the_address_of_another_one_shows_nobody_their_hand(apart):
    said = page(apart, "anna", by="ben")
    assert not [card for card in apart.hidden("ben") if card in said]


def test_a_press_on_the_board_answers_with_the_board_and_no_secret(apart):
    said = apart.press("act-put-away-hand-0", at=None, htmx=True).text
    assert BOARD in said
    assert apart.state("anna").phase == "focus"
    assert not [card for card in apart.hidden("ben") if card in said]


def test_where_nobody_plays_in_pairs_there_is_no_board(django_user_model):
    fight = Fight(django_user_model.objects, "condice")
    assert BOARD not in page(fight, "anna")
