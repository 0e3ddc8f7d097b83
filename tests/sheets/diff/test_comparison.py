"""What became of a sheet between two of its states: rows, points, figures, odds, findings, house rules."""

from itertools import pairwise
from random import Random

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rulesets import generate, systems
from rulesets.document import read_tree
from sheets.diff.changes import SheetContent
from sheets.diff.comparison import diff
from tests.support.rulesets.contract import every_system
from tests.support.rulesets.crowds import crowds
from tests.support.sheets.states import CAPTAIN, became, page, side

pytestmark = pytest.mark.usefixtures("english")
JUAN = systems()["condice"].examples["juan"]["data"]


def lines(found):
    return [line.replace("\xa0", " ") for line in found.lines]


def kinds(found):
    return [(one.kind, one.path, one.title) for one in found.changes]


@pytest.mark.rule("DR-02")
@pytest.mark.rule("DR-07")
def test_a_talent_more_is_a_point_a_threshold_a_chance_and_here_a_broken_rule():
    found = became("dice-rumble", "captain", {"talents.2.points": 6}, CAPTAIN)
    change, = found.changes
    assert (change.kind, change.path, change.section, change.title) == ("changed", "talents.2", "Talents", "Nahkampf")
    # Points are what is written: they are told once.
    assert (change.points, change.cost) == (1, "")
    assert [str(one) for one in change.figures] == ["Threshold 8 → 9"]
    assert lines(found) == [
        "Nahkampf: Points 5 → 6; Threshold 8 → 9; critical success or success 80.0 % → 90.0 %",
        "Entermesser: miss 20.0 % → 10.0 %; otherwise on average 5.50 → 6.00",
        # What one fights with is the best that is meant for it.
        "Duel: win 73.0 % → 82.0 %", "Duel with damage: on average 3.66 → 4.13",
        "Unarmed attack: miss 20.0 % → 10.0 %", "Unarmed attack: otherwise on average 3.50 → 4.00",
        "Points 40 of 40 points → 41 of 40 points",
        "newly breaks DR-02: 41 points are spent on talents, 40 are allowed; take 1 back.",
    ]
    assert [one.title for one in found.follows] == ["Entermesser"]
    assert [(one.rule, one.severity) for one in found.broken] == [("DR-02", "error")]
    assert (found.mended, found.otherwise, found.house, found.name) == ((), (), (), None)
    with override("de"):
        german = lines(became("dice-rumble", "captain", {"talents.2.points": 6}, CAPTAIN))
    assert german[0] == ("Nahkampf: Punkte 5 → 6; Schwellenwert 8 → 9; "
                         "kritischer Erfolg oder Erfolg 80,0 % → 90,0 %")
    assert german[-1].startswith("bricht neu DR-02: ")


def test_the_other_way_round_a_rule_is_no_longer_broken():
    found = became("dice-rumble", "captain", {"talents.2.points": 5}, {**CAPTAIN, "talents.2.points": 6})
    assert ([one.rule for one in found.mended], [*found.broken], found.changes[0].points) == (["DR-02"], [], -1)
    assert lines(found)[-1].startswith("no longer breaks DR-02: 41 points")


def test_what_is_broken_before_and_after_is_told_where_it_says_something_else():
    found = became("dice-rumble", "captain", {"talents.2.points": 7}, {**CAPTAIN, "talents.2.points": 6})
    assert [(before.message[:2], after.message[:2]) for before, after in found.otherwise] == [("41", "42")]
    # Seven points in one talent are too many, too: another finding of the same rule, at another place.
    assert [(one.rule, one.path) for one in found.broken] == [("DR-02", "talents.2.points")]


def test_an_attribute_changes_what_follows_from_it_and_nothing_else():
    found = became("dice-rumble", "aunt", {"attributes.strength": 2, "attributes.mind": 1})
    assert kinds(found) == [("changed", "attributes", "Attributes")]
    assert [str(one) for one in found.changes[0].fields] == ["Strength 1 → 2", "Mind 2 → 1"]
    assert [one.title for one in found.follows] == [
        "Konstitution", "Willenskraft", "Nahkampf", "Kuchen backen", "Falschparker entdecken",
        "Handtasche mit Ziegelstein", "Regenschirm"]
    assert [str(one) for one in found.figures] == ["Life points 10 → 11", "Mental health 13 → 12"]
    assert found.points is None
    # Points that only change their place are no change of the budget.
    found = became("condice", "juan", {"life": 6, "movement": 3})
    assert (sum(one.points for one in found.changes), found.points) == (0, None)


