"""Numbers as people write them: every dash for a minus, and keys that have one."""

import re
from functools import reduce
from pathlib import Path

import pytest

from rulesets import systems
from rulesets.kit import MINUS, parse_whole_number, signed
from sheets.forms.paths import field_at
from tests.support.guest import Guest


@pytest.mark.parametrize("dash", MINUS)
def test_every_dash_that_pages_print_and_phones_write_is_a_minus(dash):
    numbers = (f"{dash}2", f" {dash}2\u00a0", f"{dash} 2", f"\u2060{dash}2")
    assert [parse_whole_number(text) for text in numbers] == [-2] * 4
    assert [parse_whole_number(text) for text in (dash, f"2{dash}", f"{dash}{dash}2", f"1{dash}2")] == [None] * 4


def test_what_pages_print_is_read_again():
    assert [parse_whole_number(signed(number)) for number in (-12, 0, 7)] == [-12, 0, 7]


def test_scripts_know_the_same_dashes():
    known = re.search(r"const MINUS = /\[(.*)\]/g", Path("static/components/numbers.js").read_text(encoding="utf-8"))[1]
    spans = re.findall(r"\\u(\w{4})(?:-\\u(\w{4}))?", known)
    assert {chr(one) for first, last in spans for one in range(int(first, 16), int(last or first, 16) + 1)} == {
        *MINUS} - {"-"}


@pytest.mark.django_db
def test_fields_that_take_negative_numbers_have_keys_with_a_minus():
    guest = Guest(system="daemmersturm")
    page = guest.get("skills").text
    fields = re.findall(r'<input id="[^"]*" name="([\w.]+)" value="[^"]*"( inputmode="numeric")?', page)
    shape = systems()["daemmersturm"].sheet
    met = {name: (bool(digits), slot.low) for name, digits in fields
           if (slot := field_at(shape, guest.data, name)) and slot.kind == "number"}
    assert all(digits == (low is not None and low >= 0) for digits, low in met.values())
    assert {digits for digits, _low in met.values()} == {True, False}
    name = next(name for name, (digits, _low) in met.items() if not digits)
    guest.post("skills", {name: "−2"})
    assert (guest.sheet.typed, reduce(dict.__getitem__, name.split("."), guest.data)) == ({}, -2)
