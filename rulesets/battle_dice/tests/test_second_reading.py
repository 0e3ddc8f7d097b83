"""Details of the rules: effects in the opponent's turn, custom cards, acts by cards."""

from itertools import product

import pytest
from pydantic import ValidationError

from rulesets.battle_dice import RULESET, battles, rolls
from rulesets.battle_dice.examples import WEEB
from rulesets.battle_dice.play.state import Avatar
from rulesets.battle_dice.tests.table import BOOST, CORONA, FAN, PINA, SNOW, Side
from rulesets.kit import Refused, patched, redacted


def own(**changes):
    """The deck with an own card, changed."""
    return patched(RULESET.examples["own-card"], {f"data.cards.3.{key}": value for key, value in changes.items()})


@pytest.mark.rule("BD-24")
def test_steel_guardian_takes_1_off_an_effect_as_well():
    side = Side("quick", PINA, CORONA, phase="end", mana=2).do("strike avatars.0.guardian", target=1, points=2)
    assert [one.damage for one in side.play.avatars] == [1, 1]
    assert (side.play.mana, side.play.suffered, side.log) == (1, 2, ["1 damage"])
    side.do("damage avatars.0.guardian", points=3)
    assert (side.play.life, side.play.mana, side.names()) == (13, 0, [CORONA])  # what it took upon itself killed it
    assert "strike avatars.0.guardian" not in side.offers()


@pytest.mark.rule("BD-24", "BD-25")
@pytest.mark.parametrize(("avatar", "mana"), [(Avatar(card=CORONA), 9), (Avatar(card=PINA), 0),
                                             (Avatar(card=PINA, frosted=True), 2), (Avatar(card=PINA, damage=2), 9)])
def test_who_cannot_guard_is_not_asked_to(avatar, mana):
    side = Side("quick", avatar, phase="enemy", mana=mana)
    assert "damage avatars.0.guardian" not in side.offers()
    with pytest.raises(Refused, match="cannot be used now"):
        side.take(RULESET.acts["damage"](points=1, effect=True, guardian=0))


@pytest.mark.rule("BD-22")
def test_heal_is_not_sold_once_heilung_was_rolled():
    side = Side("quick", Avatar(card=CORONA, damage=1), phase="heal", mana=4).do("use-active Heal")
    assert "use-active Heal" not in side.do("roll-heilung", 2).offers()
    with pytest.raises(Refused, match="cannot be used now"):
        side.take(RULESET.acts["use-active"](effect="Heal", paid=2))


@pytest.mark.rule("BD-14")
@pytest.mark.rule("BD-27")
@pytest.mark.parametrize("phase", ["enemy", "block", "heal", "end"])
def test_an_effect_hurts_the_mage_in_the_enemys_turn_without_ending_it(phase):
    side = Side("quick", CORONA, phase=phase, coming=3 * (phase == "block")).do("damage effect", points=2)
    assert (side.play.life, side.play.phase, side.play.suffered) == (13, phase, 2)


@pytest.mark.rule("BD-25")
def test_a_frost_token_on_an_enemy_avatar_that_is_gone_is_taken_down():
    side = Side("quick", SNOW, phase="enemy", frost=2)
    assert side.play.defence_dice(side.sheet) == 1 + 2 + 2
    assert side.do("melt").play.frost == 1
    assert "melt" not in side.do("melt").offers()


@pytest.mark.rule("BD-14")
def test_forty_dice_a_side_are_rolled_and_more_are_said_beforehand():
    side = Side("quick", phase="enemy", guard=20).do("defend", *[6] * 30, *[1] * 21, attack_dice=30)
    assert side.play.coming == 30
    swift = Side("quick", phase="enemy", guard=20, nimble=1)
    assert swift.do("defend", *[6] * 30, *[5], *[1] * 20, attack_dice=30).play.coming == 29
    beyond = Side("quick", phase="enemy", guard=20, nimble=11)
    assert ("defend" in beyond.offers(), "damage" in beyond.offers()) == (False, True)
    assert any("roll at the table" in str(one.message) for one in beyond.play.notices(beyond.sheet))
    with pytest.raises(Refused, match="Up to 40 dice"):
        Side(phase="battle").do("attack", defence_dice=21, change=40)


