"""A game of Battle Dice between two: begun, fought and ended for both, each with the own cards alone."""

import pytest
from django.utils.translation import override

from sheets.models import Event, Party, PendingEffect, Sheet
from sheets.notifications.services import notification_text
from tests.support.guest import text_of, words_in
from tests.support.sheets.duel import CORONA, FAN, PINA, SNOW, avatars, defends, to_battle

pytestmark = pytest.mark.alike


def phases(duel):
    return duel.state("anna").phase, duel.state("ben").phase


@pytest.mark.rule("BD-10", "BD-28")
def test_a_challenge_is_told_where_it_is_answered_and_begins_the_game_for_both_once_it_is_accepted(duel):
    """Even where the party trusts."""
    Party.objects.update(trust=True)
    for _time in range(2):
        duel.press("act-challenge", order="second")
    assert (phases(duel), {one.state for one in PendingEffect.objects.all()}) == (("none", "none"), {"open"})
    told = duel.users["ben"].notifications.get()
    with override("en"):
        assert notification_text(told) == (
            f"anna wants to play against your sheet “{duel.sheets['ben'].name}” in “{duel.party.name}”: "
            "“Challenge to a game” is waiting for your answer. (2 times)")
    opened = duel.browsers["ben"].post("/notifications/", {"do": f"open:{told.pk}"})
    assert opened["Location"] == f"/sheets/{duel.sheets['ben'].pk}/#landings"
    assert 'id="landings"' in duel.browsers["ben"].get(opened["Location"]).text
    duel.settle("apply")
    assert not duel.users["anna"].notifications.filter(kind="challenged").exists()
    assert phases(duel) == ("wait", "chaos")
    anna, ben = duel.state("anna"), duel.state("ben")
    assert (len(anna.hand), len(ben.hand), anna.mana, ben.mana) == (2, 2, 1, 0)
    assert duel.character("anna").foe.sheet == duel.sheets["ben"]
    assert duel.character("ben").foe.play.hand == ["", ""]


@pytest.mark.rule("BD-10")
def test_of_several_nobody_is_challenged_but_who_is_aimed_at(duel):
    duel.bring("Cleo", opponent=False, seen_by="party")
    assert words_in(duel.own("anna"), "act-start-game", "act-challenge") == ["act-start-game"]
    for at in (None, "anna"):
        assert "act-challenge" not in duel.look(at=at).text
        duel.press("act-challenge", at=at, order="first")
    assert not PendingEffect.objects.exists()
    assert "act-challenge" in duel.look().text


@pytest.mark.rule("BD-10")
def test_of_two_the_other_one_is_challenged_and_who_sees_nobody_is_told_how_somebody_comes_to_be_seen(duel):
    assert "act-challenge" in duel.look(at=None).text
    hint = "you can target anyone who shows their sheet to the party"
    assert hint not in text_of(duel.look(at=None))
    Sheet.objects.filter(pk=duel.sheets["ben"].pk).update(seen_by="private")
    assert hint in text_of(duel.look(at=None))


@pytest.mark.rule("BD-14", "BD-16")
def test_an_attack_crosses_and_life_0_ends_it_for_both(begun, dice):
    to_battle(begun)
    begun.put("ben", life=1)
    begun.do("anna", "act-declare", change=0)
    assert (phases(begun), begun.state("ben").threat) == (("wait", "enemy"), 1)
    dice += [[6, 1]]
    begun.do("ben", "act-defend", change=0)
    begun.do("ben", "act-take-rest")
    assert phases(begun) == ("won", "lost")
    assert [one.state for one in PendingEffect.objects.order_by("pk")] == ["applied"] * 4
    begun.play("ben", "undo", _event=begun.last("ben").pk)
    assert (phases(begun), PendingEffect.objects.latest("pk").state) == (("wait", "block"), "dismissed")


@pytest.mark.rule("BD-11")
def test_what_was_drawn_is_not_taken_back(begun):
    for who in ("anna", "ben"):
        begun.play(who, "undo", _event=begun.last(who).pk)
    assert phases(begun) == ("chaos", "wait")
    assert not Event.objects.filter(undone=True).exists()
    begun.do("anna", "act-put-away-hand-0")
    begun.play("anna", "undo", _event=begun.last("anna").pk)
    assert begun.state("anna").phase == "focus"
    assert "has already been taken back, or something else has happened since" in text_of(begun.look())


@pytest.mark.rule("BD-14", "BD-22", "BD-23")
def test_what_helps_the_defender_is_offered_once_the_attack_is_declared(battle, dice):
    battle.put("ben", mana=3, hand=[CORONA, PINA])
    assert "act-use-active-Shield" not in battle.widgets("ben")
    battle.do("anna", "act-declare", change=0)
    battle.do("ben", "act-use-active-Shield", paid=1)
    battle.do("ben", "act-react-hand-0-Lockdown")
    dice += [[6, 6, 1, 1]]
    battle.do("ben", "act-defend", change=0)
    assert phases(battle) == ("wait", "end")


