"""The wizard as browsers use it, with htmx and without: pages, fragments, live answers."""

import re

import pytest
from django.conf import settings
from django.utils import timezone

from builder import drafts
from builder.wizard.steps import steps
from rulesets import systems
from sheets.models import Sheet
from tests.support.builder.held import lacking
from tests.support.guest import STEPS, Guest, example, inputs_of, inside, text_of, top

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


# Beginning


def test_a_draft_is_begun_and_leads_to_its_first_step_and_to_no_other_than_there_are():
    guest = Guest()
    answer = guest.get()
    assert (answer.status_code, inputs_of(answer)["_name"]) == (200, "")
    assert guest.data == systems()["condice"].document()["data"]
    assert guest.get("")["Location"] == guest.url("figure")
    for call in (guest.get, guest.post):
        assert call("nowhere").status_code == 404
    for ask in (guest.client.get, guest.client.post):
        assert ask("/build/nowhere/").status_code == 404


def test_a_guests_browser_remembers_its_drafts_for_longer_than_they_are_kept():
    cookie = Guest().client.cookies[settings.GUEST_COOKIE_NAME]
    assert cookie["max-age"] > 5 * drafts.GUEST_DAYS * 24 * 60 * 60


def test_a_guest_with_too_many_drafts_is_told_the_way_out(monkeypatch):
    monkeypatch.setattr(drafts, "GUEST_DRAFTS", 1)
    guest = Guest()
    answer = guest.client.post("/build/condice/", follow=True)
    assert "This browser already has 1 draft; delete it, or sign in." in text_of(answer)
    assert (guest.whole("copy")["Location"], Sheet.objects.count()) == (guest.url("finish"), 1)


# Pages and fragments


def test_every_step_has_a_page_in_any_order_and_again_and_posted_back_unchanged_it_changes_nothing(juan):
    for slug in [*STEPS, *STEPS[::-1]]:
        page = juan.get(slug)
        assert (page.status_code, page.content.lstrip()[:15]) == (200, b"<!DOCTYPE html>")
        assert juan.client.head(juan.url(slug)).status_code == 200
        answer = juan.post(slug, inputs_of(page), do="save")
        assert (answer.status_code, answer["Location"]) == (302, juan.url(slug))
    assert (juan.sheet.version, juan.data) == (1, example()["data"])


def test_one_address_answers_the_page_and_its_fragment_and_says_that_it_does(juan):
    page, fragment = juan.get("abilities", q="heal"), juan.get("abilities", htmx=True, q="heal")
    assert b"<html" in page.content
    assert [attributes for _tag, attributes in top(fragment)] == [' id="catalogues"']
    assert fragment.text.strip() in page.text
    assert [answer["Vary"] for answer in (page, fragment) if "HX-Request" not in answer["Vary"]] == []


def test_the_catalogue_is_searched_in_titles_and_texts_and_an_entry_says_how_far_out_of_reach_it_is(juan):
    found = {words: re.findall(r"<h3>(.*?)</h3>", juan.get("abilities", q=words).text)
             for words in ("TELEPORT", "xyzzy", " ")}
    assert (found["TELEPORT"], found["xyzzy"], len(found[" "])) == (["Teleport"], [], 18)
    assert "Nothing found." in text_of(juan.get("abilities", q="xyzzy"))
    # Only the beginning of what is sought is looked for.
    assert "Nothing found." not in text_of(juan.get("abilities", q="heal" + " " * 200 + "xyzzy"))
    text = text_of(juan.get("abilities", q="explosion"))
    assert re.search(r"Explosion (\d+) points .*\b\1 points short", text)


def test_an_entry_of_the_catalogue_is_taken_out_again_beside_it_the_last_row_first(juan):
    def less():
        return re.findall(r'mindcontrol--less"[^>]*value="(drop:abilities[.]\d)"', juan.get("abilities").text)

    rows = len(juan.data["abilities"])
    for _ in range(2):
        juan.post("abilities", do="add:abilities:mindcontrol")
    assert less() == [f"drop:abilities.{rows + 1}"]
    juan.post("abilities", do=less()[0])
    assert less() == [f"drop:abilities.{rows}"]
    juan.post("abilities", do=less()[0])
    assert (less(), len(juan.data["abilities"])) == ([], rows)


@pytest.mark.parametrize(("do", "goes"), [
    ("", "values"), ("save", "values"), ("go:attacks", "attacks"), ("go:nowhere", "values"),
    ("go://example.org/", "values")])
def test_a_form_is_saved_and_goes_to_the_step_that_its_button_names(juan, do, goes):
    answer = juan.post("values", life="6", do=do)
    assert (answer.status_code, answer["Location"], juan.data["life"]) == (302, juan.url(goes), 6)
    if goes != "values":
        answer = juan.post("values", life="7", do=do, htmx=True)
        assert (answer.status_code, answer["HX-Redirect"], juan.data["life"]) == (200, juan.url(goes), 7)


# Live answers


