import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.dice_rumble import RULESET
from rulesets.document import Unreadable, canonical, read
from rulesets.kit import Refused, blank

KEYS = ("strength", "dexterity", "mind", "charisma")


def given_out(*values):
    return {f"attributes.{key}": value for key, value in zip(KEYS, values, strict=True)}


def held(fix):
    return tuple(fix.data["attributes"].values())


def points(fix):
    return [one["points"] for one in fix.data["talents"]]


@pytest.mark.rule("DR-02")
@pytest.mark.rule("DR-04")
@pytest.mark.rule("DR-05")
@pytest.mark.rule("DR-06")
@pytest.mark.rule("DR-07")
def test_bruno_spends_forty_points_and_his_figures_follow_from_them(baker, check):
    verdict = check(baker())
    assert (verdict.verdict, verdict.findings) == ("legal", ())
    assert verdict.derived == {
        "talent_points_spent": 40, "talent_points_left": 0,
        "life": 3 + 5 + 5, "mental_health": 1 + 5 + 5, "fate_points": 2,
        "thresholds": {"Konstitution": 8, "Willenskraft": 6, "Nahkampf": 9, "Ballistik": 4, "Akrobatik": 2,
                       "Früh aufstehen": 9, "Brotkunde": 7, "Trösten": 8, "Nachtwache": 3},
    }


@pytest.mark.rule("DR-00")
def test_a_sheet_without_a_name_is_warned_of(baker, check, found):
    assert found(baker(name="  ")) == [("DR-00", "warning", "")]
    assert check(baker(name="")).verdict == "legal"


@pytest.mark.rule("DR-01")
@pytest.mark.parametrize("values", [(3, 2, 1, 1), (1, 1, 2, 3), (1, 3, 1, 2), (2, 1, 3, 1)])
def test_three_two_one_and_one_may_be_given_out_in_any_order(values, baker, found):
    assert found(baker(given_out(*values))) == []


@pytest.mark.rule("DR-01")
@pytest.mark.parametrize("values", [
    (3, 2, 2, 1), (3, 3, 1, 1), (1, 1, 1, 1), (4, 1, 1, 1), (3, 2, 1, 0), (0, 0, 0, 0), (2, 2, 2, 1), (7, 0, 0, 0),
])
def test_any_other_set_is_illegal(values, baker, found, check):
    assert found(baker(given_out(*values))) == [("DR-01", "error", "attributes")]
    for fix in check(baker(given_out(*values))).findings[0].fixes:
        assert sorted(held(fix)) == [1, 1, 2, 3]


@pytest.mark.rule("DR-01")
@given(st.tuples(*[st.integers(0, 5)] * 4))
def test_a_set_is_legal_exactly_when_it_is_three_two_one_and_one(values):
    data = RULESET.examples["baker"]["data"] | {"attributes": dict(zip(KEYS, values, strict=True))}
    verdict = RULESET.check(RULESET.sheet.model_validate(data), name="Zufall")
    assert verdict.verdict == ("legal" if sorted(values) == [1, 1, 2, 3] else "illegal")


@pytest.mark.rule("DR-01")
@pytest.mark.parametrize(("values", "said", "first"), [
    ((3, None, 1, None), "Not chosen yet: Dexterity, Charisma; still to hand out: 2, 1.",
     [(3, 2, 1, 1), (3, 1, 1, 2)]),
    # Where one is missing there is one way; where something else was given out all are offered.
    ((3, 2, 1, None), "Not chosen yet: Charisma; still to hand out: 1.", [(3, 2, 1, 1)]),
    ((3, 2, 6, None), "Not chosen yet: Charisma; still to hand out: 3, 2, 1, 1.", [(3, 2, 1, 1)]),
    ((3, 2, 2, 1), "The attributes have 3, 2, 2, 1; they must be 3, 2, 1, 1, in any order.",
     [(3, 2, 1, 1), (3, 1, 2, 1)]),
])
def test_a_wrong_or_open_set_is_named_and_mended_by_changing_as_little_as_can_be(values, said, first, baker, check):
    (finding,) = check(baker(given_out(*values))).findings
    assert (str(finding.message), [held(fix) for fix in finding.fixes][:2]) == (said, first)
    assert finding.fixes[0].label == "Strength 3, Dexterity 2, Mind 1, Charisma 1"


@pytest.mark.rule("DR-01", "DR-04", "DR-05", "DR-07")
def test_what_follows_from_an_attribute_is_open_while_it_is(baker, check):
    derived = check(baker(given_out(None, 2, None, 1))).derived
    assert (derived["life"], derived["mental_health"]) == (None, None)
    assert (derived["thresholds"]["Nahkampf"], derived["thresholds"]["Ballistik"]) == (None, 5)


