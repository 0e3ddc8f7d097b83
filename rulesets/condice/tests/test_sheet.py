import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.condice import RULESET
from rulesets.condice.catalogue import CATALOGUE
from rulesets.document import Unreadable, canonical, read
from rulesets.kit import blank

ATTACK = {"name": "Biss", "dice": 1, "range": 0, "description": ""}


def changed_by(example: dict, fix) -> dict:
    """The keys of the data that a fix changed."""
    return {key: value for key, value in fix.data.items() if value != example["data"][key]}


@pytest.mark.rule("CD-01", "CD-02", "CD-03", "CD-04", "CD-05", "CD-06")
def test_juan_spends_thirty_points_and_his_values_follow_from_them(juan, check):
    verdict = check(juan())
    assert (verdict.verdict, verdict.findings) == ("legal", ())
    assert verdict.derived == {
        "points_spent": 30,
        "points_left": 0,
        "defence": 4,
        "life": 10,
        "mental_resistance": 2,
        "movement": 4,
        "attacks": [{"name": "Einhornpiranhas", "dice": 4, "range": 3}, {"name": "Faustschlag", "dice": 5, "range": 1}],
        "abilities": [{"ability": "zaubern", "cost": 1}, {"ability": "durch-waende-gehen", "cost": 1},
                      {"ability": "heilung", "cost": 2}],
    }


@pytest.mark.rule("CD-01")
@pytest.mark.parametrize("slug", RULESET.examples)
def test_every_example_spends_thirty_points(slug, check):
    assert check(RULESET.examples[slug]).derived["points_left"] == 0


def test_the_examples_together_use_every_ability():
    assert {row["ability"] for example in RULESET.examples.values() for row in example["data"]["abilities"]} == {
        *CATALOGUE}


@pytest.mark.rule("CD-01")
@pytest.mark.parametrize("patch", [
    {"defence": 5}, {"life": 6}, {"mental_resistance": 3}, {"movement": 5}, {"attacks.0.dice": 5},
    {"attacks.0.range": 3}, {"attacks.1.range": 1}, {"abilities.0.range": 1}, {"abilities.1.fields": 2},
    {"abilities.2.extra_characters": 1},
])
def test_a_thirty_first_point_in_any_area_is_illegal(patch, juan, check):
    verdict = check(juan(patch))
    assert [(one.rule, one.path) for one in verdict.findings if one.severity == "error"] == [("CD-01", "")]
    assert (verdict.verdict, verdict.derived["points_spent"], verdict.derived["points_left"]) == ("illegal", 31, -1)


@pytest.mark.rule("CD-01")
def test_unspent_points_are_a_figure_and_no_finding(juan, check):
    verdict = check(juan({"defence": 0}))
    assert (verdict.verdict, verdict.findings) == ("legal", ())
    assert (verdict.derived["points_spent"], verdict.derived["points_left"]) == (26, 4)


BOOST = {"ability": "boost", "variant": "I", "range": 0}
BARE = [{"ability": "fliegen", "range": 0}, {"ability": "explosion", "range": 0}]


@pytest.mark.rule("CD-01")
@pytest.mark.parametrize(("patch", "spent", "mends"), [
    (RULESET.offenders["CD-01"]["data"], 31, [
        ("Lower Life from 20 to 19", {"life": 19}), ("Lower Movement from 4 to 3", {"movement": 3}),
        ("Lower Defence from 2 to 1", {"defence": 1})]),
    ({"abilities": [BOOST]}, 32, [
        ("Lower Defence from 4 to 2", {"defence": 2}), ("Lower Life from 5 to 3", {"life": 3}),
        ("Drop Boost (saves 6)", {"abilities": []})]),
    # Where nothing alone saves enough it takes a bit of several; the punch is then no better than the piranhas.
    ({"abilities": [BOOST, *BARE]}, 40, [
        ("Take 10 points off the highest values; Drop Faustschlag", {"defence": 0, "life": 1, "attacks": None})]),
])
def test_the_message_on_points_says_what_to_take_back_and_the_mends_take_it(patch, spent, mends, juan, check):
    example = juan(patch)
    (finding,) = check(example).findings
    assert str(finding.message) == f"{spent} points are spent, but only 30 are allowed; take back {spent - 30}."
    first = {"attacks": example["data"]["attacks"][:1]}
    assert [(fix.label, changed_by(example, fix)) for fix in finding.fixes] == [
        (label, {key: first.get(key, value) for key, value in changes.items()}) for label, changes in mends]


KEYS = ("defence", "life", "mental_resistance", "movement")