@pytest.mark.rule("BD-17", "BD-22")
def test_who_may_aim_is_asked_before_anybody_blocks(battle, dice):
    battle.put("anna", avatars=avatars(PINA, damage=1), mana=2)
    battle.put("ben", avatars=avatars(CORONA, FAN), mana=0)
    defends(battle, dice, 6, 6, 6, 1, 1)
    assert phases(battle) == ("aim", "aimed")
    assert set(battle.widgets("ben")) & {"act-take-rest", "act-block-avatars-0"} == set()
    offer = battle.widgets("anna")["act-aim-at"].offer
    assert [*offer.among["target"]] == ["@", CORONA, FAN]
    battle.do("anna", "act-use-active-Magic-Missile")
    battle.do("anna", "act-aim-at", target=FAN, points=2)
    assert phases(battle) == ("wait", "block")
    ben = battle.state("ben")
    assert ([one.damage for one in ben.avatars], ben.coming, ben.suffered) == ([0, 2], 1, 2)


@pytest.mark.rule("BD-15", "BD-17")
def test_who_can_pay_for_flink_does_so_before_the_other_one_aims(battle, dice):
    battle.put("anna", avatars=avatars(PINA, damage=1), mana=2)
    battle.put("ben", avatars=avatars(CORONA, FAN), mana=4)
    defends(battle, dice, 5, 5, 5, 4, 4)
    assert (phases(battle), battle.state("ben").coming) == (("wait", "quick"), 3)
    assert "act-aim-at" not in battle.widgets("anna")
    assert {"act-take-rest", "act-block-avatars-0"}.isdisjoint(battle.widgets("ben"))
    battle.do("ben", "act-use-active-avatars-1-Allein-im-Norden", paid=1)
    assert (phases(battle), battle.state("ben").coming) == (("wait", "quick"), 2)
    battle.do("ben", "act-let-aim")
    assert (phases(battle), battle.state("anna").inflicted) == (("aim", "aimed"), 2)
    # It is taken back with what it has brought.
    battle.play("ben", "undo", _event=battle.last("ben").pk)
    assert phases(battle) == ("wait", "quick")
    # Once nothing is left to pay with, the other one aims without being told to.
    battle.do("ben", "act-use-active-avatars-1-Allein-im-Norden", paid=3)
    assert (phases(battle), battle.state("anna").inflicted) == (("aim", "aimed"), 1)


@pytest.mark.rule("BD-17")
def test_what_is_aimed_at_the_mage_ends_the_game_and_is_taken_back_in_one(battle, dice):
    battle.put("anna", avatars=avatars(PINA, damage=1))
    battle.put("ben", avatars=avatars(CORONA), life=1)
    defends(battle, dice, 6, 6, 6, 1, 1)
    battle.do("anna", "act-aim-at", target="@", points=1)
    assert phases(battle) == ("won", "lost")
    # Three steps led there, each by the one before: they go together.
    battle.play("anna", "undo", _event=battle.last("anna").pk)
    assert phases(battle) == ("aim", "aimed")
    assert (battle.state("ben").life, battle.state("anna").inflicted) == (1, 3)


@pytest.mark.rule("BD-16", "BD-17")
def test_let_them_block_hands_over_what_is_not_aimed(battle, dice):
    battle.put("anna", mana=2)
    battle.put("ben", avatars=avatars(CORONA))
    defends(battle, dice, 6, 1, 1)
    battle.do("anna", "act-let-block")
    battle.do("ben", "act-block-avatars-0")
    assert (phases(battle), battle.state("ben").avatars[0].damage) == (("wait", "heal"), 1)


@pytest.mark.rule("BD-24", "BD-26")
def test_reactions_deal_damage_across_and_a_steel_guardian_may_take_some_of_it(battle, dice):
    battle.put("anna", avatars=avatars(PINA, CORONA), mana=1)
    battle.put("ben", hand=[FAN, PINA])
    defends(battle, dice, 6, 6, 1)
    battle.do("ben", "act-take-rest")
    assert phases(battle) == ("wait", "end")
    battle.do("ben", "act-react-hand-1-Attack-of-Opportunity")
    battle.do("ben", "act-react-hand-0-Schlechter-Witz")
    assert [*battle.widgets("ben")["act-deal-jab"].offer.among["target"]] == [PINA, CORONA]
    battle.do("ben", "act-deal-jab", target=CORONA)
    battle.do("ben", "act-deal-joke", target="@", points=1)
    assert len(battle.state("anna").blows) == 2
    battle.do("anna", "act-take-hit")
    battle.do("anna", "act-take-hit-avatars-0-guardian")
    anna = battle.state("anna")
    assert ([one.damage for one in anna.avatars], anna.life, anna.mana, anna.blows) == ([1, 1], 15, 0, [])


