"""If a sheet leaves the table during its turn, the next one is on."""

import pytest

from sheets.parties import services as parties
from sheets.scenes.order import turn_of
from tests.support.sheets.fight import table_of

pytestmark = pytest.mark.alike


@pytest.mark.rule("DR-14")
@table_of("dice-rumble")
def test_the_turn_of_an_opponent_who_is_taken_out_passes_to_the_next_die(table, dice):
    table.troll(life=9)
    dice += [[5], [8], [3]]
    table.settle("turn", "gm", "begin")
    first = table.on
    assert len(first) == 1
    if first != ["Troll"]:
        table.do(f"place:{table.sheet('troll').pk}:0")
    assert (table.on, table.scene.round) == (["Troll"], 1)
    table.make(f"out:{table.sheet('troll').pk}")
    assert (table.on, table.scene.round) == (["Anna"], 1)
    table.settle("turn", "anna", "next")
    assert (table.on, table.scene.round) == (["Ben"], 1)


@table_of("condice", "daemmersturm", "augen-des-zwielichts")
def test_the_turn_of_a_sheet_that_is_dropped_passes_on_in_each_system(table):
    if table.party.ruleset == "augen-des-zwielichts":
        for who, point in (("anna", 1), ("ben", 2)):
            type(table.sheet(who)).objects.filter(pk=table.sheet(who).pk).update(play={"weak_point": point})
    table.do(f"place:{table.sheets['anna'].pk}:0")
    table.settle("turn", "gm", "begin")
    on = table.on
    assert "Anna" in on
    parties.drop_sheet(table.party, table.sheet("anna"), table.users["gm"])
    assert (table.on, table.scene.round) == ([one for one in on if one != "Anna"] or ["Ben"], 1)


def test_whoever_leaves_off_turn_changes_nothing_of_the_turns(table):
    table.do(f"place:{table.sheets['anna'].pk}:0")
    table.settle("turn", "gm", "begin")
    before = turn_of(table.scene)
    parties.drop_sheet(table.party, table.sheet("ben"), table.users["gm"])
    assert turn_of(table.scene) == before
    # With the last one the fight is over, and nobody is on turn.
    parties.drop_sheet(table.party, table.sheet("anna"), table.users["gm"])
    assert (table.scene.round, table.on) == (0, [])
