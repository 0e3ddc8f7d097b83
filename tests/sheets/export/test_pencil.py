"""The sheet to play on with a pencil: boxes and blanks for what changes, rolls with their figures."""

import pypdfium2
import pytest
from django.utils.translation import override

from rulesets import systems
from sheets.export import paper, pdf
from sheets.export.layouts import LAYOUTS
from tests.support.everyday import everyday
from tests.support.guest import example
from tests.support.sheets.printed import EVERY, SYSTEMS, made, outside, sheet, squeezed, text_of, told


def shapes(raw):
    return sum(one.type == pypdfium2.raw.FPDF_PAGEOBJ_PATH
               for page in pypdfium2.PdfDocument(raw) for one in page.get_objects(max_depth=9))


def test_the_pencil_sheet_has_a_box_for_each_life_point_and_a_line_to_write_on_for_more_than_one_ticks():
    assert shapes(made(sheet(life=7), "pencil")) - shapes(made(sheet(life=5), "pencil")) == 4
    assert "/1998" in text_of(made(sheet(life=999), "pencil"))


def test_the_pencil_sheet_has_blanks_for_what_play_keeps():
    said = text_of(made(sheet(), "pencil"))
    titles = ("Items", "Effects", "Rounds left", "Reroll used this fight")
    assert [title for title in titles if squeezed(title) not in said] == []


def test_what_is_rolled_with_a_figure_of_its_own_has_a_blank_beside_it():
    piranhas, punch = told(sheet())["sections"][0]["entries"]
    assert [one["value"] for one in (*piranhas["figures"], *punch["figures"])] == ["4", "5"]


@pytest.mark.parametrize(("slug", "which"), everyday(EVERY, SYSTEMS))
def test_a_system_without_a_board_of_its_own_has_rolls_with_their_figures_to_play_on(slug, which):
    data = told(sheet(example(which, slug))) | {"board": ""}
    rows = {entry["roll"]["key"] for part in data["sections"] for entry in part["entries"] if entry["roll"]}
    beside = [one for one in data["rolls"] if one["figures"] and one["key"] not in rows]
    raw = pdf.typeset(LAYOUTS["pencil"], data)
    said = text_of(raw)
    assert pdf.pages(raw) == 1
    assert list(outside(raw)) == []
    wanted = [text for one in beside[:12] for text in (one["title"], *(
        figure["title"] + figure["value"] + "→" for figure in one["figures"]))]
    assert [text for text in wanted if squeezed(text) not in said] == []


def test_a_blank_sheet_names_rolls_and_leaves_their_figures_to_be_written():
    with override("en"):
        data = paper.blank_paper(systems()["condice"])
    assert "MentaldefenceMentalresistance→" in text_of(pdf.typeset(LAYOUTS["pencil"], data))
