"""What reaches another in ConDice, and what comes back of it (CD-05, CD-29, CD-33, CD-36, CD-54)."""

import pytest
from pydantic import ValidationError

from rulesets.condice import RULESET
from rulesets.condice.house import ConDiceHouse
from rulesets.condice.play import (
    AreaAttack,
    BoostOther,
    ChangeAttributes,
    ConDicePlay,
    GiveUpTurnPart,
    TakeLife,
    TargetBreaksFree,
)
from rulesets.condice.play.party import ConDiceTable
from rulesets.condice.tests.heroes import FULL, after, hero, offers
from rulesets.dice import LoadedTray, Outcome, thrown
from rulesets.kit import KEY, NAME, Refused, Seated

CROSSING = RULESET.crossing
TRANSFER = {"ability": "leben-transferieren", "life_points": 3}


def landed(made, outcome=None):
    return [offer.take() for offer in CROSSING.target_offers(made, outcome, {})]


@pytest.mark.rule("CD-29")
@pytest.mark.parametrize(("life", "taken"), [(10, [4]), (3, [3]), (1, [1]), (0, [])])
def test_no_more_life_is_taken_by_force_than_the_other_has(life, taken):
    sheet = hero(abilities=[TRANSFER])
    offer = CROSSING.with_target_figures(
        next(one for one in sheet.roll_offers(ConDicePlay(life=2)) if one.key == "abilities.0"),
        CROSSING.figures(hero(mental_resistance=1), ConDicePlay(life=life)))
    roll = offer.take()
    outcome, _tray = thrown(roll.throw, LoadedTray(6, 6, 4))
    follows = [one.take() for one in offer.leads(roll, outcome)]
    assert [act.points for act in follows if isinstance(act, TakeLife)] == taken
    assert after(sheet, ConDicePlay(life=2), *follows).life_left(sheet) == 2 + sum(taken)
    # All that got through arrives there, for whoever is hurt at 0 loses more.
    assert [act.points for act in landed(roll, outcome)] == [4]


@pytest.mark.rule("CD-29")
def test_the_willing_gives_no_more_life_than_is_left():
    (offer,) = offers(TakeLife, hero(abilities=[TRANSFER]), ConDicePlay(life=2))
    met = CROSSING.with_target_figures(offer, CROSSING.figures(hero(), ConDicePlay(life=1)))
    with pytest.raises(Refused, match="The other has only 1 life point; you"):
        met.take(points=3).apply(hero(abilities=[TRANSFER]), ConDicePlay(life=2))
    assert after(hero(), ConDicePlay(life=2), met.take(points=1)).life_left(hero()) == 3


RATS = [{NAME: f"Ratte {n}", KEY: f"00000000-0000-4000-8000-00000000000{n}"} for n in (1, 2, 3)]


def at(rat, act, sheet, play, **answers):
    offer = CROSSING.with_target_figures(offers(act, sheet, play)[0], RATS[rat])
    return after(sheet, play, offer.take(**answers))


@pytest.mark.rule("CD-35")
def test_an_area_attack_hits_everybody_on_its_fields_once_a_turn():
    sheet = hero(abilities=[{"ability": "flaechenangriff", "damage": 2}])
    play = at(1, AreaAttack, sheet, at(0, AreaAttack, sheet, FULL))
    with pytest.raises(Refused, match="already hit Ratte 1 this turn"):
        at(0, AreaAttack, sheet, play)
    seat = Seated("Benno", sheet, play)
    assert "may still hit its other targets" in str(ConDiceTable().turn_used_note(seat))
    assert at(0, AreaAttack, sheet, play.with_new_turn()).reached[0].name == "Ratte 1"
    # Away from a table nobody is named, and nothing is counted.
    alone = after(sheet, FULL, *(offers(AreaAttack, sheet, FULL)[0].take() for _ in range(2)))
    assert (alone.acted, alone.reached) == (True, [])


@pytest.mark.rule("CD-33")
def test_a_boost_reaches_as_many_as_were_bought_and_each_of_them_once():
    sheet = hero(abilities=[{"ability": "boost-debuff", "variant": "I", "extra_targets": 1}])
    raised = {"attributes": ["defence"], "way": "raise"}
    play = at(0, BoostOther, sheet, FULL, **raised)
    with pytest.raises(Refused, match="already hit Ratte 1 this turn"):
        at(0, BoostOther, sheet, play, **raised)
    play = at(1, BoostOther, sheet, play, **raised)
    with pytest.raises(Refused, match="hits 2 targets"):
        at(2, BoostOther, sheet, play, **raised)