@pytest.mark.rule("DR-02")
@pytest.mark.parametrize(("patch", "spent", "verdict"), [
    ({"talents.8.points": 3}, 41, "illegal"), ({"talents.8.points": 1}, 39, "legal"),
    ({"talents.4.points": 6}, 45, "illegal"), ({}, 40, "legal"),
])
def test_forty_points_are_the_most_and_fewer_are_a_figure(patch, spent, verdict, baker, check):
    checked = check(baker(patch))
    assert (checked.verdict, checked.derived["talent_points_spent"], checked.derived["talent_points_left"]) == (
        verdict, spent, 40 - spent)
    assert [finding.rule for finding in checked.findings] == (["DR-02"] if spent > 40 else [])


@pytest.mark.rule("DR-02")
@pytest.mark.parametrize(("patch", "path", "said", "mends"), [
    ({"talents.8.points": 5}, "", "43 points are spent on talents, but only 40 are allowed; take back 3.", [
        "Lower Nahkampf from 6 to 3", "Lower Früh aufstehen from 6 to 3", "Lower Brotkunde from 6 to 3",
        "Take 3 points off the highest talents"]),
    ({"talents.2.points": 7, "talents.8.points": 1}, "talents.2.points",
     "Nahkampf has 7 points, but only 6 are allowed in one talent.", ["Lower Nahkampf to 6"]),
])
def test_the_message_on_points_says_what_to_take_back_and_the_mends_take_it(patch, path, said, mends, baker, check):
    (finding,) = check(baker(patch)).findings
    assert (finding.rule, finding.severity, finding.path, str(finding.message)) == ("DR-02", "error", path, said)
    assert [fix.label for fix in finding.fixes] == mends
    assert len(mends) < 4 or points(finding.fixes[3]) == [5, 5, 5, 3, 1, 5, 5, 6, 5]


@pytest.mark.rule("DR-02")
def test_five_talents_hold_thirty_points_so_ten_are_left(baker, check):
    five = [one | {"points": 6} for one in RULESET.examples["baker"]["data"]["talents"][:5]]
    checked = check(baker({"talents": five}))
    assert (checked.verdict, checked.derived["talent_points_left"]) == ("legal", 10)


@pytest.mark.rule("DR-04")
@pytest.mark.rule("DR-05")
@pytest.mark.parametrize(("patch", "life", "health"), [
    ({"talents.0.points": 0}, 8, 11), ({"talents.1.points": 0}, 13, 6), ({"talents.0.name": "Zähigkeit"}, 8, 11),
    ({"talents.0.name": " konstitution "}, 13, 11), ({"talents.1.name": "WILLENSKRAFT"}, 13, 11),
    (given_out(1, 1, 3, 2), 11, 13), ({"talents.0.attribute": "mind"}, 13, 11),
])
def test_life_and_mental_health_rest_on_an_attribute_a_talent_and_five(patch, life, health, baker, check):
    derived = check(baker(patch)).derived
    assert (derived["life"], derived["mental_health"]) == (life, health)


@pytest.mark.rule("DR-01")
@pytest.mark.rule("DR-02")
@pytest.mark.parametrize(("house", "patch", "verdict"), [
    ({"budget": 39}, {}, "illegal"), ({"budget": 41}, {"talents.8.points": 3}, "legal"),
    ({"talent_cap": 5}, {}, "illegal"), ({"talent_cap": 7}, {"talents.2.points": 7, "talents.8.points": 1}, "legal"),
    ({"attributes": [4, 2, 1, 0]}, {}, "illegal"), ({"attributes": [4, 2, 1, 0]}, given_out(0, 1, 2, 4), "legal"),
    ({"attributes": [2, 2, 2, 2]}, given_out(2, 2, 2, 2), "legal"),
])
def test_a_party_may_change_the_figures_of_the_book(house, patch, verdict, baker, check):
    assert check(baker(patch, house=house)).verdict == verdict


@pytest.mark.parametrize("house", [{"attributes": [3, 2, 1]}, {"attributes": [3, 2, 1, 1, 1]}, {"budget": -1},
                                   {"talent_cap": "6"}])
def test_house_rules_out_of_shape_are_unreadable(house, baker, check):
    with pytest.raises(Unreadable):
        check(baker(house=house))


@pytest.mark.rule("DR-03")
@pytest.mark.parametrize(("policy", "expected"), [("block", "illegal"), ("ask", "needs-approval"), ("warn", "legal")])
def test_a_partys_policy_decides_how_grave_a_broken_rule_is(policy, expected, baker, check):
    assert check(baker({"talents.8.name": "Nahkampf"}, house={"policy": {"DR-03": policy}})).verdict == expected


@pytest.mark.parametrize("path", ["attributes", "talents", "attributes.mind", "talents.0.attribute",
                                  "talents.0.points", "weapons.0.damage", "weapons.0.talent"])
def test_what_is_required_must_be_there_and_weapons_may_be_left_out(path, baker):
    document = baker()
    *steps, last = path.split(".")
    node = document["data"]
    for step in steps:
        node = node[int(step)] if isinstance(node, list) else node[step]
    del node[last]
    with pytest.raises(Unreadable) as error:
        read(canonical(document))
    assert [place for place, _message in error.value.offences] == [f"data.{path}"]
    bare = {key: value for key, value in baker()["data"].items() if key != "weapons"}
    assert read(canonical(baker() | {"data": bare})).asdict()["data"]["weapons"] == []


