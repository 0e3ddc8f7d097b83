"""Boosts, debuffs, auras and sizes (CD-28, CD-32, CD-33, CD-36, CD-50): expected figures by hand from the source."""

from fractions import Fraction

import pytest
from pydantic import ValidationError

from rulesets.condice.play import (
    ChangeAttributes,
    ChangeSize,
    ConDicePlay,
    Damage,
    EndAdventure,
    EndEffect,
    EndRound,
    Heal,
    NewFight,
)
from rulesets.condice.sheet import ConDiceHouse
from rulesets.condice.tests import heroes
from rulesets.kit import ROWS, Refused

FULL = ConDicePlay()
ALL = ["attack", "defence", "life", "mental_resistance", "movement"]
LIFE = {"attributes": ["life"], "rounds": 2}


def hero(*abilities, **changes):
    """The hero of thirty points with only these abilities."""
    return heroes.hero(abilities=list(abilities), **changes)


def after(play, *acts, sheet=None):
    for act in acts:
        play = act.apply(sheet or hero(), play)
    return play


def life(play, sheet=None):
    return play.life_left(sheet or hero()), play.max_life(sheet or hero())


def figures(sheet):
    return {"attack": [attack.dice for attack in sheet.attacks], "defence": sheet.defence, "life": sheet.life,
            "mental_resistance": sheet.mental_resistance, "movement": sheet.movement}


PLAIN = {"attack": [4, 2], "defence": 2, "life": 5, "mental_resistance": 2, "movement": 3}


@pytest.mark.rule("CD-28")
@pytest.mark.parametrize(("size", "name", "changed"), [
    ("grow", "Grown", {"attack": [6, 4], "defence": 0, "movement": 4}),  # defence 2 - 4 stops at 0
    ("shrink", "Shrunk", {"attack": [0, 0], "defence": 6, "movement": 2}),  # 2 - 4 dice stop at 0
])
def test_a_change_of_size_shows_in_every_attack_defence_and_movement(size, name, changed):
    (offer,) = ChangeSize.offered(hero(), FULL)
    play = after(FULL, offer.take(size=size))
    assert (play.effects[0].label, play.effects[0].rounds, offer.take(size=size).tell(hero(), play)) == (
        name, None, name)
    assert figures(play.effective(hero())) == PLAIN | changed
    assert [attack.range for attack in play.effective(hero()).attacks] == [2, 0]


@pytest.mark.rule("CD-28")
def test_a_size_lasts_until_it_is_ended_or_for_its_rounds():
    play = after(FULL, ChangeSize(size="grow"), NewFight())
    (end,) = EndEffect.offered(hero(), play)
    assert (end.title, str(end.take().tell(hero(), FULL))) == ("End “Grown”", "End an effect")
    assert after(play, end.take()) == after(FULL, ChangeSize(size="grow", rounds=1), EndRound()) == FULL
    assert ChangeSize(size="grow", rounds=1).tell(hero(), FULL) == "Grown, 1 round"


GROW, RAISE = ChangeSize(size="grow"), ChangeAttributes(attributes=["defence"], by=4)
LOST = ConDicePlay(losses=[{"target": "movement", "points": 6}, {"target": "attacks.0", "points": 6}])


@pytest.mark.rule("CD-50")
@pytest.mark.parametrize(("play", "acts", "changed"), [
    (FULL, (GROW, RAISE), {"attack": [6, 4], "defence": 2, "movement": 4}),  # 2 - 4 + 4, whatever the order
    (FULL, (RAISE, GROW), {"attack": [6, 4], "defence": 2, "movement": 4}),
    # What is lost is lost before an effect raises it.
    (LOST, (ChangeAttributes(attributes=["movement", "attack"], by=2),), {"movement": 2, "attack": [2, 4]}),
    (FULL, [ChangeAttributes(attributes=ALL, by=999)] * 2,
     {"attack": [999, 999], "defence": 999, "life": 999, "mental_resistance": 999, "movement": 999}),
])
def test_effects_count_together_after_what_is_lost_and_end_at_999(play, acts, changed):
    assert figures(after(play, *acts).effective(hero())) == PLAIN | changed


