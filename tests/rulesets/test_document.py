"""Documents that nobody vouches for: each is read, or refused with the place of each offence; nothing else happens."""

import json
from functools import partial
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets import systems
from rulesets.document import BYTES, DEPTH, Unreadable, canonical, parse, read, read_tree, verdict

GOOD = systems()["condice"].document("Juan", {
    "attacks": [{"name": "Faustschlag", "dice": 4, "range": 2}],
    "life": 5, "movement": 4,
    "abilities": [{"ability": "aura", "attribute": "life"}, {"ability": "heilung"}],
})
SURROGATE = "\\ud800"


def changed(place, value):
    """The good document with one key set; `...` removes it."""
    tree = json.loads(json.dumps(GOOD))
    node, *steps = tree, *place.split(".")
    for step in steps[:-1]:
        node = node[int(step)] if isinstance(node, list) else node[step]
    if value is ...:
        del node[steps[-1]]
    elif isinstance(node, list):
        node[int(steps[-1])] = value
    else:
        node[steps[-1]] = value
    return tree


def places(raw):
    """Where the offences of bytes are."""
    answer = verdict(raw)
    assert answer["verdict"] == "unreadable"
    assert answer["derived"] is None
    for finding in answer["findings"]:
        assert finding.keys() == {"severity", "rule", "path", "message", "fixes"}
        assert (finding["severity"], finding["rule"], finding["fixes"]) == ("error", None, [])
        assert finding["message"].strip()
        finding["path"].encode()
        finding["message"].encode()
    return [finding["path"] for finding in answer["findings"]]


def dumped(tree):
    return json.dumps(tree).encode()


def with_text(old, new):
    text = json.dumps(GOOD)
    assert old in text
    return text.replace(old, new, 1).encode()


def test_the_good_document_is_read():
    assert verdict(dumped(GOOD))["verdict"] == "legal"
    assert verdict(canonical(GOOD)) == verdict(dumped(GOOD))


# Bytes


def test_a_byte_order_mark_does_no_harm():
    assert read(b"\xef\xbb\xbf" + dumped(GOOD)).seal() == read(dumped(GOOD)).seal()


def test_a_document_may_be_as_large_as_the_limit_and_not_a_byte_larger():
    spaces = b" " * (BYTES - len(dumped(GOOD)))
    assert verdict(dumped(GOOD) + spaces)["verdict"] == "legal"
    assert places(dumped(GOOD) + spaces + b" ") == [""]


@pytest.mark.parametrize(("raw", "place"), [
    (b"", "1:1"),
    (b"{", "1:2"),
    (b'{"a": 1,\n "b": }', "2:7"),
    (b"\xff\xfe{\x00}\x00", "1:1"),
    ("{}".encode("utf-16"), "1:1"),
    ('{"ä": "'.encode() + b"\xff", "1:8"),
    (b'{"a": "\x01"}', "1:8"),
    (b"{} {}", "1:4"),
    (b"'single'", "1:1"),
], ids=repr)
def test_what_is_no_json_is_refused_at_its_line_and_column(raw, place):
    assert places(raw) == [place]


def test_utf_16_without_a_mark_is_refused():
    assert places("{}".encode("utf-16-le"))


@pytest.mark.parametrize("raw", [
    b"[" * (DEPTH + 1) + b"]" * (DEPTH + 1), b"[" * 60_000, b'{"a":' * 10_000, b"[{" * 20_000 + b'"]"',
], ids=["one too deep", "open lists", "open objects", "both"])
def test_deep_nesting_is_refused_before_it_costs_anything(raw):
    assert places(raw)[0].startswith("1:")


def test_brackets_in_texts_are_no_nesting():
    tree = changed("data.attacks.0.description", "[{" * 500 + '"')
    assert verdict(dumped(tree))["verdict"] == "legal"


def test_allowed_depth_is_parsed():
    assert parse(b"[" * DEPTH + b"]" * DEPTH)


# Keys and values


def test_a_key_that_stands_twice_is_refused_at_its_place():
    assert places(with_text('"life": 5', '"life": 5, "life": 6')) == ["data.life"]
    assert places(with_text('"name": "Juan"', '"name": "Juan", "name": "Juan"')) == ["name"]
    assert places(with_text('"dice": 4', '"dice": 4, "dice": 4')) == ["data.attacks.0.dice"]


