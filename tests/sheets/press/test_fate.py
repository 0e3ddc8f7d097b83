"""Fate in a party: whoever is hit may have their own die thrown anew (DR-17)."""

import re

import pytest

from sheets.models import Event, PendingEffect, Sheet
from sheets.press.pending import MOST
from tests.support.guest import text_of, words_in
from tests.support.sheets.fight import fallen_again

pytestmark = pytest.mark.alike


@pytest.mark.rule("DR-12", "DR-17")
def test_who_is_hit_spends_fate_once_and_nobody_else_does_and_only_that_die_falls_again(struck, monkeypatch):
    number = PendingEffect.objects.get().pk
    assert [f"rethrow:{number}" in struck.look(who, who, at).text for who, at in (("ben", None), ("anna", "ben"))] == [
        True, False]
    assert struck.settle("rethrow", "anna", number).status_code == 404
    fallen_again(monkeypatch, 5)
    for _time in range(2):
        struck.settle("rethrow", number=number)
    first, second = PendingEffect.objects.order_by("pk")
    assert (first.state, second.state, second.filled) == ("dismissed", "open", {"points": 3})
    again = Event.objects.filter(roll="duel-damage").latest("pk")
    assert (again.thrown, again.again, again.sheet) == ([2, 5], first.event, struck.sheets["anna"])
    assert struck.sheet("ben").play == {"fate_spent": 1}
    struck.settle("apply")
    assert struck.life("ben") == struck.full("ben") - 3


@pytest.mark.rule("DR-12", "DR-17")
def test_fate_is_spent_on_what_waits_longer_than_the_table_shows(struck, monkeypatch):
    oldest = struck.wait(MOST + 1)[0]
    assert f'"rethrow:{oldest}"' not in struck.look("ben", "ben", None).text
    fallen_again(monkeypatch, 5)
    struck.settle("rethrow", number=oldest)
    assert PendingEffect.objects.get(pk=oldest).state == "dismissed"
    assert PendingEffect.objects.latest("pk").filled == {"points": 3}


@pytest.mark.rule("DR-13", "DR-17")
@pytest.mark.parametrize(("roll", "faces", "fields", "play"), [
    ("roll-duel-damage", [2, 9], {"weapon": 0}, {"fate_spent": 9}), ("roll-attack-unarmed", [1], {}, {})])
def test_where_none_is_left_and_where_no_die_is_the_targets_its_fate_changes_nothing_and_is_not_offered(
        struck, dice, roll, faces, fields, play):
    Sheet.objects.filter(pk=struck.sheets["ben"].pk).update(play=play)
    dice += [faces]
    struck.press(roll, **fields)
    number = PendingEffect.objects.latest("pk").pk
    assert words_in(struck.look("ben", "ben", None), f"apply:{number}", f"rethrow:{number}") == [f"apply:{number}"]
    struck.settle("rethrow")
    assert (PendingEffect.objects.latest("pk").state, struck.sheet("ben").play) == ("open", play)


@pytest.mark.rule("DR-17")
def test_the_own_roll_is_repeated_from_the_tray_of_the_table(struck, monkeypatch):
    # Not among the acts, as on the sheet: what falls moves no button there.
    assert re.findall(r'id="((?:tray|w)-act-repeat)"', struck.look().text) == ["tray-act-repeat"]
    fallen_again(monkeypatch, 4)
    struck.press("act-repeat")
    again = Event.objects.get(act="repeat")
    assert again.thrown == [4, 9]
    assert [one.state for one in PendingEffect.objects.order_by("pk")] == ["dismissed", "open"]


@pytest.mark.rule("DR-12", "DR-17")
def test_what_came_back_on_oneself_and_was_taken_is_taken_back_before_the_roll_is_repeated(struck, dice, monkeypatch):
    dice += [[9, 1]]
    struck.press("roll-duel-damage", threshold=5, weapon=0)
    damage = PendingEffect.objects.latest("pk")
    assert damage.sheet == struck.sheets["anna"]
    struck.settle("apply", "anna")
    lost = struck.full("anna") - struck.life("anna")
    assert lost
    for press in (lambda: struck.play("anna", "act-repeat"), lambda: struck.press("act-repeat")):
        press()
        assert "came after that roll; take it back before you reroll" in text_of(struck.look("anna"))
        assert (struck.full("anna") - struck.life("anna"), Event.objects.filter(act="repeat").count()) == (lost, 0)
    struck.play("anna", "undo", _event=Event.objects.latest("pk").pk)
    fallen_again(monkeypatch, 9)
    struck.press("act-repeat")
    assert struck.life("anna") == struck.full("anna")
    damage.refresh_from_db()
    assert damage.state == "dismissed"


@pytest.mark.rule("DR-17")
def test_fate_that_is_taken_back_takes_its_throw_along_and_the_first_one_lies_again(struck, monkeypatch):
    fallen_again(monkeypatch, 5)
    struck.settle("rethrow")
    paid = Event.objects.get(sheet=struck.sheets["ben"])
    assert f"all-back:{paid.pk}" not in struck.look("gm", "anna", None).text
    struck.settle("back", "ben", paid.pk)
    assert struck.sheet("ben").play == {}
    assert [(one.filled["points"], one.state) for one in PendingEffect.objects.order_by("pk")] == [
        (7, "open"), (3, "dismissed")]
    assert Event.objects.filter(roll="duel-damage").latest("pk").undone


@pytest.mark.rule("DR-17")
@pytest.mark.parametrize("go_on", [
    lambda struck: struck.settle("apply", "anna"), lambda struck: struck.play("anna", "act-repeat")])
def test_fate_stays_spent_once_something_came_of_its_throw(struck, monkeypatch, go_on):
    fallen_again(monkeypatch, 1, 4)
    struck.settle("rethrow")
    paid = Event.objects.get(sheet=struck.sheets["ben"])
    go_on(struck)
    states = list(PendingEffect.objects.order_by("pk").values_list("state", flat=True))
    assert states != ["dismissed", "open"]
    struck.settle("back", "ben", paid.pk)
    assert struck.sheet("ben").play["fate_spent"] == 1
    assert list(PendingEffect.objects.order_by("pk").values_list("state", flat=True)) == states
