"""Weakening the enemy whose result is applied later than it was rolled (SZ-24, SZ-33)."""

import pytest

from rulesets.augen_des_zwielichts.tests.helpers import Table
from rulesets.dice import LoadedTray, thrown
from rulesets.kit import Refused


def rolled(table, *faces):
    """The enemy is weakened, with all that the roll does by itself; return how its result is applied."""
    _outcome, leads = table.roll("weaken", *faces, attribute="white")
    for one in leads:
        if one.automatic == "always":
            table.take(one.take())
    return applied(table, *faces)


def applied(table, *faces):
    """Return the offer to apply the result of a roll as the page has it now; None if there is none."""
    _outcome, leads = table.roll("weaken", *faces, attribute="white")
    return next((one for one in leads if one.cls.slug == "settle"), None)


@pytest.mark.rule("SZ-24")
@pytest.mark.rule("SZ-33")
@pytest.mark.parametrize("thrown", [False, True])
def test_a_result_from_before_the_fight_that_is_applied_in_round_one_costs_no_combat_die(thrown):
    table = Table(danger_level=12)
    rolled(table, 5, 2)
    table.do("begin-fight", 2, 5)
    if thrown:
        table.do("throw-combat-die", 6)
    table.take(applied(table, 5, 2).take())
    assert (table.play.danger_level, table.play.weakening) == (11, False)
    assert table.play.combat_die == (6 if thrown else None)
    assert bool(table.offers("throw-combat-die")) is not thrown
    # It is not the move of this round either, which costs the die as ever.
    table.take(rolled(table, 5, 2).take())
    assert (table.play.danger_level, table.play.weakening, table.play.combat_die) == (10, True, None)


@pytest.mark.rule("SZ-24")
@pytest.mark.parametrize("inside", [False, True])
def test_a_result_that_was_not_applied_lapses_with_its_fight_and_says_so(inside):
    table = Table(danger_level=12)
    if not inside:
        rolled(table, 5, 2)
    table.do("begin-fight", 2, 5)
    offer = rolled(table, 5, 2) if inside else applied(table, 5, 2)
    table.do("settle-round", key="table", hits=0, won=True)
    assert applied(table, 5, 2) is None
    assert "SZ-24" in table.notices
    table.do("begin-fight", 2, 5, danger_level=9)
    assert applied(table, 5, 2) is None
    with pytest.raises(Refused, match="its fight is over"):
        table.take(offer.take())
    assert table.play.danger_level == 9
    # The next one counts as ever, and so do dice that fell on a real table.
    table.take(rolled(table, 5, 2).take())
    assert table.play.danger_level == 8


@pytest.mark.rule("SZ-24")
def test_a_roll_from_before_the_fight_that_is_improved_in_it_is_still_one_from_before_it():
    table = Table(danger_level=12)
    rolled(table, 5, 2)
    table.do("begin-fight", 2, 5)
    offer = next(one for one in table.now.roll_offers(table.play) if one.key == "weaken")
    roll = offer.cls(move="weaken", attribute="white", improve=True)
    leads = list(offer.leads(roll, thrown(roll.throw, LoadedTray(5, 2, 1))[0]))
    assert [one.cls.slug for one in leads] == ["settle"]
    table.take(leads[0].take())
    assert not table.play.weakening


@pytest.mark.rule("SZ-33")
@pytest.mark.parametrize("what", ["next round", "next fight"])
def test_what_weakening_costs_is_no_longer_noted_once_its_round_is_over(what):
    table = Table(danger_level=12)
    table.do("begin-fight", 2, 5)
    _outcome, leads = table.roll("weaken", 5, 2, attribute="white")
    spent = leads[0].take()
    table.do("settle-round", key="table", hits=0, won=what == "next fight")
    if what == "next fight":
        table.do("begin-fight", 2, 5, danger_level=9)
    with pytest.raises(Refused, match="Too late"):
        table.take(spent)
    assert not table.play.weakening


@pytest.mark.rule("SZ-34")
def test_a_second_combat_die_is_announced_until_it_is_thrown():
    table = Table(danger_level=12)
    table.do("begin-fight", 2, 5)
    table.do("settle-round", key="table", hits=0, highest=True)
    assert "SZ-34" in table.notices
    table.do("throw-combat-die", 2, 5)
    assert "SZ-34" not in table.notices
