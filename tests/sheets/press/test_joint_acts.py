"""What a GM had everybody at a table do at once is taken back by GMs, for one or for all, and not by one concerned."""

import pytest

from sheets.models import Event
from tests.support.guest import text_of
from tests.support.sheets.fight import kept, table_of

JOINT = {"condice": "end-adventure", "daemmersturm": "new-fight", "dice-rumble": "roll-initiative",
         "augen-des-zwielichts": "begin-fight"}
DICE = {"dice-rumble": [[7], [2]], "augen-des-zwielichts": [[3, 4], [5, 2]]}


@pytest.fixture
def joint(table, dice):
    """Anna and Ben, who did something at once because the GM pressed it."""
    slug = table.ruleset.slug
    dice += DICE.get(slug, [])
    if slug == "condice":
        table.put("anna", life=1)
        table.put("ben", life=1)
    table.do("round", w=f"act-{JOINT[slug]}", **({"danger_level": 12} if slug == "augen-des-zwielichts" else {}))
    assert {one.sheet.name for one in Event.objects.exclude(act="")} == {"Anna", "Ben"}
    return table


def act_of(table, who):
    return table.sheets[who].events.exclude(act="").latest("pk")


@table_of(*JOINT)
@pytest.mark.rule("DR-14", "CD-46", "DS-10", "SZ-30")
@pytest.mark.parametrize("place", ["sheet", "table"])
def test_nobody_takes_back_alone_what_a_gm_had_everybody_do(joint, place):
    before, act = kept(), act_of(joint, "anna")
    assert f'value="back:{act.pk}"' not in joint.look("anna").text
    assert 'id="take-back"' not in joint.own("anna").text
    if place == "sheet":
        joint.play("anna", "undo", _event=act.pk)
    else:
        joint.settle("back", "anna", act.pk)
    assert "only whoever did it or a GM can take it back" in text_of(joint.look("anna"))
    assert kept() == before


@table_of(*JOINT)
def test_a_gm_takes_it_back_for_one_or_for_all(joint):
    act = act_of(joint, "anna")
    joint.settle("back", "gm", act.pk)
    assert [one.sheet.name for one in Event.objects.exclude(act="").filter(undone=False)] == ["Ben"]
    # What is left of it is then an act like any other.
    joint.play("ben", "undo", _event=act_of(joint, "ben").pk)
    assert not Event.objects.exclude(act="").filter(undone=False).exists()


@table_of(*JOINT)
def test_one_press_takes_it_back_for_all(joint):
    joint.settle("all-back", "gm", act_of(joint, "anna").pk)
    assert not Event.objects.exclude(act="").filter(undone=False).exists()


@table_of("daemmersturm")
def test_whoever_acts_alone_takes_it_back_though_a_gm_did_it_for_them(table):
    table.press("act-new-fight", who="gm", by="anna", at=None)
    act = act_of(table, "anna")
    table.play("anna", "undo", _event=act.pk)
    act.refresh_from_db()
    assert act.undone
