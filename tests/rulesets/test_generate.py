"""The generator's own promises, beside what the contract asks of every system."""

from typing import Literal

import pytest
from django.utils.translation import override
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
    house = house or SYSTEM.house()
    return SYSTEM.sheet.model_validate(data).ledger(house).left


def test_a_draft_keeps_its_rows_figures_and_names():
    attack = {"name": "Biss", "dice": 3, "range": 1, "description": "tut weh"}
    data = fill(life=7, attacks=[attack])
    assert data["life"] >= 7
    assert data["attacks"][0]["name"] == "Biss"
    assert data["attacks"][0]["description"] == "tut weh"
    assert data["attacks"][0]["dice"] >= 3
    assert (left(data), findings(data)) == (0, ())


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
    house = SYSTEM.house(consent=False)
    own = [one for seed in range(150) for one in sheet(SYSTEM, seeded(seed), house)["data"]["abilities"]
           if one["ability"] == "custom"]
    assert own
    assert all(one["name"] and one["cost"] for one in own)


def test_the_document_carries_the_house_that_it_was_made_for():
    house = SYSTEM.house(budget=12)
    document = read_tree(sheet(SYSTEM, seeded(3), house))
    assert document.house == house
    assert document.sheet.ledger(house).left == 0


@pytest.mark.parametrize("budget", [3, 4, 30, 150, 999])
def test_any_budget_is_spent(budget):
    house = SYSTEM.house(budget=budget)
    assert left(sheet(SYSTEM, seeded(budget), house)["data"], house) == 0


def test_a_draft_that_is_full_is_answered_as_it_is():
    data = fill()
    assert filled(SYSTEM, data, seeded(2)) == data


def test_an_overspent_draft_is_refused():
    with pytest.raises(Stuck, match="10"):
        fill(life=40)


def test_a_house_that_allows_no_finished_sheet_is_refused():
    with pytest.raises(Stuck):
        sheet(SYSTEM, seeded(1), SYSTEM.house(budget=1))


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


def heroes(data, count=30, **more):
    """Random heroes from the same start."""
    return [filled(system_of(Hero), blank(Hero) | data, seeded(seed), Table(), **more) for seed in range(count)]


def test_numbers_are_dealt_out_and_those_that_are_chosen_stay():
    made = heroes({"gifts": {"power": None, "wit": None}})
    assert all(None not in one["gifts"].values() or set(one["gifts"].values()) == {None} for one in made)
    assert {tuple(one["gifts"].values()) for one in made} >= {(5, 2), (2, 5)}
    assert {one["gifts"]["power"] for one in heroes({"gifts": {"power": None, "wit": 5}})} <= {2, None}
    assert {one["gifts"]["power"] for one in heroes({"gifts": {"power": 4, "wit": None}})} == {4}


def test_known_rows_come_once_each_and_before_invented_ones():
    for one in heroes({}):
        names = [skill["name"] for skill in one["skills"] if skill["name"]]
        assert len(set(names)) == len(names)
        assert set(names) <= {"Swim", "Sing"}


def test_what_no_points_buy_comes_only_where_it_is_asked_for():
    assert not any(one["things"] for one in heroes({}))
    assert any(one["things"] for one in heroes({}, free=True))


def test_choices_are_drawn_where_that_moves_no_points_and_breaks_no_rule():
    made = [filled(system_of(Streets), blank(Streets), seeded(seed), free=True) for seed in range(40)]
    assert {one["quarter"] for one in made} == {"docks", "mint", "hill"}
    assert {(one["rank"], one["guild"], one["wits"]) for one in made} == {("low", "none", 5)}
    assert {len(one["tongues"]) for one in made} >= {0, 1, 2}


def test_what_somebody_chose_stays():
    made = [filled(system_of(Streets), blank(Streets) | {"quarter": "mint"}, seeded(seed)) for seed in range(10)]
    assert {(one["quarter"], *one["tongues"]) for one in made} == {("mint",)}


def test_a_budget_that_nothing_fits_exactly_is_refused():
    with pytest.raises(Stuck, match="1"):
        filled(system_of(Pairs), {"pairs": 0}, seeded(1))


def test_without_a_budget_a_few_steps_are_taken():
    made = [filled(system_of(Moods), blank(Moods) | {"level": 1}, seeded(seed)) for seed in range(20)]
    assert {one["mood"] for one in made} > {"glad", "sad"}
    assert len({one["level"] for one in made}) > 2


def test_a_list_of_texts_has_a_line_of_those_that_are_known_or_keeps_its_own():
    made = [filled(system_of(Moods), blank(Moods) | {"mood": "sad"}, seeded(seed)) for seed in range(20)]
    assert {tuple(one["fears"]) for one in made} == {(), ("Fire",), ("Water",)}
    kept = [filled(system_of(Moods), blank(Moods) | {"fears": ["Dust"]}, seeded(seed)) for seed in range(20)]
    assert {tuple(one["fears"]) for one in kept} == {("Dust",)}


def test_characters_are_plausible():
    made = [sheet(SYSTEM, seeded(seed))["data"] for seed in range(100)]
    assert all(one["life"] and one["movement"] for one in made)
    assert all(len(one[rows]) <= CAP for one in made for rows in ("attacks", "abilities"))
    names = [[attack["name"] for attack in one["attacks"]] for one in made]
    assert all(len(set(one)) == len(one) for one in names)
    dice = [max((attack["dice"] for attack in one["attacks"]), default=0) for one in made]
    assert sum(dice) / len(dice) > 3


def test_a_system_without_concepts_says_so_to_whoever_asks_for_one():
    with override("en"), pytest.raises(Stuck, match=r"^Pairs has no concepts to choose from\.$"):
        character(system_of(Pairs, "Pairs"), seeded(1), concept="king")