@pytest.mark.rule("BD-14", "BD-24")
def test_who_skips_hands_the_turn_over_and_what_waits_is_taken_before_one_goes_on(battle):
    battle.put("ben", blows=[{"target": "@", "points": 1}], avatars=avatars(PINA))
    battle.do("anna", "act-skip-battle")
    assert phases(battle) == ("wait", "end")
    assert "act-next-turn" not in battle.widgets("ben")
    battle.do("ben", "act-take-hit")
    battle.do("ben", "act-next-turn")
    assert (phases(battle), battle.state("ben").life) == (("wait", "chaos"), 14)


@pytest.mark.rule("BD-25")
def test_frost_lies_on_the_avatar_at_once_and_goes_with_it_or_with_who_threw_it(battle):
    battle.put("anna", avatars=avatars(SNOW), mana=4)
    battle.put("ben", avatars=avatars(CORONA, PINA), mana=2)
    for _time in range(2):
        battle.do("anna", "act-snowball-avatars-0", target=PINA)
    assert ([one.frost for one in battle.state("ben").avatars], battle.state("anna").frost) == ([0, 2], 2)
    battle.do("ben", "act-sacrifice-avatars-1")
    assert battle.state("anna").frost == 0
    battle.do("anna", "act-snowball-avatars-0", target=CORONA)
    assert [one.frost for one in battle.state("ben").avatars] == [1]
    battle.do("anna", "act-destroy-avatars-0")
    assert ([one.frost for one in battle.state("ben").avatars], battle.state("anna").frost) == ([0], 0)


@pytest.mark.rule("BD-25")
def test_frost_lies_there_until_the_next_zeitchaosphase_of_who_threw_it_is_over(battle, dice):
    """The attack that its victim announces meanwhile, and what answers that, still finds it."""
    battle.put("ben", avatars=avatars(SNOW), mana=4, phase="summon", hand=[CORONA])
    battle.put("anna", avatars=avatars(PINA), mana=9, phase="wait")

    def frozen():
        return battle.state("anna").avatars[0].frost, battle.state("ben").frost

    battle.do("ben", "act-snowball-avatars-0", target=PINA)
    battle.put("anna", phase="battle")
    battle.put("ben", phase="wait")
    defends(battle, dice, 1, 1, 6, 6, 6, 6)
    assert (phases(battle), frozen()) == (("wait", "end"), (1, 1))
    battle.put("anna", blows=[{"target": "@", "points": 1}])
    battle.do("anna", "act-take-hit-avatars-0-guardian")
    assert battle.state("anna").mana == 6
    battle.do("ben", "act-next-turn")
    # What is thrown in that very phase stays until the next one is over.
    battle.do("ben", "act-snowball-avatars-0", target=PINA)
    assert frozen() == (2, 2)
    battle.do("ben", "act-put-away-hand-0")
    assert frozen() == (1, 1)
    battle.put("ben", phase="chaos", hand=[CORONA])
    battle.do("ben", "act-put-away-hand-0")
    assert frozen() == (0, 0)


@pytest.mark.rule("BD-26")
@pytest.mark.parametrize(("cakes", "then"), [(2, ("won", "lost")), (0, ("wait", "end"))])
def test_a_cake_takes_the_place_of_the_attack_and_the_third_ends_it_for_both(battle, cakes, then):
    battle.put("anna", avatars=avatars(FAN, cakes=cakes), mana=4)
    battle.do("anna", "act-use-active-avatars-0-Kuchenbäcker")
    assert phases(battle) == then


@pytest.mark.rule("BD-16")
def test_who_gives_up_has_lost_and_may_begin_anew(begun):
    begun.do("ben", "act-lose")
    assert phases(begun) == ("won", "lost")
    for who in ("anna", "ben"):
        begun.do(who, "act-end-game")
        assert begun.character(who).foe is None
    begun.begin("second")
    assert phases(begun) == ("wait", "chaos")


def test_whoever_is_left_alone_ends_the_game_and_nobody_has_lost(begun):
    assert "act-end-game" not in begun.widgets("anna")
    assert 'class="note ask parted"' not in begun.own("anna").text
    Sheet.objects.filter(pk=begun.sheets["ben"].pk).update(party=None)
    to_battle(begun)
    before = begun.last("anna").pk
    begun.play("anna", "act-declare", change=0)
    assert begun.last("anna").pk == before
    assert 'id="board-act-end-game-parted"' in begun.own("anna").text
    begun.do("anna", "act-end-game")
    assert begun.state("anna") == begun.character("anna").ruleset.play()


def test_a_challenge_of_somebody_who_plays_already_is_refused_for_both(duel):
    duel.press("act-challenge", order="first")
    duel.play("anna", "act-start-game", order="first")
    duel.settle("apply")
    assert (phases(duel), PendingEffect.objects.get().state) == (("chaos", "none"), "open")
