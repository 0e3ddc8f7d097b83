"""A game in guided turns (BD-10 to BD-19, BD-22 to BD-28)."""

import pytest
from pydantic import ValidationError

from rulesets.battle_dice import RULESET
from rulesets.battle_dice.play import Block, Focus, Summon, UseActive
from rulesets.battle_dice.play.state import Avatar
from rulesets.battle_dice.tests.table import BOOST, CORONA, FAN, FOKUS, GUARD, PINA, SNOW, Side
from rulesets.kit import Refused, patched


@pytest.mark.rule("BD-10")
@pytest.mark.rule("BD-28")
@pytest.mark.parametrize(("order", "mana", "phase"), [("first", 0, "chaos"), ("second", 1, "enemy")])
def test_a_game_begins_with_15_life_two_cards_and_a_mana_for_the_second(order, mana, phase):
    side = Side().do("start-game", 1, 7, order=order)
    assert (side.play.life, side.play.mana, side.play.phase) == (15, mana, phase)
    assert side.play.hand == [CORONA, SNOW]
    assert side.play.deck == [CORONA] * 2 + [PINA] * 3 + [SNOW]


def test_an_opponent_that_is_taken_over_is_in_no_game():
    assert Side("quick", PINA, phase="enemy", life=3, mana=2).play.begun() == RULESET.play()


@pytest.mark.rule("BD-11")
@pytest.mark.parametrize(("state", "key", "faces", "hand", "deck", "discard"), [
    ({"hand": [CORONA, SNOW], "deck": [PINA, PINA, FAN]}, "hand.0", [3], [SNOW, FAN], [PINA, PINA], [CORONA]),
    # An empty deck is made anew of the discard pile.
    ({"hand": [CORONA, SNOW], "deck": [FAN], "discard": [PINA]}, "hand.0", [1], [SNOW, FAN], [PINA, CORONA], []),
    ({"hand": [], "deck": [FAN], "discard": [PINA, SNOW]}, "none", [1, 2], [FAN, SNOW], [PINA], []),
])
def test_a_hand_card_is_put_away_and_the_hand_filled_up_to_two(state, key, faces, hand, deck, discard):
    play = Side(phase="chaos", frost=2, **state).do(f"put-away {key}", *faces).play
    assert (play.hand, play.deck, play.discard) == (hand, deck, discard)
    assert (play.phase, play.frost) == ("focus", 0)


@pytest.mark.rule("BD-12", "BD-23")
@pytest.mark.parametrize(("avatars", "before", "change", "after"), [
    ((), 0, 0, 1), ((PINA,), 0, 0, 2), ((PINA,), 0, -9, 1), ((FAN, SNOW), 7, 0, 10), ((), 3, 2, 6),
    ((CORONA, CORONA), 0, 0, 5), ((CORONA, FOKUS), 0, 0, 3),  # Bitcoin Trading, while they are alone
])
def test_mana_comes_in_at_least_1_and_at_most_10_are_held(avatars, before, change, after):
    play = Side("quick", *avatars, phase="focus", mana=before).do("focus", change=change).play
    assert (play.mana, play.phase) == (after, "summon")


@pytest.mark.rule("BD-26")
def test_a_minion_boost_is_sacrificed_before_mana_comes_in():
    side = Side("quick", BOOST, CORONA, phase="focus", mana=1).do("focus")
    assert (side.names(), side.play.mana, side.play.discard) == ([CORONA], 1 + 3 + 3, [])


@pytest.mark.rule("BD-13")
def test_a_card_is_summoned_for_its_cost_and_dear_ones_are_not_offered():
    side = Side(phase="summon", hand=[PINA, SNOW], mana=3)
    assert "summon hand.1" not in side.offers()
    side.do("summon hand.0")
    assert (side.names(), side.play.hand, side.play.mana) == ([PINA], [SNOW], 1)
    with pytest.raises(Refused, match="costs 4"):
        Summon(card=SNOW, paid=0).apply(side.sheet, side.play)


