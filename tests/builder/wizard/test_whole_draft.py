"""The draft in two tabs, and as a whole: copied, thrown away, brought back, finished."""

import re

import pytest

from sheets.models import Sheet
from tests.support.builder.held import lacking
from tests.support.guest import Guest, example, inputs_of, text_of, top

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


# Two tabs


def test_a_form_or_a_button_of_a_stale_page_is_answered_with_both_values(juan):
    juan.post("values", life="6", version=1)
    answer = juan.post("values", life="7", movement="3", version=1)
    assert answer.status_code == 409
    assert lacking(text_of(answer), "Life Here: 7 Saved elsewhere: 6", "Movement Here: 3 Saved elsewhere: 4") == []
    answer = juan.post("values", life="7", version=1, htmx=True)
    assert (answer.status_code, answer["HX-Retarget"], answer["HX-Reswap"]) == (409, "#workspace", "outerHTML")
    assert [attributes.split()[0] for _tag, attributes in top(answer)] == ['id="workspace"']
    assert juan.post("values", life="7", do="undo:", version=1).status_code == 409
    assert (juan.data["life"], juan.data["movement"], juan.sheet.version) == (6, 4, 2)


@pytest.mark.parametrize(("typed", "chosen", "data", "kept"), [
    ("7", ("mine", "mine"), (7, 3), {}), ("7", ("mine", "theirs"), (7, 1), {}), ("7", ("theirs", "mine"), (6, 3), {}),
    pytest.param("viele", ("mine", "theirs"), (5, 1), {"life": "viele"}, id="a broken text"),
])
def test_what_is_chosen_on_the_conflict_page_is_saved(juan, typed, chosen, data, kept):
    juan.post("values", life="6", movement="1", version=1)
    page = inputs_of(juan.post("values", life=typed, movement="3", version=1))
    page |= zip(("_keep.life", "_keep.movement"), chosen, strict=True)
    assert juan.post("values", page, do="settle", version=page["_version"])["Location"] == juan.url("values")
    assert (juan.data["life"], juan.data["movement"], juan.sheet.typed) == (*data, kept)


def test_a_conflict_that_is_overtaken_is_asked_again_and_settles_no_other_draft(juan):
    juan.post("values", life="6", version=1)
    page = inputs_of(juan.post("values", life="7", version=1)) | {"_keep.life": "mine"}
    other = Guest(example("healer"))
    assert other.post("values", page, do="settle", version=1).status_code == 400
    juan.post("values", life="8")
    answer = juan.post("values", page, do="settle", version=page["_version"])
    assert (answer.status_code, "Life Here: 7 Saved elsewhere: 8" in text_of(answer)) == (409, True)
    page = inputs_of(answer) | {"_keep.life": "mine"}
    juan.post("values", page, do="settle", version=page["_version"])
    assert juan.data["life"] == 7


@pytest.mark.parametrize("mine", ["", "{}", "x" * 100, '{"name": "x", "data": {}, "typed": {"0": "x"}}'])
def test_a_choice_that_no_conflict_page_gave_is_refused(juan, mine):
    assert juan.post("values", {"_mine": mine, "_keep.0": "mine"}, do="settle").status_code == 400
    assert juan.sheet.version == 1


def test_a_stale_page_that_changes_nothing_or_what_is_so_already_is_no_conflict(juan):
    juan.post("values", life="6", version=1)
    assert juan.post("values", life="6", version=1).status_code == 302
    juan.post("values", life="5", version=2)
    assert juan.post("values", movement="3", version=1).status_code == 302
    assert (juan.data["life"], juan.data["movement"]) == (5, 3)


def test_a_page_that_is_older_than_all_that_is_kept_loses_nothing(juan):
    for life in range(100, 130):
        juan.post("values", life=str(life))
    answer = juan.post("values", {"life": "7", "attacks.9.dice": "3"}, version=1)
    assert (answer.status_code, "Life Here: 7 Saved elsewhere: 129" in text_of(answer)) == (409, True)


# The draft as a whole


def test_a_copy_is_a_draft_of_its_own_with_broken_texts_and_all(juan):
    juan.post("values", life="viele")
    answer = juan.whole("copy")
    copy = Sheet.objects.exclude(pk=juan.pk).get()
    assert answer["Location"] == f"/drafts/{copy.pk}/figure/"
    assert (copy.name, copy.data, copy.typed) == ("Juan (copy)", juan.data, {"life": "viele"})
    assert [juan.whole(do).status_code for do in ("", "burn", "undo:", "\0")] == [400] * 4


