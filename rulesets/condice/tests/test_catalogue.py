import pytest

from rulesets.condice.catalogue import CATALOGUE
from rulesets.condice.tests.heroes import ability_row as row
from rulesets.document import Unreadable, canonical, read


@pytest.fixture
def cost(alone, check):
    """Give the points that an ability costs."""
    return lambda row, **house: check(alone(row, **house)).derived["abilities"][0]["cost"]


@pytest.mark.parametrize(("ability", "points"), [
    row("CD-20", "zaubern", 1),
    row("CD-20", "zaubern", 4, range=3),
    row("CD-21", "durch-waende-gehen", 5, fields=5),
    row("CD-22", "mindcontrol", 1, dice=1),
    row("CD-22", "mindcontrol", 8, dice=6, range=2),
    row("CD-23", "aggro-ziehen", 1, dice=1),
    row("CD-23", "aggro-ziehen", 6, dice=4, extra_targets=2),
    row("CD-23", "aggro-ziehen", 9, dice=4, extra_targets=2, range=3),
    row("CD-24", "heilung", 2),
    row("CD-24", "heilung", 5, extra_characters=3),
    row("CD-24", "heilung", 7, extra_characters=3, range=2),
    row("CD-25", "teleportieren", 10, fields=5),
    row("CD-26", "portal-erschaffen", 2, fields=1),
    row("CD-26", "portal-erschaffen", 8, fields=3, extra_persons=2),
    row("CD-26", "portal-erschaffen", 9, fields=3, extra_persons=2, range=1),
    row("CD-27", "flaechenkontrolle", 9, fields=4, range=1),
    row("CD-28", "groesse-aendern", 2),
    row("CD-28", "groesse-aendern", 7, dice=5),
    row("CD-28", "groesse-aendern", 9, dice=5, range=2),
    row("CD-29", "leben-transferieren", 2, life_points=1),
    row("CD-29", "leben-transferieren", 13, life_points=6, range=1),
    row("CD-30", "wurf-wiederholen", 4),
    row("CD-31", "explosion", 4),
    row("CD-31", "explosion", 6, range=2),
    row("CD-32", "aura", 4, attribute="movement"),
    row("CD-32", "aura", 5, attribute="attack", range=1),
    row("CD-33", "boost-debuff", 4, variant="I"),
    row("CD-33", "boost-debuff", 7, variant="II", extra_targets=3),
    row("CD-33", "boost-debuff", 9, variant="III", extra_targets=3, range=2),
    row("CD-34", "fliegen", 4),
    row("CD-35", "flaechenangriff", 4),
    row("CD-35", "flaechenangriff", 12, fields=3),
    row("CD-35", "flaechenangriff", 8, damage=2),
    row("CD-35", "flaechenangriff", 18, fields=2, damage=3, distance=2),
    row("CD-36", "boost", 6, variant="I"),
    row("CD-08", "custom", 0, name="Zeit anhalten", cost=0),
    row("CD-08", "custom", 7, name="Zeit anhalten", cost=5, range=2),
])
def test_an_ability_costs_what_its_entry_says(ability, points, alone, check):
    verdict = check(alone(ability))
    assert verdict.derived["abilities"] == [{"ability": ability["ability"], "cost": points}]
    assert verdict.derived["points_spent"] == 26 + points
    assert {finding.rule for finding in verdict.findings} <= {"CD-08"}


@pytest.mark.rule("CD-07")
@pytest.mark.parametrize(("ability", "severity"), [
    ({"ability": "zaubern"}, None),
    ({"ability": "durch-waende-gehen", "fields": 2}, "warning"),
    ({"ability": "mindcontrol", "dice": 2}, None),
    ({"ability": "aggro-ziehen", "dice": 2}, None),
    ({"ability": "heilung"}, None),
    ({"ability": "teleportieren", "fields": 2}, "error"),
    ({"ability": "portal-erschaffen", "fields": 2}, None),
    ({"ability": "flaechenkontrolle", "fields": 2}, None),
    ({"ability": "groesse-aendern"}, None),
    ({"ability": "leben-transferieren", "life_points": 2}, None),
    ({"ability": "wurf-wiederholen"}, "warning"),
    ({"ability": "explosion"}, None),
    ({"ability": "aura", "attribute": "life"}, None),
    ({"ability": "boost-debuff", "variant": "I"}, None),
    ({"ability": "fliegen"}, "warning"),
    ({"ability": "flaechenangriff"}, "error"),
    ({"ability": "boost", "variant": "I"}, "warning"),
])
def test_range_is_a_point_a_field_where_an_entry_has_a_use_for_it(ability, severity, alone, cost, found):
    assert found(alone(ability)) == []
    assert found(alone(ability | {"range": 2})) == ([("CD-07", severity, "abilities.0.range")] if severity else [])
    assert cost(ability | {"range": 2}) == cost(ability) + 2


