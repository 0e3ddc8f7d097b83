"""An open result of Augen des Zwielichts is taken as it stands by the next roll, and older rolls are over (SZ-14)."""

import uuid

import pytest
from django.urls import reverse

from sheets.models import Event, Party, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import kept, table_of

pytestmark = [pytest.mark.rule("SZ-14"), table_of("augen-des-zwielichts"), pytest.mark.alike]
FIND, RISK, WEAKEN, TRAVEL = (f"roll-move-{move}" for move in ("investigate", "risk", "weaken", "travel"))
LOGGED = "Open result applied automatically"
AFTER = "came after that roll, whose result stands. Only the newest roll can still be changed."
FIVE = [{"word": word} for word in ("Nass", "Wund", "Müde", "Zornig")]


class Presses:
    """Presses for Anna, at the table or on the page of her sheet alone; the page is what one reads there."""

    def __init__(self, table, where):
        self.table, self.where = table, where
        if where == "alone":
            Sheet.objects.filter(pk=table.sheets["anna"].pk).update(party=None)

    def __call__(self, w, key=None, *, htmx=False, **fields):
        fields = {"word": ""} | fields if "act-settle" in w else {"attribute": "none", "fear": ""} | fields
        if self.where == "table":
            answer = self.table.press(w, at=None, key=key, htmx=htmx, **fields)
        else:
            answer = self.table.browsers["anna"].post(
                reverse("play", args=[self.table.sheets["anna"].pk]),
                {"w": w, "_press": str(key or uuid.uuid4()), **fields}, headers={"HX-Request": "true"} if htmx else {})
        return text_of(self.table.browsers["anna"].get(answer["Location"]) if answer.status_code == 302 else answer)

    def page(self):
        return self.table.look(at=None).text if self.where == "table" else self.table.own("anna").text

    @property
    def counts(self):
        counted = self.table.stored.table if self.where == "table" else self.table.sheet("anna").play
        return counted.get("clues", 0), counted.get("corruption", 0)


@pytest.fixture(params=["table", "alone"])
def anna(request, table):
    return Presses(table, request.param)


def done():
    """Return the act or the move of each event that stands, the oldest first."""
    return [one.act or one.given["move"] for one in Event.objects.filter(undone=False).order_by("pk")]


def done_acts():
    """The acts that were done and stand."""
    return {*Event.objects.filter(undone=False).values_list("act", flat=True)}


@pytest.mark.rule("SZ-20", "SZ-21")
@pytest.mark.every_case
@pytest.mark.parametrize("htmx", [False, True])
def test_the_next_roll_takes_the_open_result_first_and_the_log_says_so(anna, dice, htmx):
    dice += [[3], [5]]
    anna(FIND, htmx=htmx)
    assert anna.counts == (0, 0)
    assert "The next roll does this by itself." in text_of(anna.table.own("anna"))
    page = anna(RISK, htmx=htmx)
    assert (done(), anna.counts, dice) == (["investigate", "settle", "risk"], (0, 1), [])
    assert LOGGED in page
    assert LOGGED in text_of(anna.table.own("anna"))
    assert f"act-settle-{RISK}" in anna.page()
    assert f"act-settle-{FIND}" not in anna.page()
    # The same roll of the same kind once more is another one, too.
    dice += [[6]]
    anna(RISK, htmx=htmx)
    assert (done()[-2:], anna.table.sheet("anna").play["risk_won"]) == (["settle", "risk"], True)


@pytest.mark.rule("SZ-21")
@pytest.mark.every_case
def test_an_older_roll_is_neither_improved_nor_applied_and_the_page_says_why(anna, dice):
    dice += [[5], [3]]
    anna(FIND)
    improve, settle = f"roll-move-improve-{FIND}", f"act-settle-{FIND}"
    assert improve in anna.page()
    anna(RISK)
    # Whoever takes the result back has given the roll up.
    anna("undo", _event=Event.objects.get(act="settle").pk)
    before = kept()
    assert improve not in anna.page()
    for which in (improve, settle):
        assert AFTER in anna(which)
        assert kept() == before
    dice += [[2]]
    anna(TRAVEL)
    assert done() == ["investigate", "risk", "settle", "travel"], "of the risk alone"
    assert Event.objects.filter(act="settle", undone=False).get().done["move"] == "risk"


def test_the_reason_is_said_in_german_too(anna, dice):
    dice += [[5], [3]]
    anna(FIND)
    anna(RISK)
    anna.table.browsers["anna"].defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert "Nach diesem Wurf kam schon" in anna(f"roll-move-improve-{FIND}")
    assert "Offenes Ergebnis automatisch übernommen" in text_of(anna.table.own("anna", language="de"))


