import pytest
from hypothesis import example, given
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


@pytest.mark.rule("SZ-01", "SZ-03")
@pytest.mark.parametrize(("patch", "mends"), [
    ({"fields.mount.word": ""}, ["Write “Wasserbüffel”", "Without a mount"]), ({"mount": None}, ["Empty the field"]),
    ({"mount": None, "fields.mount.word": ""}, None), ({"mount": None, "section": 3}, None),
])
def test_field_2_is_filled_exactly_if_there_is_a_mount_at_the_start(patch, mends):
    findings = check(changed(patch=patch)).findings
    assert [(one.rule, one.severity, one.path, [fix.label for fix in one.fixes]) for one in findings] == [
        ("SZ-01", "error", "fields.mount.word", mends)] * bool(mends)


@pytest.mark.rule("SZ-02")
@given(st.sets(st.sampled_from(list(FIELDS))), st.integers(1, 6))
@example(set(), 1).via("none")
@example(set(FIELDS), 1).via("all")
@example({"honour"}, 1).via("the honour alone")
@example({"item"}, 1).via("one")
def test_at_the_start_exactly_one_field_is_black_and_not_the_honour(keys, section):
    checked = check(changed(patch=black(*keys) | {"section": section, "shade": "dark"}))
    wrong = section == 1 and (len(keys) != 1 or "honour" in keys)
    assert [(one.rule, one.severity, one.path) for one in checked.findings] == [("SZ-02", "error", "fields")] * wrong
    assert checked.derived["black_fields"] == len(keys)
    for finding in checked.findings:
        assert {sum(one["colour"] == "black" for one in fix.data["fields"].values()) for fix in finding.fixes} == {1}


@pytest.mark.rule("SZ-03")
@pytest.mark.parametrize(("path", "severity"), [
    ("demon.name", "error"), ("origin", "error"), ("demon.mark", "warning"), ("mount.kind", "warning"),
    ("mount.name", "warning")])
def test_a_demon_has_a_name_and_a_character_an_origin_and_of_what_else_belongs_to_them_one_is_warned(path, severity):
    assert found(changed(patch={path: " "})) == [("SZ-03", severity, path)]


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


@pytest.mark.rule("SZ-04")
@pytest.mark.parametrize(("fears", "kept", "label"), [
    (["Feuer", "Stille", "Masken", "Tod"], ["Feuer", "Stille"], "Keep the first two"),
    (["Feuer", " feuer", "Stille", "Masken"], ["Feuer", "Stille"], "Keep the first two that differ"),
    (["Feuer", " ", "", "Stille"], ["Feuer", "Stille"], "Keep the first two that differ")])
@pytest.mark.parametrize("section", [1, 3])
def test_of_too_many_fears_the_first_two_that_are_named_and_differ_are_kept(fears, kept, label, section):
    (fix,) = check(changed(patch={"fears": fears, "section": section})).findings[0].fixes
    assert (fix.label, fix.data["fears"]) == (label, kept)


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
    none, both = changed(patch={"abilities.0.demon": False}), changed(patch={"abilities.1.demon": True})
    assert found(none) == found(both) == [("SZ-05", "error", "abilities")]
    assert len(check(none).findings[0].fixes) == 3
    assert [[row["demon"] for row in fix.data["abilities"]] for fix in check(both).findings[0].fixes] == [
        [True, False, False], [False, True, False]]
    rows = [{"name": f"Gabe {n}", "demon": n == 3, "text": ""} for n in range(4)]
    fix = check(changed(patch={"abilities": rows})).findings[0].fixes[0]
    assert [row["name"] for row in fix.data["abilities"]] == ["Gabe 0", "Gabe 1", "Gabe 3"], "too many go without it"


@pytest.mark.rule("SZ-05")
def test_of_abilities_without_a_name_it_is_said_once():
    assert found(changed(patch={"abilities.2.name": ""})) == [("SZ-05", "warning", "abilities.2.name")]
    checked = check(changed(patch={f"abilities.{index}.name": "" for index in range(3)}))
    assert [(one.path, one.message) for one in checked.findings] == [
        ("abilities.0.name", "3 abilities have no name yet.")]


@pytest.mark.rule("SZ-06")
@pytest.mark.parametrize(("patch", "house", "findings", "fights"), [
    ({"fields.item.combat": False}, {}, [("SZ-06", "warning", "fields")], False), ({}, {}, [], True),
    ({"fields.item.combat": False}, {"chill": True}, [], True),
])
def test_who_has_no_weapon_is_warned_and_fights_under_the_chill_rules(patch, house, findings, fights):
    document = changed(patch=patch, house=house)
    checked = check(document)
    assert (found(document), checked.verdict, checked.derived["may_fight"]) == (findings, "legal", fights)


