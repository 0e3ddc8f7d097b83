"""Help at a table of Augen des Zwielichts: after the roll of whom it is for, once, and at what it costs (SZ-25)."""

import uuid

import pytest

from sheets.models import Event, Party, PendingEffect, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

pytestmark = [pytest.mark.rule("SZ-25"), table_of("augen-des-zwielichts"), pytest.mark.alike]
NONE_OPEN = "Ben has no open roll for this"
AGAIN = "That has already been done for this roll of Ben's"
LATE = "the roll this was for is over"


def helps(table, *, who="anna", at="ben", colour="white", faults=""):
    """Somebody offers help; whether a die fell."""
    before = Event.objects.filter(roll="help").count()
    answer = table.press("roll-help", who, who, at, colour=colour)
    if faults:
        assert faults in text_of(table.browsers[who].get(answer["Location"]) if answer.status_code == 302 else answer)
    return Event.objects.filter(roll="help").count() > before


def applies(table, move="investigate"):
    """Ben applies the result of a roll."""
    table.play("ben", f"act-settle-roll-move-{move}", word="")


def late(table, effect):
    """Whether the help that Ben accepts now comes too late."""
    answer = table.browsers["ben"].post(f"{table.address}play/", {
        "do": f"apply:{effect.pk}", "_press": str(uuid.uuid4())}, follow=True)
    effect.refresh_from_db()
    return effect.state == "open" and LATE in text_of(answer) and "help_white" not in table.sheet("ben").play


def test_nobody_helps_before_the_roll_nor_once_its_result_is_applied(table, dice):
    assert not helps(table, faults=NONE_OPEN)
    dice += [[2], [6]]
    table.play("ben", "roll-move-investigate", attribute="none")
    applies(table)
    assert not helps(table, faults=NONE_OPEN)
    # Who takes that back has the roll open again.
    table.play("ben", "undo", _event=Event.objects.get(act="settle").pk)
    assert helps(table)


@pytest.mark.parametrize(("move", "faces", "allowed"), [
    ("investigate", [2], True), ("risk", [2], True), ("travel", [2], False), ("ability", [2, 3], False),
    ("weaken", [2, 3], False)])
def test_help_is_for_two_moves_alone(table, dice, move, faces, allowed):
    dice += [faces, [6]] if allowed else [faces]
    table.play("ben", f"roll-move-{move}", attribute="white" if len(faces) > 1 else "none", fear="")
    assert helps(table, faults="" if allowed else NONE_OPEN) is allowed


def test_each_helps_a_roll_once_improved_or_not_unless_the_help_was_declined(table, dice):
    table.bring("Cleo", opponent=False)
    dice += [[5], [3], [4], [6, 1]]
    table.play("ben", "roll-move-investigate", attribute="none")
    assert helps(table)
    assert not helps(table, faults=AGAIN)
    table.settle("dismiss")
    assert helps(table)
    table.settle("apply")
    assert not helps(table, faults=AGAIN)
    table.play("ben", "roll-move-improve-roll-move-investigate")
    assert Event.objects.latest("pk").roll == "move"
    assert not helps(table, faults=AGAIN)
    dice += [[2]]
    table.press("roll-help", "gm", "cleo", "ben", colour="white")
    table.settle("apply")
    assert table.sheet("ben").play["help_white"] == "4,2"
    # The next roll is another one.
    applies(table, "improve-roll-move-investigate")
    dice += [[2], [1]]
    table.play("ben", "roll-move-risk", attribute="none", fear="")
    assert helps(table)


def test_help_that_is_accepted_once_the_result_is_applied_comes_too_late(table, dice):
    dice += [[2], [6], [3]]
    table.play("ben", "roll-move-investigate", attribute="none")
    assert helps(table)
    effect = PendingEffect.objects.get()
    applies(table)
    assert late(table, effect)
    # Nor does it count for another roll.
    table.play("ben", "roll-move-risk", attribute="none", fear="")
    assert not dice
    assert late(table, effect)


def test_the_helpers_condition_falls_due_with_the_die_and_nobody_has_to_press_for_it(table, dice):
    dice += [[2, 4], [4]]
    table.play("ben", "roll-move-investigate", attribute="black")
    assert helps(table)
    assert table.sheet("anna").play == {"conditions_due": 1}
    assert "act-helped" not in table.look().text.partition('id="table-log"')[0]
    done = Event.objects.get(act="helped")
    table.play("anna", "undo", _event=done.pk)
    assert table.sheet("anna").play == {}


