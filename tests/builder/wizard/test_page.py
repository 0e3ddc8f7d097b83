"""The wizard as browsers use it, with htmx and without: pages, fragments, live answers."""

import re

import pytest
from django.utils import timezone

from builder import drafts
from builder.wizard.steps import steps
from rulesets import systems
from sheets.models import Sheet
from tests.support.everyday import slow
from tests.support.guest import STEPS, Guest, example, inputs_of, inside, text_of, top

pytestmark = pytest.mark.django_db


# Beginning


def test_a_draft_is_begun_and_its_first_step_shown():
    guest = Guest()
    answer = guest.get()
    assert answer.status_code == 200
    assert inputs_of(answer)["_name"] == ""
    assert guest.data == systems()["condice"].document()["data"]


def test_a_guests_browser_remembers_its_drafts_for_longer_than_they_are_kept():
    guest = Guest()
    for _draft in range(2):
        cookie = guest.client.post("/build/condice/").cookies["sessionid"]
        assert cookie["max-age"] > 5 * drafts.GUEST_DAYS * 24 * 60 * 60


@pytest.mark.parametrize("system", systems())
def test_a_random_character_to_start_from_is_legal(system):
    guest = Guest(system=system)
    answer = guest.client.post(f"/build/{system}/", {"do": "random"})
    made = Sheet.objects.exclude(pk=guest.pk).get()
    assert answer["Location"] == f"/sheets/{made.pk}/"
    ruleset = systems()[system]
    assert not ruleset.check(ruleset.sheet.model_validate(made.data), name=made.name).findings


def test_there_is_nothing_to_begin_in_a_system_that_is_not_there(client):
    assert client.post("/build/nowhere/").status_code == 404
    assert client.get("/build/nowhere/").status_code == 404


def test_a_guest_with_too_many_drafts_is_told_the_way_out(monkeypatch):
    monkeypatch.setattr(drafts, "GUEST_DRAFTS", 1)
    guest = Guest()
    answer = guest.client.post("/build/condice/", follow=True)
    assert "This browser keeps 1 draft already; delete one, or sign in." in text_of(answer)
    assert guest.whole("copy")["Location"] == guest.url("finish")
    assert Sheet.objects.count() == 1


# Pages and fragments


@pytest.mark.parametrize("slug", STEPS)
def test_every_step_has_a_page_in_any_order_and_again(juan, slug):
    for _time in range(2):
        answer = juan.get(slug)
        assert answer.status_code == 200
        assert answer.content.lstrip().startswith(b"<!doctype html>")
    assert juan.client.head(juan.url(slug)).status_code == 200


def test_there_is_no_other_step(juan):
    assert juan.get("nowhere").status_code == 404
    assert juan.post("nowhere").status_code == 404


def test_the_draft_itself_leads_to_its_first_step(juan):
    assert juan.get("")["Location"] == juan.url("figure")


def test_one_address_answers_the_page_and_its_fragment_and_says_that_it_does(juan):
    page, fragment = juan.get("abilities", q="heal"), juan.get("abilities", htmx=True, q="heal")
    assert b"<html" in page.content
    assert [attributes for _tag, attributes in top(fragment)] == [' id="catalogues"']
    assert fragment.content.decode().strip() in page.content.decode()
    assert "HX-Request" in page["Vary"]
    assert "HX-Request" in fragment["Vary"]


def test_the_catalogue_is_searched_in_titles_and_texts(juan):
    found = re.findall(r"<h3>(.*?)</h3>", juan.get("abilities", q="TELEPORT").content.decode())
    assert found == ["Teleport"]
    assert "Nothing found." in text_of(juan.get("abilities", q="xyzzy"))
    assert len(re.findall("<h3>", juan.get("abilities", q=" ").content.decode())) == 18


def test_an_entry_says_its_cost_and_by_how_much_it_is_out_of_reach(juan):
    text = text_of(juan.get("abilities", q="explosion"))
    cost = re.search(r"Explosion (\d+) points", text)[1]
    assert f"{cost} points short" in text


def test_a_page_posted_back_unchanged_changes_nothing(juan):
    for slug in STEPS:
        answer = juan.post(slug, inputs_of(juan.get(slug)), do="save")
        assert (answer.status_code, answer["Location"]) == (302, juan.url(slug))
    assert (juan.sheet.version, juan.data) == (1, example()["data"])


@pytest.mark.parametrize("word", ["", "save"])
def test_without_javascript_a_form_is_saved_and_the_page_loaded_anew(juan, word):
    answer = juan.post("values", life="6", do=word)
    assert (answer.status_code, answer["Location"]) == (302, juan.url("values"))
    assert juan.data["life"] == 6


def test_a_button_goes_to_the_next_step_and_saves_first(juan):
    answer = juan.post("values", life="6", do="go:attacks")
    assert answer["Location"] == juan.url("attacks")
    assert juan.data["life"] == 6
    answer = juan.post("values", life="7", do="go:attacks", htmx=True)
    assert (answer.status_code, answer["HX-Redirect"]) == (200, juan.url("attacks"))
    assert juan.data["life"] == 7


def test_a_button_that_goes_nowhere_stays(juan):
    assert juan.post("values", do="go:nowhere")["Location"] == juan.url("values")
    assert juan.post("values", do="go://example.org/")["Location"] == juan.url("values")


