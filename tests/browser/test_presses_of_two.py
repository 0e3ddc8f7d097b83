"""The presses that an attack of Battle Dice takes from challenge to damage: one for each decision of either."""

from collections import Counter

import pytest
from django.contrib.auth.models import User

from sheets.models import Event
from tests.support.browser.waits import until
from tests.support.everyday import everyday
from tests.support.sheets.duel import CORONA, Duel, avatars

pytestmark = pytest.mark.browser

CHALLENGE = ("anna", "[id^=board-act-challenge]", "that one challenges, and who begins")
ACCEPT = ("ben", ".landed [id^=apply-]", "that one accepts")
TURN = [
    ("anna", "[id^=board-act-put-away-hand-0]", "which card is put away"),
    ("anna", "[id^=board-act-focus]", "that no card changes what is gathered"),
    ("anna", "[id^=board-act-to-battle]", "that nothing more is summoned"),
    ("anna", "[id^=board-act-declare]", "that one attacks"),
    ("ben", "[id^=board-act-defend]", "that no effect comes before the dice"),
    ("ben", "[id^=board-act-take-rest]", "that nothing blocks it, and no card of the hand answers it"),
]
"""(who, button, what is decided by it) from the challenge to the damage."""


@pytest.fixture
def game(visit, transactional_db, dice):
    """Two who have not met yet, each at the table."""
    duel = Duel(User.objects)
    duel.dice, duel.pressed, duel.pages = dice, Counter(), {}
    for who in ("anna", "ben"):
        duel.pages[who] = visit(duel.address, client=duel.browsers[who])
    return duel


def press(game, who, button, faces):
    """A press of somebody's at the table as it is then, waited for until it is stored."""
    page, before = game.pages[who], Event.objects.count()
    page.goto(game.address)
    game.dice[:] = faces
    game.pressed[who] += 1
    page.locator(button).first.click()
    until(page, lambda: Event.objects.count() > before)
    game.dice.clear()


@pytest.mark.rule("BD-10", "BD-11", "BD-12", "BD-13", "BD-14", "BD-16")
@pytest.mark.parametrize("there", everyday([[], avatars(CORONA)]), ids=["no avatar", "an avatar"])
def test_an_attack_takes_five_presses_by_the_attacker_and_three_by_the_other_side_from_the_challenge_on(game, there):
    """Avatars or none, the other side says that it takes the rest: to skip that would tell of its hand."""
    press(game, *CHALLENGE[:2], [])
    press(game, *ACCEPT[:2], [1] * 8)
    game.put("ben", avatars=there)
    for who, button, _what in TURN:
        press(game, who, button, [6, 1, 1] if "defend" in button else [1] * 8)
    assert game.state("ben").life == 14
    assert game.pressed == Counter(who for who, _button, _what in (CHALLENGE, ACCEPT, *TURN))
    assert game.pressed == {"anna": 5, "ben": 3}
