import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.augen_des_zwielichts import RULESET
from rulesets.augen_des_zwielichts.catalogue import FIELDS
from rulesets.augen_des_zwielichts.tests.helpers import changed, check, found
from rulesets.document import Unreadable, read_tree
from rulesets.kit import blank

ALL_WHITE = {f"fields.{key}.colour": "white" for key in FIELDS}


def black(*keys):
    return ALL_WHITE | {f"fields.{key}.colour": "black" for key in keys}


@pytest.mark.rule("SZ-00")
def test_a_sheet_without_a_name_is_legal_and_told_so():
    checked = check(changed(name=" "))
    assert checked.verdict == "legal"
    assert [(one.rule, one.severity) for one in checked.findings] == [("SZ-00", "warning")]


@pytest.mark.rule("SZ-01")
@pytest.mark.parametrize("section", [1, 4])
@pytest.mark.parametrize("key", ["demon", "origin_1", "origin_2", "item"])
def test_fields_3_to_6_have_words_in_every_section(key, section):
    document = changed(patch={f"fields.{key}.word": " ", "section": section})
    assert found(document) == [("SZ-01", "error", f"fields.{key}.word")]


@pytest.mark.rule("SZ-01")
@pytest.mark.parametrize("key", ["honour", "free_item"])
def test_honour_and_free_item_are_empty_at_the_start_and_free_later(key):
    document = changed(patch={f"fields.{key}.word": "Heldin"})
    assert found(document) == [("SZ-01", "error", f"fields.{key}.word")]
    assert [fix.data["fields"][key]["word"] for fix in check(document).findings[0].fixes] == [""]
    assert found(changed(patch={f"fields.{key}.word": "Heldin", "section": 2})) == []


@pytest.mark.rule("SZ-01")
@pytest.mark.rule("SZ-03")
def test_field_2_is_filled_exactly_if_there_is_a_mount_at_the_start():
    riding = changed(patch={"fields.mount.word": ""})
    walking = changed(patch={"mount": None})
    assert found(riding) == found(walking) == [("SZ-01", "error", "fields.mount.word")]
    assert [fix.label for fix in check(riding).findings[0].fixes] == ["Write “Wasserbüffel”", "Without a mount"]
    assert [fix.label for fix in check(walking).findings[0].fixes] == ["Empty the field"]
    assert found(changed(patch={"mount": None, "fields.mount.word": ""})) == []
    assert found(changed(patch={"mount": None, "section": 3})) == []


@pytest.mark.rule("SZ-02")
@pytest.mark.parametrize("key", [key for key in FIELDS if key != "honour"])
def test_any_field_but_the_honour_may_be_the_black_one(key):
    assert found(changed(patch=black(key))) == []


@pytest.mark.rule("SZ-02")
@pytest.mark.parametrize("keys", [(), ("honour",), ("demon", "item"), tuple(FIELDS)])
def test_at_the_start_exactly_one_field_is_black_and_not_the_honour(keys):
    document = changed(patch=black(*keys))
    assert found(document) == [("SZ-02", "error", "fields")]
    assert check(document).findings[0].fixes
    assert found(changed(patch=black(*keys) | {"section": 3})) == []


@pytest.mark.rule("SZ-02")
@given(st.sets(st.sampled_from(list(FIELDS))), st.integers(1, 6))
def test_the_number_of_black_fields_is_checked_at_the_start_alone(keys, section):
    checked = check(changed(patch=black(*keys) | {"section": section, "shade": "dark"}))
    wrong = section == 1 and (len(keys) != 1 or "honour" in keys)
    assert checked.verdict == ("illegal" if wrong else "legal")
    assert checked.derived["black_fields"] == len(keys)
    for finding in checked.findings:
        assert all(sum(one["colour"] == "black" for one in fix.data["fields"].values()) == 1 for fix in finding.fixes)


@pytest.mark.rule("SZ-03")
def test_a_demon_has_a_name_and_a_character_an_origin():
    assert found(changed(patch={"demon.name": ""})) == [("SZ-03", "error", "demon.name")]
    assert found(changed(patch={"origin": " "})) == [("SZ-03", "error", "origin")]


@pytest.mark.rule("SZ-03")
@pytest.mark.parametrize("path", ["demon.mark", "mount.kind", "mount.name"])
def test_what_else_belongs_to_demon_and_mount_is_only_warned_of(path):
    assert found(changed(patch={path: ""})) == [("SZ-03", "warning", path)]


@pytest.mark.rule("SZ-04")
@pytest.mark.parametrize(("fears", "section", "legal"), [
    ([], 1, False), (["Feuer"], 1, False), (["Feuer", " "], 1, False), (["Feuer", "Stille"], 1, True),
    (["Feuer", "Stille", "Masken"], 1, False), ([], 2, True), (["Feuer"], 5, True), (["Feuer", "Stille"], 2, True),
    (["Feuer", "Stille", "Masken"], 3, False),
])
def test_fears_are_two_at_the_start_and_at_most_two_later(fears, section, legal):
    document = changed(patch={"fears": fears, "section": section})
    assert found(document) == ([] if legal else [("SZ-04", "error", "fears")])
    if len(fears) > 2:
        assert check(document).findings[0].fixes[0].data["fears"] == fears[:2]


@pytest.mark.rule("SZ-05")
@pytest.mark.parametrize(("count", "sections"), [
    (2, ()), (3, (1, 2, 3, 4, 5, 6)), (4, (2, 3, 4, 5, 6)), (5, (3, 4, 5, 6)), (6, ())])
def test_abilities_are_three_a_fourth_from_section_ii_a_fifth_from_iii(count, sections):
    rows = [{"name": f"Gabe {n}", "demon": not n, "text": ""} for n in range(count)]
    for section in range(1, 7):
        document = changed(patch={"abilities": rows, "section": section})
        assert found(document) == ([] if section in sections else [("SZ-05", "error", "abilities")]), section