CHANGES = [
    ("figure", {"_name": "Don Juan"}), ("values", {"life": "6"}), ("values", {"life": "viele"}),
    ("attacks", {"attacks.0.dice": "5"}), ("attacks", {"attacks.0.name": ""}), ("values", {}),
    ("abilities", {"abilities.1.fields": "x"}),
]


@pytest.mark.parametrize(("slug", "fields"), CHANGES)
def test_a_live_answer_brings_to_each_place_what_the_page_shows_there_and_no_input_of_the_person(juan, slug, fields):
    answer = juan.post(slug, fields, htmx=True)
    parts, found, page = top(answer), inside(answer), inside(juan.get(slug))
    assert (answer.status_code, bool(parts)) == (200, True)
    assert [one for one in parts if 'hx-swap-oob="innerHTML"' not in one[1]] == []
    assert list(inputs_of(answer)) == ["_version"]
    assert not re.search("<(textarea|select|form)", answer.text)
    assert {one: page[one] for one in found} == found


@pytest.mark.slow
@pytest.mark.prove
@pytest.mark.parametrize("system", systems())
def test_in_every_system_a_live_answer_brings_what_the_page_shows(system, full):
    ruleset = systems()[system]
    for document in [*ruleset.examples.values(), *ruleset.offenders.values()][:12 if full else 3]:
        guest = Guest(document, system=system)
        for slug in steps(ruleset):
            found = inside(guest.post(slug, inputs_of(guest.get(slug)), htmx=True))
            page = inside(guest.get(slug))
            assert {one: page[one] for one in found} == found


def test_a_live_answer_brings_what_became_of_it_up_to_date_and_leaves_out_what_the_page_shows_already(juan):
    assert 'data-said="0 of 30 points left."' in juan.get("values").text
    answer = juan.post("attacks", {"attacks.0.dice": "6"}, htmx=True, version=1)
    assert lacking(text_of(answer), "2 points too many; 30 are allowed", "32 points are spent, but only 30 are allowed",
                   "6 dice: 4.00 successes on average",
                   f"Saved {timezone.localtime(juan.sheet.updated):%H:%M}, version 2") == []
    assert inputs_of(answer)["_version"] == "2"
    found = inside(answer)
    assert lacking(found, "step-attacks", "ledger", "save_status", "budget", "f-attacks-0--label",
                   "f-attacks-0--points", "f-attacks-0--text", "f-attacks-1--hint") == []
    assert not {"f-attacks-1--label", "f-attacks-1--text", "f-attacks-0-dice--fault"} & set(found)
    # A save whose answer was lost brings all once more.
    assert inside(juan.post("attacks", {"attacks.0.dice": "6"}, htmx=True, version=1)) == found
    assert juan.sheet.version == 2


def test_a_broken_text_stays_is_told_on_every_step_with_a_link_and_its_message_comes_and_goes(juan):
    answer = juan.post("values", life="viele", htmx=True)
    assert "“viele” is not a whole number." in text_of(answer)
    assert (juan.data["life"], juan.sheet.typed) == (5, {"life": "viele"})
    page = juan.get("values")
    assert inputs_of(page)["life"] == "viele"
    assert re.search(r'id="f-life"[^>]* aria-invalid="true"', page.text)
    link = f'href="{juan.url("values")}#f-life">Life</a>: “viele”'
    assert [slug for slug in STEPS if link not in juan.get(slug).text] == []
    assert "“viele” is not a whole number." not in text_of(juan.post("values", life="6", htmx=True))
    assert (juan.data["life"], juan.sheet.typed) == (6, {})


def test_what_would_make_the_sheet_too_large_for_a_document_stays_in_its_input_and_no_row_is_added(juan):
    row = {"name": "x", "dice": 1, "range": 0, "description": "y" * 4000}
    Sheet.objects.update(data=example()["data"] | {"attacks": [row] * 16})
    assert "too large" in text_of(juan.post("attacks", do="copy:attacks.0", htmx=True))
    assert len(juan.data["attacks"]) == 16
    Sheet.objects.update(data=example()["data"] | {"attacks": [row] * 15})
    fields = {f"attacks.{index}.description": "ü" * 4000 for index in range(15)}
    answer = juan.post("attacks", fields, htmx=True, _row=[f"attacks.{index}" for index in range(15)])
    assert text_of(answer).count("That would make the sheet too large for a document; shorten it.") == 30
    assert (juan.data["attacks"], juan.sheet.typed) == ([row] * 15, fields)
    assert inputs_of(juan.get("attacks"))["attacks.0.description"] == "ü" * 4000


def test_mends_of_long_texts_are_told_in_short_on_every_page():
    abilities = [{"ability": "custom", "name": f"n{n}" + "'" * 190, "cost": 9, "description": "'" * 3_900}
                 for n in range(14)]
    document = systems()["condice"].document("X", {"attacks": [], "abilities": abilities})
    page = Guest({**document, "data": systems()["condice"].sheet.model_validate(document["data"]).model_dump()}).get(
        "values").text
    assert (page.count('class="mend"') >= 10, page.count("&#x27;") > 200, len(page) < 512 * 1024) == (True,) * 3