@pytest.mark.rule("CD-01")
@given(st.tuples(*[st.integers(1, 8)] * 4), st.tuples(*[st.integers(0, 8)] * 2))
def test_a_sheet_is_illegal_exactly_when_its_figures_sum_to_more_than_thirty(points, attack):
    verdict = RULESET.check(RULESET.sheet.model_validate({
        **dict(zip(KEYS, points, strict=True)), "abilities": [],
        "attacks": [{"name": "Biss", "dice": attack[0], "range": attack[1]}]}), name="Zufall")
    assert verdict.verdict == ("illegal" if sum(points + attack) > 30 else "legal")
    for finding in verdict.findings:
        assert all(sum(fix.data[key] for key in KEYS) + sum(
            one["dice"] + one["range"] for one in fix.data["attacks"]) <= 30 for fix in finding.fixes)
    assert not verdict.findings or verdict.findings[0].fixes


@pytest.mark.rule("CD-02")
def test_the_sources_example_two_points_of_range_and_four_of_dice_reach_three_fields_with_four_dice(juan, check):
    derived = check(juan({"attacks": [{"name": "Juan", "dice": 4, "range": 2}], "abilities": []})).derived
    assert (derived["attacks"], derived["points_spent"]) == ([{"name": "Juan", "dice": 4, "range": 3}], 15 + 6)


@pytest.mark.rule("CD-02")
@pytest.mark.parametrize("count", [1, 2, 11])
def test_there_may_be_any_number_of_attacks(count, juan, check):
    verdict = check(juan({"attacks": [ATTACK] * count}))
    assert (verdict.verdict, len(verdict.derived["attacks"]), verdict.derived["points_spent"]) == (
        "legal", count, 15 + 4 + count)


@pytest.mark.rule("CD-03", "CD-04", "CD-05", "CD-06")
@pytest.mark.parametrize(("key", "each"), [("defence", 1), ("life", 2), ("mental_resistance", 1), ("movement", 1)])
@pytest.mark.parametrize("points", [0, 1, 3, 999])
def test_a_value_follows_from_its_points(key, each, points, juan, check):
    assert check(juan({key: points})).derived[key] == each * points


@pytest.mark.rule("CD-00", "CD-02")
@pytest.mark.parametrize("name", ["", " \t"])
def test_a_sheet_or_an_attack_without_a_name_is_legal_with_a_warning(name, juan, check, found):
    assert found(juan(name=name)) == [("CD-00", "warning", "")]
    assert check(juan(name=name)).verdict == "legal"
    assert found(juan({"attacks.1.name": name})) == [("CD-02", "warning", "attacks.1.name")]


@pytest.mark.rule("CD-10")
@pytest.mark.parametrize(("patch", "path", "mended"), [
    ({"life": 0}, "life", {"life": 1}),
    ({"movement": 0}, "movement", {"movement": 1}),
    ({"attacks": [], "abilities": []}, "attacks", {"attacks": [ATTACK | {"name": "Punch"}]}),
])
def test_a_character_that_is_hard_to_play_is_legal_with_a_warning_and_a_mend(patch, path, mended, juan, check):
    document = juan(patch)
    verdict = check(document)
    (finding,) = verdict.findings
    assert (finding.rule, finding.severity, finding.path, verdict.verdict) == ("CD-10", "warning", path, "legal")
    (fix,) = finding.fixes
    assert changed_by(document, fix) == mended


@pytest.mark.rule("CD-10")
def test_a_blank_sheet_is_legal_and_says_what_it_lacks_attacks_alone_or_abilities_alone_are_enough(juan, check, found):
    document = RULESET.document("Niemand", blank(RULESET.sheet))
    assert check(document).verdict == "legal"
    assert found(document) == [("CD-10", "warning", path) for path in ("life", "movement", "attacks")]
    assert found(juan({"attacks": []})) == found(juan({"abilities": []})) == []


@pytest.mark.rule("CD-10")
def test_a_mend_that_would_spend_a_thirty_first_point_is_offered_with_one_that_saves_it(juan, check):
    (finding,) = check(juan({"life": 0, "defence": 9})).findings
    assert (finding.path, finding.fixes[0].label) == ("life", "Put 1 point into life; Lower Defence from 9 to 8")
    assert {check(juan() | {"data": fix.data}).derived["points_left"] for fix in finding.fixes} == {0}