def test_dice_of_an_attack_and_an_ability_more():
    ability = {"ability": "mindcontrol", "dice": 3, "range": 1}
    found = became("condice", "juan", {"attacks.0.dice": 5, "life": 6, "abilities": [*JUAN["abilities"], ability]})
    life, attack, mind = found.changes
    assert str(life) == "Life: 5 → 6; Points +1; Life points 10 → 12"
    assert str(attack) == "Einhornpiranhas: Dice 4 → 5; Points +1; on average 2.67 → 3.33"
    assert (mind.kind, mind.path, mind.title, mind.cost) == ("added", "abilities.3", "Mind control", "Points +4")
    assert [str(one) for one in mind.fields] == ["Dice 3", "Range bought 1"]
    assert [str(one).replace("\xa0", " ") for one in mind.odds] == ["works 53.5 %", "fails 46.5 %"]
    # Of each part of the budget the changes tell.
    assert str(found.points) == "Points 30 of 30 points → 36 of 30 points"
    # What stands with its field is not told again.
    assert (found.figures, found.odds) == ((), ())


def test_a_row_put_first_leaves_the_others_as_they_are():
    punch = {"name": "Kopfnuss", "dice": 1, "range": 0, "description": ""}
    found = became("condice", "juan", {"attacks": [punch, *JUAN["attacks"]]})
    assert (kinds(found), found.follows, found.odds, found.figures) == (
        [("added", "attacks.0", "Kopfnuss")], (), (), ())
    assert kinds(became("condice", "juan", {"attacks": JUAN["attacks"]}, {"attacks": [punch, *JUAN["attacks"]]})) == [
        ("removed", "attacks.0", "Kopfnuss")]


def test_a_row_called_otherwise_is_one_change_and_one_put_elsewhere_is_moved():
    found = became("condice", "juan", {"attacks.0.name": "Möwen"})
    assert [str(one) for one in found.changes] == ["Möwen: Name Einhornpiranhas → Möwen"]
    found = became("condice", "juan", {"attacks": JUAN["attacks"][::-1]})
    assert [(one.kind, len(one.fields), one.fields[0].title) for one in found.changes] == [("moved", 1, "Place")]


def test_findings_go_with_their_rows():
    # Each reaches further than those of more dice: none is for nothing, which would be a finding of its own.
    nameless = {"name": "", "dice": 1, "range": 4, "description": ""}
    punch = {**nameless, "name": "Kopfnuss", "dice": 2, "range": 3}
    found = became("condice", "juan", {"attacks": [punch, *JUAN["attacks"], nameless]},
                   {"attacks": [*JUAN["attacks"], nameless]})
    assert "CD-02" not in {one.rule for one in (*found.broken, *found.mended)}


def test_a_profile_tells_its_values_and_its_chances_at_a_defence_that_shows_them():
    found = became("daemmersturm", "knight", {"melee.attack": -1, "shield": None})
    melee, shield = found.changes
    assert str(melee) == "Melee (N): Attack bonus 4 → −1"
    assert (shield.kind, shield.title, str(shield.fields[0])) == ("removed", "Shield", "Number to reach 14")
    assert [str(one) for one in found.figures] == ["Action points 7 → 1"]
    # The shield's roll is gone with it.
    assert found.odds == ()
    weapon = next(one for one in found.follows if one.title == "Morgenstern")
    assert str(weapon.odds[0]).replace("\xa0", " ") == \
        "critical hit or hit (Defence of the target 12) 60.0 % → 35.0 %"


def test_rolls_that_are_seldom_wanted_are_left_out():
    melee, magic = became("daemmersturm", "knight", {"melee.defence": 3, "magic.attack": -2}).changes
    assert (melee.odds, {one.title.partition(":")[0] for one in magic.odds}) == ((), {"Magic attack"})


def test_words_and_their_colours_stand_each_by_itself():
    slug = "augen-des-zwielichts"
    key = next(iter(systems()[slug].examples))
    found = became(slug, key, {"fields.item.word": "Säbel", "fields.item.colour": "black", "fears": ["Feuer"]})
    fears, item = found.changes
    assert (fears.title, fears.fields[0].title, fears.fields[0].after) == ("Fears", "", "Feuer")
    assert item.path == "fields.item"
    assert [(one.title, one.after) for one in item.fields] == [("Word", "Säbel"), ("Colour", "black")]
    assert [str(one) for one in found.figures] == ["Black fields 1 → 2"]
    assert {one.rule for one in found.broken} == {"SZ-02", "SZ-04"}


def test_copies_of_a_card_change_the_curve_and_are_no_points_of_their_own():
    slug = "battle-dice"
    key = next(iter(systems()[slug].examples))
    data = systems()[slug].examples[key]["data"]
    found = became(slug, key, {"cards.0.copies": data["cards"][0]["copies"] - 1})
    change, = found.changes
    assert ([one.title for one in change.fields], change.cost) == (["Copies"], "")
    assert any(one.title.startswith("Mana curve: ") for one in found.figures)
    assert (found.points.lines, found.points.spent.after) == ((), "7 of 8 cards")
    assert [one.rule for one in found.broken] == ["BD-01"]


