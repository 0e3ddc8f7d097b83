import pytest
from pydantic import ValidationError

from rulesets import generate
from rulesets.daemmersturm import RULESET
from rulesets.daemmersturm.abilities import Ability
from rulesets.daemmersturm.catalogue import ABILITIES, KNOWN
from rulesets.daemmersturm.equipment import Weapon
from rulesets.daemmersturm.tests.helpers import LINE, found, profile
from rulesets.document import Unreadable, read_tree
from rulesets.kit import FROM_FORM, blank, slots
from tests.support.rulesets.contract import assert_mended, seeded


@pytest.mark.rule("DS-00", "DS-02", "DS-03", "DS-09")
@pytest.mark.parametrize(("patch", "name", "finding"), [
    ({}, " ", ("DS-00", "warning", "")), ({"life": 0}, None, ("DS-02", "error", "life")), ({"life": 1}, None, None),
    ({"abilities": [{"name": "Auf Bäume starren", "text": "Lange.", "cost": "1 AP"}]}, None, None),
    ({"abilities.0.name": " "}, None, ("DS-03", "warning", "abilities.0.name")),
    ({"shield": {"target": 14}, "armour": {"target": 5, "max_damage": 0}}, None, None),
    ({"shield": {"target": 0}}, None, ("DS-09", "error", "shield.target")),
    ({"armour": {"target": 7, "max_damage": 10}}, None, ("DS-09", "error", "armour.target")),
])
def test_a_profile_says_what_it_lacks_name_life_names_of_abilities_and_numbers_of_protection(patch, name, finding):
    assert found(profile(patch, name=name)) == ([finding] if finding else [])


@pytest.mark.rule("DS-01")
@pytest.mark.parametrize(("bonus", "fine"), [(-6, False), (-5, True), (0, True), (5, True), (6, False)])
@pytest.mark.parametrize("skill", ["melee", "ranged", "magic"])
def test_an_attack_bonus_lies_between_minus_five_and_five_where_the_table_sets_no_other_limits(skill, bonus, fine):
    document = profile({f"{skill}.attack": bonus})
    assert found(document) == ([] if fine else [("DS-01", "error", f"{skill}.attack")])
    assert read_tree({**document.asdict(), "house": {"lowest": -6, "highest": 6}}).check().verdict == "legal"


@pytest.mark.rule("DS-01")
def test_the_message_names_the_figures_and_the_mend_holds():
    finding, = profile({"melee.attack": 6}).check().findings
    assert str(finding.message) == "The attack bonus is +6; it can be −5 to +5."
    assert [(fix.label, fix.data["melee"]["attack"]) for fix in finding.fixes] == [("Set it to +5", 5)]


SWORD = {"name": "Schwert", "kind": "one-handed", "damage": "1-10"}


@pytest.mark.rule("DS-01", "DS-09")
@pytest.mark.parametrize(("patch", "place"), [
    *(({path: wrong}, path) for path, wrong in (
        ("melee.defence", -1), ("melee.defence", "12"), ("melee.attack", 1.5), ("melee.attack", None),
        ("resource", ["mana", "light"]))),
    *(({"weapons": [{**SWORD, key: wrong}]}, f"weapons.0.{key}") for key, wrong in (
        ("damage", "10-1"), ("damage", "10"), ("damage", "W6"), ("targets", "4-1"), ("kind", "teapot"),
        ("reload_actions", -1))),
])
def test_a_figure_that_is_no_figure_makes_the_document_unreadable(patch, place):
    with pytest.raises(Unreadable) as caught:
        profile(patch)
    assert caught.value.offences[0][0] == f"data.{place}"


@pytest.mark.rule("DS-04", "DS-06")
@pytest.mark.parametrize(("bonus", "action", "magic"), [
    (-5, 0, 0), (-4, 0, 0), (-3, 0, 0), (-2, 0, 0), (-1, 1, 0), (0, 2, 2), (1, 3, 3), (2, 5, 4), (3, 6, 5), (4, 7, 6),
    (5, 8, 8)])
@pytest.mark.parametrize("resource", ["mana", "light", "shadow", "elements", "none"])
def test_action_points_follow_from_the_melee_bonus_and_magic_points_from_that_of_magic_with_any_resource(
        resource, bonus, action, magic):
    derived = profile({"melee.attack": bonus, "magic.attack": bonus, "resource": resource}).check().derived
    assert (derived["action_points"], derived["magic_points"]) == (action, 0 if resource == "none" else magic)


@pytest.mark.rule("DS-05")
def test_the_list_of_focus_points_is_the_communitys():
    count = {points: sum(one == points for one in ABILITIES.values()) for points in (1, 2, 3, 4)}
    assert count == {4: 1, 3: 6, 2: 11, 1: 16}


