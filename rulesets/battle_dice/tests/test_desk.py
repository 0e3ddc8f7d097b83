"""The figures that battle rolls ask the target for, their odds in words, and the buttons of the gauges."""

import pytest

from rulesets.battle_dice import RULESET
from rulesets.dice import Outcome
from rulesets.document import read_tree
from rulesets.kit import target_slots

SHEET = read_tree(next(iter(RULESET.examples.values()))).sheet


@pytest.mark.rule("BD-14")
def test_each_attack_asks_for_the_dice_of_the_other_side_alone_and_promises_a_hit():
    offers = {offer.key: offer for offer in SHEET.roll_offers(RULESET.play()) if offer.cls.slug == "battle"}
    assert [[*target_slots([offers[key]])] for key in ("attack", "defence", "any")] == [
        ["defence_dice", "flink"], ["attack_dice"], []]
    assert {key: slot.default for key, slot in target_slots(offers.values()).items()} == {
        "defence_dice": 1, "flink": 0, "attack_dice": 1}, "the standard of either side"
    roll = RULESET.rolls["battle"](attack_dice=1, defence_dice=1)
    assert (roll.gist(roll.odds()), roll.extreme(Outcome(1))) == ("42% hit, avg. 0.4", "")


@pytest.mark.rule("BD-16")
@pytest.mark.rule("BD-27")
def test_a_press_at_life_and_time_mana_is_what_a_card_does():
    play = RULESET.play()
    assert {one.key: (one.less, one.more) for one in play.gauges(SHEET)} == {"life": (None, None), "mana": (None, None)}
    play = play.evolve(phase="summon", mana=2, life=9)
    gauges = {one.key: one for one in play.gauges(SHEET)}

    def pressed(nudge):
        return nudge.offer.take(**nudge.answers).apply(SHEET, play)

    assert [pressed(one).life for one in (gauges["life"].less, gauges["life"].more)] == [8, 10]
    assert [pressed(one).mana for one in (gauges["mana"].less, gauges["mana"].more)] == [1, 3]
