"""What a fight brings beside wounds: explosions, transfers, repeats, holds and items (CD-29 to CD-31, CD-49 to 54)."""

import pytest
from django.utils import translation

from rulesets.condice.play import (
    AddItem,
    ConDicePlay,
    EndRound,
    EndTurn,
    Explode,
    GiveLife,
    HoldTarget,
    LetGo,
    NewFight,
    RepeatRoll,
    TakeLife,
    TargetBreaksFree,
    UseItem,
)
from rulesets.condice.tests import heroes
from rulesets.condice.tests.heroes import BOW, FULL, after, offers
from rulesets.dice import LoadedTray, thrown
from rulesets.kit import ROWS, Refused


def hero(*abilities):
    """Ten life points, and the abilities in question."""
    return heroes.hero(attacks=[BOW], abilities=list(abilities))


BOMBER = hero({"ability": "explosion"})


@pytest.mark.rule("CD-31", "CD-53")
@pytest.mark.parametrize(("life", "dice", "left"), [(10, 1, 9), (10, 9, 1), (2, 1, 1)])
def test_an_explosion_rolls_its_dice_against_a_neighbour_costs_as_much_life_and_keeps_one(life, dice, left):
    act, before = Explode(dice=dice, defence=1), ConDicePlay(life=life)
    play = after(BOMBER, before, act, faces=[6] * dice)
    assert (play.life_left(BOMBER), play.losses_due, act.tell(BOMBER, play)) == (left, 0, f"{dice} paid, life {left}")
    assert thrown(act.roll(BOMBER, before).throw, LoadedTray(*[6] * dice))[0].value == 2 * dice - 1


@pytest.mark.rule("CD-31")
@pytest.mark.parametrize(("life", "dice", "reason"), [
    (10, 0, "You chose 0 dice; with 10 life you can choose 1 to 9"), (10, 10, "You chose 10 dice"),
    (2, 2, "you can choose 1 to 1"), (1, 1, "Life is 1"), (0, 1, "Life is 0"),
])
@pytest.mark.parametrize("step", ["roll", "apply"])
def test_an_explosion_that_leaves_no_life_is_refused_before_any_dice_fall(step, life, dice, reason):
    with pytest.raises(Refused, match=reason):
        getattr(Explode(dice=dice), step)(BOMBER, ConDicePlay(life=life))


@pytest.mark.rule("CD-31")
def test_an_explosion_is_offered_with_the_ability_and_two_life_points():
    (offer,) = offers(Explode, BOMBER, FULL)
    assert (offer.note, list(offer.asks)) == ("At most 9 dice", ["dice", "defence"])
    assert [bool(offers(Explode, BOMBER, ConDicePlay(life=life))) for life in (0, 1, 2)] == [False, False, True]
    assert not offers(Explode, hero(), FULL)


TRANSFER = hero({"ability": "leben-transferieren", "life_points": 3})


@pytest.mark.rule("CD-29")
@pytest.mark.parametrize(("act", "life", "points", "left", "due"), [
    (GiveLife, 10, 3, 7, 0), (GiveLife, 3, 3, 0, 1), (GiveLife, 5, 0, 5, 0),
    (TakeLife, 5, 3, 8, 0), (TakeLife, 9, 3, 10, 0), (TakeLife, 0, 1, 1, 0),
])
def test_life_is_given_and_taken_up_to_what_was_bought(act, life, points, left, due):
    (offer,) = offers(act, TRANSFER, ConDicePlay(life=life))
    asked = ["points"] if act is GiveLife else ["there", "points"]
    assert ([*offer.asks], offer.note) == (asked, "3 life points")
    done = after(TRANSFER, ConDicePlay(life=life), offer.take(points=points))
    assert (done.life_left(TRANSFER), done.losses_due, offer.take(points=points).tell(TRANSFER, done)) == (
        left, due, f"{points} moved, life {left}")


@pytest.mark.rule("CD-29")
@pytest.mark.parametrize(("act", "life", "points", "most"), [
    (GiveLife, 10, 4, 3), (GiveLife, 2, 3, 2), (TakeLife, 5, 4, 3)])
def test_more_life_than_was_bought_or_is_there_is_refused(act, life, points, most):
    with pytest.raises(Refused, match=f"{points} life points are too many; you can move at most {most}"):
        after(TRANSFER, ConDicePlay(life=life), act(points=points, most=3))


