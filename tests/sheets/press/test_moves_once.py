"""Moves of Augen des Zwielichts count once: weakening costs one combat die, at once."""

import pytest

from sheets.models import Event, Party
from tests.support.guest import text_of
from tests.support.sheets.fight import table_of

pytestmark = table_of("augen-des-zwielichts")


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
    table.press("roll-move-weaken", at=None, attribute="black")
    assert table.sheet("anna").play["weakening"]
    assert "not applied yet" in text_of(table.look(at=None))
    for who in ("anna", "ben"):
        table.settle("turn", who, "next")
    told = " ".join(one.said.get("en", "") for one in Event.objects.filter(act="settle-together"))
    assert "Round 1 is over, dice 3;" in told
    assert "hit" not in told.replace("not hit", "")