@pytest.mark.rule("DS-05")
@pytest.mark.parametrize(("names", "points"), [
    ([], 0), (["Sprinten"], 0), (["Meisterschütze"], 4), (["Gezielter Schuss", "Späher"], 4),
    (["messer/axtwerfer", "DEN APFEL VOM KOPF", "Fokus  (Fernkampf)"], 6),
])
def test_focus_points_are_the_sum_of_what_the_abilities_give(names, points):
    checked = profile({"abilities": [{"name": name} for name in names]}).check()
    assert (checked.derived["focus_points"], checked.verdict) == (points, "legal")


@pytest.mark.rule("DS-05")
@pytest.mark.parametrize(("name", "figure", "points", "findings"), [
    ("Sprinten", 2, 2, 1), ("Sprinten", 0, 0, 0), ("Späher", 1, 1, 0), ("Späher", 3, 3, 1), ("Späher", 0, 0, 1)])
def test_a_figure_that_is_not_the_lists_is_for_the_gm(name, figure, points, findings):
    document = profile({"abilities": [{"name": name, "focus_points": figure}]})
    assert document.check().derived["focus_points"] == points
    assert found(document) == [("DS-05", "approval", "abilities.0.focus_points")] * findings


@pytest.mark.rule("DS-05", "DS-07")
def test_a_line_that_says_other_points_is_wrong_in_ap_and_mp_and_for_the_gm_in_fp():
    claim = {"action_points": 5, "focus_points": 1, "magic_points": 3}
    document = profile({"claimed": claim})
    assert found(document) == [("DS-07", "error", "claimed.action_points"), ("DS-07", "error", "claimed.magic_points"),
                               ("DS-05", "approval", "claimed.focus_points")]
    assert [str(one.message) for one in document.check().findings] == [
        "The line says AP 5; a melee bonus of +3 gives 6.", "The line says MP 3; a magic bonus of +0 gives 0.",
        "The line says FP 1; by the list its abilities give 0. The GM has to agree."]
    right = {"action_points": 6, "focus_points": 0, "magic_points": 0}
    assert found(profile({"claimed": right})) == []


@pytest.mark.rule("DS-07")
def test_hans_peter_is_written_as_the_source_has_him():
    assert profile().check().derived["profile_line"] == LINE


@pytest.mark.rule("DS-07")
@pytest.mark.parametrize("sign", [":", ",", "|", "\n"])
def test_what_parts_the_line_is_no_part_of_a_name(sign):
    assert found(profile(name=f"Hans{sign}Peter")) == [("DS-07", "error", "")]
    document = profile({"abilities.0.name": f"Weit{sign}sprung"})
    assert found(document) == [("DS-07", "error", "abilities.0.name")]
    assert document.check().findings[0].fixes[0].data["abilities"][0]["name"] == "Weit sprung"


@pytest.mark.rule("DS-08")
def test_heavy_and_medium_armour_forbid_pursuit():
    told = {one: str(profile({"armour_class": one}).sheet.armour_prohibition)
            for one in ("none", "light", "medium", "heavy")}
    assert told == {"none": "", "light": "", "medium": "No Überrennen in medium armour.",
                    "heavy": "No Reflexschlag and no Überrennen in heavy armour."}


@pytest.mark.rule("DS-09")
@pytest.mark.parametrize(("change", "finding"), [
    ({}, None),
    ({"name": ""}, ("warning", "name")),
    ({"kind": None}, ("error", "kind")),
    ({"damage": ""}, ("error", "damage")),
    ({"hands": 0}, ("error", "hands")),
    ({"hands": 3}, ("error", "hands")),
    ({"w": 10}, ("warning", "w")),
    ({"targets": "1-4"}, ("warning", "targets")),
    ({"kind": "explosive", "targets": "1-4"}, ("error", "w")),
    ({"kind": "artillery", "w": 12}, ("error", "targets")),
    ({"kind": "explosive", "w": 10, "targets": "1-4"}, None),
    ({"kind": "tactical-artillery"}, None),
])
def test_a_weapon_says_what_its_rolls_need(change, finding):
    expected = [("DS-09", finding[0], f"weapons.0.{finding[1]}")] if finding else []
    assert found(profile({"weapons": [{**SWORD, **change}]})) == expected


@pytest.mark.rule("DS-29")
def test_two_two_handed_weapons_at_once_are_for_the_gm():
    axe = {"name": "Axt", "kind": "two-handed", "damage": "2-14"}
    assert found(profile({"weapons": [axe]})) == []
    document = profile({"weapons": [axe, axe]})
    assert found(document) == [("DS-29", "approval", "weapons.1.hands")]
    assert [fix.label for fix in document.check().findings[0].fixes] == ["Axt takes 2 hands"]


