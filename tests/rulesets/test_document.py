"""Documents that nobody vouches for: each is read, or refused with the place of each offence; nothing else happens."""

import json
from functools import partial
from time import perf_counter

import pytest
from django.utils.translation import override
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


def changed(place, value, tree=GOOD):
    """The good document with one key set, in an object that need not be there; `...` removes it."""
    first, _dot, rest = place.partition(".")
    whole = dict(enumerate(tree)) if isinstance(tree, list) else tree
    key = int(first) if isinstance(tree, list) else first
    fresh = {**whole, key: changed(rest, value, whole.get(key, {})) if rest else value}
    cached = {name: one for name, one in fresh.items() if one is not ...}
    return list(cached.values()) if isinstance(tree, list) else cached


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


@pytest.mark.parametrize("raw", [
    canonical(GOOD), dumped(GOOD), b"\xef\xbb\xbf" + dumped(GOOD),
    dumped(GOOD | {"approval": {"anything": [1, None]}}),
    dumped(changed("data.attacks.0.description", "[{" * 500 + '"')),
], ids=["canonical", "as json writes it", "a byte order mark", "an approval", "brackets in a text"])
def test_the_good_document_is_read_however_it_is_written(raw):
    assert verdict(raw) == verdict(canonical(GOOD))
    assert verdict(raw)["verdict"] == "legal"


# Bytes


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
    ("{}".encode("utf-16-le"), "1:2"),
    ('{"ä": "'.encode() + b"\xff", "1:8"),
    (b'{"a": "\x01"}', "1:8"),
    (b"{} {}", "1:4"),
    (b"'single'", "1:1"),
], ids=repr)
def test_what_is_no_json_is_refused_at_its_line_and_column(raw, place):
    assert places(raw) == [place]


@pytest.mark.parametrize("raw", [
    b"[" * (DEPTH + 1) + b"]" * (DEPTH + 1), b"[" * 60_000, b'{"a":' * 10_000, b"[{" * 20_000 + b'"]"',
], ids=["one too deep", "open lists", "open objects", "both"])
def test_deep_nesting_is_refused_before_it_costs_anything(raw):
    assert places(raw)[0].startswith("1:")
    assert parse(b"[" * DEPTH + b"]" * DEPTH)


# Keys and values


@pytest.mark.parametrize(("key", "place"), [
    ('"life": 5', "data.life"), ('"name": "Juan"', "name"), ('"dice": 4', "data.attacks.0.dice")])
def test_a_key_that_stands_twice_is_refused_at_its_place(key, place):
    assert places(with_text(key, f"{key}, {key}")) == [place]


def test_thousands_of_keys_with_one_of_them_twice_are_refused_at_once():
    keys = ",".join(f'"{number}":0' for number in range(6_000))
    begun = perf_counter()
    assert places(f'{{"0":0,{keys}}}'.encode()) == ["0"]
    assert perf_counter() - begun < 1


@pytest.mark.parametrize("number", [
    "NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1" * 5_000, "-" + "9" * 30, "1e30", "0." + "1" * 400,
    "-1", "1000", "9" * 18, "5.0", "5.5", "true", "null", '"5"', "[]", "{}",
])
def test_a_figure_that_is_no_count_or_beyond_all_measure_is_refused_at_its_place(number):
    assert places(with_text('"life": 5', f'"life": {number}')) == ["data.life"]


@pytest.mark.parametrize("text", ["\\u0000", f"a{SURROGATE}b", "\\udfff"])
@pytest.mark.parametrize("place", ["name", "data.attacks.0.name", "data.attacks.0.description", "notes"])
def test_texts_that_nobody_can_keep_are_refused_at_their_place(text, place):
    assert places(dumped(changed(place, "MARK")).replace(b"MARK", text.encode())) == [place]


@pytest.mark.parametrize("key", ["\\u0000", SURROGATE])
def test_keys_that_nobody_can_keep_are_refused(key):
    assert all(place.startswith("data.x") for place in places(with_text('"life": 5', f'"life": 5, "x{key}": 1')))


def test_a_pair_of_surrogates_is_a_character():
    assert read(with_text('"Juan"', '"Juan \\ud83c\\udfb2"')).name == "Juan 🎲"


