"""The draft in two tabs, and as a whole: copied, thrown away, brought back, finished."""

import re

import pytest

from sheets.models import Sheet
from tests.support.guest import Guest, example, inputs_of, text_of, top

pytestmark = pytest.mark.django_db


# Two tabs


def test_a_form_from_a_stale_page_is_answered_with_both_values(juan):
    juan.post("values", life="6", version=1)
    answer = juan.post("values", life="7", movement="3", version=1)
    assert answer.status_code == 409
    text = text_of(answer)
    assert "Life Here: 7 Saved elsewhere: 6" in text
    assert "Movement Here: 3 Saved elsewhere: 4" in text
    assert (juan.data["life"], juan.data["movement"], juan.sheet.version) == (6, 4, 2)


def test_htmx_gets_the_conflict_in_place_of_the_bench(juan):
    juan.post("values", life="6", version=1)
    answer = juan.post("values", life="7", version=1, htmx=True)
    assert (answer.status_code, answer["HX-Retarget"], answer["HX-Reswap"]) == (409, "#workspace", "outerHTML")
    assert [attributes.split()[0] for _tag, attributes in top(answer)] == ['id="workspace"']


@pytest.mark.parametrize(("life", "movement"), [("mine", "mine"), ("mine", "theirs"), ("theirs", "mine")])
def test_what_is_chosen_on_the_conflict_page_is_saved(juan, life, movement):
    juan.post("values", life="6", movement="1", version=1)
    page = inputs_of(juan.post("values", life="7", movement="3", version=1))
    answer = juan.post("values", page | {"_keep.life": life, "_keep.movement": movement}, do="settle",
                       version=page["_version"])
    assert answer["Location"] == juan.url("values")
    assert juan.data["life"] == {"mine": 7, "theirs": 6}[life]
    assert juan.data["movement"] == {"mine": 3, "theirs": 1}[movement]


def test_a_conflict_keeps_a_broken_text_if_it_is_chosen(juan):
    juan.post("values", life="6", version=1)
    page = inputs_of(juan.post("values", life="viele", version=1))
    juan.post("values", page | {"_keep.life": "mine"}, do="settle", version=page["_version"])
    assert (juan.data["life"], juan.sheet.typed) == (5, {"life": "viele"})


def test_a_conflict_that_is_overtaken_is_asked_again(juan):
    juan.post("values", life="6", version=1)
    page = inputs_of(juan.post("values", life="7", version=1))
    juan.post("values", life="8")
    answer = juan.post("values", page | {"_keep.life": "mine"}, do="settle", version=page["_version"])
    assert answer.status_code == 409
    assert "Life Here: 7 Saved elsewhere: 8" in text_of(answer)
    page = inputs_of(answer)
    juan.post("values", page | {"_keep.life": "mine"}, do="settle", version=page["_version"])
    assert juan.data["life"] == 7


@pytest.mark.parametrize("mine", ["", "{}", "x" * 100, '{"name": "x", "data": {}, "typed": {"0": "x"}}'])
def test_a_choice_that_no_conflict_page_gave_is_refused(juan, mine):
    answer = juan.post("values", {"_mine": mine, "_keep.0": "mine"}, do="settle")
    assert answer.status_code == 400
    assert juan.sheet.version == 1


def test_a_conflict_of_one_draft_settles_no_other(juan):
    other = Guest(example("healer"))
    other.post("values", life="6", version=1)
    page = inputs_of(other.post("values", life="7", version=1))
    assert juan.post("values", page | {"_keep.life": "mine"}, do="settle", version=1).status_code == 400


def test_a_stale_page_that_changes_nothing_or_what_is_so_already_is_no_conflict(juan):
    juan.post("values", life="6", version=1)
    assert juan.post("values", life="6", version=1).status_code == 302
    juan.post("values", life="5", version=2)
    assert juan.post("values", movement="3", version=1).status_code == 302
    assert (juan.data["life"], juan.data["movement"]) == (5, 3)


def test_a_page_that_is_older_than_all_that_is_kept_loses_nothing(juan):
    for life in range(30):
        juan.post("values", life=str(life + 100))
    answer = juan.post("values", {"life": "7", "attacks.9.dice": "3"}, version=1)
    assert answer.status_code == 409
    assert "Life Here: 7 Saved elsewhere: 129" in text_of(answer)


