"""Bruno at the table: life 13, mental health 11 (DR-06, DR-14 to DR-18)."""

import pytest
from pydantic import ValidationError

from rulesets.dice import Outcome
from rulesets.dice_rumble.play import (
    Calm,
    Damage,
    DiceRumblePlay,
    FindWeapon,
    Heal,
    LayDownWeapon,
    NewAdventure,
    RepeatRoll,
    RollInitiative,
    Shock,
    SpendDie,
    TurnFate,
    Wait,
)
from rulesets.dice_rumble.tests.heroes import hero
from rulesets.kit import ROWS, Refused
from tests.support.rulesets import table

FRESH = DiceRumblePlay()
PAN = {"name": "Pfanne", "talent": "Nahkampf", "damage": 1}


BRUNO = hero()


def after(play, *acts, faces=()):
    """Bruno's state after the acts."""
    return table.after(BRUNO, play, *acts, faces=faces)


def offers(act, play):
    return list(act.offered(BRUNO, play))


def gauges(play, sheet=BRUNO):
    return {gauge.key: (gauge.current, gauge.most) for gauge in play.gauges(sheet)}


def notices(play, sheet=BRUNO):
    return [(one.rule, str(one.message)) for one in play.notices(sheet)]


@pytest.mark.rule("DR-04")
@pytest.mark.rule("DR-05")
@pytest.mark.rule("DR-06")
def test_everything_is_full_at_first():
    assert gauges(FRESH) == {"life": (13, 13), "mental_health": (11, 11), "fate_points": (2, 2)}
    assert notices(FRESH) == []


@pytest.mark.rule("DR-16")
@pytest.mark.parametrize(("acts", "key", "left", "text"), [
    ((Damage(points=4),), "life", (9, 13), "4 damage taken, life 9"),
    ((Damage(points=13),), "life", (0, 13), "13 damage taken, life 0"),
    ((Damage(points=15),), "life", (-2, 13), "15 damage taken, life −2"),
    ((Damage(points=5), Heal(points=3)), "life", (11, 13), "3 regained, life 11"),
    ((Damage(points=5), Heal(points=9)), "life", (13, 13), "9 regained, life 13"),
    ((Damage(points=0),), "life", (13, 13), "0 damage taken, life 13"),
    ((Shock(points=4),), "mental_health", (7, 11), "4 lost, mental health 7"),
    ((Shock(points=12),), "mental_health", (-1, 11), "12 lost, mental health −1"),
    ((Shock(points=4), Calm(points=1)), "mental_health", (8, 11), "1 regained, mental health 8"),
    ((Shock(points=4), Calm(points=99)), "mental_health", (11, 11), "99 regained, mental health 11"),
])
def test_life_and_mental_health_are_lost_even_below_0_and_had_back_up_to_their_most(acts, key, left, text):
    play = after(FRESH, *acts)
    assert (gauges(play)[key], acts[-1].tell(BRUNO, play)) == (left, text)


@pytest.mark.rule("DR-16")
@pytest.mark.parametrize(("lose", "regain"), [(Damage, Heal), (Shock, Calm)])
def test_nothing_is_had_back_where_nothing_is_lost(lose, regain):
    assert [len(offers(act, FRESH)) for act in (lose, regain)] == [1, 0]
    assert offers(regain, after(FRESH, lose(points=1)))


@pytest.mark.rule("DR-16")
@pytest.mark.parametrize(("play", "words"), [
    ({"life_lost": 12}, []), ({"life_lost": 13}, ["unconscious or dead"]), ({"life_lost": 20}, ["Life is −7"]),
    ({"mental_health_lost": 10}, []), ({"mental_health_lost": 11}, ["panics or flees"]),
    ({"life_lost": 13, "mental_health_lost": 14}, ["Life is 0", "Mental health is −3"]),
])
def test_at_0_or_less_the_sheet_says_that_the_gm_decides(play, words):
    found = notices(DiceRumblePlay(**play))
    assert [rule for rule, _message in found] == ["DR-16"] * len(words)
    assert all(word in message and "GM decides" in message for word, (_rule, message) in zip(words, found, strict=True))


@pytest.mark.rule("DR-04")
def test_a_talent_learned_meanwhile_raises_what_is_left():
    assert gauges(DiceRumblePlay(life_lost=3), hero({"talents.0.points": 6}))["life"] == (11, 14)


@pytest.mark.rule("DR-01")
def test_a_sheet_without_attributes_can_be_played_and_says_nothing_of_what_it_does_not_know():
    unknown = hero({"attributes.strength": None, "attributes.mind": None})
    play = Damage(points=3).apply(unknown, FRESH)
    assert (gauges(play, unknown), notices(play, unknown)) == ({"fate_points": (2, 2)}, [])
    assert Damage(points=3).tell(unknown, play) == "3 damage taken, life –"


