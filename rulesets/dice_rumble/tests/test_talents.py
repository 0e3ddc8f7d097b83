import pytest
from django.utils import translation

from rulesets.dice_rumble import RULESET
from rulesets.dice_rumble.talents import FURTHER_TALENTS, GERMAN_NAMES


@pytest.mark.rule("DR-03")
@pytest.mark.parametrize("name", ["Nahkampf", "nahkampf", " NAHKAMPF ", "Nahkampf\u00a0"])
def test_a_talent_twice_is_illegal_letter_case_and_outer_spaces_aside(name, baker, found, check):
    document = baker({"talents.8.name": name})
    assert found(document) == [("DR-03", "error", "talents.8.name")]
    assert [fix.label for fix in check(document).findings[0].fixes] == ["Merge both into one with 6 points"]


@pytest.mark.rule("DR-03")
def test_two_rows_of_a_talent_can_be_made_one_or_the_second_dropped(baker, check):
    (finding,) = check(baker({"talents.4.name": "Ballistik"})).findings
    assert [(fix.label, len(fix.data["talents"]), fix.data["talents"][3]["points"]) for fix in finding.fixes] == [
        ("Merge both into one with 4 points", 8, 4), ("Drop the second one", 8, 3)]


@pytest.mark.rule("DR-03")
@pytest.mark.parametrize(("names", "severity"), [
    (("Brotkunde", "brotkunde"), "error"), (("", " "), "warning"), (("Nah kampf", "Nahkämpfe"), None),
    (("Brotkunde 2", "Nahkampf 2"), None),
])
def test_three_of_a_name_are_two_too_many_another_name_is_another_talent_and_none_is_warned_of(
        names, severity, baker, found):
    assert found(baker({f"talents.{index}.name": name for index, name in zip((7, 8), names, strict=True)})) == [
        ("DR-03", severity, f"talents.{index}.name") for index in (7, 8) if severity]


@pytest.mark.rule("DR-03")
@pytest.mark.parametrize(("index", "first"), [(2, "strength"), (3, "dexterity"), (1, "mind"), (6, "strength")])
def test_a_talent_needs_its_usual_attribute_and_the_known_ones_have_one(index, first, baker, check):
    (finding,) = check(baker({f"talents.{index}.attribute": None})).findings
    assert (finding.rule, finding.severity, finding.path) == ("DR-03", "error", f"talents.{index}.attribute")
    chosen = [fix.data["talents"][index]["attribute"] for fix in finding.fixes]
    assert (chosen[0], len(set(chosen))) == (first, 4)


@pytest.mark.rule("DR-03")
def test_the_five_talents_of_the_source_are_offered_with_their_attribute():
    presets = RULESET.sheet.model_fields["talents"].json_schema_extra.presets
    assert [(name, row["attribute"]) for name, row in presets.items()] == [
        ("Konstitution", "strength"), ("Willenskraft", "mind"), ("Nahkampf", "strength"), ("Ballistik", "dexterity"),
        ("Akrobatik", "dexterity")]


@pytest.mark.rule("DR-18")
@pytest.mark.parametrize(("talent", "warned"), [
    ("Nahkampf", False), (" nahkampf", False), ("Trösten", False), ("Weitwurf", True), ("", True)])
def test_a_weapon_names_a_talent(talent, warned, baker, found, check):
    document = baker({"weapons.0.talent": talent})
    assert found(document) == ([("DR-18", "warning", "weapons.0.talent")] if warned else [])
    assert check(document).verdict == "legal"


@pytest.mark.rule("DR-18")
def test_a_weapon_of_a_known_talent_may_be_untrained_and_one_without_a_name_is_warned_of(found):
    assert found(RULESET.examples["inventor"]) == []
    assert "Nahkampf" not in [one["name"] for one in RULESET.examples["inventor"]["data"]["talents"]]
    nameless = RULESET.document("Ada", RULESET.examples["inventor"]["data"] | {
        "weapons": [{"name": "", "talent": "Ballistik", "damage": 1}]})
    assert found(nameless) == [("DR-18", "warning", "weapons.0.name")]


@pytest.mark.rule("DR-03")
def test_the_further_talents_are_spelt_as_a_german_page_calls_them():
    with translation.override("de"):
        assert [str(name) for name, _attribute in FURTHER_TALENTS] == [*GERMAN_NAMES]
