"""What a loss at 0 life takes, and how long it lasts (CD-46): expected figures by hand from the source."""

import pytest

from rulesets.condice.house import ConDiceHouse
from rulesets.condice.play import (
    ConDicePlay,
    EndAdventure,
    Explode,
    Heal,
    HealYourself,
    NewFight,
    RollAttribute,
    RollLoss,
)
from rulesets.condice.tests.heroes import AT_NIL, EXPLOSION, FIST, FULL, HEALING, MINDCONTROL, after, hero, offers


def weakened(sheet, target, *points):
    """The sheet as it counts after losses of one target."""
    return ConDicePlay(losses=[{"target": target, "points": n} for n in points]).effective(sheet)


@pytest.mark.rule("CD-46")
@pytest.mark.parametrize(
    ("points", "dice", "reach"), [((1,), 3, 2), ((4,), 0, 2), ((5,), 0, 1), ((3, 3), 0, 0), ((9,), 0, 0)]
)
def test_an_attack_loses_dice_first_then_range_and_no_value_falls_below_nil(points, dice, reach):
    attack = weakened(hero(), "attacks.0", *points).attacks[0]
    assert (attack.dice, attack.range) == (dice, reach)
    assert weakened(hero(), "movement", *points).movement == max(0, 3 - sum(points))


GONE = None


@pytest.mark.rule("CD-46")
@pytest.mark.parametrize(
    ("ability", "points", "left"),
    [
        (MINDCONTROL, (1,), {"dice": 2, "range": 1}),
        (MINDCONTROL, (3,), {"dice": 1, "range": 0}),
        (MINDCONTROL, (4,), GONE),
        (HEALING, (1,), GONE),
        (HEALING | {"extra_characters": 2, "range": 1}, (2,), {"extra_characters": 0, "range": 1}),
        (HEALING | {"extra_characters": 2, "range": 1}, (3,), {"extra_characters": 0, "range": 0}),
        (HEALING | {"extra_characters": 2, "range": 1}, (4,), GONE),
        ({"ability": "fliegen"}, (1,), GONE),
        ({"ability": "groesse-aendern", "dice": 2}, (2,), {"dice": 0}),
        ({"ability": "teleportieren", "fields": 3}, (1,), {"fields": 2}),
        ({"ability": "teleportieren", "fields": 3}, (2,), {"fields": 2}),
        ({"ability": "teleportieren", "fields": 2}, (1, 1), {"fields": 1}),
        ({"ability": "teleportieren", "fields": 2}, (1, 1, 1), GONE),
        ({"ability": "leben-transferieren", "life_points": 3, "range": 2}, (1,), {"life_points": 2, "range": 2}),
        ({"ability": "leben-transferieren", "life_points": 3, "range": 999}, (1,), {"life_points": 2, "range": 999}),
        ({"ability": "flaechenangriff", "fields": 2, "damage": 2, "distance": 1}, (4,), {"fields": 1, "damage": 2}),
        ({"ability": "flaechenangriff", "fields": 2, "damage": 2, "distance": 1}, (8,), {"damage": 1, "distance": 1}),
        ({"ability": "flaechenangriff", "fields": 2, "damage": 2, "distance": 1}, (9,), {"damage": 1, "distance": 0}),
        ({"ability": "flaechenangriff", "fields": 1, "damage": 1}, (1,), GONE),
        ({"ability": "custom", "name": "Nebelwand", "cost": 5}, (3,), {"cost": 2}),
        ({"ability": "custom", "name": "Nebelwand", "cost": 5}, (5,), GONE),
    ],
)
def test_an_ability_loses_what_points_bought_and_is_gone_once_its_base_cannot_be_paid(ability, points, left):
    sheet = hero(abilities=[EXPLOSION, ability])
    kept = weakened(sheet, "abilities.1", *points).abilities
    assert kept[0] == sheet.abilities[0]
    if left is GONE:
        assert len(kept) == 1
    else:
        assert {key: getattr(kept[1], key) for key in left} == left


@pytest.mark.rule("CD-46")
@pytest.mark.parametrize("act", [HealYourself, Explode])
def test_an_ability_that_is_gone_can_no_longer_be_used(act):
    play = ConDicePlay(life=2, losses=[{"target": "abilities.1", "points": 1}, {"target": "abilities.2", "points": 4}])
    assert not offers(act, hero(), play)


@pytest.mark.rule("CD-46")
def test_losses_survive_healing_and_a_new_fight_and_end_with_the_adventure():
    play = after(hero(), AT_NIL, RollAttribute(), RollLoss(), Heal(points=99), NewFight(), faces=[1, 6])
    assert (play.life_left(hero()), play.effective(hero()).movement) == (10, 0)
    assert [len(offers(EndAdventure, hero(), now)) for now in (play, FULL)] == [1, 0]
    assert after(hero(), play, EndAdventure()).effective(hero()) == hero()


LOSE = (RollAttribute(), RollLoss())


@pytest.mark.rule("CD-46")
@pytest.mark.parametrize(("life", "play", "acts", "faces", "left", "due", "losses"), [
    (5, AT_NIL, (*LOSE, Heal(points=99)), [4, 2], (6, 6), 0, [("life", 2)]),
    # A loss of all life after healing is reaching nil once more.
    (3, AT_NIL, (Heal(points=4), *LOSE), [4, 6], (0, 0), 1, [("life", 6)]),
    (5, ConDicePlay(life=0, losses_due=2), LOSE * 2, [1, 1, 1, 1], (0, 10), 0, [("movement", 2)]),
])
def test_a_lost_point_of_life_is_two_of_the_maximum_and_losses_add_up_in_one_row(
        life, play, acts, faces, left, due, losses):
    play = after(hero(life=life), play, *acts, faces=faces)
    assert (play.life_left(hero(life=life)), play.max_life(hero(life=life)), play.losses_due) == (*left, due)
    assert [(loss.target, loss.points) for loss in play.losses] == losses


@pytest.mark.rule("CD-46")
@pytest.mark.parametrize(("face", "changes", "told"), [
    (2, {"attacks": []}, "The sheet has none; nothing is lost"),
    (6, {"abilities": []}, "The sheet has none; nothing is lost"),
    (2, {"attacks": [FIST]}, "They are lost until the end of the adventure"),
    (3, {"attacks": []}, "They are lost until the end of the adventure"),
    (6, {}, "The GM picks what loses the points"),
])
def test_the_log_says_whether_the_points_of_the_second_die_are_lost(face, changes, told):
    sheet = hero(**changes)
    known = after(sheet, AT_NIL, RollAttribute(), faces=[face])
    (offer,) = offers(RollLoss, sheet, known)
    assert not offer.asks
    play = after(sheet, known, offer.take(), faces=[3])
    assert offer.take().tell(sheet, play) == told
    assert bool(play.losses) == told.startswith("They")


@pytest.mark.rule("CD-46")
@pytest.mark.parametrize(("points", "dice"), [(1, [2]), (2, [2]), (3, [1]), (5, [])])
def test_points_of_an_ability_are_lost_at_the_prices_of_the_house(points, dice):
    sheet = hero(abilities=[{"ability": "mindcontrol", "dice": 3}]).under(
        ConDiceHouse(prices={"mindcontrol": {"dice": 2}}))
    assert [one.dice for one in weakened(sheet, "abilities.0", points).abilities] == dice
