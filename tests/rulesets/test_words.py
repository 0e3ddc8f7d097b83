"""What messages say of values, figures and texts that cannot be read."""

import json
from fractions import Fraction

import pytest
from django.utils.translation import override

from rulesets import systems
from rulesets.document import Unreadable, parse, read_tree
from rulesets.kit import HIGHEST, cached_text, parse_whole_number, patched, percent, shown, size, slots
from rulesets.kit.words import MAX_NUMBER_LENGTH
from rulesets.reasons import _REASONS
from sheets.forms.inputs import Broken, parsed
from sheets.rolls.parameters import BadParameters, roll_from_texts

CONDICE = systems()["condice"]
ATTACK = CONDICE.rolls["attack"]


@pytest.mark.parametrize(("word", "value", "english", "german"), [
    *((shown, *row) for row in (
        (None, "null", "null"), (True, "true", "true"), (5, "5", "5"), ("x", "“x”", "„x“"),
        ([1], "A list", "Eine Liste"), ("x" * 50, f"“{'x' * 39}…”", f"„{'x' * 39}…“"),
        (int("9" * 50), "9" * 39 + "…", "9" * 39 + "…"))),
    *((size, *row) for row in (
        (65_536, "64 KiB (65,536 bytes)", "64 KiB (65.536 Bytes)"),
        (1024, "1 KiB (1,024 bytes)", "1 KiB (1.024 Bytes)"),
        (2_621_440, "2,560 KiB (2,621,440 bytes)", "2.560 KiB (2.621.440 Bytes)"))),
    # Only what cannot be has no chance, and only what must be is certain.
    *((percent, *row) for row in (
        (0, "0.0%", "0,0\u00a0%"), (Fraction(1, 10**6), "<0.1%", "<\u00a00,1\u00a0%"),
        (Fraction(1, 2500), "<0.1%", "<\u00a00,1\u00a0%"), (Fraction(1, 1000), "0.1%", "0,1\u00a0%"),
        (Fraction(1, 2), "50.0%", "50,0\u00a0%"), (Fraction(999, 1000), "99.9%", "99,9\u00a0%"),
        (Fraction(9_999, 10_000), ">99.9%", ">\u00a099,9\u00a0%"), (1, "100.0%", "100,0\u00a0%"))),
])
def test_values_lengths_and_chances_are_told_as_the_language_has_them_and_never_at_length(word, value, english, german):
    for language, text in (("en", english), ("de", german)):
        with override(language):
            assert word(value) == text


@pytest.mark.parametrize(("text", "number"), [
    ("5", 5), ("-5", -5), ("+5", 5), ("007", 7), ("0", 0), ("0" * 5000 + "5", 5), ("9" * 5000, int("9" * 60)),
    ("", None), ("-", None), ("5.0", None), ("1e3", None), ("²", None), ("٣", None), ("5 ", 5), ("x", None),
    ("0" * (MAX_NUMBER_LENGTH - 1) + "5", 5), ("0" * MAX_NUMBER_LENGTH + "5", None),
])
def test_a_whole_number_is_read_however_long_anybody_writes_it(text, number):
    assert parse_whole_number(text) == number


@pytest.mark.parametrize("digits", [4, 10, 19, 30, 5000])
def test_a_number_with_many_digits_is_said_to_be_too_large_and_what_the_most_is(digits):
    with pytest.raises(BadParameters) as refused:
        roll_from_texts(ATTACK, {"dice": "9" * digits, "defence": "0"})
    (place, message), = refused.value.errors
    assert place == "dice"
    assert message.endswith(f" is too large; the maximum is {HIGHEST}.")
    with pytest.raises(Broken, match=f"is too large; the maximum is {HIGHEST}."):
        parsed(slots(ATTACK)["dice"], "9" * digits)


@pytest.mark.parametrize("kind", ["x" * 5000, ["x"] * 5000, {"a": ["x" * 5000]}, 5])
def test_an_entry_that_no_catalogue_has_is_named_in_short(kind):
    with pytest.raises(Unreadable) as refused:
        read_tree(patched(CONDICE.examples["juan"], {"data.abilities": [{"ability": kind}]}))
    (place, message), = refused.value.offences
    assert place == "data.abilities.0.ability"
    assert str(message).startswith(shown(kind))
    assert not [long for long in ("x" * 50, "['") if long in str(message)]


def test_every_reason_that_a_text_is_no_json_is_told_in_the_language():
    met = set()
    for raw in ("", "{a}", "[1 2]", '{"a" 1}', '"abc', '"\x01"', r'"\x"', r'"\u12"', "{} {}"):
        with pytest.raises(json.JSONDecodeError) as said:
            json.loads(raw)
        met.add(said.value.msg.removesuffix(": "))
        with override("de"), pytest.raises(Unreadable, match="Das ist kein JSON: ") as refused:
            parse(raw.encode())
        assert "Expecting" not in str(refused.value)
    assert met == {reason for reason in _REASONS if "trailing" not in reason}


def test_what_is_remembered_is_said_once_in_each_language():
    asked = []

    @cached_text
    def half(number):
        asked.append(number)
        return percent(Fraction(number, 2))

    for language, text in (("en", "50.0%"), ("de", "50,0\u00a0%")) * 2:
        with override(language):
            assert half(1) == text
    assert asked == [1, 1]
