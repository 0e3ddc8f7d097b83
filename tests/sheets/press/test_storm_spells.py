"""Spells of Dämmersturm whose figures stand elsewhere: noted at the table, and thrown with them."""

import re

import pytest

from tests.support.sheets.fight import table_of
from tests.support.sheets.pieces import answers

NOTE = "act-note-spell"


@table_of("daemmersturm")
@pytest.mark.rule("DS-03")
@pytest.mark.parametrize(("figures", "noted"), [
    ({"number": "", "damage": "1-10"}, {"damage": "1-10"}),
    ({"number": "14", "damage": "2-12", "targets": "1-4"}, {"w": 14, "damage": "2-12", "targets": "1-4"}),
    ({"number": "12", "healing": "1-8"}, {"w": 12, "healing": "1-8"})])
def test_a_spell_is_noted_by_the_form_as_the_page_has_it(table, figures, noted):
    page = table.look().text
    form = next(one for one in re.findall(r"<form.*?</form>", page, re.S) if f'value="{NOTE}"' in one)
    names = re.findall(r'name="([^"]+)"', form)
    assert sorted(set(names)) == sorted(names)
    assert {*figures} <= {*names}
    table.press(**{"w": NOTE, **answers(page, NOTE), "name": "Blitz", **figures})
    (spell,) = table.sheet("anna").play["spells"]
    assert {key: value for key, value in spell.items() if value} == {"name": "Blitz", **noted}