def test_a_deleted_draft_is_not_to_be_found_nor_is_one_of_a_system_that_is_gone(juan):
    assert juan.whole("delete")["Location"] == "/sheets/trash/"
    asked = (juan.get("values"), juan.post("values", life="6"), juan.get(""), juan.whole("copy"), juan.whole("delete"),
             juan.get("values", htmx=True))
    assert [answer.status_code for answer in asked] == [404] * 6
    Sheet.objects.update(deleted=None, ruleset="gone")
    asked = juan.get("values"), juan.post("values", life="3"), juan.client.get("/")
    assert [answer.status_code for answer in asked] == [404, 404, 200]


def test_what_a_gm_signs_counts_once_one_agrees_as_the_last_step_says_and_the_sheet():
    hans = Guest(example("hans-peter", "daemmersturm"), system="daemmersturm")
    for page in (hans.get("finish"), hans.client.get(f"/sheets/{hans.pk}/")):
        assert "counts once a GM has approved it" in text_of(page)


@pytest.mark.parametrize(("fields", "told"), [
    ({"life": "viele"}, "This needs fixing:"), ({"life": "99"}, "This needs fixing:"),
    ({}, "Nothing to fix."), pytest.param({"life": "0"}, "", id="advice is not in the way")])
def test_a_draft_is_finished_unless_something_is_in_the_way_and_it_is_told_what(juan, fields, told):
    juan.post("values", fields)
    assert told in text_of(juan.get("finish"))
    held = told.startswith("This")
    assert juan.whole("finish")["Location"] == (juan.url("finish") + "#in-the-way" if held else f"/sheets/{juan.pk}/")
    assert bool(juan.sheet.finished) != held


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize(("slug", "fields"), [("figure", {"_name": "Don Juan"}), ("values", {"life": "6"})])
@pytest.mark.parametrize("do", ["finish", "copy", "delete"])
def test_what_the_form_holds_is_saved_before_anything_is_done_to_the_whole(juan, do, slug, fields, htmx):
    answer = juan.post(slug, fields, do=do, htmx=htmx)
    goes, sheet = answer["HX-Redirect"] if htmx else answer["Location"], juan.sheet
    assert [sheet.name, sheet.data["life"]] == (["Don Juan", 5] if slug == "figure" else ["Juan", 6])
    if do == "copy":
        copy = Sheet.objects.exclude(pk=juan.pk).get()
        assert (copy.name, copy.data) == (f"{sheet.name} (copy)", sheet.data)
        assert str(copy.pk) in goes
    elif do == "finish":
        assert sheet.finished or goes == juan.url("finish") + "#in-the-way"
    else:
        assert (bool(sheet.deleted), goes) == (True, "/sheets/trash/")


def page_of(answer):
    return re.search(r'name="_page" value="([0-9a-f]{32})"', answer.text)[1]


@pytest.mark.parametrize("htmx", [False, True])
def test_a_page_that_lost_its_answers_is_in_no_conflict_with_its_own_saves(juan, htmx):
    page = page_of(juan.get("values"))
    for life in ("6", "7", "viele", "8"):
        assert juan.post("values", life=life, defence="5", htmx=htmx, version=1, _page=page).status_code != 409
    assert (juan.data["life"], juan.data["defence"], juan.sheet.typed) == (8, 5, {})


def test_another_page_or_a_button_in_between_is_a_conflict_all_the_same(juan):
    page, other = page_of(juan.get("values")), page_of(juan.get("values"))
    assert page != other
    for between in ({"life": "7", "_page": other}, {"do": "more:defence"}, {"do": "add:attacks"}):
        start = juan.sheet.version
        juan.post("values", life="6", _page=page)
        juan.post("values", **between)
        assert juan.post("values", life="9", _page=page, version=start).status_code == 409


@pytest.mark.parametrize("page", ["", "x y", "é", "a" * 33, "1 1"])
def test_what_is_no_page_knows_no_saves_of_its_own(juan, page):
    juan.post("values", life="6", _page=page)
    assert juan.post("values", life="7", _page=page, version=1).status_code == 409


@pytest.mark.parametrize("do", ["finish", "copy", "delete"])
def test_nothing_is_done_to_a_whole_that_was_changed_elsewhere(juan, do):
    juan.post("values", life="6")
    assert juan.post("values", life="7", do=do, version=1).status_code == 409
    assert (juan.sheet.finished, juan.sheet.deleted, Sheet.objects.count()) == (None, None, 1)