# Live answers


CHANGES = [
    ("figure", {"_name": "Don Juan"}), ("values", {"life": "6"}), ("values", {"life": "viele"}),
    ("attacks", {"attacks.0.dice": "5"}), ("attacks", {"attacks.0.name": ""}), ("values", {}),
    ("abilities", {"abilities.1.fields": "x"}),
]


@pytest.mark.parametrize(("slug", "fields"), CHANGES)
def test_a_live_answer_holds_parts_to_be_put_in_their_places_and_no_input_of_the_person(juan, slug, fields):
    answer = juan.post(slug, fields, htmx=True)
    assert answer.status_code == 200
    parts = top(answer)
    assert parts
    assert all('hx-swap-oob="innerHTML"' in attributes for _tag, attributes in parts)
    assert list(inputs_of(answer)) == ["_version"]
    assert not re.search("<(textarea|select|form)", answer.content.decode())


@pytest.mark.parametrize(("slug", "fields"), CHANGES)
def test_a_live_answer_brings_to_each_place_what_the_page_shows_there(juan, slug, fields):
    found = inside(juan.post(slug, fields, htmx=True))
    page = inside(juan.get(slug))
    assert {one: page[one] for one in found} == found


@pytest.mark.parametrize("many", [3, slow(12)])
@pytest.mark.parametrize("system", systems())
@pytest.mark.slow
def test_in_every_system_a_live_answer_brings_what_the_page_shows(system, many):
    ruleset = systems()[system]
    for document in [*ruleset.examples.values(), *ruleset.offenders.values()][:many]:
        guest = Guest(document, system=system)
        for slug in steps(ruleset):
            found = inside(guest.post(slug, inputs_of(guest.get(slug)), htmx=True))
            page = inside(guest.get(slug))
            assert {one: page[one] for one in found} == found


def test_a_live_answer_brings_budget_figures_findings_and_chances_up_to_date(juan):
    answer = juan.post("attacks", {"attacks.0.dice": "6"}, htmx=True)
    text = text_of(answer)
    assert "2 points too many; 30 are allowed" in text
    assert "32 points are spent, 30 are allowed" in text
    assert "6 dice: 4.00 successes on average" in text
    assert f"Saved {timezone.localtime(juan.sheet.updated):%H:%M}, version 2" in text
    assert inputs_of(answer)["_version"] == "2"


def test_a_live_answer_leaves_out_what_the_page_shows_already(juan):
    found = set(inside(juan.post("attacks", {"attacks.0.dice": "6"}, htmx=True)))
    assert {"step-attacks", "ledger", "save_status", "budget", "f-attacks-0--label", "f-attacks-0--points",
            "f-attacks-0--text", "f-attacks-1--hint"} <= found
    assert not {"f-attacks-1--label", "f-attacks-1--text", "f-attacks-0-dice--fault"} & found


def test_a_save_whose_answer_was_lost_brings_all_once_more(juan):
    first, again = (inside(juan.post("attacks", {"attacks.0.dice": "6"}, htmx=True, version=1)) for _time in range(2))
    assert first == again
    assert juan.sheet.version == 2


def test_the_live_region_says_the_budget_in_a_sentence(juan):
    assert 'data-said="0 of 30 points left."' in juan.get("values").content.decode()


def test_a_broken_text_stays_and_its_message_comes_and_goes(juan):
    answer = juan.post("values", life="viele", htmx=True)
    assert "“viele” is no whole number." in text_of(answer)
    assert (juan.data["life"], juan.sheet.typed) == (5, {"life": "viele"})
    page = juan.get("values")
    assert inputs_of(page)["life"] == "viele"
    assert re.search(r'id="f-life"[^>]* aria-invalid="true"', page.content.decode())
    assert "“viele” is no whole number." not in text_of(juan.post("values", life="6", htmx=True))
    assert (juan.data["life"], juan.sheet.typed) == (6, {})


def test_a_broken_text_is_told_on_every_step_with_a_link_to_its_input(juan):
    juan.post("values", life="viele")
    for slug in STEPS:
        assert f'href="{juan.url("values")}#f-life">Life</a>: “viele”' in juan.get(slug).content.decode()


def test_what_would_make_the_sheet_too_large_for_a_document_stays_in_its_input(juan):
    row = {"name": "x", "dice": 1, "range": 0, "description": "y" * 4000}
    Sheet.objects.update(data=example()["data"] | {"attacks": [row] * 15})
    fields = {f"attacks.{index}.description": "ü" * 4000 for index in range(15)}
    answer = juan.post("attacks", fields, htmx=True, _row=[f"attacks.{index}" for index in range(15)])
    assert text_of(answer).count("The sheet would become too large for a document; shorten it.") == 30
    assert juan.data["attacks"] == [row] * 15
    assert juan.sheet.typed == fields
    assert inputs_of(juan.get("attacks"))["attacks.0.description"] == "ü" * 4000


def test_a_row_that_would_make_the_sheet_too_large_is_not_added(juan):
    row = {"name": "x", "dice": 1, "range": 0, "description": "y" * 4000}
    Sheet.objects.update(data=example()["data"] | {"attacks": [row] * 16})
    assert "too large" in text_of(juan.post("attacks", do="copy:attacks.0", htmx=True))
    assert len(juan.data["attacks"]) == 16
