"""Moves of Augen des Zwielichts count once: a roll is improved once, weakening costs one combat die at once."""

import pytest

from sheets.models import Event, Party
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

pytestmark = table_of("augen-des-zwielichts")
FIND, WEAKEN = "roll-move-investigate", "roll-move-weaken"
IMPROVE = f"roll-move-improve-{FIND}"


def counted(table):
    table.party.refresh_from_db()
    return table.party.table.get("clues", 0), table.party.table.get("corruption", 0)


@pytest.mark.rule("SZ-14")
@pytest.mark.every_case
@pytest.mark.parametrize("where", ["table", "sheet"])
def test_a_roll_is_improved_once_and_its_result_counts_once(table, dice, where):
    def press(w, **fields):
        if where == "table":
            table.press(w, at=None, **fields)
        else:
            table.play("anna", w, **fields)

    def page():
        return table.look(at=None).text if where == "table" else table.own("anna").text

    offer = f'value="{IMPROVE}"'
    dice += [[4], [6, 6], [1, 1]]
    press(FIND, attribute="none")
    assert offer in page()
    press(IMPROVE)
    assert offer not in page()
    press(f"act-settle-{IMPROVE}", word="")
    clues = counted(table)
    assert clues == (2, 0)
    assert offer not in page()
    before = Event.objects.count()
    for w in (IMPROVE, f"act-settle-{FIND}", f"act-settle-{IMPROVE}"):
        press(w, **({"word": ""} if w.startswith("act") else {}))
    assert (Event.objects.count(), counted(table)) == (before, clues)


@pytest.mark.rule("SZ-33")
@pytest.mark.every_case
def test_who_ends_the_turn_with_a_weakening_that_is_not_applied_throws_no_combat_die(table, dice):
    Party.objects.filter(pk=table.party.pk).update(table={"danger_level": 13, "fighters": 2})
    for who, point in (("anna", 2), ("ben", 4)):
        sheet = table.sheet(who)
        sheet.play = {"weak_point": point}
        sheet.save()
    table.settle("turn", "gm", "begin")
    dice += [[1, 3], [3]]
    table.press(WEAKEN, at=None, attribute="black")
    assert table.sheet("anna").play["weakening"]
    assert "not applied yet" in text_of(table.look(at=None))
    for who in ("anna", "ben"):
        table.settle("turn", who, "next")
    told = " ".join(one.said.get("en", "") for one in Event.objects.filter(act="settle-together"))
    assert "Round 1 is over, dice 3;" in told
    assert "hit" not in told.replace("not hit", "")


@pytest.mark.rule("SZ-26")
def test_clues_used_for_the_solution_are_spent_by_the_roll_itself(table, dice):
    Party.objects.filter(pk=table.party.pk).update(table={"clues": 4})
    dice += [[3, 2]]
    table.press("roll-solve", at=None, difficulty=9, clues=3)
    assert counted(table)[0] == 1
    assert "act-solved" not in table.look(at=None).text
