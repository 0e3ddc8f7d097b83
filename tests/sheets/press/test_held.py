"""ConDice: whoever is held by another at the table decides alone about breaking free (CD-22, CD-23, CD-54)."""

import pytest

from sheets.models import Event, PendingEffect, Sheet
from tests.support.guest import text_of

pytestmark = pytest.mark.alike
HOLD, ACTION = "act-hold-target-abilities-0", "act-break-loose-bonds-0-action"
MOVEMENT = "act-break-loose-bonds-0-movement"


@pytest.fixture
def held(table, dice):
    """Anna's mind control has worked on Ben; Cleo is at the table, too."""
    table.have("anna", abilities=[{"ability": "mindcontrol", "dice": 4, "range": 0}])
    table.have("ben", mental_resistance=2)
    table.bring("Cleo", opponent=False, owner=table.users["ben"], seen_by="party")
    dice += [[6, 6, 6, 6, 1, 1]]
    table.press("roll-mental-attack-abilities-0")
    table.press(f"{HOLD}-roll-mental-attack-abilities-0".replace("-abilities-0", "", 1))
    table.settle("apply", "ben", PendingEffect.objects.get(act="be-held").pk)
    return table


def play(table, who):
    return table.sheet(who).play


def bonds(table, who="ben"):
    return [(one["by"], one["dice"]) for one in play(table, who).get("bonds", [])]


def holds(table):
    return [one["target"] for one in play(table, "anna").get("holds", [])]


@pytest.mark.rule("CD-22", "CD-54")
def test_who_is_held_knows_by_whom_and_decides_alone_about_breaking_free(held):
    assert (bonds(held), holds(held)) == ([("Anna", 4)], ["Ben"])
    bens, annas = held.look("ben", "ben", "cleo"), held.look("anna", "anna", "ben")
    assert "Anna controls you; on your turn Anna says what you do." in text_of(bens)
    assert "You control Ben; on their turn you say what they do." in text_of(annas)
    assert (ACTION in bens.text, MOVEMENT in bens.text) == (True, True)
    assert "break-loose" not in annas.text
    assert "act-try-free" not in annas.text
    before = Event.objects.count()
    held.press("act-try-free-holds-0", at="ben", resistance=0)
    held.press(ACTION, "anna", "ben", "anna")
    assert Event.objects.count() == before


@pytest.mark.rule("CD-54", "CD-52")
def test_a_try_that_fails_is_paid_at_once_and_there_is_no_second_one_in_the_round(held, dice):
    dice += [[6, 6, 6, 6, 1, 1]]
    held.press(ACTION, "ben", "ben", "cleo")
    assert (play(held, "ben")["acted"], bonds(held), holds(held)) == (True, [("Anna", 4)], ["Ben"])
    event = Event.objects.get(roll="break-loose")
    assert (event.outcome, event.thrown, event.given) == (
        "held", [6, 6, 6, 6, 1, 1], {"dice": 4, "resistance": 2})
    page = held.look("ben", "ben", "cleo").text
    assert (ACTION in page, MOVEMENT in page) == (False, False)
    held.press(MOVEMENT, "ben", "ben", "cleo")
    assert (Event.objects.filter(roll="break-loose").count(), "moved" in play(held, "ben")) == (1, False)
    assert not PendingEffect.objects.filter(state="open").exists()


@pytest.mark.rule("CD-54")
@pytest.mark.parametrize("at", ["anna", "cleo"])
def test_who_breaks_free_is_free_and_whoever_held_learns_it_wherever_one_aims(held, dice, at):
    dice += [[1, 1, 1, 1, 6, 6]]
    held.press(MOVEMENT, "ben", "ben", at)
    assert (play(held, "ben")["moved"], bonds(held)) == (True, [])
    effect = PendingEffect.objects.get(state="open")
    assert (effect.sheet.name, effect.act, effect.filled["by"]) == ("Anna", "escaped", "Ben")
    held.settle("apply", "anna", effect.pk)
    assert holds(held) == []
    assert "Ben is free" in text_of(held.look())