@pytest.mark.rule("CD-01")
@pytest.mark.parametrize(("patch", "place"), [
    *(({path: value}, path) for value in (-1, 1000, 4.0, 4.5, "4", None, True, [], {})
      for path in ("defence", "life", "attacks.0.dice", "attacks.1.range", "abilities.1.fields")),
    ({"luck": 3}, "luck"), ({"attacks.0.damage": 3}, "attacks.0.damage"),
    ({"attacks.0": {"dice": 3}}, "attacks.0.name"),
    ({"abilities.0": {"ability": "feuerball"}}, "abilities.0.ability"),
    ({"abilities.0": {"range": 1}}, "abilities.0.ability"), ({"abilities.0.dice": 1}, "abilities.0.dice"),
    ({"attacks": None}, "attacks"),
])
def test_what_is_no_whole_number_from_0_to_999_or_of_another_shape_is_unreadable_at_its_place(patch, place, juan):
    with pytest.raises(Unreadable) as error:
        read(canonical(juan(patch)))
    assert [found for found, _message in error.value.offences] == [f"data.{place}"]
    assert error.value.ruleset == "condice"


@pytest.mark.parametrize("key", ["attacks", "abilities"])
def test_lists_are_required_and_values_default_to_0(key, juan, check):
    assert check(juan() | {"data": {"attacks": [], "abilities": []}}).derived["points_spent"] == 0
    with pytest.raises(Unreadable, match="required"):
        read(canonical(juan() | {"data": {key: []}}))


@pytest.mark.rule("CD-01")
@pytest.mark.parametrize(("budget", "verdict"), [(29, "illegal"), (30, "legal"), (40, "legal")])
def test_a_party_may_set_another_budget(budget, verdict, juan, check):
    checked = check(juan(house={"budget": budget}))
    assert (checked.verdict, checked.derived["points_left"]) == (verdict, budget - 30)


@pytest.mark.rule("CD-01", "CD-02", "CD-10")
@pytest.mark.parametrize(("policy", "expected"), [
    ("block", ("error", "illegal")), ("ask", ("approval", "needs-approval")), ("warn", ("warning", "legal")),
])
@pytest.mark.parametrize(("rule", "patch"), [
    ("CD-01", {"life": 6}), ("CD-10", {"life": 0}), ("CD-02", {"attacks.0.name": ""})])
def test_a_partys_policy_decides_how_grave_a_broken_rule_is_and_leaves_others_alone(
        rule, patch, policy, expected, juan, check, found):
    checked = check(juan(patch, house={"policy": {rule: policy}}))
    assert [(one.rule, one.severity, checked.verdict) for one in checked.findings] == [(rule, *expected)]
    assert found(juan({"defence": 9, "movement": 0}, house={"policy": {"CD-10": policy}})) == [
        ("CD-01", "error", ""), ("CD-10", expected[0], "movement")]


@pytest.mark.rule("CD-01")
def test_the_ledger_names_the_six_areas_of_the_source_with_their_points(juan, check):
    ledger = read(canonical(juan())).sheet.ledger(RULESET.house())
    assert [(line.path, line.points) for line in ledger.lines] == [
        ("attacks", 11), ("defence", 4), ("life", 5), ("mental_resistance", 2), ("movement", 4), ("abilities", 4)]
    assert (ledger.budget, ledger.spent, ledger.left) == (30, 30, 0)


@pytest.mark.rule("CD-41", "CD-44", "CD-48")
def test_juan_rolls_his_attacks_his_resistance_and_his_healing_with_the_figures_of_his_sheet(juan):
    offers = {offer.key or offer.cls.slug: offer for offer in read(canonical(juan())).sheet.roll_offers(RULESET.play())}
    assert offers["attacks.0"].take(defence=3).model_dump() == {"dice": 4, "defence": 3, "extra_dice": 0}
    assert (offers["attacks.1"].filled, offers["mental-defence"].filled) == ({"dice": 5}, {"dice": 2})
    assert (str(offers["attacks.0"].note), offers["abilities.2"].cls.slug) == ("4 dice, range 3 squares", "healing")


@pytest.mark.rule("CD-09", "CD-52")
@pytest.mark.parametrize(("language", "id_", "words"), [
    ("en", "CD-09", ["ability", "action"]), ("de", "CD-09", ["Spezialfähigkeit", "Aktion"]),
    ("en", "CD-52", ["movement", "action", "order", "round"]),
    ("de", "CD-52", ["Bewegung", "Aktion", "Reihenfolge", "Kampfrunde"]),
])
def test_turns_and_actions_are_told_in_both_languages(language, id_, words):
    text = RULESET.rules(language)[id_].text
    assert [word for word in words if word not in text] == []