@pytest.mark.rule("BD-15")
@pytest.mark.parametrize(("attack", "defence"), [(0, 40), (1, 40), (2, 3), (2, 2), (40, 1), (40, 2)])
def test_flink_beyond_ten_is_answered_where_no_more_of_it_can_help(attack, defence):
    # 5 points make a 6 of any die, so with 5 for each that is met only those without a die do damage.
    for points in (5 * min(attack, defence), 11, 999):
        odds = rolls.Battle(attack_dice=attack, defence_dice=defence, flink=points).odds()
        assert odds.chances == {max(0, attack - defence): 1}
    lowest = (6,) * attack, (1,) * defence
    assert battles.damage(lowest[0], battles.raise_defence(*lowest, 999)) == max(0, attack - defence)


@pytest.mark.rule("BD-15")
@pytest.mark.parametrize(("attack", "defence"), [(3, 3), (40, 3), (3, 40)])
def test_flink_beyond_ten_is_refused_where_more_of_it_could_help(attack, defence):
    with pytest.raises(ValidationError, match="or more where a side has one or two dice"):
        rolls.Battle(attack_dice=attack, defence_dice=defence, flink=11)


@pytest.mark.rule("BD-14", "BD-15")
def test_a_game_goes_on_with_more_flink_than_ten_on_two_dice():
    side, three = (Side("quick", phase="enemy", guard=guard, nimble=12) for guard in (1, 2))
    assert side.play.defence_dice(side.sheet) == 2
    assert not [one for one in side.play.notices(side.sheet) if "roll at the table" in str(one.message)]
    widget = next(one for one in side.sheet.roll_offers(side.play) if one.key == "defence")
    assert widget.take(attack_dice=3).odds().chances == {1: 1}
    assert side.do("defend", 6, 6, 6, 1, 1, attack_dice=3).play.coming == 1
    assert "defend" not in three.offers()
    assert "defence" not in [one.key for one in three.sheet.roll_offers(three.play)]
    assert Side("quick", phase="battle").do("attack", 6, 1, 1, defence_dice=2, flink=30).play.inflicted == 0


@pytest.mark.rule("BD-15", "BD-26")
def test_flink_is_bought_once_the_dice_have_fallen():
    act = "use-active avatars.0.Allein-im-Norden"
    side, typed, begun = (Side("cake", FAN, phase="enemy", mana=3) for _number in range(3))
    side.do("defend", 6, 5, 5, 4, attack_dice=2, change=1)
    for coming, mana, phase in ((2, 3, "block"), (1, 2, "block"), (0, 1, "end")):
        assert (side.play.coming, side.play.mana, side.play.phase) == (coming, mana, phase)
        if coming:
            side.do(act, paid=1)
    assert act not in typed.do("damage", points=2).offers()
    assert act not in begun.do("defend", 6, 5, 1, attack_dice=2).do("aimed-at-mage", points=1).offers()


@pytest.mark.rule("BD-15")
def test_flink_after_the_dice_does_what_flink_before_them_does():
    for attack, defence, points in product([(6, 3), (5, 5), (6, 2)], [(5, 2), (4, 4)], (1, 2, 3)):
        late = Side("cake", FAN, phase="enemy", mana=3).do("defend", *attack, *defence, attack_dice=2, change=1)
        if late.play.phase == "block":
            late.do("use-active avatars.0.Allein-im-Norden", paid=points)
        assert late.play.coming == battles.damage(attack, battles.raise_defence(attack, defence, points))


@pytest.mark.rule("BD-17", "BD-22")
def test_magic_missile_is_bought_once_damage_was_rolled_and_not_without_any():
    side, missed, over = (Side("quick", phase="battle", mana=2) for _number in range(3))
    side.do("attack", 6, 1, defence_dice=1).do("use-active Magic-Missile")
    assert (side.play.mana, side.play.zielsuchend(side.sheet), side.play.phase) == (0, 1, "enemy")
    assert "up to 1 damage may be aimed" in side.log[-1]
    assert "use-active Magic-Missile" not in missed.do("attack", 1, 6, defence_dice=1).offers()
    assert "use-active Magic-Missile" not in over.do("attack", 6, 1, defence_dice=1).do("damage", points=0).offers()


@pytest.mark.rule("BD-04", "BD-20")
@pytest.mark.parametrize(("cost", "paid", "life"), [("X", {"paid": 4}, 4), (4, {}, 0)])  # a warning has said the latter
def test_x_on_an_own_card_is_what_was_paid_for_it(cost, paid, life):
    words = [{"keyword": "lebenskraft", "value": "X"}, {"keyword": "angriff", "value": "X"}]
    side = Side(own(cost=cost, keywords=words), phase="summon", mana=5, hand=[WEEB["name"]]).do("summon hand.0", **paid)
    assert side.play.life_left(side.sheet, side.play.avatars[0]) == life
    assert side.play.attack_dice(side.sheet) == 1 + life