@pytest.mark.rule("CD-50")
def test_effects_show_in_derived_values_widgets_and_odds():
    play = after(FULL, ChangeAttributes(attributes=ALL, by=2))
    sheet = play.effective(hero())
    derived = sheet.derive(ConDiceHouse())
    assert {key: derived[key] for key in ALL[1:]} == {
        "defence": 4, "life": 14, "mental_resistance": 4, "movement": 5
    }
    assert derived["attacks"][0] == {"name": "Langbogen", "dice": 6, "range": 3}
    bow, fist, defence, *_others = sheet.roll_offers(play)
    assert (bow.filled["dice"], fist.filled["dice"], defence.filled["dice"]) == (6, 4, 4)
    # A die brings 2/6 of one success and 1/6 of two: 2/3. Nine of 36 faces of two dice miss altogether.
    assert bow.take().odds().mean == 6 * Fraction(2, 3)
    assert fist.take().odds().chances[0] == Fraction(1, 16)
    assert defence.take(successes=8).odds().chances["defended"] == Fraction(1, 6**4)


BOOSTS = {  # rounds, attributes, by: the table at the end of the source
    "I": (2, 4, 6), "II": (2, 6, 4), "III": (6, 2, 4), "IV": (6, 4, 2), "V": (4, 2, 6), "VI": (4, 6, 2),
}


@pytest.mark.rule("CD-36")
@pytest.mark.parametrize(("variant", "rounds", "count", "by"), [(key, *row) for key, row in BOOSTS.items()])
def test_an_own_boost_raises_as_many_attributes_by_as_much_for_as_long_as_its_variant(variant, rounds, count, by):
    sheet = hero({"ability": "boost", "variant": variant})
    offer, _others = ChangeAttributes.offered(sheet, FULL)
    assert (offer.title, offer.note, [*offer.asks]) == (
        "Boost", f"{'all' if count == 6 else count} attributes changed by {by} for {rounds} rounds", ["attributes"])
    act = offer.take(attributes=ALL[:count])
    play = after(FULL, act, sheet=sheet)
    raised = {key: [4 + by, 2 + by] if key == "attack" else PLAIN[key] + by for key in ALL[:count]}
    names = ["Attack", "Defence", "Life", "Mental resistance", "Movement"][:count]
    assert act.tell(sheet, play) == f"{', '.join(names)} +{by}, {rounds} rounds"
    for ended in range(rounds + 1):
        now = after(play, *[EndRound()] * ended, sheet=sheet).effective(sheet)
        assert figures(now) == PLAIN | (raised if ended < rounds else {})
    if count < len(ALL):
        with pytest.raises(ValidationError, match=f"Choose between 1 and {count} attributes, each once"):
            offer.take(attributes=ALL[:count + 1])


@pytest.mark.rule("CD-36")
@pytest.mark.parametrize(("variant", "losses"), [(None, []), ("I", [{"target": "abilities.0", "points": 1}])])
def test_a_boost_without_a_variant_or_lost_at_nil_is_not_offered(variant, losses):
    offered = ChangeAttributes.offered(hero({"ability": "boost", "variant": variant}), ConDicePlay(losses=losses))
    assert [offer.key for offer in offered] == ["others"]


@pytest.mark.rule("CD-32", "CD-33")
@pytest.mark.parametrize(("answers", "changed", "told"), [
    ({"name": "Aura", "attributes": ["movement"], "by": 2, "rounds": None}, {"movement": 5}, "Aura: Movement +2"),
    ({"attributes": ["defence", "mental_resistance"], "by": -4, "rounds": 4}, {"defence": 0, "mental_resistance": 0},
     "Defence, Mental resistance −4, 4 rounds"),
    ({"name": "Segen", "attributes": ["attack", "movement"], "by": 4, "rounds": 4}, {"attack": [8, 6], "movement": 7},
     "Segen: Attack, Movement +4, 4 rounds"),
])
def test_what_others_do_raises_or_lowers_for_everyone(answers, changed, told):
    (offer,) = ChangeAttributes.offered(hero(), FULL)
    assert list(offer.asks) == ["name", "attributes", "by", "rounds"]
    play = after(FULL, offer.take(**answers))
    assert figures(play.effective(hero())) == PLAIN | changed
    assert offer.take(**answers).tell(hero(), play) == told