@pytest.mark.rule("CD-33", "CD-35", "CD-52")
def test_each_ability_has_its_own_targets_of_a_turn():
    area = {"ability": "flaechenangriff", "damage": 2}
    sheet = hero(abilities=[area, area, {"ability": "boost-debuff", "variant": "I"}])
    mental = next(one for one in sheet.roll_offers(FULL) if one.key == "abilities.2")
    (lower,) = [one for one in mental.leads(None, Outcome("works")) if one.cls is BoostOther]
    (raising,), areas = offers(BoostOther, sheet, FULL), offers(AreaAttack, sheet, FULL)
    changes = {"attributes": ["defence"]}
    takes = [*((one, {}) for one in areas), (lower, changes)]
    for order in (takes, takes[::-1]):
        play = after(sheet, FULL, *(
            CROSSING.with_target_figures(offer, RATS[0]).take(**answers) for offer, answers in order))
        assert len(play.reached) == 3
        # Raising and lowering are one ability.
        with pytest.raises(Refused, match="already hit Ratte 1 this turn"):
            after(sheet, play, CROSSING.with_target_figures(raising, RATS[0]).take(**changes, way="raise"))
        with pytest.raises(Refused, match="hits 1 target,"):
            after(sheet, play, CROSSING.with_target_figures(raising, RATS[1]).take(**changes, way="raise"))


@pytest.mark.rule("CD-54")
@pytest.mark.parametrize(("gives", "turn"), [
    ("action", {"acted": True}), ("movement", {"moved": True})])
def test_whoever_tries_to_break_free_has_that_much_less_of_the_turn(gives, turn):
    (act,) = landed(TargetBreaksFree(index=0, resistance=2, gives=gives))
    assert after(hero(), FULL, act) == ConDicePlay(**turn, given_up=[gives])
    assert act.tell(hero(), FULL) == f"Gave up the {gives} to break free"
    for spent in (turn, {"life": 0, "moved": True}):
        with pytest.raises(Refused, match="no longer possible"):
            GiveUpTurnPart(gives=gives).apply(hero(), ConDicePlay(**spent))


@pytest.mark.rule("CD-36", "CD-33")
def test_a_house_may_count_abilities_as_the_sixth_attribute_of_boosts():
    boost, others = {"ability": "boost", "variant": "II"}, {"ability": "boost-debuff", "variant": "I"}
    sheet = hero(abilities=[boost, others, {"ability": "aggro-ziehen", "dice": 2}, {"ability": "fliegen"}])
    six = sheet.under(ConDiceHouse(six_attributes=True))
    for act, first in ((ChangeAttributes, "Boost"), (BoostOther, "Boost or debuff others")):
        by_book, by_house = offers(act, sheet, FULL)[0], offers(act, six, FULL)[0]
        assert [str(one.title) for one in (by_book, by_house)] == [first] * 2
        assert ["abilities" in one.asks for one in (by_book, by_house)] == [False, True]
    all_of_them = ["attack", "defence", "life", "mental_resistance", "movement"]
    own = offers(ChangeAttributes, six, FULL)[0].take(attributes=all_of_them, abilities=True)
    play = after(six, FULL, own)
    assert [getattr(one, "dice", None) for one in play.effective(six).abilities] == [None, None, 6, None]
    assert (own.tell(six, play), play.board(six)["changes"][0].figures[-1]) == (
        "Attack, Defence, Life, Mental resistance, Movement, Special abilities +4, 2 rounds", "Special abilities +4")
    given = offers(BoostOther, six, FULL)[0].take(attributes=["life"], abilities=True, way="lower")
    (brought,) = landed(given)
    assert after(six, FULL, brought).effective(six).abilities[2].dice == 0
    with pytest.raises(ValidationError):
        offers(BoostOther, six, FULL)[0].take(attributes=["life", "attack"], abilities=True, way="raise")


@pytest.mark.rule("CD-04")
@pytest.mark.rule("CD-05")
@pytest.mark.parametrize(("life", "left"), [(7, (7, 7)), (8, (8, 8)), (1, (1, 1))])
def test_an_opponent_of_a_few_figures_has_the_life_and_the_mind_that_were_said(life, left):
    data, play = CROSSING.opponent(CROSSING.side(life=life, mental_resistance=4))
    sheet, play = RULESET.sheet.model_validate(data), RULESET.play.model_validate(play)
    assert (play.life_left(sheet), play.max_life(sheet)) == left
    assert play.with_life(sheet, life + 1).life_left(sheet) == life
    assert CROSSING.figures(sheet, play)["mental_resistance"] == 4
