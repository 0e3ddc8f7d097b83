"""Life, and what falls at 0 (CD-45 to CD-48): expected figures by hand from the source."""

import pytest

from rulesets.condice.play import (
    ConDicePlay,
    Damage,
    Heal,
    HealYourself,
    PickLoss,
    RollAttribute,
    RollLoss,
)
from rulesets.condice.tests.heroes import AT_NIL, BOW, EXPLOSION, FIST, FULL, HEALING, MINDCONTROL, after, hero, offers
from rulesets.kit import Refused, title_at


@pytest.mark.rule("CD-45")
@pytest.mark.parametrize(("before", "act", "left", "told"), [
    *((10, Damage(against="nothing", points=points), left, f"{points} damage taken, life {left}")
      for points, left in ((0, 10), (4, 6), (9, 1), (10, 0), (11, 0), (999, 0))),
    *((3, Heal(points=points), left, f"{points} regained, life {left}")
      for points, left in ((0, 3), (4, 7), (7, 10), (8, 10), (999, 10))),
])
def test_damage_lowers_life_and_never_below_nil_and_healing_stops_at_the_maximum(before, act, left, told):
    play = after(hero(), ConDicePlay(life=before), act)
    assert (play.life_left(hero()), act.tell(hero(), play)) == (left, told)


@pytest.mark.rule("CD-24", "CD-45")
def test_healing_is_offered_only_while_life_is_missing_and_own_healing_with_the_ability():
    for act in (Heal, HealYourself):
        assert [bool(offers(act, hero(), play)) for play in (FULL, ConDicePlay(life=9))] == [False, True]
    assert not offers(HealYourself, hero(abilities=[]), ConDicePlay(life=2))


@pytest.mark.rule("CD-45")
def test_the_most_life_that_a_sheet_can_carry_can_be_hurt_and_kept():
    play = after(hero(life=999), FULL, Damage(against="nothing", points=1))
    assert play.life_left(hero(life=999)) == 1997
    assert ConDicePlay.model_validate(play.model_dump()) == play


@pytest.mark.rule("CD-48")
@pytest.mark.parametrize(("life", "face", "left"), [(2, 5, 7), (7, 6, 10)])
def test_own_healing_gives_back_the_result_of_one_die(life, face, left):
    play = after(hero(), ConDicePlay(life=life), HealYourself(), faces=[face])
    assert (play.life_left(hero()), HealYourself().tell(hero(), play)) == (left, f"Regained by the die, now {left}")


@pytest.mark.rule("CD-46")
@pytest.mark.parametrize(("life", "points", "due"), [(10, 9, 0), (10, 10, 1), (10, 25, 1), (0, 1, 1), (0, 0, 0)])
def test_a_loss_is_due_on_reaching_nil_and_on_being_hurt_there(life, points, due):
    assert after(hero(), ConDicePlay(life=life), Damage(against="nothing", points=points)).losses_due == due


@pytest.mark.rule("CD-46")
def test_a_second_hit_at_nil_makes_a_second_loss_due_and_each_is_rolled_for_itself():
    play = after(hero(), FULL, Damage(against="nothing", points=10), Damage(against="nothing", points=2))
    assert [str(one.message) for one in play.notices(hero())] == [
        "The GM still has to roll 2 attribute losses.",
        "At 0 life you get an action or a movement each turn, not both.",
    ]
    play = after(hero(), play, RollAttribute(), RollLoss(), RollAttribute(), RollLoss(), faces=[1, 2, 3, 1])
    now = play.effective(hero())
    assert (play.losses_due, now.movement, now.defence, offers(RollAttribute, hero(), play)) == (0, 1, 1, [])


@pytest.mark.rule("CD-47")
def test_healed_above_nil_a_turn_is_whole_again():
    assert [one.rule for one in ConDicePlay(life=0).notices(hero())] == ["CD-47"]
    assert not list(after(hero(), ConDicePlay(life=0), Heal(points=1)).notices(hero()))


@pytest.mark.rule("CD-46")
def test_the_procedure_offers_one_step_after_the_other():
    play = AT_NIL
    for step, faces in ((RollAttribute(), [2]), (RollLoss(), [3]), (PickLoss(target="attacks.1"), [])):
        assert [one for one in (RollAttribute, RollLoss, PickLoss) if offers(one, hero(), play)] == [type(step)]
        play = after(hero(), play, step, faces=faces)
    for rest in (FULL, play):
        assert not [one for one in (RollAttribute, RollLoss, PickLoss) if offers(one, hero(), rest)]


@pytest.mark.rule("CD-46")
@pytest.mark.parametrize(("face", "what", "target", "changed"), [
    (1, "Movement", "movement", {"movement": 1}), (3, "Defence", "defence", {"defence": 0}),
    (4, "Life", "life", {"life": 3}), (5, "Mental resistance", "mental_resistance", {"mental_resistance": 0}),
])
def test_a_value_loses_the_points_of_the_second_die_at_once(face, what, target, changed):
    known = after(hero(), AT_NIL, RollAttribute(), faces=[face])
    assert str(RollAttribute().roll(hero(), AT_NIL).label(known.loss_attribute)) == what
    play = after(hero(), known, RollLoss(), faces=[2])
    assert RollLoss().tell(hero(), play) == "They are lost until the end of the adventure"
    assert ([(loss.target, loss.points) for loss in play.losses], play.effective(hero())) == (
        [(target, 2)], hero(**changed))
    assert (play.losses_due, play.loss_attribute, play.loss_points) == (0, None, None)


