"""Every text that a system's rows have, as long as it may be and in whatever letters: all of it is on the paper."""

from copy import deepcopy

import pytest

from rulesets import systems
from rulesets.kit import slots
from tests.everyday import everyday
from tests.largest import texts_of
from tests.sheets.export.test_paper import MILLIMETRE, made, outside, sheet, text_of

MARGINS = {"pocket": (8 * MILLIMETRE, 6 * MILLIMETRE), "cards": (8 * MILLIMETRE, 8 * MILLIMETRE)}
WORDS = "Wort"
STRANGE = "e\u0301\u0323Z\u0351\u036b\u0363 🐉👩\u200d👩\u200d👧 漢字 שלום مرحبا \u202eabc\u202c สวัสดี "


def filled(slug, text):
    """(a system's last example with each text of the last row of each list as `text(characters, which)`, how many)."""
    document = deepcopy(list(systems()[slug].examples.values())[-1])
    count = 0
    for key, slot in slots(systems()[slug].sheet).items():
        for row in document["data"].get(key, [])[-1:] if slot.kind == "rows" else ():
            for node, name, most in texts_of(slot.member(row.get(slot.tag)), row):
                node[name] = text(most, count)
                count += 1
    return sheet(document), count


@pytest.mark.parametrize("slug", systems())
def test_all_words_of_the_longest_entries_are_printed_and_none_beyond_the_margins(slug):
    def words(most, number):
        return " ".join(f"{WORDS}{number}x{each}" for each in range(most // 12))

    one, count = filled(slug, words)
    raw = made(one)
    said = text_of(raw)
    assert count
    assert list(outside(raw)) == []
    for key, slot in slots(systems()[slug].sheet).items():
        for row in one.data.get(key, []) if slot.kind == "rows" else ():
            for value in row.values():
                if isinstance(value, str) and value.startswith(WORDS):
                    assert [word for word in value.split() if word not in said] == []


@pytest.mark.parametrize("layout", ["sheet", "pencil", "pocket", "cards"])
@pytest.mark.parametrize("slug", everyday(systems(), 2))
def test_marks_upon_letters_pictures_and_other_scripts_break_no_page(slug, layout):
    one, _count = filled(slug, lambda most, _number: (STRANGE * most)[:most])
    if layout != "cards" or systems()[slug].plays_with_cards:
        raw = made(one, layout)
        assert list(outside(raw, *MARGINS.get(layout, ()))) == []