@pytest.mark.rule("BD-13", "BD-20")
def test_of_five_avatars_one_is_destroyed_which_is_not_dying():
    side = Side("quick", CORONA, PINA, FOKUS, SNOW, phase="summon", hand=[CORONA], mana=1).do("summon hand.0")
    offered = {offer.split()[0] for offer in side.offers()}
    assert "destroy" in offered
    assert offered.isdisjoint({"to-battle", "summon", "use-active", "react", "sacrifice"})
    side.do("destroy avatars.0")
    assert (len(side.names()), side.play.discard, side.play.mana) == (4, [CORONA], 0)
    assert "to-battle" in side.offers()


@pytest.mark.rule("BD-13")
@pytest.mark.rule("BD-19")
def test_a_dice_minion_comes_once_a_turn_for_a_card_and_a_mana():
    side = Side(phase="summon", hand=[PINA, SNOW], mana=2).do("summon-minion", 4, card=SNOW)
    assert (side.names(), side.play.hand, side.play.mana, side.play.discard) == ([GUARD], [PINA], 1, [SNOW])
    assert "summon-minion" not in side.offers()
    assert side.log[-1] == f"{SNOW} discarded"  # which one came the roll says


@pytest.mark.rule("BD-14")
def test_the_attack_rolls_all_dice_and_ends_the_turn():
    side = Side("quick", PINA, PINA, phase="summon").do("to-battle")
    assert side.play.attack_dice(side.sheet) == 3
    assert side.do("attack", 6, 5, 1, 4, defence_dice=1).play.phase == "enemy"
    assert Side(phase="battle").do("skip-battle").play.phase == "enemy"


@pytest.mark.rule("BD-14", "BD-17", "BD-20", "BD-25")
def test_a_tag_team_hits_harder_at_half_life_and_frost_and_fortress_defend():
    for damage, attack, aimed in ((0, 2, 0), (1, 3, 1)):
        side = Side("quick", Avatar(card=PINA, damage=damage))
        assert (side.play.attack_dice(side.sheet), side.play.zielsuchend(side.sheet)) == (attack, aimed)
    side = Side("quick", SNOW, SNOW, CORONA, frost=2, guard=1)
    assert side.play.defence_dice(side.sheet) == 1 + (2 + 2 + 1) + 2 * 2 + 1


@pytest.mark.rule("BD-16")
def test_damage_is_blocked_one_after_the_other_and_the_rest_hits_the_mage():
    side = Side("quick", CORONA, PINA, phase="enemy").do("damage", points=6)
    assert (side.play.phase, side.play.coming, side.play.life) == ("block", 6, 15)
    assert "block avatars.1" not in side.do("block avatars.1").offers()
    side.do("block avatars.0").do("take-rest")
    assert (side.play.life, side.play.phase, side.play.suffered) == (13, "heal", 6)
    side.do("settle")
    assert (side.names(), side.play.mana, side.play.discard) == ([], 1, [PINA, CORONA])
    side.do("next-turn")
    assert (side.play.phase, side.play.suffered) == ("chaos", 0)


@pytest.mark.rule("BD-16")
def test_at_0_life_the_game_is_lost_and_the_table_can_be_cleared():
    side = Side(phase="enemy", life=2).do("damage", points=3).do("take-rest")
    assert (side.play.phase, side.play.life) == ("lost", 0)
    assert list(side.offers()) == ["end-game"]
    assert side.do("end-game").play == RULESET.play()


@pytest.mark.rule("BD-16")
def test_an_avatar_without_lebenskraft_has_1_life():
    side = Side("quick", GUARD, phase="enemy").do("damage", points=2).do("block avatars.0").do("take-rest")
    assert side.play.life == 14
    with pytest.raises(Refused):
        Block(index=0).apply(side.sheet, side.play.evolve(phase="block", coming=1))
    assert (side.do("settle").names(), side.play.discard) == ([], [])