@pytest.mark.rule("DR-17")
def test_fate_repeats_a_roll_or_takes_another_turn_until_none_is_left():
    assert RepeatRoll.repeats
    turn = TurnFate(turn="Der Kronleuchter fällt")
    once = after(FRESH, RepeatRoll())
    twice = after(once, turn)
    assert (once.fate(BRUNO), RepeatRoll().tell(BRUNO, once)) == (1, "Fate points left: 1")
    assert [one.tell(BRUNO, twice) for one in (turn, TurnFate())] == [
        "Der Kronleuchter fällt, points left: 0", "Things turn out differently, points left: 0"]
    for act in (RepeatRoll(), TurnFate()):
        assert not offers(type(act), twice)
        with pytest.raises(Refused, match="No fate points are left"):
            after(twice, act)


@pytest.mark.rule("DR-17")
@pytest.mark.rule("DR-14")
def test_repeated_initiative_is_the_die_that_is_held():
    # The act is applied anew to the state before it; see tests/sheets/press/test_repeats.py.
    rolled = Outcome(1, initiative=2, others=[5])
    play = RepeatRoll().apply(BRUNO, RollInitiative(fighters=2).apply(BRUNO, FRESH, rolled), rolled)
    assert (play.initiative, play.fate_spent) == (2, 1)


@pytest.mark.rule("DR-14", "DR-19")
def test_the_initiative_die_is_held_until_an_action_or_a_reaction_spends_it():
    act = RollInitiative(fighters=3)
    play = after(FRESH, act, faces=[4, 9, 2])
    assert (play.initiative, act.tell(BRUNO, play)) == (4, "The initiative die shows 4")
    assert notices(play) == [("DR-14", "Your initiative die shows 4.")]
    with pytest.raises(Refused, match="still have a die showing 4"):
        act.roll(BRUNO, play)
    assert after(play, SpendDie()) == FRESH
    held = (RollInitiative, SpendDie, Wait)
    assert [[len(offers(one, now)) for one in held] for now in (play, FRESH)] == [[0, 1, 1], [1, 0, 0]]


@pytest.mark.rule("DR-15")
@pytest.mark.parametrize("face", range(1, 10))
def test_waiting_turns_the_die_to_10(face):
    waited = after(DiceRumblePlay(initiative=face), Wait())
    assert waited == DiceRumblePlay(initiative=10)
    assert (len(offers(Wait, waited)), len(offers(SpendDie, waited))) == (0, 1)


@pytest.mark.rule("DR-15")
@pytest.mark.parametrize("act", [Wait(), SpendDie()])
def test_without_a_die_there_is_nothing_to_turn_or_spend(act):
    with pytest.raises(Refused, match="There is no initiative die"):
        after(FRESH, act)


@pytest.mark.rule("DR-18")
def test_a_weapon_found_is_fought_with_and_laid_down_again():
    act = FindWeapon(**PAN)
    play = after(FRESH, act)
    assert act.tell(BRUNO, play) == "Pfanne (Nahkampf, damage +1)"
    now = play.effective(BRUNO)
    assert [one.name for one in now.weapons] == ["Nudelholz", "Steinharte Brezel", "Pfanne"]
    _duel, attack = (offer for offer in now.roll_offers(play) if offer.key == "weapons.2")
    assert (attack.title, attack.filled["weapon"], str(attack.note)) == ("Pfanne", 1, "Nahkampf, damage +1")
    (offer,) = offers(LayDownWeapon, play)
    assert (offer.title, after(play, offer.take())) == ("Put down Pfanne", FRESH)
    for state, refused, why in ((FRESH, offer.take(), "no longer there"),
                                (DiceRumblePlay(weapons=[PAN] * ROWS), act, "No more than 99 rows are allowed")):
        with pytest.raises(Refused, match=why):
            after(state, refused)


@pytest.mark.rule("DR-06")
@pytest.mark.rule("DR-17")
def test_a_new_adventure_brings_all_back_and_keeps_weapons_found():
    worn = DiceRumblePlay(life_lost=20, mental_health_lost=3, fate_spent=2, initiative=4, weapons=[PAN])
    assert after(worn, NewAdventure()) == DiceRumblePlay(weapons=[PAN])
    assert offers(NewAdventure, worn)
    assert not offers(NewAdventure, DiceRumblePlay(weapons=[PAN])) + offers(NewAdventure, FRESH)


@pytest.mark.rule("DR-17")
@pytest.mark.parametrize("state", [{"fate_spent": -1}, {"initiative": 0}, {"initiative": 11}, {"life_lost": -1}])
def test_a_state_that_cannot_be_is_refused(state):
    with pytest.raises(ValidationError):
        DiceRumblePlay.model_validate(state)
