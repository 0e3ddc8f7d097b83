"""The generator's own promises, beside what the contract asks of every system."""

from typing import Literal

import pytest
from pydantic import Field

from rulesets import systems
from rulesets.document import read_tree
from rulesets.generate import character, filled, sheet
from rulesets.kit import Ask, House, Ledger, Part, Points, Ruleset, Sheet, Spent, blank, error, field, rows, rule
from rulesets.spending import CAP, Stuck
from tests.support.rulesets.contract import seeded

SYSTEM = systems()["condice"]
BLANK = blank(SYSTEM.sheet)


def fill(seed=1, house=None, **data):
    return filled(SYSTEM, {**BLANK, **data}, seeded(seed), house)


def findings(data, house=None):
    return SYSTEM.check(SYSTEM.sheet.model_validate(data), house, "x", mends=False).findings


def left(data, house=None):
    return SYSTEM.sheet.model_validate(data).ledger(house or SYSTEM.house()).left


def test_a_draft_keeps_its_rows_figures_and_names_and_is_answered_as_it_is_once_it_is_full():
    data = fill(life=7, attacks=[{"name": "Biss", "dice": 3, "range": 1, "description": "tut weh"}])
    attack = data["attacks"][0]
    assert data["life"] >= 7
    assert attack["dice"] >= 3
    assert (attack["name"], attack["description"], left(data), findings(data)) == ("Biss", "tut weh", 0, ())
    assert filled(SYSTEM, data, seeded(2)) == data


def test_an_open_choice_and_a_missing_name_are_settled():
    data = fill(attacks=[{"name": "", "dice": 2, "range": 0, "description": ""}],
                abilities=[{"ability": "aura", "range": 0, "attribute": None}])
    assert data["attacks"][0]["name"]
    assert data["abilities"][0]["attribute"]
    assert findings(data) == ()


def test_where_a_system_has_no_names_a_character_is_called_as_the_system_is():
    assert sheet(system_of(Moods, "Moods"), seeded(1))["name"] == "Moods"
    assert sheet(system_of(Moods, names=("Joy",)), seeded(1))["name"] == "Joy"


def test_what_needs_approval_is_kept_and_not_added_to():
    own = {"ability": "custom", "range": 0, "name": "Zeitsprung", "cost": 5, "description": ""}
    for seed in range(20):
        data = fill(seed, abilities=[own])
        assert [finding.rule for finding in findings(data)] == ["CD-08"]
        assert data["abilities"][0]["name"] == "Zeitsprung"


def test_a_finding_that_only_the_player_can_settle_stays_and_all_is_spent():
    data = fill(abilities=[{"ability": "fliegen", "range": 2}])
    assert [finding.rule for finding in findings(data)] == ["CD-07"]
    assert left(data) == 0


def test_where_the_house_agrees_own_abilities_come_with_names():
    made = [sheet(SYSTEM, seeded(seed), SYSTEM.house(consent=False))["data"] for seed in range(60)]
    own = [one for data in made for one in data["abilities"] if one["ability"] == "custom"]
    assert own
    assert all(one["name"] and one["cost"] for one in own)


@pytest.mark.parametrize("budget", [3, 4, 12, 30, 150, 999])
def test_any_budget_is_spent_and_the_document_carries_the_house_that_it_was_made_for(budget):
    document = read_tree(sheet(SYSTEM, seeded(budget), SYSTEM.house(budget=budget)))
    assert (document.house, document.sheet.ledger(document.house).left) == (SYSTEM.house(budget=budget), 0)


class Pairs(Sheet):
    """Things that come in pairs."""

    pairs: Points = field("Pairs", price=2)

    def ledger(self, house):
        return Ledger(5, (Spent("Pairs", "pairs", 2 * self.pairs),))


class Moods(Sheet):
    """Nothing costs anything."""

    level: Points = field("Level")
    mood: Literal["glad", "sad"] | None = field("Mood")
    fears: list[str] = field("Fears", [], samples=("Fire", "Water"))


class Streets(Sheet):
    """What is chosen: freely, for points, against a rule, and several words."""

    quarter: Literal["docks", "mint", "hill"] = field("Quarter", "docks")
    rank: Literal["low", "high"] = field("Rank", "low")
    guild: Literal["none", "thieves"] = field("Guild", "none")
    tongues: list[Literal["sea", "old", "trade"]] = field("Tongues", [])
    wits: Points = field("Wits", price=1)

    def ledger(self, house):
        """A high rank costs two."""
        return Ledger(5, (Spent("Wits", "wits", self.wits), Spent("Rank", "rank", 2 * (self.rank == "high"))))

    @rule("XX-01")
    def honest(self, house):
        """No thieves."""
        if self.guild != "none":
            yield error("No thieves.", "guild", [])


