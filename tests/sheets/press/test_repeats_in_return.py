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


MENTAL, LOWER = "roll-mental-attack-abilities-0", "act-boost-other-roll-mental-attack-abilities-0"
HOLD = "act-hold-target-roll-mental-attack-abilities-0"


@pytest.fixture
def lowered(table, dice, request):
    """Anna's mental attack on Ben has worked, and she has lowered two of his attributes or holds him."""
    act, trust, applied = request.param
    table.have("anna", abilities=[
        {"ability": "boost-debuff", "range": 0, "variant": "I", "extra_targets": 0} if act == LOWER else
        {"ability": "mindcontrol", "range": 0, "dice": 1}, {"ability": "wurf-wiederholen", "range": 0}])
    table.have("ben", life=5, defence=3, mental_resistance=1)
    Party.objects.update(trust=trust)
    dice += [[6, 1]]
    table.press(MENTAL, **({"dice": 1} if act == LOWER else {}))
    table.press(act, **({"attributes": ["life", "defence"], "way": "lower"} if act == LOWER else {}))
    if applied and not trust:
        table.settle("apply")
    assert touched(table) == (trust or applied)
    table.act = act
    return table


def touched(table):
    """Return True if an effect or a bond is on Ben."""
    return bool(table.sheet("ben").play.get("effects") or table.sheet("ben").play.get("bonds"))


CASES = [(act, *how) for act in (LOWER, HOLD) for how in ((True, True), (False, True), (False, False))]


@table_of("condice")
@pytest.mark.rule("CD-49", "CD-54")
@pytest.mark.parametrize("lowered", CASES, indirect=True)
def test_a_mental_attack_that_fails_when_repeated_leaves_nothing_on_its_target(lowered, monkeypatch):
    fallen_again(monkeypatch, 1)
    before = lowered.sheet("anna").play
    lowered.press("act-repeat")
    assert Event.objects.latest("pk").outcome == "fails"
    assert (touched(lowered), lowered.sheet("anna").play.get("holds", [])) == (False, [])
    assert not PendingEffect.objects.filter(state="open").exists()
    # Once the repeat is taken back, what Anna made of the first roll waits for Ben again.
    lowered.settle("back", "anna", Event.objects.get(act="repeat").pk)
    assert lowered.sheet("anna").play == before
    lowered.settle("apply", "ben", PendingEffect.objects.get(state="open").pk)
    assert touched(lowered)


@table_of("condice")
@pytest.mark.rule("CD-49", "CD-54")
@pytest.mark.parametrize("lowered", [one for one in CASES if one[0] == LOWER], indirect=True)
def test_a_mental_attack_that_works_once_more_lowers_its_target_once(lowered, monkeypatch):
    fallen_again(monkeypatch, 5)
    lowered.press("act-repeat")
    assert (Event.objects.latest("pk").outcome, touched(lowered)) == ("works", False)
    lowered.press(LOWER, attributes=["life", "defence"], way="lower")
    if not Party.objects.get().trust:
        lowered.settle("apply", "ben", PendingEffect.objects.get(state="open").pk)
    assert len(lowered.sheet("ben").play["effects"]) == 1
    assert not PendingEffect.objects.filter(state="open").exists()


@table_of("condice")
@pytest.mark.rule("CD-49", "CD-54")
@pytest.mark.parametrize("lowered", [one for one in CASES if one[2]], indirect=True)
def test_a_mental_attack_is_not_repeated_once_its_target_has_gone_on_and_no_die_falls(lowered, monkeypatch):
    lowered.play("ben", "act-damage", points=1, against="nothing")
    fallen_again(monkeypatch)
    assert "Something else has followed from that roll: Ben" in text_of(lowered.press("act-repeat", htmx=True))
    assert touched(lowered)
    assert not Event.objects.filter(act="repeat").exists()