@pytest.mark.rule("CD-29")
@pytest.mark.parametrize("play", [FULL, ConDicePlay(life=10)])
def test_whoever_has_full_life_takes_none(play):
    with pytest.raises(Refused, match="You have all your life points, so you would gain nothing"):
        after(TRANSFER, play, TakeLife(points=1, most=3, source=""))


@pytest.mark.rule("CD-29")
def test_nothing_is_given_at_nil_and_nothing_moved_without_the_ability():
    assert not offers(GiveLife, TRANSFER, ConDicePlay(life=0))
    assert not offers(GiveLife, hero(), FULL) + offers(TakeLife, hero(), ConDicePlay(life=1))


REPEATER = hero({"ability": "wurf-wiederholen"})


@pytest.mark.rule("CD-30", "CD-49")
def test_a_roll_is_repeated_once_a_fight_and_again_in_the_next():
    assert RepeatRoll.repeats
    play = after(REPEATER, FULL, RepeatRoll())
    assert str(RepeatRoll().tell(REPEATER, play)) == "Reroll the last roll"
    with pytest.raises(Refused, match="used up"):
        after(REPEATER, play, RepeatRoll())
    assert offers(NewFight, REPEATER, play)
    fresh = after(REPEATER, play, NewFight())
    assert [len(offers(RepeatRoll, REPEATER, now)) for now in (FULL, play, fresh)] == [1, 0, 1]
    assert not offers(RepeatRoll, hero(), FULL)


@pytest.mark.rule("CD-30", "CD-49")
def test_each_repeat_that_was_bought_is_there_once_a_fight_and_one_of_them_in_a_turn():
    twice = hero({"ability": "wurf-wiederholen"}, {"ability": "wurf-wiederholen"})
    play = after(twice, FULL, RepeatRoll())
    assert not offers(RepeatRoll, twice, play)
    with pytest.raises(Refused, match="next turn"):
        after(twice, play, RepeatRoll())
    for end in offers(EndTurn, twice, play):
        play = after(twice, play, end.take())
    play = after(twice, play, *(offer.take() for offer in offers(RepeatRoll, twice, play)), EndTurn())
    with pytest.raises(Refused, match="used up"):
        after(twice, play, RepeatRoll())
    assert after(twice, play, NewFight()) == FULL


@pytest.mark.rule("CD-49")
def test_what_was_stored_before_repeats_were_counted_still_says_that_one_is_used_up():
    play = after(REPEATER, ConDicePlay.model_validate({"repeated": True, "moved": True}), EndTurn())
    assert (play.rerolls_used, offers(RepeatRoll, REPEATER, play)) == (1, [])


CHARMER = hero({"ability": "mindcontrol", "dice": 3})
TAUNTER = hero({"ability": "aggro-ziehen", "dice": 2, "extra_targets": 1})
HOLD = {"ability": "mindcontrol", "target": "Ork", "dice": 3}


@pytest.mark.rule("CD-54", "CD-22")
def test_mind_control_holds_one_opponent_at_a_time_in_whatever_language():
    (offer,) = offers(HoldTarget, CHARMER, FULL)
    assert (offer.title, list(offer.asks)) == ("Mind control took hold", ["target"])
    act = offer.take(target="Ork")
    with translation.override("de"):
        play = after(CHARMER, FULL, act)
    held = [hold.model_dump(exclude_defaults=True) for hold in play.holds]
    assert (held, act.tell(CHARMER, play)) == ([HOLD], "Ork is held")
    assert not offers(HoldTarget, CHARMER, play) + offers(HoldTarget, hero(), FULL)
    for sheet, now, most in ((CHARMER, play, 1), (hero(), FULL, 0)):
        with pytest.raises(Refused, match=f"Mind control can hold {most} at a time"):
            after(sheet, now, HoldTarget(ability="mindcontrol", dice=3, target="Troll"))


@pytest.mark.rule("CD-22", "CD-54")
def test_two_mind_controls_hold_one_opponent_between_them_and_aggro_another():
    both = hero({"ability": "mindcontrol", "dice": 3}, {"ability": "mindcontrol", "dice": 5},
                {"ability": "aggro-ziehen", "dice": 2})
    first, second, _aggro = offers(HoldTarget, both, FULL)
    assert (first.filled["dice"], second.filled["dice"]) == (3, 5)
    play = after(both, FULL, second.take(target="Ork"))
    assert [offer.filled["ability"] for offer in offers(HoldTarget, both, play)] == ["aggro-ziehen"]


