"""What a roll leads on to in a fight: damage, the die that is spent, the next exchange of blows (DR-12, DR-14)."""

import pytest

from rulesets.dice import LoadedTray, thrown
from rulesets.dice_rumble import RULESET, rolls
from rulesets.dice_rumble.tests.heroes import hero
from rulesets.dice_rumble.widgets import leading

PLAY = RULESET.play()


def led(cls, *faces, play=PLAY, **answers):
    """What the sheet's first roll of a class leads on to."""
    offer = next(one for one in hero().widgets(play) if one.cls is cls)
    roll = offer.take(**{key: 6 for key in ("threshold", "opponent") if key in offer.asks} | answers)
    outcome, _tray = thrown(roll.throw, LoadedTray(*faces))
    return [*offer.leads(roll, outcome)]


@pytest.mark.rule("DR-12")
@pytest.mark.parametrize(("faces", "damage"), [((6, 2), [4]), ((10, 9), []), ((2, 6), [])])
def test_who_loses_a_duel_takes_the_difference_and_nobody_else_does(faces, damage):
    found = led(rolls.DuelDamage, *faces)
    assert [one.filled["points"] for one in found] == damage
    for one in found:
        assert (str(one.title), one.alone) == ("Take 4 damage", True)
        assert one.take().apply(hero(), PLAY).life_lost == 4


@pytest.mark.rule("DR-12")
def test_a_duel_of_which_nobody_is_hurt_leads_to_no_damage():
    assert led(rolls.Duel, 6, 2) == []


@pytest.mark.rule("DR-12")
def test_a_draw_that_the_higher_threshold_loses_nothing_by_leads_to_no_damage():
    assert led(rolls.DuelDamage, 3, 3, opponent=7) == []


@pytest.mark.rule("DR-14")
@pytest.mark.parametrize("cls", [rolls.Test, rolls.Duel, rolls.DuelDamage, rolls.Attack])
def test_while_a_die_is_held_what_is_rolled_spends_it(cls):
    play = PLAY.model_copy(update={"initiative": 4})
    spent, = led(cls, *([3] if cls in (rolls.Test, rolls.Attack) else [3, 9]), play=play)
    assert spent.take().apply(hero(), play).initiative is None


@pytest.mark.rule("DR-12", "DR-13", "DR-14")
@pytest.mark.parametrize(("cls", "faces", "damage"), [
    (rolls.DuelDamage, (3, 9), "6 damage"), (rolls.Attack, (4,), "2 damage"), (rolls.Attack, (6,), ""),
    (rolls.Attack, (10,), ""), (rolls.DuelDamage, (8, 9), ""),
])
def test_damage_is_announced_and_then_the_next_die_is_on(cls, faces, damage):
    roll = cls(threshold=6, **{"opponent": 6} if cls is rolls.DuelDamage else {})
    outcome, _tray = thrown(roll.throw, LoadedTray(*faces))
    told = str(roll.afterwards(outcome))
    assert told == (f"Announce {damage}; then the next initiative die is on." if damage else
                    "Nobody is hurt; the next initiative die is on.")
    spent, = leading(PLAY.model_copy(update={"initiative": 4}))(roll, outcome)
    assert str(spent.title) == (f"Announce {damage}" if damage else "Put the initiative die away")


@pytest.mark.rule("DR-12")
def test_a_duel_says_which_thresholds_meet_with_what_the_gm_adds():
    roll = rolls.Duel(threshold=6, opponent=7, modifier=1, opponent_modifier=-2)
    assert roll.gist(roll.odds()).endswith("win, 7 against 5")
    assert all(cls.anew for cls in (rolls.Duel, rolls.DuelDamage))
    assert not any(cls.anew for cls in (rolls.Test, rolls.Attack, rolls.Initiative))


@pytest.mark.rule("DR-17")
@pytest.mark.parametrize(("spent", "note"), [(0, "costs 1 of 2 fate points"), (1, "costs 1 of 1 fate point")])
@pytest.mark.parametrize("act", ["repeat", "turn-fate"])
def test_fate_says_what_it_costs(act, spent, note):
    play = PLAY.model_copy(update={"fate_spent": spent})
    offer, = RULESET.acts[act].offered(hero(), play)
    assert str(offer.note) == note
