"""In Dice Rumble the initiative die is the action: an attack in one's own turn spends it, a reaction too (DR-14)."""

import pytest

from sheets.models import Event, PendingEffect, Sheet
from tests.support.guest import text_of
from tests.support.sheets.fight import Fight, fallen_again

DUEL, BLOW = "roll-duel-damage", "roll-attack-unarmed"


@pytest.fixture
def fighting(django_user_model, dice):
    """A fight in which Anna is on with a 2, and Ben holds a 5; both are alike and unarmed."""
    fight = Fight(django_user_model.objects, "dice-rumble")
    fight.have("anna", weapons=[])
    fight.have("ben", **fight.sheet("anna").data)
    begin(fight, dice, 2, 5)
    return fight


def begin(fight, dice, *faces, word="begin"):
    """A round begins in which such dice fall for Anna and Ben."""
    by_name = dict(zip(("Anna", "Ben"), faces, strict=True))
    dice += [[by_name[one.name]] for one in Sheet.objects.filter(party=fight.party).order_by("name")]
    assert fight.settle("turn", "gm", word).status_code == 302


def held(fight):
    """The dice of Anna and Ben."""
    return [fight.sheet(name).play.get("initiative") for name in ("anna", "ben")]


def waits(act):
    """What waits of an act."""
    return PendingEffect.objects.get(act=act, state="open")


@pytest.mark.rule("DR-14")
@pytest.mark.parametrize(("which", "faces"), [
    (BLOW, [3]), (BLOW, [10]), (DUEL, [2, 9]), (DUEL, [9, 2]), (DUEL, [8, 9]), ("roll-duel", [2, 9])])
def test_in_ones_own_turn_an_attack_or_a_duel_spends_the_die_whatever_comes_of_it(fighting, dice, which, faces):
    assert held(fighting) == [2, 5]
    dice += [faces]
    fighting.press(which, threshold=6, weapon=0, opponent="usual")
    # Whoever takes part in the duel reacts.
    assert held(fighting) == [None, 5 if which == BLOW else None]
    page = fighting.look()
    assert "act-spend-die" not in page.text.partition('id="tray"')[2].partition("</section>")[0]
    assert "No initiative die is left for this round." in text_of(page)


@pytest.mark.rule("DR-14")
def test_a_die_that_was_not_meant_so_is_held_again_when_it_is_taken_back_and_the_blow_stays(fighting, dice):
    dice += [[3]]
    fighting.press(BLOW, threshold=6)
    fighting.settle("back", "anna", Event.objects.get(act="spend-die").pk)
    assert (held(fighting), waits("damage").sheet.name) == ([2, 5], "Ben")
    assert [one.undone for one in Event.objects.filter(sheet__name="Anna").exclude(
        act="roll-initiative").order_by("pk")] == [
        False, True]


@pytest.mark.rule("DR-14")
def test_what_is_rolled_out_of_turn_or_asked_for_as_a_test_leaves_the_die(fighting, dice):
    dice += [[3], [4]]
    fighting.press(BLOW, who="ben", by="ben", at="anna", threshold=6)
    fighting.press("roll-test-attributes-mind")
    assert held(fighting) == [2, 5]


@pytest.mark.rule("DR-14", "DR-17")
def test_fate_repeats_an_attack_whose_die_is_spent_and_spends_no_other(fighting, dice, monkeypatch):
    dice += [[9]]
    fighting.press(BLOW, threshold=6)
    fallen_again(monkeypatch, 2)
    fighting.press("act-repeat")
    assert Event.objects.get(act="repeat").thrown == [2]
    assert (held(fighting), fighting.sheet("anna").play["fate_spent"]) == ([None, 5], 1)
    assert Event.objects.filter(act="spend-die").count() == 1
    assert waits("damage").filled["points"] > 0


@pytest.mark.rule("DR-12", "DR-14", "DR-17")
def test_whoever_is_hit_by_a_duel_of_the_turn_may_spend_fate_while_the_damage_waits(fighting, dice, monkeypatch):
    dice += [[2, 9]]
    fighting.press(DUEL, threshold=6, weapon=0)
    damage = waits("damage")
    fighting.settle("apply", "ben", damage.pk)
    fighting.settle("rethrow", "ben", damage.pk)
    assert "fate_spent" not in fighting.sheet("ben").play
    # Damage that was taken is taken back first, and then fate is offered again.
    assert f"rethrow:{damage.pk}" not in fighting.look("ben", "ben", "anna").text
    fighting.settle("back", "ben", Event.objects.get(act="damage").pk)
    assert f"rethrow:{damage.pk}" in fighting.look("ben", "ben", "anna").text
    fallen_again(monkeypatch, 1)
    fighting.settle("rethrow", "ben", damage.pk)
    assert (fighting.sheet("ben").play["fate_spent"], held(fighting)[0]) == (1, None)
    assert waits("damage").sheet.name == "Anna"


@pytest.mark.rule("DR-14", "DR-19")
def test_a_reaction_of_an_earlier_round_spends_no_die_of_the_next_one(fighting, dice):
    dice += [[2, 9]]
    fighting.press(DUEL, threshold=6, weapon=0)
    assert held(fighting) == [None, None]
    fighting.settle("back", "ben", Event.objects.get(act="spend-die", sheet__name="Ben").pk)
    old = waits("spend-die")
    fighting.settle("turn", "gm", "next")
    begin(fighting, dice, 7, 3, word="next")
    assert held(fighting) == [7, 3]
    answer = fighting.settle("apply", "ben", old.pk)
    assert (answer.status_code, held(fighting)) == (302, [7, 3])
    assert "That was for an initiative die that is gone; the new one stays." in text_of(
        fighting.look("ben", "ben", "anna"))
    # What hurts is no matter of rounds.
    fighting.settle("apply", "ben", waits("damage").pk)
    assert fighting.life("ben") == fighting.full("ben") - 7
    fighting.settle("dismiss", "ben", old.pk)
    dice += [[2, 9], [2], [2]]
    fighting.press(DUEL, "ben", "ben", "anna", threshold=6, weapon=0)
    assert held(fighting) == [None, None]
    # Nobody reacts without a die, though nobody is asked.
    for which, rolled in ((DUEL, "attack"), ("roll-duel", "unanswered-duel")):
        fighting.press(which, "ben", "ben", "anna", threshold=6, weapon=0, opponent="usual")
        assert Event.objects.exclude(roll="").latest("pk").roll == rolled


@pytest.mark.rule("DR-14")
def test_a_die_that_no_other_was_compared_with_gives_nobody_a_place_whoever_reads_of_it(fighting, dice):
    fighting.bring("Ratte")
    dice += [[6]]
    fighting.press("act-roll-initiative", "gm", "ratte", None, fighters="1")
    assert fighting.sheet("ratte").play["initiative"] == 6
    for reader in ("anna", "gm"):
        assert "place 1" not in text_of(fighting.look(reader, "anna" if reader == "anna" else "ratte", None))
    assert "Roll initiative: a die is ready" in text_of(fighting.look())


@pytest.mark.rule("DR-15")
def test_in_ones_own_turn_waiting_passes_it_on_and_does_not_leave_it_where_it_is(fighting):
    fighting.press("act-wait", at=None)
    assert held(fighting) == [2, 5]
    assert "press “Hold back” at the table" in text_of(fighting.look())
    assert fighting.settle("turn", "anna", "hold").status_code == 302
    assert (held(fighting), fighting.on) == ([10, 5], ["Ben"])
