"""A roll that is thrown as the next of its kind from what fell, and a repeat that nobody wants."""

import re

import pytest

from tests.support.sheets.rolling import do, html
from tests.support.sheets.rolling import tray_on as tray

pytestmark = pytest.mark.usefixtures("english")
DUEL, DAMAGE = "roll-duel-damage-weapons-0", "act-damage-roll-duel-damage-weapons-0"


@pytest.fixture
def sheet(anna_s):
    return anna_s("captain", "dice-rumble")


def drawn(found):
    return html(found, mine=True, against="", widget_key=DUEL)


def leading(page):
    """The ids of the forms that lead on."""
    return re.findall(r'class="tray-follow leads" id="tray-([\w-]+)"', page)


def test_a_duel_leads_on_to_the_next_exchange_as_it_was_answered(sheet):
    fell = do(sheet, DUEL, 2, 5, threshold=7, opponent=8, modifier=1)
    found = tray(sheet, fell)
    root_again, = found.root_again
    assert (root_again.key, str(root_again.title), root_again.fault) == (DUEL, "Another duel", "")
    assert {one.path: one.text for one in root_again.inputs} == {
        "threshold": "7", "opponent": "8", "modifier": "1", "opponent_modifier": "0"}
    page = drawn(found)
    assert leading(page) == [], "whose die is next says the initiative"
    assert f'id="tray-{DUEL}"' in page
    assert "<details open" not in page, "what it asks stays folded, though it was pressed last"
    do(sheet, root_again.key, 3, 4, **{one.path: one.text for one in root_again.inputs})
    assert [one.given["opponent"] for one in sheet.events.filter(widget=DUEL)] == [8, 8]


def test_damage_comes_before_the_next_exchange(sheet):
    fell = do(sheet, DUEL, 9, 5, threshold=7, opponent=8, modifier=0)
    found = tray(sheet, fell)
    assert (leading(drawn(found)), found.afterwards, found.root_again) == ([DAMAGE], "", ())
    found = tray(sheet, do(sheet, DAMAGE))
    assert (leading(drawn(found)), [one.key for one in found.root_again]) == ([], [DUEL])


def test_what_comes_back_from_whom_it_was_aimed_at_is_not_offered_twice(sheet):
    fell = do(sheet, DUEL, 9, 5, threshold=7, opponent=8, modifier=0)
    fell.aimed_at = {"1": "Der Bürgermeister"}
    fell.save()
    found = tray(sheet, fell)
    assert (found.follows, found.remaining) == ((), ())
    assert (leading(drawn(found)), [one.key for one in found.root_again]) == ([], [DUEL])


def test_what_comes_then_is_said_where_nothing_stands_below_that_leads_on(sheet):
    alone, led = tray(sheet, do(sheet, "roll-test-talents-0", 3)), tray(sheet, do(sheet, DUEL, 2, 5, opponent=8))
    assert alone.root_again == (), "a test is no exchange"
    assert (alone.afterwards, led.afterwards) == (
        "The GM says what comes of it.", "Announce 5 damage; then the next initiative die goes.")


@pytest.mark.parametrize(("key", "faces", "faint"), [
    ("roll-test-talents-0", [1], True), ("roll-test-talents-0", [10], False),
    (DUEL, [2, 9], True), (DUEL, [9, 2], False),
    ("roll-attack-weapons-0", [1], True), ("roll-attack-weapons-0", [10], False),
])
def test_a_repeat_is_faint_where_it_came_to_what_one_rolls_for(sheet, key, faces, faint):
    found = tray(sheet, do(sheet, key, *faces, **({"opponent": 8} if key == DUEL else {})))
    assert (found.succeeded, 'class="tray-follow faint" id="tray-act-repeat"' in drawn(found)) == (faint, faint)