@pytest.mark.rule("CD-54")
@pytest.mark.rule("CD-23")
def test_aggro_holds_one_and_each_extra_target():
    (offer,) = offers(HoldTarget, TAUNTER, FULL)
    play = after(TAUNTER, FULL, offer.take(target="Ork"), offer.take(target="Troll"))
    assert [hold.target for hold in play.holds] == ["Ork", "Troll"]
    assert not offers(HoldTarget, TAUNTER, play)
    with pytest.raises(Refused, match="Draw aggro can hold 2 at a time"):
        after(TAUNTER, play, offer.take(target="Wolf"))


@pytest.mark.rule("CD-54")
@pytest.mark.parametrize(("faces", "free"), [
    ([4, 4, 1, 4, 1], False),  # 2 successes against 1
    ([4, 1, 1, 5, 2], True),  # a tie defends
    ([4, 1, 1, 6, 1], True), ([1, 2, 3, 1, 2], True), ([6, 6, 6, 6, 6], False),
])
def test_a_try_to_break_free_rolls_both_sides_anew_and_a_tie_is_free(faces, free):
    play = ConDicePlay(holds=[HOLD, HOLD | {"target": "Troll"}])
    offer = offers(TargetBreaksFree, CHARMER, play)[0]
    assert (offer.title, list(offer.asks)) == ("Ork tries to break free", ["resistance", "gives"])
    left = after(CHARMER, play, offer.take(resistance=2), faces=faces)
    assert [hold.target for hold in left.holds] == ["Ork"] * (not free) + ["Troll"]
    assert offer.take(resistance=2).tell(CHARMER, left) == "Their action was given up for it"
    # One try a round for each.
    again = ["Ork tries to break free"] * (not free) + ["Troll tries to break free"]
    assert [str(one.title) for one in offers(TargetBreaksFree, CHARMER, left)] == again[1 - free:]
    assert [str(one.title) for one in offers(TargetBreaksFree, CHARMER, after(CHARMER, left, EndRound()))] == again


@pytest.mark.rule("CD-54")
def test_a_held_one_can_be_let_go_and_a_new_fight_holds_nobody():
    play = ConDicePlay(holds=[HOLD, HOLD | {"target": "Troll"}])
    offer = offers(LetGo, CHARMER, play)[1]
    left = after(CHARMER, play, offer.take())
    assert (offer.title, [hold.target for hold in left.holds]) == ("Let Troll go", ["Ork"])
    assert str(offer.take().tell(CHARMER, left)) == "Let go"
    assert after(CHARMER, play, *(offer.take() for offer in offers(NewFight, CHARMER, play))) == FULL
    assert not offers(NewFight, CHARMER, FULL)


@pytest.mark.rule("CD-51")
def test_an_item_is_gained_and_ticked_off_once_used():
    act = AddItem(name="Trank", effect="Heilt 3")
    play = after(hero(), FULL, act, AddItem(name="Seil"))
    assert act.tell(hero(), play) == "Trank (Heilt 3)"
    first, second = offers(UseItem, hero(), play)
    assert (first.title, second.title, list(first.asks)) == ("Use up Trank", "Use up Seil", [])
    used = after(hero(), play, first.take())
    assert [item.model_dump() for item in used.items] == [
        {"name": "Trank", "effect": "Heilt 3", "used": True}, {"name": "Seil", "effect": "", "used": False}
    ]
    assert [offer.key for offer in offers(UseItem, hero(), used)] == ["items.1"]
    assert offers(UseItem, hero(), after(hero(), FULL, AddItem(name="", effect="Heilt 3")))[0].title == "Use up an item"
    with pytest.raises(Refused, match="Trank is already used up"):
        after(hero(), used, first.take())


@pytest.mark.rule("CD-51", "CD-54")
@pytest.mark.parametrize(("items", "act", "why"), [
    *((1, act, "no longer there")
      for act in (UseItem(index=1), LetGo(index=1), TargetBreaksFree(index=999, resistance=0))),
    (ROWS, AddItem(name="Seil"), "No more than 99 rows are allowed"),
])
def test_a_row_that_is_gone_and_one_that_a_list_cannot_keep_are_refused(items, act, why):
    with pytest.raises(Refused, match=why):
        after(CHARMER, ConDicePlay(holds=[HOLD], items=[{"name": "Trank"}] * items), act)
