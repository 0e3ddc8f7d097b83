"""The sheet to play on with a pencil: boxes and blanks for what changes, rolls with their figures."""

import pypdfium2
import pytest
from django.utils.translation import override

from rulesets import systems
from sheets.export import paper, pdf
from sheets.export.layouts import LAYOUTS
from tests.sheets.export.test_paper import EVERY, made, outside, sheet, squeezed, text_of, told
from tests.support.everyday import everyday
from tests.support.guest import example


def shapes(raw):
    return sum(one.type == pypdfium2.raw.FPDF_PAGEOBJ_PATH
               for page in pypdfium2.PdfDocument(raw) for one in page.get_objects(max_depth=9))


def test_the_pencil_sheet_has_a_box_for_each_life_point():
    assert shapes(made(sheet(life=7), "pencil")) - shapes(made(sheet(life=5), "pencil")) == 4


def test_more_life_than_one_ticks_is_a_line_to_write_on():
    assert "/1998" in text_of(made(sheet(life=999), "pencil"))


def test_the_pencil_sheet_has_blanks_for_what_play_keeps():
    said = text_of(made(sheet(), "pencil"))
    play = systems()["condice"].play
    for title in ("Items", "Effects", "Rounds left", "Repeat used in this fight"):
        assert squeezed(title) in said, play


def test_what_is_rolled_with_a_figure_of_its_own_has_a_blank_beside_it():
    piranhas, punch = told(sheet())["sections"][0]["entries"]
    assert [one["value"] for one in (*piranhas["figures"], *punch["figures"])] == ["4", "5"]


@pytest.mark.parametrize(("slug", "which"), everyday(EVERY, each=2))
def test_a_system_without_a_board_of_its_own_has_rolls_with_their_figures_to_play_on(slug, which):
    data = told(sheet(example(which, slug))) | {"board": ""}
    rows = {entry["roll"]["key"] for part in data["sections"] for entry in part["entries"] if entry["roll"]}
    beside = [one for one in data["rolls"] if one["figures"] and one["key"] not in rows]
    raw = pdf.typeset(LAYOUTS["pencil"], data)
    said = text_of(raw)
    assert pdf.pages(raw) == 1
    assert list(outside(raw)) == []
    for one in beside[:12]:
        assert squeezed(one["title"]) in said
        assert all(squeezed(figure["title"] + figure["value"] + "→") in said for figure in one["figures"])


def test_a_blank_sheet_names_rolls_and_leaves_their_figures_to_be_written():
    with override("en"):
        data = paper.blank_paper(systems()["condice"])
    said = text_of(pdf.typeset(LAYOUTS["pencil"], data))
    assert "MentaldefenceMentalresistance→" in said