@pytest.mark.parametrize(("path", "value"), [
    ("talents.0.points", -1), ("talents.0.points", 1000), ("talents.0.points", None), ("talents.0.attribute", "luck"),
    ("attributes.mind", -1), ("attributes.mind", "3"), ("weapons.0.damage", 1.5), ("talents.0.name", 4),
])
def test_a_wrong_shape_is_unreadable_at_its_place(path, value, baker):
    with pytest.raises(Unreadable) as error:
        read(canonical(baker({path: value})))
    assert [place for place, _message in error.value.offences] == [f"data.{path}"]


@pytest.mark.rule("DR-02")
def test_the_ledger_tells_points_by_attribute(baker):
    whole, open_one = (read(canonical(document)).sheet.ledger(RULESET.house())
                       for document in (baker(), baker({"talents.8.attribute": None})))
    assert [(str(line.title), line.points) for line in whole.lines] == [
        ("Talents with Strength", 17), ("Talents with Dexterity", 4), ("Talents with Mind", 13),
        ("Talents with Charisma", 6)]
    assert [line.points for line in open_one.lines] == [17, 4, 11, 6, 2]


@pytest.mark.parametrize("slug", RULESET.examples)
def test_every_example_is_legal_without_a_word_and_spends_all(slug, check):
    verdict = check(RULESET.examples[slug])
    assert (verdict.verdict, verdict.findings, verdict.derived["talent_points_left"]) == ("legal", (), 0)
    assert len(RULESET.examples[slug]["data"]["talents"]) > 6


@pytest.mark.rule("DR-01")
def test_an_empty_sheet_says_that_all_four_are_open_and_prefers_nothing(check):
    checked = check(RULESET.document("Neu"))
    assert [(one.rule, one.path, len(one.fixes)) for one in checked.findings] == [("DR-01", "attributes", 0)]
    assert checked.derived["thresholds"] == {}
    assert blank(RULESET.sheet)["attributes"] == dict.fromkeys(KEYS)


@pytest.mark.rule("DR-19")
@pytest.mark.parametrize(("language", "words"), [
    ("en", ["Initiative", "says", "react", "duel", "damage", "all dice are spent", "again"]),
    ("de", ["Initiative", "sagt", "reagiert", "Duell", "Schaden", "alle Würfel verbraucht", "neu"]),
])
def test_a_round_is_told_in_its_order(language, words):
    places = [RULESET.rules(language)["DR-19"].text.index(word) for word in words]
    assert places == sorted(places)


@pytest.mark.rule("DR-02")
def test_no_mend_lowers_a_talent_to_what_is_not_allowed_either(baker, check):
    # Bruno has 40 points, 5 of them in Konstitution: with 20 there are 15 too many, and 5 would be left of it.
    for points_of_it in (20, 14):
        for finding in check(baker({"talents.0.points": points_of_it})).findings:
            assert (finding.rule, bool(finding.fixes)) == ("DR-02", True)
            assert max(one for fix in finding.fixes for one in points(fix)) <= 6
    # Without any other talent 20 points are within the budget, and one mend is left.
    alone = baker({"weapons": [], "talents": [{"name": "Konstitution", "attribute": "strength", "points": 47}]})
    assert {tuple(points(fix)) for finding in check(alone).findings for fix in finding.fixes} == {(6,)}


@pytest.mark.rule("DR-06", "DR-17")
def test_a_party_grants_other_fate_points(baker, check):
    one = read(canonical(baker(house={"fate_points": 5})))
    assert one.check().derived["fate_points"] == 5
    sheet, play = one.sheet.under(one.house), RULESET.play()
    for left in (4, 3, 2, 1, 0):
        play = play.with_fate_spent(sheet)
        assert play.fate(sheet) == left
    # Where the party grants fewer afterwards none is left.
    assert play.fate(one.sheet) == 0


@pytest.mark.rule("DR-18")
def test_a_party_limits_the_damage_of_weapons(baker, check):
    limit = {"weapon_damage": 5}
    for damage, house in ((999, None), (5, limit)):
        assert check(baker({"weapons.0.damage": damage}, house=house)).verdict == "legal"
    finding, = check(baker({"weapons.0.damage": 6}, house=limit)).findings
    assert (finding.rule, finding.severity, finding.path) == ("DR-18", "error", "weapons.0.damage")
    assert [fix.data["weapons"][0]["damage"] for fix in finding.fixes] == [5]
    sheet = read(canonical(baker())).sheet.under(RULESET.house(**limit))
    found = RULESET.acts["find-weapon"]
    assert found(name="Axt", damage=5).apply(sheet, RULESET.play()).weapons[0].damage == 5
    with pytest.raises(Refused, match="maximum is 5"):
        found(name="Axt", damage=6).apply(sheet, RULESET.play())
