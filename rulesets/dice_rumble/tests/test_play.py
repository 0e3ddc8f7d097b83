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
    return {gauge.key: (gauge.left, gauge.most) for gauge in play.gauges(sheet)}


def notices(play, sheet=BRUNO):
    return [(one.rule, str(one.message)) for one in play.notices(sheet)]


@pytest.mark.rule("DR-04")
@pytest.mark.rule("DR-05")
@pytest.mark.rule("DR-06")
def test_everything_is_full_at_first():
    assert gauges(FRESH) == {"life": (13, 13), "mental_health": (11, 11), "fate_points": (2, 2)}
    assert notices(FRESH) == []


@pytest.mark.rule("DR-16")
@pytest.mark.parametrize(("acts", "life", "text"), [
    ((Damage(points=4),), 9, "4 suffered, life 9"),
    ((Damage(points=13),), 0, "13 suffered, life 0"),
    ((Damage(points=15),), -2, "15 suffered, life −2"),
    ((Damage(points=5), Heal(points=3)), 11, "3 regained, life 11"),
    ((Damage(points=5), Heal(points=9)), 13, "9 regained, life 13"),
    ((Damage(points=0),), 13, "0 suffered, life 13"),
])
def test_life_is_lost_even_below_0_and_had_back_up_to_its_most(acts, life, text):
    play = after(FRESH, *acts)
    assert gauges(play)["life"] == (life, 13)
    assert acts[-1].tell(BRUNO, play) == text


@pytest.mark.rule("DR-16")
@pytest.mark.parametrize(("acts", "health", "text"), [
    ((Shock(points=4),), 7, "4 lost, mental health 7"),
    ((Shock(points=12),), -1, "12 lost, mental health −1"),
    ((Shock(points=4), Calm(points=1)), 8, "1 regained, mental health 8"),
    ((Shock(points=4), Calm(points=99)), 11, "99 regained, mental health 11"),
])
def test_mental_health_is_lost_even_below_0_and_had_back_up_to_its_most(acts, health, text):
    play = after(FRESH, *acts)
    assert gauges(play)["mental_health"] == (health, 11)
    assert acts[-1].tell(BRUNO, play) == text


@pytest.mark.rule("DR-16")
def test_nothing_is_had_back_where_nothing_is_lost():
    assert offers(Damage, FRESH)
    assert offers(Shock, FRESH)
    assert not offers(Heal, FRESH) + offers(Calm, FRESH)
    assert offers(Heal, after(FRESH, Damage(points=1)))
    assert offers(Calm, after(FRESH, Shock(points=1)))


@pytest.mark.rule("DR-16")
@pytest.mark.parametrize(("play", "words"), [
    ({"life_lost": 12}, []), ({"life_lost": 13}, ["unconscious or dead"]), ({"life_lost": 20}, ["Life is −7"]),
    ({"mental_health_lost": 10}, []), ({"mental_health_lost": 11}, ["panic or flight"]),
    ({"life_lost": 13, "mental_health_lost": 14}, ["Life is 0", "Mental health is −3"]),
])
def test_at_0_or_less_the_sheet_says_that_the_gm_decides(play, words):
    found = notices(DiceRumblePlay(**play))
    assert len(found) == len(words)
    for (rule, message), word in zip(found, words, strict=True):
        assert rule == "DR-16"
        assert word in message
        assert "GM decides" in message


@pytest.mark.rule("DR-04")
def test_a_talent_learned_meanwhile_raises_what_is_left():
    assert gauges(DiceRumblePlay(life_lost=3), hero({"talents.0.points": 6}))["life"] == (11, 14)


@pytest.mark.rule("DR-01")
def test_a_sheet_without_attributes_can_be_played_and_says_nothing_of_what_it_does_not_know():
    unknown = hero({"attributes.strength": None, "attributes.mind": None})
    play = Damage(points=3).apply(unknown, FRESH)
    assert gauges(play, unknown) == {"fate_points": (2, 2)}
    assert notices(play, unknown) == []
    assert Damage(points=3).tell(unknown, play) == "3 suffered, life –"