@pytest.mark.parametrize(("place", "value"), [
    *((one, 1) for one in ("extra", "data.extra", "data.attacks.0.extra", "data.abilities.0.extra", "house.x",
                           "play.extra")),
    *((one, ...) for one in ("format", "version", "ruleset", "name", "data", "data.attacks", "data.attacks.0.name",
                             "data.attacks.0.dice", "data.abilities", "data.abilities.0.ability",
                             "data.abilities.0.attribute")),
])
def test_keys_that_do_not_exist_and_those_that_are_missing_are_told_at_every_level(place, value):
    assert places(dumped(changed(place, value))) == [place]


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
    assert places(dumped(changed("data.attacks", [{"name": "x", "dice": 0}] * 100))) == ["data.attacks"]


def test_every_offence_is_told_at_once():
    tree = changed("data.life", -1, changed("data.attacks.0.dice", None)) | {"version": 7, "surplus": 1}
    assert sorted(places(dumped(tree))) == ["data.attacks.0.dice", "data.life", "surplus", "version"]


@pytest.mark.parametrize("tree", [None, True, 5, 0.5, "x", [], [GOOD], {}], ids=repr)
def test_what_is_no_document_at_all_is_refused(tree):
    answer = verdict(dumped(tree))
    assert (answer["verdict"], answer["ruleset"]) == ("unreadable", None)
    assert answer["findings"]


@pytest.mark.parametrize("slug", ["chess", "", "CONDICE", "x" * 1_000, None, 5, ["condice"], {"condice": 1}], ids=repr)
def test_an_unknown_system_answers_no_ruleset(slug):
    answer = verdict(dumped({**GOOD, "ruleset": slug}))
    assert (answer["ruleset"], [one["path"] for one in answer["findings"]]) == (None, ["ruleset"])


@pytest.mark.parametrize("life", ["-1", "NaN"])
def test_a_known_system_is_named_even_if_its_sheet_cannot_be_read(life):
    assert verdict(with_text('"life": 5', f'"life": {life}'))["ruleset"] == "condice"


# The seal


def test_the_seal_is_over_what_counts():
    def seals(*trees):
        return {read_tree(tree).seal() for tree in trees}

    spelt = changed("data.attacks.0.description", "")
    backwards = json.loads(json.dumps(spelt), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    same = {**GOOD, "notes": "x", "origin": "0b1e8a1e-2c4f-4a54-9d0f-1f0d5f0c6a11", "play": {}, "house": {}}
    assert len(seals(GOOD, same, backwards)) == 1
    assert len(seals(GOOD, changed("name", "Juana"), changed("data.life", 4), {**GOOD, "house": {"budget": 29}})) == 4


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


@given(st.binary(max_size=200), st.integers(0, 400), st.binary(min_size=1, max_size=3))
def test_any_bytes_and_a_document_with_a_few_other_bytes_are_answered(raw, at, junk):
    answered(raw)
    answered(dumped(GOOD)[:at] + junk + dumped(GOOD)[at + len(junk):])


def trees():
    leaves = (st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8)
              | st.sampled_from(["condice", "aura", "custom", "life", 1, 5]))
    keys = st.sampled_from(["name", "dice", "range", "ability", "attribute", "cost", "life", "attacks", "abilities"])
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3)
                        | st.dictionaries(keys | st.text(max_size=3), inner, max_size=4), max_leaves=12)


@given(trees(), st.sampled_from(["format", "version", "ruleset", "name", "data", "house", "play", "notes", "origin",
                                 "data.attacks", "data.attacks.0", "data.attacks.0.dice", "data.abilities",
                                 "data.abilities.0", "data.abilities.0.ability", "data.life"]))
def test_any_tree_and_a_document_with_it_anywhere_are_answered(tree, place):
    answered(dumped(tree))
    answered(dumped(changed(place, tree)))


@pytest.mark.parametrize("reading", [partial(read, b"\x00"), partial(read_tree, None), partial(parse, b"[")])
def test_reading_refuses_and_does_nothing_else(reading):
    with pytest.raises(Unreadable):
        reading()


@pytest.mark.parametrize(("text", "sign"), [
    ('[code]{"format": 1}[/code]', "[code]"), ('{"format": 1}[/code]', "[/code]"), ('{"format":\u00a01}', "U+00A0"),
    ("```json\n{}\n```", "```json"), ("{„format“: 1}", "„ (U+201E)"), ("<p>{}", "<p>")])
def test_what_is_no_json_is_told_with_the_sign_that_is_in_the_way(text, sign):
    with pytest.raises(Unreadable) as fault, override("en"):
        read(text.encode())
    assert f"unexpected “{sign}”" in str(fault.value)
