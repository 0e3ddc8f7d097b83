"""Every text that a system's rows have, or its sheet, as long as it may be and in any letters: the paper has it all."""

from copy import deepcopy

import pytest

from rulesets import systems
from rulesets.kit import slots
from tests.largest import texts_of
from tests.support.everyday import everyday
from tests.support.sheets.printed import MILLIMETRE, made, outside, sheet, text_of

MARGINS = {"pocket": (8 * MILLIMETRE, 6 * MILLIMETRE), "cards": (8 * MILLIMETRE, 8 * MILLIMETRE)}
WORDS = "Wort"
STRANGE = "e\u0301\u0323Z\u0351\u036b\u0363 🐉👩\u200d👩\u200d👧 漢字 שלום مرحبا \u202eabc\u202c สวัสดี "


def filled(slug, text):
    """(a system's last example with each text of the last row of each list as `text(characters, which)`, those texts).

    Where its rows have none, with those of the sheet itself; where that has none, as it is.
    """
    document = deepcopy(list(systems()[slug].examples.values())[-1])
    data, found = document["data"], []
    for key, slot in slots(systems()[slug].sheet).items():
        for row in data.get(key, [])[-1:] if slot.kind == "rows" else ():
            found += texts_of(slot.member(row.get(slot.tag)), row)
    found = found or [*texts_of(systems()[slug].sheet, data)]
    for number, (node, name, most) in enumerate(found):
        node[name] = text(most, number)
    return sheet(document), [node[name] for node, name, _most in found]


@pytest.mark.parametrize("slug", systems())
def test_all_words_of_the_longest_entries_are_printed_and_none_beyond_the_margins(slug):
    def words(most, number):
        return " ".join(f"{WORDS}{number}x{each}" for each in range(most // 12))

    one, texts = filled(slug, words)
    raw = made(one)
    said = text_of(raw)
    assert texts or slug not in ("condice", "battle-dice")
    assert list(outside(raw)) == []
    assert [word for text in texts for word in text.split() if word not in said] == []


@pytest.mark.parametrize("layout", ["sheet", "pencil", "pocket", "cards"])
@pytest.mark.parametrize("slug", everyday(systems(), 2))
def test_marks_upon_letters_pictures_and_other_scripts_break_no_page(slug, layout):
    one, _texts = filled(slug, lambda most, _number: (STRANGE * most)[:most])
    if layout != "cards" or systems()[slug].plays_with_cards:
        raw = made(one, layout)
        assert list(outside(raw, *MARGINS.get(layout, ()))) == []
