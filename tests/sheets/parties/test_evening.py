"""The papers of an evening on one page: each says what is in it or why it would be empty, and all come as one file."""

import io

import pytest
from pypdf import PdfReader

from rulesets import systems
from sheets.models import Encounter, Sheet
from tests.sheets.export.test_paper import outside, squeezed, text_of
from tests.sheets.parties.test_library import LIBRARY, make
from tests.support.guest import text_of as said
from tests.support.sheets.fight import table_of

pytestmark = pytest.mark.alike


def papers(table, **asked):
    return table.browsers["gm"].get(f"/parties/{table.party.pk}/print/", asked)


def everything(table, who="gm", **asked):
    return table.browsers[who].get(f"/parties/{table.party.pk}/print/evening.pdf", asked)


def row(page, word):
    return next(one for _title, rows in page.context["groups"] for one in rows if one.slug == word)


def test_a_paper_says_what_is_in_it_and_one_that_would_be_empty_why_and_is_not_offered(table):
    Sheet.objects.filter(opponent=False).delete()
    table.troll()
    page = papers(table)
    assert row(page, "strip").inside == "1 opponent"
    for word, lacks in (("sheet", "No player has a sheet in the party yet."),
                        ("handed", "No character is on offer right now.")):
        one = row(page, word)
        assert (one.inside, one.lacks, [*one.files], one.ticked) == ("", lacks, [], False)
        assert lacks in said(page)
        assert f"/{word}-1.pdf" not in page.text
        assert table.browsers["gm"].get(f"/parties/{table.party.pk}/print/{word}-1.pdf").status_code == 404


def test_paper_of_another_size_is_chosen_once_for_all_files(table):
    table.troll()
    assert "us-letter" not in papers(table).text.replace('href="?paper=us-letter"', "")
    page = papers(table, paper="us-letter").text
    assert page.count("paper=us-letter") > 2
    assert 'name="paper" value="us-letter"' in page
    assert papers(table, paper="a3").status_code == 400


@pytest.mark.slow
@table_of(*systems())
def test_everything_for_the_evening_is_one_file(table):
    gm = table.browsers["gm"]
    gm.post(f"/parties/{table.party.pk}/ready/", {"do": "generate", "count": "2"})
    fields = {"danger_level": "9"} if table.ruleset.crossing.encounter else {}
    gm.post(LIBRARY, {"do": "new", "system": table.ruleset.slug, "encounter": "Am Weiher", **fields})
    found = Encounter.objects.get()
    gm.post(f"{LIBRARY}encounters/{found.pk}/", {"do": "random", "_name": "Räuber", "_count": "2"})
    raw = b"".join(everything(table, **{"with": ["strip", "sheet", "handed", "ready-sheet"], "encounter": found.pk}))
    assert [*outside(raw)] == []
    text, names = text_of(raw), [one.name for one in Sheet.objects.filter(deleted=None)]
    assert len(names) >= 6
    assert all(squeezed(name) in text for name in names)
    assert PdfReader(io.BytesIO(raw)).metadata.title == "Die Runde, everything for the session"


def test_nothing_ticked_too_much_and_what_is_anothers_make_no_file(table, monkeypatch):
    make(table, _encounter="Am Weiher")
    found, back = Encounter.objects.get(), f"/parties/{table.party.pk}/print/"
    for asked in ({}, {"with": "cloud"}, {"with": "handed"}, {"encounter": "x"}):
        assert everything(table, **asked)["Location"] == back
        assert "Nothing you have ticked" in said(papers(table))
    assert everything(table, "helper", encounter=found.pk)["Location"] == back
    assert everything(table, "anna", encounter=found.pk).status_code == 404
    monkeypatch.setattr("sheets.parties.views.printing.MAX_CHARACTERS", 1)
    assert everything(table, **{"with": "strip"})["Location"] == back
    assert "tick fewer" in said(papers(table))