def system_of(shape, title="", **more):
    """A system of one shape, without a folder."""
    system = Ruleset(package="", slug="", prefix="XX", title=title, summary="", minutes=0, **more)
    system.__dict__.update(sheet=shape, house=House)
    return system


class Gifts(Part):
    """Two gifts."""

    power: Points | None = field("Power")
    wit: Points | None = field("Wit")


class Skill(Part):
    """Something learned."""

    name: str = field("Name")
    points: Points = field("Points", price=1)


class Thing(Part):
    """Something carried."""

    name: str = field("Name", samples=("Rope",))


class Hero(Sheet):
    """Numbers dealt out, rows known by name, rows that nothing buys."""

    gifts: Gifts = field("Gifts", deal="gifts")
    skills: list[Skill] = rows("Skills", presets={"Swim": {"name": "Swim"}}, samples=({"name": "Sing"},))
    things: list[Thing] = rows("Things", [])

    def ledger(self, house):
        return Ledger(9, (Spent("Skills", "skills", sum(skill.points for skill in self.skills)),))


class Table(House):
    """What is dealt out."""

    gifts: list[Points] = Field(default_factory=lambda: [5, 2], json_schema_extra=Ask("Gifts"))


def heroes(data, **more):
    """Random heroes from the same start."""
    return [filled(system_of(Hero), blank(Hero) | data, seeded(seed), Table(), **more) for seed in range(30)]


def drawn(shape, *, free=False, **given):
    """Random sheets of a shape that begin with what is given."""
    return [filled(system_of(shape), blank(shape) | given, seeded(seed), free=free) for seed in range(40)]


def test_numbers_are_dealt_out_and_those_that_are_chosen_stay():
    made = heroes({"gifts": {"power": None, "wit": None}})
    assert all(None not in one["gifts"].values() or set(one["gifts"].values()) == {None} for one in made)
    assert {tuple(one["gifts"].values()) for one in made} >= {(5, 2), (2, 5)}
    assert {one["gifts"]["power"] for one in heroes({"gifts": {"power": None, "wit": 5}})} <= {2, None}
    assert {one["gifts"]["power"] for one in heroes({"gifts": {"power": 4, "wit": None}})} == {4}


def test_known_rows_come_once_each_and_what_no_points_buy_only_where_it_is_asked_for():
    for one in heroes({}):
        names = [skill["name"] for skill in one["skills"] if skill["name"]]
        assert len(set(names)) == len(names)
        assert set(names) <= {"Swim", "Sing"}
        assert not one["things"]
    assert any(one["things"] for one in heroes({}, free=True))


def test_choices_are_drawn_where_that_moves_no_points_and_breaks_no_rule_and_what_somebody_chose_stays():
    made = drawn(Streets, free=True)
    assert {one["quarter"] for one in made} == {"docks", "mint", "hill"}
    assert {(one["rank"], one["guild"], one["wits"]) for one in made} == {("low", "none", 5)}
    assert {len(one["tongues"]) for one in made} >= {0, 1, 2}
    assert {(one["quarter"], *one["tongues"]) for one in drawn(Streets, quarter="mint")} == {("mint",)}


@pytest.mark.parametrize(("make", "why"), [
    (lambda: fill(life=40), "10"), (lambda: sheet(SYSTEM, seeded(1), SYSTEM.house(budget=1)), None),
    (lambda: filled(system_of(Pairs), {"pairs": 0}, seeded(1)), "1"),
    (lambda: character(system_of(Pairs, "Pairs"), seeded(1), concept="king"),
     r"^Pairs has no concepts to choose from\.$"),
], ids=["an overspent draft", "a house that allows no finished sheet", "a budget that nothing fits exactly",
        "a concept of a system without any"])
def test_what_cannot_be_made_is_refused(make, why):
    with pytest.raises(Stuck, match=why):
        make()


def test_without_a_budget_a_few_steps_are_taken():
    made = drawn(Moods, level=1)
    assert {one["mood"] for one in made} > {"glad", "sad"}
    assert len({one["level"] for one in made}) > 2


@pytest.mark.parametrize(("given", "fears"), [
    ({"mood": "sad"}, {(), ("Fire",), ("Water",)}), ({"fears": ["Dust"]}, {("Dust",)})])
def test_a_list_of_texts_has_a_line_of_those_that_are_known_or_keeps_its_own(given, fears):
    assert {tuple(one["fears"]) for one in drawn(Moods, **given)} == fears


def test_characters_are_plausible():
    made = [sheet(SYSTEM, seeded(seed))["data"] for seed in range(100)]
    for one in made:
        assert min(one["life"], one["movement"]) > 0
        assert max(len(one["attacks"]), len(one["abilities"])) <= CAP
        assert len({attack["name"] for attack in one["attacks"]}) == len(one["attacks"])
    assert sum(max((attack["dice"] for attack in one["attacks"]), default=0) for one in made) > 3 * len(made)