@pytest.mark.rule("SZ-08")
def test_sections_are_i_to_vi_and_a_start_is_dark():
    assert found(changed(patch={"shade": "light"})) == [("SZ-08", "error", "shade")]
    beyond = changed(patch={"section": 7})
    assert (found(beyond), [one.data["section"] for one in check(beyond).findings[0].fixes]) == (
        [("SZ-08", "error", "section")], [1, 6])
    assert ("SZ-08", "error", "section") in found(changed(patch={"section": 0}))
    assert [found(changed(patch={"section": section, "shade": "light"})) for section in range(2, 7)] == [[]] * 5


@pytest.mark.rule("SZ-01", "SZ-02", "SZ-04", "SZ-05", "SZ-08")
@pytest.mark.parametrize("section", [0, 7, 9])
def test_a_section_that_does_not_exist_hides_nothing_that_is_wrong_with_a_start(section):
    wrong = {"fields.honour.word": "Held", "fears": ["Feuer"], "fields.item.colour": "black",
             "fields.demon.colour": "black",
             "abilities.1.demon": True, "abilities.2.demon": True}
    at_start, beyond = found(changed(patch=wrong)), found(changed(patch=wrong | {"section": section}))
    assert sorted(beyond) == sorted([*at_start, ("SZ-08", "error", "section")])
    assert {"SZ-01", "SZ-02", "SZ-04", "SZ-05"} <= {rule for rule, _severity, _path in beyond}


def test_a_document_needs_only_what_the_interface_requires_of_it():
    data = {"fields": {key: {} for key in FIELDS}, "demon": {"name": "Rußkatze"}, "origin": "Köhlerdorf", "fears": [],
            "abilities": [{"name": "Durch Rauch gehen"}]}
    sheet = read_tree(RULESET.document("Goro", data)).sheet
    assert (sheet.section, sheet.shade, sheet.mount) == (1, "dark", None)
    assert sheet.fields.honour.model_dump() == {"word": "", "colour": "white", "combat": False}
    with pytest.raises(Unreadable) as caught:
        read_tree(RULESET.document("Goro", data | {"fields": data["fields"] | {"seventh": {}}, "shade": "grey"}))
    assert {place for place, _message in caught.value.offences} == {"data.fields.seventh", "data.shade"}
    assert set(blank(RULESET.sheet)) == {"section", "shade", "mount", *data}


@pytest.mark.rule("SZ-02")
@pytest.mark.parametrize(("start", "keys", "mount"), [
    ("ferrywoman", (), True), ("charcoal-burner", (), False), ("charcoal-burner", ("mount", "honour"), False)])
def test_the_field_of_a_mount_is_no_way_out_where_there_is_none(start, keys, mount):
    fixes = check(changed(start=start, patch=black(*keys))).findings[0].fixes
    assert ("black" in [fix.data["fields"]["mount"]["colour"] for fix in fixes]) is mount


@pytest.mark.rule("SZ-04")
@pytest.mark.parametrize(("section", "severity"), [(1, "error"), (3, "warning")])
def test_the_same_fear_twice_is_said(section, severity):
    document = changed(patch={"fears": ["Feuer", " feuer"], "section": section})
    assert found(document) == [("SZ-04", severity, "fears")]
    assert "“feuer” is listed twice" in check(document).findings[0].message


@pytest.mark.rule("SZ-01")
@pytest.mark.parametrize(("start", "field", "words"), [
    ("ferrywoman", "fields", ["33.3%", "58.3%"]), ("ferrywoman", "abilities", ["58.3%"]),
    ("ferrywoman", "fears", [""]), ("ferrywoman", "fields.honour.word", ["Empty at the start"]),
    ("ferrywoman", "fields.free_item.word", ["No word at the start"]), ("ferrywoman", "fields.mount.word", None),
    ("charcoal-burner", "fields.mount.word", ["Empty without a mount."]), ("smith", "fields.honour.word", None),
])
def test_hints_say_what_a_colour_does_to_the_pool_and_what_a_start_leaves_empty(start, field, words):
    hints = {path: str(text) for path, text in read_tree(changed(start=start)).sheet.hints(RULESET.house())}
    assert (field in hints) is (words is not None)
    assert all(word in hints[field] for word in words or ())