@pytest.mark.rule("SZ-25")
def test_an_improvement_help_for_another_and_acts_are_no_next_roll(table, dice):
    anna = Presses(table, "table")
    dice += [[5], [2], [4], [3], [6, 1]]
    table.play("ben", FIND, attribute="none")
    anna(FIND)
    table.press("roll-help", colour="white")
    table.play("anna", "act-change-counts", what="bonus_dice", by="1")
    assert "settle" not in done_acts()
    # Ben, who has been helped and notes something, can still be helped, and so can Anna.
    table.play("ben", "act-note-condition", word="Nass")
    table.press("roll-help", "ben", "ben", "anna", colour="white")
    assert Event.objects.filter(roll="help").count() == 2
    page = anna.page()
    assert f"roll-move-improve-{FIND}" in page
    assert f"act-settle-{FIND}" in page
    table.settle("apply", "anna")
    anna(f"roll-move-improve-{FIND}")
    assert (dice, "settle" in done_acts()) == ([], False)
    anna(f"act-settle-roll-move-improve-{FIND}")
    assert Event.objects.get(act="settle").done["help_white"] == "3"


def test_a_press_that_arrives_twice_takes_and_rolls_once(anna, dice):
    dice += [[3], [5], [6], [6]]
    anna(FIND)
    key = uuid.uuid4()
    for _time in range(2):
        anna(RISK, key)
    assert done() == ["investigate", "settle", "risk"]


@pytest.mark.rule("SZ-24")
def test_a_result_that_asks_for_a_danger_level_is_applied_before_another_roll(anna, dice):
    dice += [[5, 3], [4]]
    anna(WEAKEN, attribute="black")
    before = kept()
    page = anna(RISK)
    assert "First apply the result of “Weaken the enemy”. What is the enemy's danger level?" in page
    assert (kept(), len(dice)) == (before, 1)
    anna(f"act-settle-{WEAKEN}", danger_level="9")
    anna(RISK)
    assert (done(), dice) == (["weaken", "weakened-before", "settle", "risk"], [])


@pytest.mark.rule("SZ-07", "SZ-13")
def test_who_goes_out_of_action_by_the_open_result_does_not_roll_first(anna, dice):
    Sheet.objects.filter(pk=anna.table.sheets["anna"].pk).update(play={"conditions": FIVE})
    dice += [[4], [6]]
    anna(RISK)
    before = kept()
    page = anna(FIND)
    assert "First apply the result of “Take a risk”; it changes what can be rolled." in page
    assert (kept(), len(dice)) == (before, 1)


@pytest.mark.rule("SZ-10", "SZ-14")
@pytest.mark.parametrize("improves", [False, True])
def test_a_bonus_die_is_used_up_by_the_roll_itself_and_once(anna, dice, improves):
    Sheet.objects.filter(pk=anna.table.sheets["anna"].pk).update(play={"bonus_dice": 1})
    dice += [[4, 2], *([[6, 1, 1]] if improves else []), [5]]
    anna(FIND, bonus="on")
    assert "bonus_dice" not in anna.table.sheet("anna").play
    assert 'value="roll-help-bonus"' not in anna.page()
    if improves:
        anna(f"roll-move-improve-{FIND}")
    anna(RISK, bonus="on")
    assert done() == ["investigate", "bonus-used", *["investigate"] * improves, "settle", "risk"]
    assert (dice, "bonus_dice" in anna.table.sheet("anna").play) == ([], False)


@pytest.mark.rule("SZ-33")
def test_a_combat_die_at_the_end_of_the_turn_leaves_the_result_to_the_next_roll_but_nothing_to_improve(table, dice):
    Party.objects.filter(pk=table.party.pk).update(table={"danger_level": 13, "fighters": 2})
    for who, point in (("anna", 2), ("ben", 4)):
        Sheet.objects.filter(pk=table.sheets[who].pk).update(play={"weak_point": point})
    anna = Presses(table, "table")
    table.settle("turn", "gm", "begin")
    dice += [[5], [1]]
    anna(FIND)
    table.settle("turn", "anna", "next")
    assert (table.sheet("anna").play["combat_die"], "settle" in done_acts(), dice) == (1, False, [])
    assert f"roll-move-improve-{FIND}" not in anna.page()
    assert AFTER in anna(f"roll-move-improve-{FIND}")
    table.press("roll-help", "ben", "ben", "anna", colour="white")
    assert not Event.objects.filter(roll="help").exists()
    dice += [[3]]
    anna(RISK)
    assert anna.counts == (1, 0)