@pytest.mark.rule("SZ-05")
def test_exactly_one_ability_is_the_demons():
    none = changed(patch={"abilities.0.demon": False})
    both = changed(patch={"abilities.1.demon": True})
    assert found(none) == found(both) == [("SZ-05", "error", "abilities")]
    assert len(check(none).findings[0].fixes) == 3
    assert [[row["demon"] for row in fix.data["abilities"]] for fix in check(both).findings[0].fixes] == [
        [True, False, False], [False, True, False]]
    assert found(changed(patch={"abilities.2.name": ""})) == [("SZ-05", "warning", "abilities.2.name")]


@pytest.mark.rule("SZ-05")
def test_of_several_abilities_without_a_name_it_is_said_once():
    checked = check(changed(patch={f"abilities.{index}.name": "" for index in range(3)}))
    assert [(one.path, one.message) for one in checked.findings] == [
        ("abilities.0.name", "3 abilities have no name yet.")]


@pytest.mark.rule("SZ-05")
def test_too_many_abilities_are_mended_without_the_demons():
    rows = [{"name": f"Gabe {n}", "demon": n == 3, "text": ""} for n in range(4)]
    fix = check(changed(patch={"abilities": rows})).findings[0].fixes[0]
    assert [row["name"] for row in fix.data["abilities"]] == ["Gabe 0", "Gabe 1", "Gabe 3"]


@pytest.mark.rule("SZ-06")
def test_who_has_no_weapon_is_warned_and_fights_under_the_chill_rules():
    unarmed = changed(patch={"fields.item.combat": False})
    checked = check(unarmed)
    assert [(one.rule, one.severity, one.path) for one in checked.findings] == [("SZ-06", "warning", "fields")]
    assert (checked.verdict, checked.derived["may_fight"]) == ("legal", False)
    assert check(changed()).derived["may_fight"] is True
    chill = check(unarmed | {"house": {"chill": True}})
    assert (chill.findings, chill.derived["may_fight"]) == ((), True)


@pytest.mark.rule("SZ-08")
def test_sections_are_i_to_vi_and_a_start_is_dark():
    assert found(changed(patch={"shade": "light"})) == [("SZ-08", "error", "shade")]
    assert found(changed(patch={"section": 7})) == [("SZ-08", "error", "section")]
    assert ("SZ-08", "error", "section") in found(changed(patch={"section": 0}))
    assert check(changed(patch={"section": 7})).findings[0].fixes[0].data["section"] == 6
    for section in range(2, 7):
        assert found(changed(patch={"section": section, "shade": "light"})) == []


def test_a_document_needs_only_what_the_interface_requires_of_it():
    fields = {key: {} for key in FIELDS}
    data = {"fields": fields, "demon": {"name": "Rußkatze"}, "origin": "Köhlerdorf", "fears": [],
            "abilities": [{"name": "Durch Rauch gehen"}]}
    read = read_tree(RULESET.document("Goro", data))
    assert (read.sheet.section, read.sheet.shade, read.sheet.mount) == (1, "dark", None)
    assert read.sheet.fields.honour.model_dump() == {"word": "", "colour": "white", "combat": False}
    with pytest.raises(Unreadable) as caught:
        read_tree(RULESET.document("Goro", data | {"fields": fields | {"seventh": {}}, "shade": "grey"}))
    assert {place for place, _message in caught.value.offences} == {"data.fields.seventh", "data.shade"}
    assert set(blank(RULESET.sheet)) == {"section", "shade", "fields", "demon", "origin", "mount", "fears", "abilities"}


def test_hints_say_what_a_colour_does_to_the_pool_and_its_odds():
    hints = dict(read_tree(changed()).sheet.hints(RULESET.house()))
    assert "33.3 %" in hints["fields"].replace("\u00a0", " ")
    assert "58.3 %" in hints["fields"].replace("\u00a0", " ")
    assert "58.3 %" in hints["abilities"].replace("\u00a0", " ")
    assert hints["fears"]


@pytest.mark.rule("SZ-02")
def test_the_field_of_a_mount_is_no_way_out_where_there_is_none():
    riding, walking = changed(patch=black()), changed(start="charcoal-burner", patch=black())
    offered = [[next(key for key, one in fix.data["fields"].items() if one["colour"] == "black")
                for fix in check(document).findings[0].fixes] for document in (riding, walking)]
    assert ["mount" in keys for keys in offered] == [True, False]
    mended = check(changed(start="charcoal-burner", patch=black("mount", "honour"))).findings[0].fixes
    assert all(fix.data["fields"]["mount"]["colour"] == "white" for fix in mended)


@pytest.mark.rule("SZ-04")
@pytest.mark.parametrize(("section", "severity"), [(1, "error"), (3, "warning")])
def test_the_same_fear_twice_is_said(section, severity):
    document = changed(patch={"fears": ["Feuer", " feuer"], "section": section})
    assert found(document) == [("SZ-04", severity, "fears")]
    assert "“feuer” is there twice" in check(document).findings[0].message


@pytest.mark.rule("SZ-01")
def test_fields_that_a_start_leaves_empty_say_so_before_anything_is_written():
    def hints(**how):
        return {path: str(text) for path, text in read_tree(changed(**how)).sheet.hints(RULESET.house())}

    assert "Empty at the start" in hints()["fields.honour.word"]
    assert "Without a word at the start" in hints()["fields.free_item.word"]
    assert "fields.mount.word" not in hints()
    assert hints(start="charcoal-burner")["fields.mount.word"] == "Empty without a mount."
    assert "fields.honour.word" not in hints(start="smith")
