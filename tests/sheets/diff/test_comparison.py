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
        "Nahkampf: Points 5 → 6; Threshold 8 → 9; critical success or success 80.0% → 90.0%",
        ("Entermesser: Duel with Entermesser: on average 3.66 → 4.13; miss 20.0% → 10.0%; otherwise on average "
         "5.50 → 6.00"),
        # What one fights with is the best that is meant for it.
        "Duel: win 73.0% → 82.0%", "Duel with bare hands: on average 2.20 → 2.49",
        "Unarmed attack: miss 20.0% → 10.0%", "Unarmed attack: otherwise on average 3.50 → 4.00",
        "Points 40 of 40 points → 41 of 40 points",
        "now breaks DR-02: 41 points are spent on talents, but only 40 are allowed; take back 1.",
    ]
    assert [one.title for one in found.follows] == ["Entermesser"]
    assert [(one.rule, one.severity) for one in found.broken] == [("DR-02", "error")]
    assert (found.mended, found.reworded_findings, found.house, found.name) == ((), (), (), None)
    with override("de"):
        german = lines(became("dice-rumble", "captain", {"talents.2.points": 6}, CAPTAIN))
    assert german[0] == ("Nahkampf: Punkte 5 → 6; Schwellenwert 8 → 9; "
                         "kritischer Erfolg oder Erfolg 80,0 % → 90,0 %")
    assert german[-1].startswith("verstößt jetzt gegen DR-02: ")


def said(found):
    """All that is told of a difference."""
    def texts(many):
        return [str(one).replace("\xa0", " ") for one in many]

    return {
        "kinds": kinds(found), "changes": texts(found.changes), "last": lines(found)[-1:],
        "fields": [texts(one.fields) for one in found.changes], "points": [one.points for one in found.changes],
        "costs": [one.cost for one in found.changes], "chances": [texts(one.odds) for one in found.changes],
        "own": [texts(one.figures) for one in found.changes],
        "follows": [one.title for one in found.follows],
        "dearer": [(one.title, one.cost) for one in found.follows if one.cost],
        "weapon": [texts(one.odds)[0] for one in found.follows if one.title == "Morgenstern"],
        "figures": texts(found.figures), "odds": texts(found.odds),
        "broken": [(one.rule, one.severity, one.path) for one in found.broken],
        "mended": [one.rule for one in found.mended],
        "otherwise": [(before.message[:2], after.message[:2]) for before, after in found.reworded_findings],
        "house": [(one.title, one.before, one.after) for one in found.house], "name": found.name and str(found.name),
        "budget": found.points and str(found.points), "lines": found.points and [*found.points.lines],
    }


