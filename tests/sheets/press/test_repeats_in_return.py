"""A roll that is repeated gives back what it took from the one and brought to the other (CD-29, CD-49)."""

import pytest

from sheets.models import Event, Party, PendingEffect
from tests.support.guest import text_of
from tests.support.sheets.fight import fallen_again, table_of

DRAIN = "roll-drain-life-abilities-0"


@pytest.fixture
def drained(table, dice, request):
    """Anna has taken four life points from Ben by force; she may repeat the roll."""
    table.have("anna", life=5, abilities=[
        {"ability": "leben-transferieren", "life_points": 4, "range": 0}, {"ability": "wurf-wiederholen", "range": 0}])
    table.have("ben", life=5, mental_resistance=0)
    table.play("anna", "act-damage", points=8, against="nothing")
    Party.objects.update(trust=request.param)
    dice += [[4, 4, 4, 4]]
    table.press(DRAIN)
    if not request.param:
        table.settle("apply")
    assert (table.life("anna"), table.life("ben")) == (6, 6)
    return table


def both(table):
    return table.life("anna"), table.life("ben")


@table_of("condice")
@pytest.mark.rule("CD-29", "CD-49")
@pytest.mark.parametrize("drained", [False, True], indirect=True)
def test_a_repeated_transfer_of_life_counts_once_on_both_sides(drained, monkeypatch):
    fallen_again(monkeypatch, 4, 1, 1, 1)
    drained.press("act-repeat")
    assert {one.act for one in Event.objects.filter(undone=True)} == {"lose-life", "heal"}
    if Party.objects.get().trust:
        assert both(drained) == (3, 9)
    else:
        assert both(drained) == (2, 10)
        drained.settle("apply")
        assert both(drained) == (3, 9)
    # Once both are taken back, the first roll waits again.
    for event in (Event.objects.get(act="heal", undone=False), Event.objects.get(act="repeat")):
        drained.settle("back", "anna", event.pk)
    assert both(drained) == (2, 10)
    assert [one.filled["points"] for one in PendingEffect.objects.filter(state="open")] == [4]


@table_of("condice")
@pytest.mark.rule("CD-29", "CD-49")
@pytest.mark.parametrize("drained", [True], indirect=True)
def test_a_transfer_that_the_loser_has_gone_on_from_is_not_repeated_and_no_die_falls(drained, monkeypatch):
    drained.play("ben", "act-damage", points=1, against="nothing")
    fallen_again(monkeypatch)
    assert "Something else has followed from that roll: Ben" in text_of(drained.press("act-repeat", htmx=True))
    assert both(drained) == (6, 5)