@pytest.mark.rule("BD-20")
@pytest.mark.parametrize(("cost", "value", "warned"), [(1, 0, True), (1, "X", True), ("X", "X", False), (1, 1, False)])
def test_an_own_card_without_life_is_warned_of(cost, value, warned):
    side = Side(own(cost=cost, keywords=[{"keyword": "lebenskraft", "value": value}]))
    assert [one.path for one in RULESET.check(side.sheet).findings if "dies as soon as" in str(one.message)] == [
        "cards.3.keywords.0.value"] * warned


@pytest.mark.rule("BD-21")
def test_an_own_reaction_is_paid_and_used_as_often_as_one_likes():
    react = {"kind": "reaction", "name": "Nein", "text": "Nein."}
    side, some = (Side(own(effects=[react | {"cost": cost}]), phase="enemy", mana=5, hand=[WEEB["name"]])
                  for cost in (2, "X"))
    side.do("react hand.0.Nein").do("react hand.0.Nein")
    assert (side.play.mana, "react hand.0.Nein" in side.offers()) == (1, False)
    with pytest.raises(Refused, match="costs 2 time mana; you have 1"):
        side.take(RULESET.acts["react"](card=WEEB["name"], effect="Nein", paid=2))
    assert some.do("react hand.0.Nein", paid=3).play.mana == 2


@pytest.mark.rule("BD-27")
@pytest.mark.parametrize(("phase", "act", "faces", "given", "figure", "points"), [
    ("battle", "attack", (6, 5, 4, 1), {"defence_dice": 1, "change": 2}, "inflicted", 3),
    ("battle", "attack", (1,), {"defence_dice": 1, "change": -9}, "inflicted", 0),
    ("enemy", "defend", (6, 6, 5, 5, 5), {"attack_dice": 2, "change": 2}, "coming", 2),
])
def test_dice_that_a_card_gives_or_takes_are_rolled_and_never_fall_below_none(phase, act, faces, given, figure, points):
    assert getattr(Side("quick", phase=phase).do(act, *faces, **given).play, figure) == points


@pytest.mark.rule("BD-18", "BD-27")
def test_a_card_heals_no_further_than_the_first_life():
    side = Side("quick", Avatar(card=CORONA, damage=1), phase="summon", life=14)
    side.do("cure", points=5).do("cure avatars.0", points=5)
    assert (side.play.life, side.play.avatars[0].damage, side.log) == (15, 0, ["Life 15", "Life 2"])
    assert not [key for key in side.offers() if key.startswith("cure")]


@pytest.mark.rule("BD-20")
@pytest.mark.rule("BD-27")
def test_a_card_sacrifices_which_pays_and_destroys_which_does_not():
    side = Side("quick", BOOST, CORONA, CORONA, phase="summon").do("sacrifice avatars.0")
    assert (side.play.mana, side.play.discard) == (3, [])
    side.do("destroy avatars.0")
    assert (side.play.mana, side.play.discard) == (3, [CORONA])
    assert side.do("sacrifice avatars.0").play.mana == 4


@pytest.mark.rule("BD-11", "BD-27")
def test_a_card_draws_beyond_two_in_hand():
    side = Side("quick", phase="summon", hand=[PINA, PINA], deck=[CORONA, SNOW]).do("draw-by-card", 2, 1, cards=2)
    assert (side.play.hand, side.play.deck) == ([PINA, PINA, SNOW, CORONA], [])
    assert "draw-by-card" not in side.offers()
    assert RULESET.acts["draw-by-card"](cards=2).tell_others(side.sheet, redacted(side.play)) == "4 cards in hand"


@pytest.mark.rule("BD-11")
def test_with_real_cards_one_says_which_was_drawn():
    side = Side("quick", phase="summon", hand=[PINA], deck=[CORONA, SNOW]).do("hold", card=PINA, real=SNOW)
    assert (side.play.hand, side.play.deck) == ([SNOW], [CORONA, PINA])
    act = RULESET.acts["hold"](card=SNOW, real=FAN)
    with pytest.raises(Refused, match="not in your deck"):
        side.take(act)
    assert act.hides()
    assert (redacted(act).card, redacted(act).real) == ("", "")