@pytest.mark.rule("DR-17")
def test_fate_repeats_a_roll_or_takes_another_turn_until_none_is_left():
    assert RepeatRoll.repeats
    once = after(FRESH, RepeatRoll())
    assert (once.fate(BRUNO), RepeatRoll().tell(BRUNO, once)) == (1, "Fate points left: 1")
    twice = after(once, TurnFate(turn="Der Kronleuchter fällt"))
    assert TurnFate(turn="Der Kronleuchter fällt").tell(BRUNO, twice) == "Der Kronleuchter fällt, points left: 0"
    assert TurnFate().tell(BRUNO, twice) == "Things turn out otherwise, points left: 0"
    assert not offers(RepeatRoll, twice) + offers(TurnFate, twice)
    for act in (RepeatRoll(), TurnFate()):
        with pytest.raises(Refused, match="No fate point is left"):
            after(twice, act)


@pytest.mark.rule("DR-17")
@pytest.mark.rule("DR-14")
def test_repeated_initiative_is_the_die_that_is_held():
    # The act is applied anew to the state before it; see tests/sheets/play/test_repeats.py.
    rolled = Outcome(1, initiative=2, others=[5])
    play = RepeatRoll().apply(BRUNO, RollInitiative(fighters=2).apply(BRUNO, FRESH, rolled), rolled)
    assert (play.initiative, play.fate_spent) == (2, 1)


@pytest.mark.rule("DR-14")
@pytest.mark.rule("DR-19")
def test_the_initiative_die_is_held_until_an_action_or_a_reaction_spends_it():
    act = RollInitiative(fighters=3)
    play = after(FRESH, act, faces=[4, 9, 2])
    assert (play.initiative, act.tell(BRUNO, play)) == (4, "The initiative die shows 4")
    assert notices(play) == [
        ("DR-14", "Your initiative die shows 4.")]
    assert not offers(RollInitiative, play)
    with pytest.raises(Refused, match="still hold a die with 4"):
        act.roll(BRUNO, play)
    spent = after(play, SpendDie())
    assert spent == FRESH
    assert offers(RollInitiative, spent)
    assert not offers(SpendDie, spent) + offers(Wait, spent)


@pytest.mark.rule("DR-15")
@pytest.mark.parametrize("face", range(1, 10))
def test_waiting_turns_the_die_to_10(face):
    play = DiceRumblePlay(initiative=face)
    assert offers(Wait, play)
    waited = after(play, Wait())
    assert waited.initiative == 10
    assert not offers(Wait, waited)
    assert offers(SpendDie, waited)


@pytest.mark.rule("DR-15")
@pytest.mark.parametrize("act", [Wait(), SpendDie()])
def test_without_a_die_there_is_nothing_to_turn_or_spend(act):
    with pytest.raises(Refused, match="No initiative die is held"):
        after(FRESH, act)


@pytest.mark.rule("DR-18")
def test_a_weapon_found_is_fought_with_and_laid_down_again():
    act = FindWeapon(**PAN)
    play = after(FRESH, act)
    assert act.tell(BRUNO, play) == "Pfanne (Nahkampf, damage +1)"
    now = play.effective(BRUNO)
    assert [one.name for one in now.weapons] == ["Nudelholz", "Steinharte Brezel", "Pfanne"]
    attack = next(offer for offer in now.widgets(play) if offer.key == "weapons.2")
    assert (attack.title, attack.filled["weapon"], str(attack.note)) == ("Pfanne", 1, "Nahkampf, damage +1")
    (offer,) = offers(LayDownWeapon, play)
    assert offer.title == "Lay down Pfanne"
    assert after(play, offer.take()) == FRESH
    with pytest.raises(Refused, match="no longer there"):
        after(FRESH, offer.take())


@pytest.mark.rule("DR-18")
def test_more_weapons_than_a_list_can_keep_are_refused():
    with pytest.raises(Refused, match="99 rows are the most"):
        after(DiceRumblePlay(weapons=[PAN] * ROWS), FindWeapon(**PAN))


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
