"""State that comes from outside, and state after any sequence of acts: always readable, never an exception."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rulesets.condice import RULESET
from rulesets.dice import RealTray, thrown
from rulesets.document import Unreadable, canonical, read
from rulesets.kit import Refused

ABILITIES = [
    {"ability": "mindcontrol", "dice": 3, "range": 1},
    {"ability": "aggro-ziehen", "dice": 2, "extra_targets": 1},
    {"ability": "heilung", "extra_characters": 1},
    {"ability": "leben-transferieren", "life_points": 3, "range": 999},
    {"ability": "wurf-wiederholen"},
    {"ability": "explosion"},
    {"ability": "boost", "variant": "II"},
    {"ability": "boost", "variant": "III"},
    {"ability": "custom", "name": "Nebelwand", "cost": 4},
    {"ability": "flaechenangriff", "fields": 2, "damage": 999, "distance": 1},
]
DATA = {"attacks": [{"name": "Langbogen", "dice": 4, "range": 2}, {"name": "Faustschlag", "dice": 2}], "defence": 2,
        "life": 5, "mental_resistance": 2, "movement": 3, "abilities": []}


def with_play(play, data=DATA):
    return read(canonical(RULESET.document("Juan", data) | {"play": play}))


@pytest.mark.rule("CD-45")
@pytest.mark.rule("CD-46")
@pytest.mark.parametrize(
    ("play", "places"),
    [
        ([], ["play"]),
        ({"mana": 3}, ["play.mana"]),
        ({"life": -1}, ["play.life"]),
        ({"life": 1999}, ["play.life"]),
        ({"life": "4"}, ["play.life"]),
        ({"life": 4.5}, ["play.life"]),
        ({"life": True}, ["play.life"]),
        ({"losses_due": None}, ["play.losses_due"]),
        ({"losses_due": 1000}, ["play.losses_due"]),
        ({"losses_due": 1, "loss_attribute": "luck"}, ["play.loss_attribute"]),
        ({"loss_attribute": "life"}, ["play"]),
        ({"losses_due": 1, "loss_points": 3}, ["play"]),
        ({"losses": {}}, ["play.losses"]),
        ({"losses": [{"target": "life", "points": 1}] * 100}, ["play.losses"]),
        ({"losses": [{"target": "life"}]}, ["play.losses.0.points"]),
        ({"losses": [{"target": "life", "points": -1}]}, ["play.losses.0.points"]),
        ({"losses": [{"target": "life", "points": 1}, {"target": "luck", "points": 1}]}, ["play.losses.1.target"]),
        ({"effects": [{"attack": -1000}]}, ["play.effects.0.attack"]),
        ({"effects": [{"luck": 1}]}, ["play.effects.0.luck"]),
        ({"effects": [{"rounds": -1}]}, ["play.effects.0.rounds"]),
        ({"effects": [{"life_taken": -1}]}, ["play.effects.0.life_taken"]),
        ({"items": [{"name": "Trank", "used": 1}]}, ["play.items.0.used"]),
        ({"items": [{"name": "x" * 201}]}, ["play.items.0.name"]),
        ({"items": ["Trank"]}, ["play.items.0"]),
        ({"holds": [{"ability": "fliegen", "target": "Ork", "dice": 3}]}, ["play.holds.0.ability"]),
        ({"holds": [{"ability": "mindcontrol", "target": "Ork"}]}, ["play.holds.0.dice"]),
        ({"repeated": "yes"}, ["play.repeated"]),
        ({"life": -1, "losses": [{"target": "", "points": 1}], "luck": 1},
         ["play.life", "play.losses.0.target", "play.luck"]),
        # Only an attribute or a row of the sheet can have lost points.
        *(({"losses": [{"target": target, "points": 1}]}, ["play.losses.0.target"]) for target in (
            "", "attack", "attacks", "attacks.", "attacks.-1", "attacks.100", "attacks.01", "attacks.1.dice",
            "attacks.\u0663", "attacks.0\n", " attacks.0", "abilities.x", "ability", "points_spent", "__class__",
            "life.0")),
    ],
)
def test_play_that_makes_no_sense_is_unreadable_with_the_place_of_each_offence(play, places):
    with pytest.raises(Unreadable) as caught:
        with_play(play)
    assert [place for place, _message in caught.value.offences] == places
    assert all(message for _place, message in caught.value.offences)


@pytest.mark.rule("CD-45", "CD-46")
@pytest.mark.parametrize("target", ["attacks.2", "attacks.99", "abilities.0"])
def test_a_loss_of_what_the_sheet_does_not_have_and_life_beyond_the_maximum_change_nothing(target):
    document = with_play({"life": 1998, "losses": [{"target": target, "points": 6}]})
    assert document.play.effective(document.sheet) == document.sheet
    assert document.play.life_left(document.sheet) == 10


@pytest.mark.rule("CD-46")
def test_an_attribute_that_waits_for_a_pick_of_its_own_can_be_picked_and_told():
    document = with_play({"losses_due": 1, "loss_attribute": "defence", "loss_points": 2})
    (offer,) = RULESET.acts["pick-loss"].offered(document.sheet, document.play)
    play = offer.take().apply(document.sheet, document.play)
    assert play.effective(document.sheet).defence == 0
    assert (offer.title, str(offer.take().tell(document.sheet, play))) == (
        "Defence loses 2 points", "Pick what loses points")


figures = st.one_of(st.integers(0, 12), st.integers(0, 999))
attacks = st.fixed_dictionaries({"name": st.just("Hieb"), "dice": figures, "range": figures})
sheets = st.fixed_dictionaries({
    "attacks": st.lists(attacks, max_size=3),
    "defence": figures, "life": figures, "mental_resistance": figures, "movement": figures,
    "abilities": st.lists(st.sampled_from(ABILITIES), max_size=8),
}).map(RULESET.sheet.model_validate)
targets = st.sampled_from(["movement", "life", "attacks.0", "attacks.9", "abilities.0", "abilities.3", "abilities.98"])
changes = st.integers(-999, 999)
starts = st.one_of(st.just({}), st.fixed_dictionaries({}, optional={
    "life": st.integers(0, 1998), "losses_due": st.sampled_from([0, 1, 999]), "repeated": st.booleans(),
    "losses": st.lists(st.fixed_dictionaries({"target": targets, "points": figures}), max_size=4),
    "effects": st.lists(st.fixed_dictionaries({}, optional={
        "attack": changes, "life": changes, "movement": changes, "life_taken": st.integers(0, 1998),
        "rounds": st.sampled_from([None, 0, 1, 2])}), max_size=4),
})).map(RULESET.play.model_validate)


def answers(offer):
    """Answers to what an offer asks, sensible ones and ones at the edge."""
    kinds = {"text": lambda slot: st.sampled_from(["", "Ork", "{n} 100 %"]), "check": lambda slot: st.booleans(),
             "choice": lambda slot: st.sampled_from(slot.choices),
             "choices": lambda slot: st.lists(st.sampled_from(slot.choices), max_size=5, unique=True),
             "number": lambda slot: st.one_of(st.integers(slot.low, 12), st.integers(slot.low, slot.high))}
    asked = {key: kinds[slot.kind](slot) for key, slot in offer.asks.items()}
    return st.fixed_dictionaries({key: st.none() | one if offer.asks[key].nullable else one
                                  for key, one in asked.items()})


@pytest.mark.rule("CD-45")
@pytest.mark.rule("CD-50")
@given(data=st.data())
def test_any_sequence_of_acts_leaves_a_state_that_can_be_kept(data):
    sheet, play = data.draw(sheets), data.draw(starts)
    tray = RealTray(data.draw(st.randoms(use_true_random=True)).randbytes)
    past = []
    for _step in range(data.draw(st.integers(1, 20))):
        offered = [offer for act in RULESET.acts.values() for offer in act.offered(sheet, play)]
        keys = [(offer.cls, offer.key) for offer in offered]
        assert len(set(keys)) == len(keys)
        # One of today's forms, or one that was left open in another tab.
        offer = data.draw(st.sampled_from(offered + past))
        past = [*past, offer][-5:]
        try:
            act = offer.take(**data.draw(answers(offer)))
        except ValidationError:
            continue
        try:
            roll = act.roll(sheet, play)
            play = act.apply(sheet, play, roll and thrown(roll.throw, tray)[0])
        except Refused:
            continue
        assert str(act.tell(sheet, play))
        assert all(str(one.message) for one in play.notices(sheet))
        assert RULESET.play.model_validate(play.model_dump()) == play
        effective = play.effective(sheet)
        assert RULESET.sheet.model_validate(effective.model_dump()) == effective
        assert 0 <= play.life_left(sheet) <= play.max_life(sheet)
        assert all(widget.take(**dict.fromkeys(widget.asks, 0)) for widget in effective.roll_offers(play))


@pytest.mark.rule("CD-46")
@given(sheet=sheets, data=st.data())
def test_every_loss_that_is_due_can_be_rolled_to_its_end(sheet, data):
    play = RULESET.play(losses_due=data.draw(st.integers(1, 3)), life=0)
    tray = RealTray(data.draw(st.randoms(use_true_random=True)).randbytes)
    steps = [RULESET.acts[slug] for slug in ("roll-attribute", "roll-loss", "pick-loss")]
    for _step in range(9):
        open_steps = [offer for step in steps for offer in step.offered(sheet, play)]
        assert bool(open_steps) == bool(play.losses_due)
        if open_steps:
            act = data.draw(st.sampled_from(open_steps)).take()
            roll = act.roll(sheet, play)
            play = act.apply(sheet, play, roll and thrown(roll.throw, tray)[0])
    assert play.losses_due == 0