@pytest.fixture
def mends(alone, check):
    """Give the mends of the one finding of an ability: the rows that they leave."""

    def mends(ability, **house):
        (finding,) = check(alone(ability, **house)).findings
        return [(fix.label, fix.data["abilities"]) for fix in finding.fixes]

    return mends


TELEPORT = {"ability": "teleportieren", "fields": 1, "range": 0}
AREA = {"ability": "flaechenangriff", "fields": 1, "damage": 1, "distance": 1, "range": 0}
FLY = {"ability": "fliegen", "range": 0}


@pytest.mark.rule("CD-07", "CD-34", "CD-35")
@pytest.mark.parametrize(("ability", "reach", "house", "ways"), [
    (TELEPORT, 2, {}, [("Turn 2 extra range into squares", [TELEPORT | {"fields": 3}]),
                       ("Take back 2 points of range", [TELEPORT])]),
    # It does not move where the points do not suffice.
    (TELEPORT, 2, {"budget": 30}, [("Take back 2 points of range", [TELEPORT])]),
    (AREA, 2, {}, [("Turn 2 extra range into distance", [AREA | {"distance": 3}]),
                   ("Take back 2 points of range", [AREA])]),
    (FLY, 1, {}, [("Take back 1 point of range", [FLY])]),
])
def test_range_that_buys_nothing_moves_to_what_it_was_meant_for_or_is_taken_back(ability, reach, house, ways, mends):
    assert mends(ability | {"range": reach}, **house) == ways


@pytest.mark.parametrize(("ability", "key"), [
    row("CD-21", "durch-waende-gehen", "fields", fields=0), row("CD-22", "mindcontrol", "dice", dice=0),
    row("CD-23", "aggro-ziehen", "dice", dice=0, extra_targets=2), row("CD-25", "teleportieren", "fields", fields=0),
    row("CD-26", "portal-erschaffen", "fields", fields=0, extra_persons=2),
    row("CD-27", "flaechenkontrolle", "fields", fields=0),
    row("CD-29", "leben-transferieren", "life_points", life_points=0),
    row("CD-35", "flaechenangriff", "fields", fields=0), row("CD-35", "flaechenangriff", "damage", damage=0),
])
def test_an_ability_with_nothing_bought_is_illegal_and_buys_one_or_goes(ability, key, alone, found, mends):
    assert found(alone(ability)) == [(CATALOGUE[ability["ability"]].id, "error", f"abilities.0.{key}")]
    (_label, bought), (_label, dropped) = mends(ability)
    assert (bought[0][key], dropped) == (1, [])


ATTRIBUTES = ["attack", "defence", "life", "mental_resistance", "movement"]


@pytest.mark.parametrize(("ability", "key", "choices"), [
    row("CD-32", "aura", "attribute", ATTRIBUTES), row("CD-33", "boost-debuff", "variant", ["I", "II", "III"]),
    row("CD-36", "boost", "variant", ["I", "II", "III", "IV", "V", "VI"]),
])
def test_what_must_be_chosen_at_creation_is_illegal_until_chosen_and_only_the_sources_choices_are_readable(
        ability, key, choices, alone, check, found):
    (finding,) = check(alone(ability | {key: None})).findings
    assert (finding.rule, finding.severity, finding.path) == (
        CATALOGUE[ability["ability"]].id, "error", f"abilities.0.{key}")
    assert [fix.data["abilities"][0][key] for fix in finding.fixes] == choices[:5]
    assert [found(alone(ability | {key: choice})) for choice in choices] == [[]] * len(choices)
    for other in ("VII", "i", "ability", "", 1):
        with pytest.raises(Unreadable) as error:
            read(canonical(alone(ability | {key: other})))
        assert error.value.offences[0][0] == f"data.abilities.0.{key}"
    with pytest.raises(Unreadable):
        read(canonical(alone(ability)))


@pytest.mark.parametrize(("ability", "variants"), [
    row("CD-33", "boost-debuff", ["2 attributes changed by 4 for 4 rounds", "4 attributes changed by 2 for 4 rounds",
                                  "4 attributes changed by 4 for 2 rounds"]),
    # The source's six attributes are all, whether five or six are counted.
    row("CD-36", "boost", [
        "4 attributes changed by 6 for 2 rounds", "all attributes changed by 4 for 2 rounds",
        "2 attributes changed by 4 for 6 rounds", "4 attributes changed by 2 for 6 rounds",
        "2 attributes changed by 6 for 4 rounds", "all attributes changed by 2 for 4 rounds"]),
])
def test_the_variants_carry_the_rounds_attributes_and_amounts_of_the_source(ability, variants, alone):
    for variant, said in zip(("I", "II", "III", "IV", "V", "VI"), variants, strict=False):
        assert read(canonical(alone(ability | {"variant": variant}))).sheet.abilities[0].what().split(".")[0] == said