def test_an_empty_profile_is_known_by_its_missing_life_and_asked_about_its_defences():
    assert found(read_tree(RULESET.document("Neu"))) == [
        ("DS-02", "error", "life"), *(("DS-01", "warning", f"{key}.defence") for key in ("melee", "ranged", "magic"))]


def test_random_profiles_are_of_every_kind():
    made = [generate.sheet(RULESET, seeded(seed))["data"] for seed in range(200)]
    assert {data["resource"] for data in made} == {"none", "mana", "light", "shadow", "elements"}
    assert {data["armour_class"] for data in made} == {"none", "light", "medium", "heavy"}
    assert any(data["shield"] for data in made)
    assert any(weapon["w"] for data in made for weapon in data["weapons"])


@pytest.mark.rule("DS-01", "DS-02", "DS-09")
def test_random_characters_keep_a_houses_bounds():
    house = RULESET.house(lowest=0, highest=1, most_life=12, most_defence=8, most_damage=5)
    made = [generate.sheet(RULESET, seeded(seed), house)["data"] for seed in range(40)]
    skills = [data[key] for data in made for key in ("melee", "ranged", "magic")]
    assert {one["attack"] for one in skills} == {0, 1}
    assert max(one["defence"] for one in skills) <= 8
    assert max(data["life"] for data in made) <= 12
    assert max(int(one["damage"].split("-")[1]) for data in made for one in data["weapons"]) <= 5


@pytest.mark.rule("DS-01", "DS-02", "DS-09")
@pytest.mark.parametrize(("rule", "key", "most", "path"), [
    ("DS-01", "most_defence", 15, "melee.defence"), ("DS-02", "most_life", 19, "life"),
    ("DS-09", "most_damage", 11, "weapons.0.damage")])
def test_a_house_may_bound_life_defence_and_damage(rule, key, most, path):
    book = profile({"melee.defence": 16, "life": 20, "weapons": [{"name": "Bogen", "kind": "bow", "damage": "2-12"}]})
    free, bound, enough = (read_tree({**book.asdict(), "house": house}) for house in ({}, {key: most}, {key: most + 1}))
    assert (found(free), found(bound), found(enough)) == ([], [(rule, "error", path)], [])
    assert_mended(bound)


@pytest.mark.rule("DS-51")
def test_a_houses_climbing_stands_in_the_roll():
    def climbing(**house):
        sheet = profile().sheet.under(RULESET.house(**house))
        return next(one for one in sheet.roll_offers(RULESET.play()) if one.cls.slug == "climbing").filled
    assert climbing() == {}
    assert climbing(climbing_modifier=-2, climbing_repeats=1) == {"modifier": -2, "repeats": 1}


@pytest.mark.rule("DS-22", "DS-52", "DS-60")
@pytest.mark.parametrize(("lang", "words"), [
    ("de", ("Das Geschütz explodiert", "Sichtfeld von 90 Grad", "das Doppelte der Ansturmreichweite")),
    ("en", ("Artillery explodes", "field of view of 90 degrees", "about twice the charge range")),
])
def test_the_rules_say_what_the_source_says_of_fumbles_sight_and_throws(lang, words):
    told = RULESET.rules(lang)
    for rule, said in zip(("DS-22", "DS-52", "DS-60"), words, strict=True):
        assert said in str(told[rule]), rule


@pytest.mark.rule("DS-09")
@pytest.mark.parametrize(("typed", "damage"), [
    ("1W8", "1-8"), ("w6", "1-6"), ("1–8", "1-8"), ("1−8", "1-8"), (" 1d10 ", "1-10"), ("2-12", "2-12"), ("", "")])
def test_whoever_types_a_die_means_its_range_and_what_is_neither_is_told_what_is_wanted(typed, damage):
    field = slots(Weapon)["damage"].adapter
    assert field.validate_python(typed, context=FROM_FORM) == damage
    with pytest.raises(ValidationError, match="such as 1-10, or one die, such as 1d10"):
        field.validate_python("2W6", context=FROM_FORM)


@pytest.mark.rule("DS-05", "DS-05a")
@pytest.mark.parametrize(("name", "melee", "worth", "lacks"), [
    ("Volle Kraft", 0, "2 AP", ""), ("Volle Kraft", -1, "2 AP", "a melee bonus of −1 gives 1 AP"),
    ("Feuerbereitschaft", -5, "0 FP", ""), ("Meisterschütze", -5, "gives 4 FP", ""),
])
def test_an_ability_says_what_it_costs_or_gives_and_what_it_lacks(name, melee, worth, lacks):
    row = next(row for rows in KNOWN.values() for label, row in rows.items() if label == name)
    ability = Ability.model_validate(blank(Ability, **{key: str(value) for key, value in row.items()}))
    assert (str(ability.worth), str(profile({"melee.attack": melee}).sheet.lacks(ability))) == (worth, lacks)