@pytest.mark.rule("CD-49", "CD-54")
@pytest.mark.parametrize(("who", "other"), [("anna", "Ben"), ("ben", "Anna")])
def test_a_new_fight_of_one_side_of_a_hold_says_who_still_has_it(held, who, other):
    held.press("act-new-fight", who, who, None)
    assert (bonds(held) == [], holds(held) == []) == (who == "ben", who == "anna")
    line = f"For {other} the hold stays on their own sheet until a new fight begins there, too, or somebody ends it."
    assert line in text_of(held.look(who, who, None))
    held.press("act-new-fight", other.lower(), other.lower(), None)
    held.press("act-new-fight", who, who, None)
    assert bonds(held) == holds(held) == []


@pytest.mark.rule("CD-49", "CD-54")
def test_a_new_fight_for_everyone_leaves_no_hold_that_the_log_would_warn_of(held):
    held.do("round", w="act-new-fight-for-all")
    assert bonds(held) == holds(held) == []
    assert "the hold stays on" not in text_of(held.look())


@pytest.mark.rule("CD-54")
def test_who_is_let_go_learns_it_wherever_whoever_held_aims(held):
    held.press("act-let-go-holds-0", at="cleo")
    effect = PendingEffect.objects.get(state="open")
    assert (effect.sheet.name, effect.act, holds(held)) == ("Ben", "released", [])
    held.settle("apply", "ben", effect.pk)
    assert bonds(held) == []


@pytest.mark.rule("CD-23", "CD-54")
def test_a_gms_opponent_that_is_held_by_aggro_is_told_whom_it_attacks_and_breaks_free_at_the_gms_hand(table, dice):
    table.have("anna", abilities=[{"ability": "aggro-ziehen", "dice": 2, "range": 0, "extra_targets": 0}])
    table.troll(mental_resistance=1)
    table.press("act-hold-target-abilities-0", at="troll")
    table.settle("apply", "gm")
    table.do(f"place:{table.sheets['troll'].pk}:0")
    table.settle("turn", "gm", "begin")
    while "Troll" not in table.on:
        table.settle("turn", "gm", "next")
    page = text_of(table.look("gm", "troll", "ben"))
    line = "Anna has your aggro; on your turn you attack Anna, or come closer if you are out of reach."
    assert page.count(line) >= 2, "at its seat, and where one presses"
    dice += [[1, 1, 6]]
    table.press(ACTION, "gm", "troll", "ben")
    assert (bonds(table, "troll"), Sheet.objects.get(name="Troll").play["acted"]) == ([], True)
    assert PendingEffect.objects.get(state="open").sheet.name == "Anna"


@pytest.mark.rule("CD-54")
def test_in_a_party_that_trusts_a_hold_and_its_end_are_done_at_once(table, dice):
    table.settle("trust", "gm", "on")
    table.have("anna", abilities=[{"ability": "mindcontrol", "dice": 2, "range": 0}])
    table.have("ben", mental_resistance=1)
    table.press("act-hold-target-abilities-0", at="ben")
    assert (bonds(table), holds(table)) == ([("Anna", 2)], ["Ben"])
    dice += [[1, 1, 6]]
    table.press(ACTION, "ben", "ben", "anna")
    assert (bonds(table), holds(table)) == ([], [])
    # All of it is taken back together.
    table.settle("back", "ben", Event.objects.get(act="break-loose").pk)
    assert (bonds(table), holds(table), play(table, "ben").get("acted", False)) == ([("Anna", 2)], ["Ben"], False)


@pytest.mark.rule("CD-54")
@pytest.mark.parametrize("at", ["cleo", None])
def test_what_is_done_about_somebody_who_is_gone_is_done_and_concerns_nobody_else(held, dice, at):
    Sheet.objects.filter(name="Anna").update(party=None)
    dice += [[1, 1, 1, 1, 6, 6]]
    held.press(ACTION, "ben", "ben", at)
    assert (bonds(held), Event.objects.get(roll="break-loose").aimed_at) == ([], {})
    Sheet.objects.filter(name="Anna").update(party=held.party)
    Sheet.objects.filter(name="Ben").update(party=None)
    held.press("act-let-go-holds-0", at=at)
    assert (holds(held), Event.objects.get(act="let-go").aimed_at) == ([], {})
    assert not PendingEffect.objects.filter(state="open").exists()