@pytest.mark.rule("BD-17")
def test_aimed_damage_comes_before_blocking_and_heilung_may_still_save():
    side = Side("quick", PINA, CORONA, phase="enemy", mana=5).do("use-active Heal").do("damage", points=4)
    side.do("aimed", target=0, points=2).do("aimed-at-mage", points=1)
    assert (side.play.coming, side.play.life) == (1, 14)
    with pytest.raises(Refused, match="1 damage is coming"):
        side.do("aimed", target=0, points=2)
    side.do("block avatars.1").do("roll-heilung", 6).do("remove-mark avatars.0").do("settle")
    assert [(one.card, one.damage) for one in side.play.avatars] == [(PINA, 1), (CORONA, 1)]


@pytest.mark.rule("BD-18")
def test_the_heilung_of_an_avatar_at_0_life_may_not_be_used_at_all():
    medic = patched(RULESET.examples["own-card"], {
        "data.cards.3.keywords": [{"keyword": "heilung", "value": 2}], "data.cards.3.name": "Medic"})
    side = Side(medic, "Medic", CORONA, phase="heal")
    assert side.play.heilung_dice(side.sheet) == 2
    side.play = side.play.damage_avatar(0, 1).damage_avatar(1, 1)
    assert side.play.heilung_dice(side.sheet) == 0
    assert "roll-heilung" not in side.offers()
    side.play = side.play.evolve(healing=1)
    assert set(side.do("roll-heilung", 2).offers()) >= {"remove-mark avatars.0", "remove-mark avatars.1"}


@pytest.mark.rule("BD-22")
def test_what_every_mage_can_do():
    side = Side(phase="enemy", mana=9).do("use-active Shield", paid=3).do("use-active Heal")
    assert (side.play.mana, side.play.defence_dice(side.sheet), side.play.heilung_dice(side.sheet)) == (4, 4, 1)
    own = Side(phase="battle", mana=4).do("use-active Magic-Missile").do("use-active Magic-Missile")
    assert (own.play.mana, own.play.zielsuchend(own.sheet), "use-active Magic-Missile" in own.offers()) == (0, 2, False)


@pytest.mark.rule("BD-21", "BD-23")
def test_a_lockdown_from_the_hand_counts_once_for_each_copy():
    side = Side("quick", CORONA, phase="enemy", hand=[CORONA]).do("react hand.0.Lockdown")
    assert side.play.defence_dice(side.sheet) == 3
    assert not [offer for offer in side.offers() if offer.startswith("react")]


@pytest.mark.rule("BD-24", "BD-26")
def test_steel_guardian_takes_1_off_and_hurts_itself_and_opportunity_needs_damage():
    side = Side("quick", PINA, phase="enemy", hand=[PINA, FAN], mana=1).do("damage", points=1)
    side.do("use-active avatars.0.Steel-Guardian")
    assert (side.play.coming, side.play.phase, side.play.mana) == (0, "heal", 0)
    assert (side.play.avatars[0].damage, side.play.suffered) == (1, 1)
    # Its own damage was suffered, too.
    assert {"react hand.0.Attack-of-Opportunity", "react hand.1.Schlechter-Witz"} <= set(side.do("settle").offers())
    unhurt = Side("quick", PINA, phase="enemy", hand=[PINA]).do("no-attack")
    assert "react hand.0.Attack-of-Opportunity" not in unhurt.offers()
    hurt = Side(phase="enemy", hand=[PINA]).do("damage", points=1).do("take-rest")
    assert hurt.play.phase == "end"
    assert "react hand.0.Attack-of-Opportunity" not in hurt.do("react hand.0.Attack-of-Opportunity").offers()