@pytest.mark.rule("CD-33")
def test_a_party_may_leave_the_variant_of_a_boost_for_others_open_but_not_that_of_the_own(alone, found):
    assert found(alone({"ability": "boost-debuff", "variant": None}, open_variant=True)) == []
    assert found(alone({"ability": "boost", "variant": None}, open_variant=True)) == [
        ("CD-36", "error", "abilities.0.variant")]


OWN = {"ability": "custom", "name": "Zeit anhalten", "cost": 6}


@pytest.mark.rule("CD-08")
@pytest.mark.parametrize(("ability", "house", "findings", "verdict"), [
    (OWN, {}, [("CD-08", "approval", "abilities.0")], "needs-approval"), (OWN, {"consent": False}, [], "legal"),
    (OWN | {"name": " "}, {"consent": False}, [("CD-08", "warning", "abilities.0.name")], "legal"),
    *((OWN, {"policy": {"CD-08": policy}}, [("CD-08", severity, "abilities.0")], verdict)
      for policy, severity, verdict in (("block", "error", "illegal"), ("ask", "approval", "needs-approval"),
                                        ("warn", "warning", "legal"))),
])
def test_an_own_ability_asks_for_consent_unless_the_party_decides_otherwise(
        ability, house, findings, verdict, alone, check, found):
    assert (found(alone(ability, **house)), check(alone(ability, **house)).verdict) == (findings, verdict)


@pytest.mark.rule("CD-08")
def test_an_own_ability_is_named_with_its_cost_and_can_be_dropped(alone, check):
    (finding,) = check(alone(OWN)).findings
    assert [word for word in ("Zeit anhalten", "6 points") if word not in str(finding.message)] == []
    assert [fix.data["abilities"] for fix in finding.fixes] == [[]]


@pytest.mark.parametrize(("ability", "prices", "points"), [
    row("CD-20", "zaubern", {"base": 3}, 3),
    row("CD-34", "fliegen", {"base": 0}, 0),
    row("CD-25", "teleportieren", {"fields": 1}, 4, fields=4),
    row("CD-24", "heilung", {"base": 1, "extra_characters": 3}, 7, extra_characters=2),
    row("CD-35", "flaechenangriff", {"damage": 2}, 12, fields=2, damage=3),
    row("CD-07", "mindcontrol", {"range": 2}, 7, dice=3, range=2),
])
def test_a_party_may_change_prices_and_the_points_follow(ability, prices, points, alone, check):
    verdict = check(alone(ability, prices={ability["ability"]: prices}))
    assert verdict.derived["abilities"][0]["cost"] == points
    assert (verdict.derived["points_spent"], verdict.derived["points_left"]) == (26 + points, 174 - points)


@pytest.mark.rule("CD-01")
def test_a_price_may_make_a_sheet_illegal(juan, found):
    assert found(juan(house={"prices": {"zaubern": {"base": 2}}})) == [("CD-01", "error", "")]


@pytest.mark.parametrize(("prices", "place"), [
    ({"feuerball": {"base": 1}}, "house.prices.feuerball"),
    ({"zaubern": {"dice": 1}}, "house.prices.zaubern.dice"),
    ({"aura": {"attribute": 1}}, "house.prices.aura.attribute"),
    ({"zaubern": {"base": -1}}, "house.prices.zaubern.base"),
    ({"zaubern": 3}, "house.prices.zaubern"),
])
def test_a_price_for_what_is_not_sold_is_refused_at_its_place(prices, place, alone):
    with pytest.raises(Unreadable) as error:
        read(canonical(alone({"ability": "zaubern"}, prices=prices)))
    assert [found for found, _message in error.value.offences] == [place]


def test_every_ability_of_the_source_is_an_entry_with_its_own_rule():
    assert [(entry.id, slug) for slug, entry in CATALOGUE.items()] == [
        ("CD-20", "zaubern"), ("CD-21", "durch-waende-gehen"), ("CD-22", "mindcontrol"), ("CD-23", "aggro-ziehen"),
        ("CD-24", "heilung"), ("CD-25", "teleportieren"), ("CD-26", "portal-erschaffen"),
        ("CD-27", "flaechenkontrolle"), ("CD-28", "groesse-aendern"), ("CD-29", "leben-transferieren"),
        ("CD-30", "wurf-wiederholen"), ("CD-31", "explosion"), ("CD-32", "aura"), ("CD-33", "boost-debuff"),
        ("CD-34", "fliegen"), ("CD-35", "flaechenangriff"), ("CD-36", "boost"), ("CD-08", "custom")]
