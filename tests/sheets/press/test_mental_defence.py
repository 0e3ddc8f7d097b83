"""In ConDice whoever is hit by a mental attack may repeat its own dice of it (CD-30, CD-49, CD-54)."""

import pytest

from sheets.models import Event, PendingEffect
from tests.support.guest import text_of
from tests.support.sheets.fight import fallen_again

pytestmark = pytest.mark.alike
ROLL = "roll-mental-attack-abilities-0"
HOLD = f"act-hold-target-{ROLL}"


@pytest.fixture
def attacked(table, dice):
    """Anna's mind control has worked on Ben, who may repeat a roll; its hold waits for him."""
    table.have("anna", abilities=[{"ability": "mindcontrol", "dice": 2, "range": 0}])
    table.have("ben", mental_resistance=2, abilities=[{"ability": "wurf-wiederholen", "range": 0}])
    dice += [[6, 6, 1, 1]]
    table.press(ROLL)
    table.press(HOLD)
    return table


def effects():
    return [(one.act, one.state) for one in PendingEffect.objects.order_by("pk") if one.act == "be-held"]


def rethrown(table):
    return [one.thrown for one in Event.objects.filter(roll="mental-attack", undone=False, again__isnull=False)]


@pytest.mark.rule("CD-49", "CD-54")
@pytest.mark.parametrize(("faces", "outcome"), [((6, 6), "fails"), ((1, 4), "works")])
def test_whoever_was_overcome_repeats_its_own_dice_and_the_attack_is_settled_anew(
        attacked, monkeypatch, faces, outcome):
    number = PendingEffect.objects.get(act="be-held").pk
    assert [f"rethrow:{number}" in attacked.look(who, who, None).text for who in ("ben", "anna")] == [True, False]
    fallen_again(monkeypatch, *faces)
    for _time in range(2):
        attacked.settle("rethrow", "ben", number)
    assert rethrown(attacked) == [[6, 6, *faces]]
    assert Event.objects.get(again__isnull=False).outcome == outcome
    assert (effects(), attacked.sheet("anna").play.get("holds", [])) == ([("be-held", "dismissed")], [])
    assert attacked.sheet("ben").play == {"repeated": True, "repeats": 1, "repeated_now": True}
    # An attack that works all the same takes hold again, which waits for Ben anew; he has no second repeat.
    assert (f'id="tray-{HOLD}"' in attacked.look().text) is (outcome == "works")
    if outcome == "works":
        attacked.press(HOLD)
        assert effects() == [("be-held", "dismissed"), ("be-held", "open")]
        assert "rethrow:" not in attacked.look("ben", "ben", None).text
        # The consequences of the repeat are taken back before the repeat itself.
        paid = Event.objects.get(act="repeat")
        attacked.settle("back", "ben", paid.pk)
        assert attacked.sheet("ben").play["repeats"] == 1
    else:
        attacked.settle("back", "ben", Event.objects.get(act="repeat").pk)
        assert (attacked.sheet("ben").play, rethrown(attacked)) == ({}, [])
        assert f'id="tray-{HOLD}"' in attacked.look().text


@pytest.mark.rule("CD-49", "CD-54")
def test_what_the_attacker_has_done_since_is_taken_back_before_the_defence_is_repeated(attacked, monkeypatch):
    number = PendingEffect.objects.get(act="be-held").pk
    attacked.press("act-add-item", name="Seil")
    fallen_again(monkeypatch, 6, 6)
    attacked.settle("rethrow", "ben", number)
    why = "Anna did “Seil” after that roll; they have to take it back before you reroll."
    assert why in text_of(attacked.look("ben", "ben", None)).replace("\u2068", "").replace("\u2069", "")
    assert (rethrown(attacked), effects(), attacked.sheet("ben").play) == ([], [("be-held", "open")], {})