def test_a_button_on_a_stale_page_is_a_conflict_too(juan):
    juan.post("values", life="6", version=1)
    assert juan.post("values", life="7", do="undo:", version=1).status_code == 409
    assert juan.data["life"] == 6


# The draft as a whole


def test_a_copy_is_a_draft_of_its_own_with_broken_texts_and_all(juan):
    juan.post("values", life="viele")
    answer = juan.whole("copy")
    copy = Sheet.objects.exclude(pk=juan.pk).get()
    assert answer["Location"] == f"/drafts/{copy.pk}/figure/"
    assert (copy.name, copy.data, copy.typed) == ("Juan (copy)", juan.data, {"life": "viele"})


def test_a_deleted_draft_is_in_the_trash_and_can_be_brought_back(juan):
    assert juan.whole("delete")["Location"] == "/sheets/trash/"
    for answer in (juan.get("values"), juan.post("values", life="6"), juan.get(""), juan.whole("copy"),
                   juan.whole("delete"), juan.get("values", htmx=True)):
        assert answer.status_code == 404
    assert "Bring it back : Juan" in text_of(juan.client.get("/sheets/trash/"))
    assert juan.client.post("/sheets/trash/", {"do": f"restore:{juan.pk}"})["Location"] == juan.url("figure")
    assert juan.get("values").status_code == 200


@pytest.mark.parametrize("do", ["", "burn", "undo:", "\0"])
def test_the_draft_as_a_whole_has_no_other_buttons(juan, do):
    assert juan.whole(do).status_code == 400


def test_a_draft_with_nothing_in_the_way_is_finished(juan):
    assert "Nothing is in the way." in text_of(juan.get("finish"))
    assert juan.whole("finish")["Location"] == f"/sheets/{juan.pk}/"
    assert juan.sheet.finished


def test_what_a_gm_signs_counts_once_one_agrees_as_the_last_step_says_and_the_sheet():
    hans = Guest(example("hans-peter", "daemmersturm"), system="daemmersturm")
    for page in (hans.get("finish"), hans.client.get(f"/sheets/{hans.pk}/")):
        assert "counts once a GM agrees" in text_of(page)


@pytest.mark.parametrize("fields", [{"life": "viele"}, {"life": "99"}])
def test_a_draft_with_something_in_the_way_is_not_finished_and_it_is_told_what(juan, fields):
    juan.post("values", fields)
    assert juan.whole("finish")["Location"] == juan.url("finish") + "#in-the-way"
    assert juan.sheet.finished is None
    text = text_of(juan.get("finish"))
    assert "This is in the way:" in text


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize(("slug", "fields"), [("figure", {"_name": "Don Juan"}), ("values", {"life": "6"})])
@pytest.mark.parametrize("do", ["finish", "copy", "delete"])
def test_what_the_form_holds_is_saved_before_anything_is_done_to_the_whole(juan, do, slug, fields, htmx):
    answer = juan.post(slug, fields, do=do, htmx=htmx)
    goes = answer["HX-Redirect"] if htmx else answer["Location"]
    sheet = juan.sheet
    assert [sheet.name, sheet.data["life"]] == (["Don Juan", 5] if slug == "figure" else ["Juan", 6])
    if do == "copy":
        copy = Sheet.objects.exclude(pk=juan.pk).get()
        assert (copy.name, copy.data) == (f"{sheet.name} (copy)", sheet.data)
        assert str(copy.pk) in goes
    elif do == "finish":
        assert sheet.finished or goes == juan.url("finish") + "#in-the-way"
    else:
        assert sheet.deleted
        assert goes == "/sheets/trash/"


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


def test_advice_is_not_in_the_way(juan):
    Sheet.objects.update(data=example()["data"] | {"life": 0})
    juan.whole("finish")
    assert juan.sheet.finished


def test_a_draft_of_a_system_that_is_gone_is_not_to_be_found(juan):
    Sheet.objects.update(ruleset="gone")
    assert juan.get("values").status_code == 404
    assert juan.post("values", life="3").status_code == 404
    assert juan.client.get("/").status_code == 200