def test_house_rules_and_the_name_are_told_too():
    found = became("condice", "juan", {}, name="Juana", house={"budget": 25, "policy": {"CD-01": "ask"}})
    assert str(found.name) == "Name of the character Juan → Juana"
    assert [one.title for one in found.house] == ["Points to spend", "CD-01 Thirty points"]
    assert [(one.rule, one.severity) for one in found.broken] == [("CD-01", "approval")]
    assert found.points.spent.after == "30 of 25 points"


def test_a_house_rule_is_told_as_it_is_stored_or_by_what_comes_of_it():
    found = became("condice", "juan", {}, house={"policy": {"CD-99": "warn"}})
    assert [(one.before, one.after) for one in found.house] == [("{}", '{"policy":{"CD-99":"warn"}}')]
    # A dearer catalogue shows at the rows that cost more.
    found = became("condice", "juan", {}, house={"prices": {"heilung": {"base": 4}}})
    assert [*found.changes] == []
    assert [(one.kind, one.title, one.cost) for one in found.follows] == [("follows", "Healing", "Points +2")]


def test_a_state_that_the_rules_cannot_read_is_refused():
    with pytest.raises(ValidationError):
        became("condice", "juan", {"life": -1})


def states(ruleset):
    """Random sheets."""
    for seed in range(6):
        made = generate.sheet(ruleset, Random(seed))  # noqa: S311 - no secret hangs on a test
        yield SheetContent(made["name"], made["data"])


@every_system
def test_nothing_differs_from_itself_and_everything_else_differs(ruleset):
    found = [*states(ruleset), *(SheetContent(one["name"], one["data"], one.get("house", {}))
                                 for one in (*ruleset.examples.values(), *ruleset.offenders.values()))]
    for same in (diff(ruleset, one, one) for one in found):
        assert (bool(same), same.lines) == (False, [])
    for before, after in pairwise([*found, found[0]]):
        assert bool(diff(ruleset, before, after)) == (before != after)


@every_system
def test_the_other_way_round_what_was_added_was_removed(ruleset):
    for before, after in pairwise(states(ruleset)):
        there, back = diff(ruleset, before, after), diff(ruleset, after, before)
        for kind, other in (("added", "removed"), ("removed", "added")):
            assert [(one.path, one.title, -one.points) for one in there.changes if one.kind == kind] == [
                (one.path, one.title, one.points) for one in back.changes if one.kind == other]
        assert [one.message for one in there.broken] == [one.message for one in back.mended]
        assert sum(one.points for one in (*there.changes, *there.follows)) == -sum(
            one.points for one in (*back.changes, *back.follows))


@pytest.mark.parametrize("slug", ["condice", "dice-rumble"])
def test_where_all_rows_have_prices_the_points_of_all_changes_are_those_of_the_budget(slug):
    ruleset = systems()[slug]
    # Random sheets spend all; without one of its lists the later one has not.
    less = {"condice": "attacks", "dice-rumble": "talents"}[slug]
    for before, other in pairwise(states(ruleset)):
        after = SheetContent(other.name, {**other.data, less: []})
        spent = [read_tree(ruleset.document("x", one.data)).sheet.ledger(ruleset.house()).spent
                 for one in (before, after)]
        assert spent[0] != spent[1]
        assert sum(one.points for one in diff(ruleset, before, after).changes) == spent[1] - spent[0]


@every_system
@pytest.mark.slow
def test_the_largest_sheets_are_told_apart_too(ruleset):
    usual = next(iter(ruleset.examples.values()))
    found = [SheetContent(one["name"], one["data"], one.get("house", {})) for one in (usual, *crowds(ruleset))]
    for before, after in pairwise(found):
        there = diff(ruleset, before, after)
        assert (bool(there), bool(page(there))) == (before != after, True)


@given(st.data())
def test_whatever_is_done_to_a_list_each_row_is_told_once(data):
    ruleset = systems()["dice-rumble"]
    talents = st.fixed_dictionaries({
        "name": st.sampled_from(["Nahkampf", "nahkampf", "Tratsch", ""]), "points": st.integers(0, 3),
        "attribute": st.sampled_from(["mind", "strength", None])})
    lists = [data.draw(st.lists(talents, max_size=5)) for _side in range(2)]
    with override("en"):
        found = diff(ruleset, *(side("dice-rumble", "aunt", {"talents": one}) for one in lists))
    rows = [one for one in found.changes if one.section == "Talents"]
    assert len({(one.kind == "removed", one.path) for one in rows}) == len(rows)
    assert sum(one.kind == "added" for one in rows) - sum(one.kind == "removed" for one in rows) == \
        len(lists[1]) - len(lists[0])
    assert bool(found) == (lists[0] != lists[1])