@pytest.mark.rule("CD-46")
@pytest.mark.parametrize(("face", "what", "labels", "changed"), [
    (2, "One attack", {"attacks.0": "Langbogen", "attacks.1": "Faustschlag"}, {"attacks": [BOW | {"dice": 2}, FIST]}),
    (6, "One special ability",
     {"abilities.0": "Mind control", "abilities.1": "Healing", "abilities.2": "Explosion"},
     {"abilities": [MINDCONTROL | {"dice": 1}, HEALING, EXPLOSION]}),
])
def test_among_several_attacks_or_abilities_the_gm_picks(face, what, labels, changed):
    known = after(hero(), AT_NIL, RollAttribute(), faces=[face])
    assert str(RollAttribute().roll(hero(), AT_NIL).label(known.loss_attribute)) == what
    counted = after(hero(), known, RollLoss(), faces=[2])
    assert (RollLoss().tell(hero(), counted), counted.losses) == ("The GM picks what loses the points", [])
    picks = offers(PickLoss, hero(), counted)
    assert [(offer.key, offer.title) for offer in picks] == [
        (key, f"{label} loses 2 points") for key, label in labels.items()]
    play = after(hero(), counted, picks[0].take())
    assert (play.effective(hero()), play.losses_due) == (hero(**changed), 0)


@pytest.mark.rule("CD-46")
@pytest.mark.parametrize(("face", "changes", "left"), [
    (2, {"attacks": [BOW]}, {"attacks": [BOW | {"dice": 1}]}), (2, {"attacks": []}, {"attacks": []}),
    (6, {"abilities": [MINDCONTROL]}, {"abilities": [MINDCONTROL | {"dice": 1, "range": 0}]}),
    (6, {"abilities": []}, {"abilities": []}),
])
def test_an_only_attack_or_ability_loses_at_once_and_none_loses_nothing(face, changes, left):
    play = after(hero(**changes), AT_NIL, RollAttribute(), RollLoss(), faces=[face, 3])
    assert (play.effective(hero(**changes)), play.losses_due) == (hero(**left), 0)
    assert not offers(PickLoss, hero(**changes), play)


@pytest.mark.rule("CD-46")
def test_a_pick_of_what_the_sheet_lost_meanwhile_is_rolled_out_to_nothing():
    counted = after(hero(), AT_NIL, RollAttribute(), RollLoss(), faces=[6, 4])
    revised = hero(abilities=[])
    assert not offers(PickLoss, revised, counted)
    assert offers(RollLoss, revised, counted)
    assert after(revised, counted, RollLoss(), faces=[4]) == ConDicePlay(life=0)


@pytest.mark.rule("CD-46")
@pytest.mark.parametrize(
    ("act", "play"),
    [
        (RollAttribute(), FULL),
        (RollAttribute(), ConDicePlay(losses_due=1, loss_attribute="life")),
        (RollLoss(), AT_NIL),
        (RollLoss(), ConDicePlay(losses_due=1, loss_attribute="attack", loss_points=3)),
        (PickLoss(target="attacks.0"), FULL),
        (PickLoss(target="attacks.0"), ConDicePlay(losses_due=1, loss_attribute="attack")),
        (PickLoss(target="attacks.2"), ConDicePlay(losses_due=1, loss_attribute="attack", loss_points=3)),
        (PickLoss(target="abilities.0"), ConDicePlay(losses_due=1, loss_attribute="attack", loss_points=3)),
    ],
)
def test_a_step_of_the_procedure_out_of_turn_is_refused(act, play):
    with pytest.raises(Refused):
        after(hero(), play, act, faces=[3] if act.roll(hero(), play) else [])


@pytest.mark.rule("CD-03")
@pytest.mark.rule("CD-43")
@pytest.mark.rule("CD-35")
@pytest.mark.parametrize(("against", "left", "told"), [
    ("defence", 7, "3 of 5 got through, life 7"),
    ("mental_resistance", 6, "4 of 5 got through, life 6"),
    ("nothing", 5, "5 damage taken, life 5"),
])
def test_the_sheet_subtracts_what_it_has_against_the_damage_that_arrives(against, left, told):
    sheet, act = hero(mental_resistance=1), Damage(points=5, against=against)
    play = after(sheet, FULL, act)
    assert (play.life_left(sheet), act.tell(sheet, play)) == (left, told)


@pytest.mark.rule("CD-50")
def test_a_boosted_defence_counts_and_is_said_beforehand():
    play = ConDicePlay(effects=[{"name": "Schild", "defence": 2}])
    assert [str(offer.note) for offer in offers(Damage, hero(), play)] == ["Defence 4, mental resistance 2"]
    assert [Damage(points=points).apply(hero(), play).life_left(hero()) for points in (5, 3)] == [9, 10]


@pytest.mark.rule("CD-46")
def test_what_lost_points_is_called_by_its_name():
    places = ("movement", "attacks.0", "abilities.1", "attacks.7", "weapons.0")
    assert [title_at(hero(), place) for place in places] == [
        "Movement", "Langbogen", "Healing", "attacks.7", "weapons.0"]