def test_thousands_of_keys_with_one_of_them_twice_are_refused_at_once():
    keys = ",".join(f'"{number}":0' for number in range(6_000))
    begun = perf_counter()
    assert places(f'{{"0":0,{keys}}}'.encode()) == ["0"]
    assert perf_counter() - begun < 1


@pytest.mark.parametrize("number", [
    "NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1" * 5_000, "-" + "9" * 30, "1e30", "0." + "1" * 400,
])
def test_numbers_beyond_all_measure_are_refused_at_their_place(number):
    assert places(with_text('"life": 5', f'"life": {number}')) == ["data.life"]


@pytest.mark.parametrize("number", ["-1", "1000", "9" * 18, "5.0", "5.5", "true", "null", '"5"', "[]", "{}"])
def test_a_figure_that_is_no_count_is_refused_at_its_place(number):
    assert places(with_text('"life": 5', f'"life": {number}')) == ["data.life"]


@pytest.mark.parametrize("text", ["\\u0000", f"a{SURROGATE}b", "\\udfff"])
@pytest.mark.parametrize("place", ["name", "data.attacks.0.name", "data.attacks.0.description", "notes"])
def test_texts_that_nobody_can_keep_are_refused_at_their_place(text, place):
    raw = dumped(changed(place, "MARK")).replace(b"MARK", text.encode())
    assert places(raw) == [place]


def test_keys_that_nobody_can_keep_are_refused():
    for key in ("\\u0000", SURROGATE):
        raw = with_text('"life": 5', f'"life": 5, "x{key}": 1')
        assert all(place.startswith("data.x") for place in places(raw))


def test_a_pair_of_surrogates_is_a_character():
    raw = with_text('"Juan"', '"Juan \\ud83c\\udfb2"')
    assert read(raw).name == "Juan 🎲"


@pytest.mark.parametrize("place", ["extra", "data.extra", "data.attacks.0.extra", "data.abilities.0.extra", "house.x",
                                   "play.extra"])
def test_keys_that_do_not_exist_are_refused_at_every_level(place):
    outer = place.split(".")[0]
    tree = GOOD if outer in GOOD or "." not in place else {**GOOD, outer: {}}
    tree = json.loads(json.dumps(tree))
    node = tree
    *steps, last = place.split(".")
    for step in steps:
        node = node[int(step)] if isinstance(node, list) else node[step]
    node[last] = 1
    assert places(dumped(tree)) == [place]


@pytest.mark.parametrize("place", [
    "format", "version", "ruleset", "name", "data", "data.attacks", "data.attacks.0.name", "data.attacks.0.dice",
    "data.abilities", "data.abilities.0.ability", "data.abilities.0.attribute",
])
def test_what_is_required_is_missed_at_its_place(place):
    assert places(dumped(changed(place, ...))) == [place]


@pytest.mark.parametrize(("place", "value"), [
    ("data.abilities.0.ability", "auras"), ("data.abilities.0.ability", 3), ("data.abilities.0.ability", None),
    ("data.abilities.0.ability", []), ("data.abilities.0.attribute", "luck"), ("data.abilities.0", None),
    ("data.abilities.0", "aura"), ("data.abilities", {}), ("data.attacks", None), ("data.attacks.0", 5),
    ("data", None), ("data", []), ("format", "sheet"), ("version", 2), ("version", 1.0), ("version", True),
    ("version", "1"), ("ruleset", None), ("ruleset", 5), ("name", None), ("name", 7), ("name", "x" * 201),
    ("house", None), ("house", []), ("house", {"budget": "x"}), ("origin", "x"), ("origin", 5), ("play", []),
    ("notes", 5), ("notes", "x" * 4001), ("data.attacks.0.description", "x" * 4001),
])
def test_what_is_of_another_shape_is_refused_at_its_place(place, value):
    (found,) = places(dumped(changed(place, value)))
    assert found == place + (".budget" if value == {"budget": "x"} else "")


def test_a_list_has_an_end():
    rows = [{"name": "x", "dice": 0}] * 100
    assert places(dumped(changed("data.attacks", rows))) == ["data.attacks"]


