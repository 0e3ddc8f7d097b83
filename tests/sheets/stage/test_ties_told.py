"""The log tells the throws of a roll that did not count."""

import pytest
from django.core.management import call_command

from rulesets.dice import LoadedTray, thrown
from sheets.models import Event
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

DUEL = {"threshold": 9, "opponent": 9, "modifier": 0, "opponent_modifier": 0}


@pytest.mark.rule("DR-12", "DR-17")
@table_of("dice-rumble")
def test_the_tables_log_tells_each_tie_that_was_rolled_again_in_a_repeat_too(table, dice):
    dice += [[5, 5, 4, 4, 7, 6], [6, 6, 3, 8]]
    table.press("roll-duel", at=None, **DUEL)
    assert "rolled again after 5 5, 4 4" in text_of(table.look("anna"))
    table.press("act-repeat", at=None)
    assert Event.objects.latest("pk").tries == [[6, 6]]
    assert "rolled again after 6 6" in text_of(table.look("anna"))


@pytest.mark.rule("DR-12")
def test_a_roll_of_the_command_tells_each_tie(monkeypatch, capsys):
    monkeypatch.setattr("sheets.management.commands.roll.thrown", lambda throw: thrown(throw, LoadedTray(5, 5, 3, 7)))
    call_command("roll", "dice-rumble", "duel", "threshold=9", "opponent=9")
    assert capsys.readouterr().out.startswith("5 5 | 3 7 → ")