@pytest.mark.rule("BD-25")
def test_snowbuddies_throw_snow_freeze_and_are_traded_for_mana():
    side = Side("quick", SNOW, phase="summon", mana=2).do("use-active avatars.0.Schneeballschlacht")
    assert (side.play.frost, side.play.mana) == (1, 1)
    frozen = Side("quick", Avatar(card=PINA, frosted=True), phase="block", coming=2, mana=2)
    assert "use-active avatars.0.Steel-Guardian" not in frozen.offers()
    with pytest.raises(Refused, match="costs 3"):
        UseActive(effect="Steel Guardian", avatar=0, paid=1).apply(frozen.sheet, frozen.play)
    frozen.do("frost avatars.0.thaw").do("use-active avatars.0.Steel-Guardian")
    traded = Side(phase="end", hand=[SNOW], mana=9).do("react hand.0.Dann-bau-ich-mir-einfach-meinen-Freund")
    assert (traded.play.mana, traded.play.hand, traded.play.discard) == (10, [], [SNOW])


@pytest.mark.rule("BD-25")
@pytest.mark.parametrize(("house", "cost"), [({}, 3), ({"frost_mana": 4}, 5)])
@pytest.mark.parametrize("tokens", [1, 2])
def test_what_an_active_effect_says_that_it_costs_on_a_frosted_avatar_is_what_is_paid(house, cost, tokens):
    side = Side("quick", Avatar(card=PINA, frost=tokens), phase="block", coming=2, mana=9)
    side.sheet = side.sheet.under(RULESET.house.model_validate(house))
    assert str(side.offers()["use-active avatars.0.Steel-Guardian"].note) == f"{cost} mana"
    assert side.do("use-active avatars.0.Steel-Guardian").play.mana == 9 - cost
    fan = Side("cake", Avatar(card=FAN, frost=tokens), phase="enemy", mana=9)
    assert str(fan.offers()["use-active avatars.0.Allein-im-Norden"].note) == "X + 2 mana"
    assert fan.do("use-active avatars.0.Allein-im-Norden", paid=1).play.mana == 6


@pytest.mark.parametrize("frosted", [None, [], {}, "ja", float("inf")])
def test_a_frost_token_of_earlier_days_that_was_never_so_is_refused(frosted):
    with pytest.raises(ValidationError):
        Avatar.model_validate({"card": PINA, "frosted": frosted})


@pytest.mark.rule("BD-26")
def test_three_cakes_win_and_a_bad_joke_pays_half_back():
    side = Side("cake", Avatar(card=FAN, cakes=2), phase="battle", mana=4).do("use-active avatars.0.Kuchenbäcker")
    assert (side.play.phase, side.play.mana) == ("won", 0)
    joke = Side("cake", phase="enemy", hand=[FAN]).do("damage", points=5).do("take-rest")
    joke.do("react hand.0.Schlechter-Witz")
    assert ("3 damage" in joke.log[-1], joke.play.discard) == (True, [FAN])


@pytest.mark.rule("BD-15", "BD-26")
def test_alone_in_the_north_is_flink_for_the_enemys_attack():
    side = Side("cake", FAN, phase="enemy", mana=5).do("use-active avatars.0.Allein-im-Norden", paid=2)
    assert side.play.flink(side.sheet) == 2
    side.do("defend", 6, 5, 4, attack_dice=2)
    assert (side.play.coming, side.play.phase) == (1, "block")
    assert Side("cake", FAN, phase="enemy").do("defend", 6, 5, attack_dice=1).play.coming == 1


@pytest.mark.rule("BD-27")
def test_what_no_button_knows_can_be_noted_by_hand():
    side = Side("quick", CORONA, phase="focus", mana=2).do("change-mana", by=-5).do("strike", target=0, points=2)
    assert (side.play.mana, side.names(), side.play.discard) == (1, [], [CORONA])
    side.do("damage effect", points=2)
    assert (side.play.life, side.play.phase) == (13, "focus")


@pytest.mark.rule("BD-14")
def test_what_belongs_to_another_phase_is_refused():
    with pytest.raises(Refused, match="the round has moved on"):
        Focus(change=0).apply(None, RULESET.play())