def test_every_offence_is_told_at_once():
    tree = changed("data.life", -1)
    tree["version"], tree["data"]["attacks"][0]["dice"], tree["surplus"] = 7, None, 1
    assert sorted(places(dumped(tree))) == ["data.attacks.0.dice", "data.life", "surplus", "version"]


@pytest.mark.parametrize("tree", [None, True, 5, 0.5, "x", [], [GOOD], {}], ids=repr)
def test_what_is_no_document_at_all_is_refused(tree):
    answer = verdict(dumped(tree))
    assert (answer["verdict"], answer["ruleset"]) == ("unreadable", None)
    assert answer["findings"]


@pytest.mark.parametrize("slug", ["chess", "", "CONDICE", "x" * 1_000, None, 5, ["condice"], {"condice": 1}], ids=repr)
def test_an_unknown_system_answers_no_ruleset(slug):
    answer = verdict(dumped({**GOOD, "ruleset": slug}))
    assert answer["ruleset"] is None
    assert [finding["path"] for finding in answer["findings"]] == ["ruleset"]


def test_a_known_system_is_named_even_if_its_sheet_cannot_be_read():
    assert verdict(dumped(changed("data.life", -1)))["ruleset"] == "condice"
    assert verdict(with_text('"life": 5', '"life": NaN'))["ruleset"] == "condice"


def test_an_approval_on_import_is_not_looked_at():
    assert verdict(dumped({**GOOD, "approval": {"anything": [1, None]}}))["verdict"] == "legal"


# The seal


def test_the_seal_is_over_what_counts():
    seal = read_tree(GOOD).seal()
    same = {**GOOD, "notes": "x", "origin": "0b1e8a1e-2c4f-4a54-9d0f-1f0d5f0c6a11", "play": {}, "house": {}}
    assert read_tree(same).seal() == seal
    for other in (changed("name", "Juana"), changed("data.life", 4), {**GOOD, "house": {"budget": 29}}):
        assert read_tree(other).seal() != seal


def test_defaults_and_the_order_of_keys_do_not_change_the_seal():
    spelt = changed("data.attacks.0.description", "")
    backwards = json.loads(json.dumps(spelt), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert read_tree(backwards).seal() == read_tree(GOOD).seal()


def test_what_is_written_is_read_again_to_the_byte():
    written = canonical(read_tree({**GOOD, "notes": "Zeile\n„2“", "house": {"budget": 40}}).asdict())
    assert canonical(read(written).asdict()) == written


# Whatever comes


def answered(raw):
    """A verdict of the stated shape, whatever the bytes."""
    answer = verdict(raw)
    assert answer.keys() == {"ruleset", "verdict", "findings", "derived"}
    json.dumps(answer, ensure_ascii=False).encode()
    if answer["verdict"] == "unreadable":
        assert answer["findings"]
        assert answer["derived"] is None


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(raw):
    answered(raw)


def trees():
    leaves = (st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8)
              | st.sampled_from(["condice", "aura", "custom", "life", 1, 5]))
    keys = st.sampled_from(["name", "dice", "range", "ability", "attribute", "cost", "life", "attacks", "abilities"])
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3)
                        | st.dictionaries(keys | st.text(max_size=3), inner, max_size=4), max_leaves=12)


@given(trees())
def test_any_tree_is_answered(tree):
    answered(dumped(tree))


@given(trees(), st.sampled_from(["format", "version", "ruleset", "name", "data", "house", "play", "notes", "origin",
                                 "data.attacks", "data.attacks.0", "data.attacks.0.dice", "data.abilities",
                                 "data.abilities.0", "data.abilities.0.ability", "data.life"]))
def test_a_document_with_anything_anywhere_is_answered(tree, place):
    answered(dumped(changed(place, tree)))


@given(st.integers(0, 400), st.binary(min_size=1, max_size=3))
def test_a_document_with_a_few_other_bytes_is_answered(at, junk):
    raw = dumped(GOOD)
    answered(raw[:at] + junk + raw[at + len(junk):])


def test_reading_refuses_and_does_nothing_else():
    for reading in (partial(read, b"\x00"), partial(read_tree, None), partial(parse, b"[")):
        with pytest.raises(Unreadable):
            reading()