def test_one_die_helps_one_alone(table, dice):
    table.bring("Cleo", opponent=False, seen_by="party")
    dice += [[2], [6]]
    table.play("ben", "roll-move-investigate", attribute="none")
    assert helps(table)
    help_ = Event.objects.get(roll="help")
    assert f"also:{help_.pk}" not in table.look("anna", "anna", "cleo").text
    table.browsers["anna"].post(f"{table.address}play/?{table.seats('anna', 'cleo')}", {
        "do": f"also:{help_.pk}", "_press": str(uuid.uuid4())})
    help_.refresh_from_db()
    assert [*help_.aimed_at] == [str(table.sheets["ben"].pk)]


def test_nobody_helps_oneself(table, dice):
    dice += [[2]]
    table.play("ben", "roll-move-investigate", attribute="none")
    assert not helps(table, who="ben", at="ben", faults="That is for somebody else")


@pytest.mark.rule("SZ-14")
@pytest.mark.parametrize(("trust", "accepted"), [(False, True), (False, False), (True, True)])
def test_help_counts_in_the_result_that_the_next_roll_takes_and_not_in_that_roll(table, dice, trust, accepted):
    Party.objects.update(trust=trust)
    dice += [[2], [6], [3], [4]]
    table.play("ben", "roll-move-investigate", attribute="none")
    assert helps(table)
    effect = PendingEffect.objects.get()
    if accepted and not trust:
        table.settle("apply")
    assert table.sheet("ben").play.get("help_white") == ("6" if accepted else None)
    table.play("ben", "roll-move-risk", attribute="none", fear="")
    assert Event.objects.get(act="settle").done["help_white"] == ("6" if accepted else "")
    assert "help_white" not in table.sheet("ben").play
    if not accepted:
        assert late(table, effect)
    # Whoever helped that roll may help this one, for which the die counts.
    assert helps(table)
    if not trust:
        table.settle("apply")
    assert table.sheet("ben").play["help_white"] == "4"
    applies(table, "risk")
    assert (Event.objects.filter(act="settle").latest("pk").done["help_white"],
            "help_white" in table.sheet("ben").play) == ("4", False)


@pytest.mark.rule("SZ-14")
@pytest.mark.parametrize("again", ["roll-move-investigate", "roll-move-travel"])
def test_whoever_takes_back_what_the_next_roll_has_taken_has_the_help_again(table, dice, again):
    dice += [[5], [3], [2]]
    table.play("ben", "roll-move-investigate", attribute="none")
    assert helps(table)
    table.settle("apply")
    table.play("ben", again, attribute="none")
    assert table.sheet("ben").play == {}
    table.play("ben", "undo", _event=Event.objects.get(act="settle").pk)
    assert table.sheet("ben").play == {"help_white": "3"}


def test_help_that_is_refused_before_the_die_falls_costs_nothing(table, dice):
    """Neither a bonus die nor a condition: the one helped has no roll open, or somebody helps twice."""
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(play={"bonus_dice": 2})
    for colour in ("white", "black"):
        table.press("roll-help", colour=colour)
    table.press("roll-help-bonus")
    assert table.sheet("anna").play == {"bonus_dice": 2}
    dice += [[2], [6]]
    table.play("ben", "roll-move-investigate", attribute="none")
    table.press("roll-help-bonus")
    assert table.sheet("anna").play == {"bonus_dice": 1}
    table.press("roll-help-bonus")
    assert not helps(table, colour="black", faults=AGAIN)
    assert (table.sheet("anna").play, Event.objects.filter(roll="help").count()) == ({"bonus_dice": 1}, 1)


@pytest.mark.parametrize("which", ["roll-help", "roll-help-bonus"])
def test_help_that_is_declined_once_its_die_has_fallen_has_cost_what_it_costs(table, dice, which):
    Sheet.objects.filter(pk=table.sheets["anna"].pk).update(play={"bonus_dice": 1})
    dice += [[2], [6]]
    table.play("ben", "roll-move-investigate", attribute="none")
    table.press(which, colour="black")
    table.settle("dismiss")
    assert "help_black" not in table.sheet("ben").play
    assert table.sheet("anna").play == ({"bonus_dice": 1, "conditions_due": 1} if which == "roll-help" else {})


def test_help_that_was_accepted_counts_for_the_improved_roll(table, dice):
    dice += [[5], [3], [6, 1]]
    table.play("ben", "roll-move-investigate", attribute="none")
    assert helps(table)
    table.play("ben", "roll-move-improve-roll-move-investigate")
    table.settle("apply")
    assert (table.sheet("ben").play["help_white"], Event.objects.filter(act="help-lapsed").count()) == ("3", 0)