DECK, SEER = (next(iter(systems()[slug].examples)) for slug in ("battle-dice", "augen-des-zwielichts"))
COPIES = systems()["battle-dice"].examples[DECK]["data"]["cards"][0]["copies"]
PUNCH = {"name": "Kopfnuss", "dice": 1, "range": 0, "description": ""}
NAMELESS = {**PUNCH, "name": "", "range": 4}
CASES = {
    "the other way round a rule is no longer broken": (
        "dice-rumble", "captain", {"talents.2.points": 5}, {**CAPTAIN, "talents.2.points": 6}, {},
        {"mended": ["DR-02"], "broken": [], "points": [-1], "last": [
            "no longer breaks DR-02: 41 points are spent on talents, but only 40 are allowed; take back 1."]}),
    # Seven points in one talent are too many, too: another finding of the same rule, at another place.
    "what is broken before and after is told where it says something else": (
        "dice-rumble", "captain", {"talents.2.points": 7}, {**CAPTAIN, "talents.2.points": 6}, {},
        {"otherwise": [("41", "42")], "broken": [("DR-02", "error", "talents.2.points")]}),
    "an attribute changes what follows from it and nothing else": (
        "dice-rumble", "aunt", {"attributes.strength": 2, "attributes.mind": 1}, None, {},
        {"kinds": [("changed", "attributes", "Attributes")], "fields": [["Strength 1 → 2", "Mind 2 → 1"]],
         "follows": ["Konstitution", "Willenskraft", "Nahkampf", "Kuchen backen", "Falschparker entdecken",
                     "Handtasche mit Ziegelstein", "Regenschirm"],
         "figures": ["Life points 10 → 11", "Mental health 13 → 12"], "budget": None}),
    "points that only change their place are no change of the budget": (
        "condice", "juan", {"life": 6, "movement": 3}, None, {}, {"points": [1, -1], "budget": None}),
    # Of each part of the budget the changes tell; what stands with its field is not told again.
    "dice of an attack and an ability more": (
        "condice", "juan", {"attacks.0.dice": 5, "life": 6, "abilities": [
            *JUAN["abilities"], {"ability": "mindcontrol", "dice": 3, "range": 1}]}, None, {},
        {"kinds": [("changed", "life", "Life"), ("changed", "attacks.0", "Einhornpiranhas"),
                   ("added", "abilities.3", "Mind control")],
         "costs": ["Points +1", "Points +1", "Points +4"], "own": [["Life points 10 → 12"], [], []],
         "chances": [[], ["on average 2.67 → 3.33"], ["works 53.5%", "fails 46.5%"]],
         "fields": [["5 → 6"], ["Dice 4 → 5"], ["Dice 3", "Extra range 1"]],
         "budget": "Points 30 of 30 points → 36 of 30 points", "figures": [], "odds": []}),
    "a row put first leaves the others as they are": (
        "condice", "juan", {"attacks": [PUNCH, *JUAN["attacks"]]}, None, {},
        {"kinds": [("added", "attacks.0", "Kopfnuss")], "follows": [], "odds": [], "figures": []}),
    # Each reaches further than those of more dice: none is for nothing, which would be a finding of its own.
    "findings go with their rows": (
        "condice", "juan", {"attacks": [{**PUNCH, "dice": 2, "range": 3}, *JUAN["attacks"], NAMELESS]},
        {"attacks": [*JUAN["attacks"], NAMELESS]}, {}, {"broken": [], "mended": []}),
    "rolls that are seldom wanted are left out": (
        "daemmersturm", "knight", {"melee.defence": 3, "magic.attack": -2}, None, {},
        {"chances": [[], ["Magic attack: critical hit or hit 85.0% → 90.0%"]]}),
    "so does one taken away": (
        "condice", "juan", {"attacks": JUAN["attacks"]}, {"attacks": [PUNCH, *JUAN["attacks"]]}, {},
        {"kinds": [("removed", "attacks.0", "Kopfnuss")]}),
    "a row called otherwise is one change": (
        "condice", "juan", {"attacks.0.name": "Möwen"}, None, {},
        {"changes": ["Möwen: Name Einhornpiranhas → Möwen"]}),
    "one put elsewhere is moved": (
        "condice", "juan", {"attacks": JUAN["attacks"][::-1]}, None, {},
        {"kinds": [("moved", "attacks.0", "Faustschlag")], "fields": [["Place 2 → 1"]]}),
    # The shield's roll is gone with it.
    "a profile tells its values and its chances at a defence that shows them": (
        "daemmersturm", "knight", {"melee.attack": -1, "shield": None}, None, {},
        {"changes": ["Melee (N): Attack bonus 4 → −1", "Shield: removed; Number to reach 14"],
         "figures": ["Action points 7 → 1"], "odds": [],
         "weapon": ["critical hit or hit (Defence of the target 12) 60.0% → 35.0%"]}),
    "words and their colours stand each by itself": (
        "augen-des-zwielichts", SEER, {
            "fields.item.word": "Säbel", "fields.item.colour": "black", "fears": ["Feuer"]}, None, {},
        {"kinds": [("changed", "fears", "Fears"),
                   ("changed", "fields.item", "Attributes and items: 6 Item of the origin")],
         "fields": [["Feuer; Verlassen zu werden → Feuer"], ["Word Bootshaken → Säbel", "Colour white → black"]],
         "figures": ["Black fields 1 → 2"],
         "broken": [("SZ-02", "error", "fields"), ("SZ-04", "error", "fears")]}),
    "copies of a card change the curve and are no points of their own": (
        "battle-dice", DECK, {"cards.0.copies": COPIES - 1}, None, {},
        {"fields": [["Copies 3 → 2"]], "costs": [""], "lines": [], "budget": "Cards 8 of 8 cards → 7 of 8 cards",
         "figures": ["Mana curve: 1 mana 3 → 2", "Average cost 3.1 → 3.4",
                     "Keywords: Fokus (9 at half life or less) 13 → 12",
                     "Keywords: Lebenskraft 16 → 14", "Keywords: Seelenernte 3 → 2",
                     "Keywords: Verteidigung (5 at half life or less) 9 → 8"],
         "broken": [("BD-01", "error", "cards")]}),
    "house rules and the name are told too": (
        "condice", "juan", {}, None, {"name": "Juana", "house": {"budget": 25, "policy": {"CD-01": "ask"}}},
        {"name": "Name of the character Juan → Juana", "house": [
            ("Points to spend", "30", "25"),
            ("CD-01 Thirty points", "must be followed (as in the book)", "the GM may allow it")],
         "broken": [("CD-01", "approval", "")], "budget": "Points 30 of 30 points → 30 of 25 points"}),
    "a house rule for what nothing finds is told as it is stored": (
        "condice", "juan", {}, None, {"house": {"policy": {"CD-99": "warn"}}},
        {"house": [("House rules", "{}", '{"policy":{"CD-99":"warn"}}')]}),
    "a dearer catalogue shows at the rows that cost more": (
        "condice", "juan", {}, None, {"house": {"prices": {"heilung": {"base": 4}}}},
        {"changes": [], "dearer": [("Healing", "Points +2")]}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_difference_is_told_in_full_and_once(case):
    slug, key, after, before, sides, expected = CASES[case]
    found = said(became(slug, key, after, before, **sides))
    assert {what: found[what] for what in expected} == expected


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
@pytest.mark.prove
def test_the_largest_sheets_are_told_apart_too(ruleset, full):
    """Each from the one before; each third of them where it is no proof."""
    usual = next(iter(ruleset.examples.values()))
    found = [SheetContent(one["name"], one["data"], one.get("house", {})) for one in (usual, *crowds(ruleset))]
    for before, after in [*pairwise(found)][::1 if full else 3]:
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