@pytest.mark.rule("CD-50")
@pytest.mark.parametrize("answers", [
    {"attributes": [], "by": 1}, {"attributes": ["life", "life"], "by": 1}, {"attributes": ["luck"], "by": 1},
    {"attributes": ["life"], "by": 1000}, {"attributes": ["life"], "by": 1, "rounds": -1}, {"attributes": ["life"]},
])
def test_an_answer_that_makes_no_sense_is_refused(answers):
    (offer,) = ChangeAttributes.offered(hero(), FULL)
    with pytest.raises(ValidationError):
        offer.take(**answers)


@pytest.mark.rule("CD-50")
@pytest.mark.parametrize(("by", "before", "during", "hits", "ended"), [
    (6, 10, (22, 22), 0, 10), (6, 4, (16, 22), 0, 10), (6, 4, (16, 22), 14, 2), (6, 10, (22, 22), 3, 10),
    (-4, 10, (2, 2), 0, 10), (-4, 4, (2, 2), 0, 4), (-4, 1, (1, 2), 0, 1), (-4, 10, (2, 2), 1, 9),
])
def test_raised_life_ends_with_what_is_above_and_lowered_life_comes_back_as_far_as_it_was_taken(
        by, before, during, hits, ended):
    play = after(ConDicePlay(life=before), ChangeAttributes(by=by, **LIFE))
    assert life(play) == during
    hurt = after(play, Damage(against="nothing", points=hits))
    for ways in ([EndRound(), EndRound()], [EndEffect(index=0)], [NewFight()]):
        assert (life(after(hurt, *ways)), hurt.losses_due) == ((ended, 10), 0)


@pytest.mark.rule("CD-50")
def test_a_boost_and_a_debuff_of_life_end_in_either_order():
    play = after(FULL, ChangeAttributes(by=6, **LIFE), ChangeAttributes(by=-4, **LIFE))
    assert life(play) == (14, 14)
    for ways in ([EndEffect(index=0)] * 2, [EndEffect(index=1), EndEffect(index=0)], [EndRound()] * 2):
        assert life(after(play, *ways)) == (10, 10)


@pytest.mark.rule("CD-46")
@pytest.mark.rule("CD-50")
def test_life_that_is_lowered_to_nil_makes_a_loss_due_once():
    play = after(FULL, ChangeAttributes(by=-6, **LIFE))
    assert (life(play), play.losses_due) == ((0, 0), 1)
    assert after(play, ChangeAttributes(by=-2, **LIFE)).losses_due == 1
    assert life(after(play, Heal(points=3), EndRound(), EndRound())) == (10, 10)


@pytest.mark.rule("CD-50", "CD-52")
def test_a_round_takes_one_off_what_counts_rounds_and_leaves_the_rest():
    play = after(FULL, GROW)
    assert not list(EndRound.offered(hero(), play))
    play = after(play, *(ChangeAttributes(attributes=[key], by=1, rounds=rounds)
                         for key, rounds in (("life", 3), ("attack", 1))))
    (offer,) = EndRound.offered(hero(), play)
    play = after(play, offer.take())
    assert ([effect.rounds for effect in play.effects], str(offer.take().tell(hero(), play))) == (
        [None, 2], "End the round")


@pytest.mark.rule("CD-50")
def test_a_new_fight_ends_what_counts_rounds_and_the_adventures_end_ends_all_but_the_items():
    play = ConDicePlay(items=[{"name": "Trank"}], life=3)
    play = after(play, ChangeSize(size="shrink"), ChangeAttributes(attributes=["movement"], by=2, rounds=4))
    assert list(NewFight.offered(hero(), play))
    fresh, over = after(play, NewFight()), after(play, EndAdventure())
    assert ([one.label for one in fresh.effects], str(NewFight().tell(hero(), fresh))) == (["Shrunk"], "New fight")
    assert (over, str(EndAdventure().tell(hero(), over))) == (
        ConDicePlay(items=[{"name": "Trank"}]), "End the adventure")


@pytest.mark.rule("CD-50")
def test_an_effect_that_is_gone_or_one_too_many_is_refused():
    with pytest.raises(Refused, match="no longer there"):
        after(FULL, EndEffect(index=0))
    with pytest.raises(Refused, match="No more than 99 rows are allowed"):
        after(ConDicePlay(effects=[{}] * ROWS), ChangeSize(size="grow"))
