"""The wizard as browsers use it, with htmx and without."""

import re
from html.parser import HTMLParser

import pytest
from django.utils import timezone

from builder import drafts
from builder.desk import Desk
from rulesets import systems
from rulesets.kit import patched
from sheets.models import Sheet
from tests.guest import Guest, example, inputs_of, text_of

pytestmark = pytest.mark.django_db

STEPS = ["figure", "values", "attacks", "abilities", "finish"]


@pytest.fixture
def juan():
    """A guest at work on Juan."""
    return Guest(example())


def top(answer):
    """[(tag, attributes)] of the outermost elements of a fragment."""
    found, depth = [], 0
    for closing, tag, attributes, empty in re.findall(r"<(/?)([a-z0-9]+)([^>]*?)(/?)>", answer.content.decode()):
        if closing:
            depth -= 1
            continue
        if not depth:
            found.append((tag, attributes))
        depth += not empty and tag not in ("input", "br", "link", "meta")
    assert depth == 0
    return found


# Beginning


def test_a_draft_is_begun_and_its_first_step_shown():
    guest = Guest()
    answer = guest.get()
    assert answer.status_code == 200
    assert inputs_of(answer)["_name"] == ""
    assert guest.data == systems()["condice"].document()["data"]


@pytest.mark.parametrize("system", systems())
def test_a_random_character_to_start_from_is_legal(system):
    guest = Guest(system=system)
    answer = guest.client.post(f"/build/{system}/", {"do": "random"})
    made = Sheet.objects.exclude(pk=guest.pk).get()
    assert answer["Location"] == f"/drafts/{made.pk}/figure/"
    ruleset = systems()[system]
    assert not ruleset.check(ruleset.sheet.model_validate(made.data), name=made.name).findings


def test_there_is_nothing_to_begin_in_a_system_that_is_not_there(client):
    assert client.post("/build/nowhere/").status_code == 404
    assert client.get("/build/condice/").status_code == 405


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
    assert "Nothing in the catalogue holds these words." in text_of(juan.get("abilities", q="xyzzy"))
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


@pytest.mark.parametrize(("slug", "fields"), [
    ("figure", {"_name": "Don Juan"}), ("values", {"life": "6"}), ("values", {"life": "viele"}),
    ("attacks", {"attacks.0.dice": "5"}), ("attacks", {"attacks.0.name": ""}), ("values", {}),
    ("abilities", {"abilities.1.fields": "x"}),
])
def test_a_live_answer_holds_parts_to_be_put_in_their_places_and_no_input_of_the_person(juan, slug, fields):
    answer = juan.post(slug, fields, htmx=True)
    assert answer.status_code == 200
    parts = top(answer)
    assert parts
    assert all('hx-swap-oob="true"' in attributes for _tag, attributes in parts)
    assert list(inputs_of(answer)) == ["_version"]
    assert not re.search("<(textarea|select|form)", answer.content.decode())
    page = juan.get(slug).content.decode()
    for _tag, attributes in parts:
        assert page.count(re.search(r' id="[^"]*"', attributes)[0]) == 1


def test_a_live_answer_brings_budget_figures_findings_and_chances_up_to_date(juan):
    answer = juan.post("attacks", {"attacks.0.dice": "6"}, htmx=True)
    text = text_of(answer)
    assert "-2 of 30 points left" in text
    assert "32 points are spent, 30 are allowed" in text
    assert "6 dice: 4.00 successes on average" in text
    assert f"Saved {timezone.localtime(juan.sheet.updated):%H:%M}, version 2" in text
    assert inputs_of(answer)["_version"] == "2"


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
        assert f'<a href="{juan.url("values")}#f-life">Life</a>: “viele”' in juan.get(slug).content.decode()


def test_what_would_make_the_sheet_too_large_for_a_document_stays_in_its_input(juan):
    row = {"name": "x", "dice": 1, "range": 0, "description": "y" * 4000}
    Sheet.objects.update(data=example()["data"] | {"attacks": [row] * 15})
    fields = {f"attacks.{index}.description": "ü" * 4000 for index in range(15)}
    answer = juan.post("attacks", fields, htmx=True)
    assert text_of(answer).count("The sheet would become too large for a document; shorten it.") == 30
    assert juan.data["attacks"] == [row] * 15
    assert juan.sheet.typed == fields
    assert inputs_of(juan.get("attacks"))["attacks.0.description"] == "ü" * 4000


def test_a_row_that_would_make_the_sheet_too_large_is_not_added(juan):
    row = {"name": "x", "dice": 1, "range": 0, "description": "y" * 4000}
    Sheet.objects.update(data=example()["data"] | {"attacks": [row] * 16})
    assert "too large" in text_of(juan.post("attacks", do="copy:attacks.0", htmx=True))
    assert len(juan.data["attacks"]) == 16


# Buttons


@pytest.mark.parametrize(("do", "focus"), [
    ("add:attacks", "f-attacks-2"), ("copy:attacks.0", "f-attacks-1"), ("down:attacks.0", "f-attacks-1"),
    ("more:attacks.0.dice", "f-attacks-0-dice"),
])
def test_a_button_is_answered_with_the_whole_bench_and_where_to_look(juan, do, focus):
    answer = juan.post("attacks", do=do, htmx=True)
    assert [attributes.split()[0] for _tag, attributes in top(answer)] == ['id="bench"']
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("#bench", "outerHTML")
    assert answer["HX-Trigger-After-Settle"] == f'{{"focus-on": {{"id": "{focus}"}}}}'
    assert f'id="{focus}"' in answer.content.decode()
    assert juan.post("attacks", do=do)["Location"].partition("#")[2].startswith("f-attacks")


def test_a_button_saves_what_was_typed_beside_it(juan):
    juan.post("attacks", {"attacks.0.dice": "x", "attacks.1.name": "Tritt"}, do="drop:attacks.0")
    assert [row["name"] for row in juan.data["attacks"]] == ["Tritt"]
    assert juan.sheet.typed == {}


def test_an_entry_of_the_catalogue_is_added_by_its_button(juan):
    page = juan.get("abilities").content.decode()
    for do in re.findall(r'value="(add:[^"]*)"', page):
        assert juan.post("abilities", do=do).status_code == 302
    assert len(juan.data["abilities"]) == 3 + 18


@pytest.mark.parametrize("do", [
    "burn", "burn:attacks", "add", "add:nowhere", "drop:attacks.7", "drop:attacks.²", "more:attacks", "Undo", "_do",
    "add:attacks:x", "\0", "delete", "drop:attacks." + "9" * 5000,
])
@pytest.mark.parametrize("htmx", [False, True])
def test_a_button_that_no_page_has_is_refused_and_nothing_is_saved(juan, do, htmx):
    answer = juan.post("attacks", {"attacks.0.name": "Neu"}, do=do, htmx=htmx)
    assert answer.status_code == 400
    assert "This request cannot be read" in text_of(answer)
    assert (juan.sheet.version, juan.data) == (1, example()["data"])


@pytest.mark.parametrize("fields", [
    {"attacks.0.nowhere": "1"}, {"attacks": "1"}, {"attacks.00.dice": "1"}, {"attacks.0.name": "a\0b"}, {"0": "x"},
    {"_name": "x" * 201}, {"_name": "a\0b"}, {"attacks.0.name": "x" * 70_000}, {"_version": "x"}, {"_version": ""},
    {"_version": "9" * 5000}, {"_version": "-1"}, {"_version": "²"}, {"_version": "1.0"},
], ids=lambda fields: next(f"{key}={value[:9]!r}" for key, value in fields.items()))
def test_a_form_that_no_page_has_is_refused_and_nothing_is_saved(juan, fields):
    answer = juan.post("attacks", {"attacks.1.name": "Neu"} | fields)
    assert answer.status_code == 400
    assert "This request cannot be read" in text_of(answer)
    assert (juan.sheet.version, juan.data) == (1, example()["data"])


def test_undo_and_redo_are_buttons_that_know_when_there_is_nothing_to_do(juan):
    def disabled():
        return re.findall(r'value="(undo|redo):" disabled', juan.get("values").content.decode())

    assert disabled() == ["undo", "redo"]
    juan.post("values", life="6")
    assert disabled() == ["redo"]
    juan.post("values", do="undo:")
    assert (disabled(), juan.data["life"]) == (["undo"], 5)
    juan.post("values", do="redo:")
    assert (disabled(), juan.data["life"]) == (["redo"], 6)
    juan.post("values", life="7")
    assert juan.data["life"] == 7


def test_undo_takes_back_what_was_typed_just_before_it_was_pressed(juan):
    juan.post("values", life="6", do="undo:")
    assert juan.data["life"] == 5
    juan.post("values", do="redo:")
    assert juan.data["life"] == 6


def test_the_rest_is_filled_up_to_a_legal_sheet_that_keeps_what_was_there(juan):
    Sheet.objects.update(data=patched(example()["data"], {"abilities": [], "attacks.0.dice": 2}))
    juan.post("figure", do="fill:")
    desk = Desk(juan.sheet)
    assert (desk.ledger.left, desk.verdict.verdict) == (0, "legal")
    assert juan.data["attacks"][1] == example()["data"]["attacks"][1] | {"dice": juan.data["attacks"][1]["dice"],
                                                                          "range": juan.data["attacks"][1]["range"]}


def test_nothing_is_filled_up_where_too_much_is_spent_and_it_is_said_why(juan):
    answer = juan.post("figure", do="fill:", htmx=True)
    assert juan.data == example()["data"]
    Sheet.objects.update(data=example()["data"] | {"life": 9})
    answer = juan.post("figure", do="fill:", htmx=True)
    assert "4 points too many is spent already" in text_of(answer) or "4 points too many are spent" in text_of(answer)
    assert juan.data["life"] == 9


def test_a_random_character_takes_the_place_of_the_draft_and_can_be_taken_back(juan):
    juan.post("figure", do="random:")
    assert juan.data != example()["data"]
    assert juan.sheet.name
    juan.post("figure", do="undo:")
    assert (juan.data, juan.sheet.name) == (example()["data"], "Juan")


# Findings and mends


def words_of(answer):
    """The words that the mends' buttons of an answer post."""
    return re.findall(r'value="(mend:[0-9a-f]+)"', answer.content.decode())


def test_a_finding_links_to_its_rule_and_to_its_field(juan):
    Sheet.objects.update(data=patched(example()["data"], {"attacks.1.name": ""}))
    page = juan.get("values").content.decode()
    assert f'<a href="{juan.url("attacks")}#f-attacks-1-name">Attacks 2: Name</a>' in page
    assert '<a href="/rules/condice/#CD-02">read CD-02</a>' in page


def test_each_mend_is_a_button_that_does_what_its_preview_says(juan):
    Sheet.objects.update(data=example()["data"] | {"life": 9})
    answer = juan.get("values")
    words = words_of(answer)
    assert len(words) >= 2
    assert "Life: 9 → 5" in text_of(answer)
    for word in words:
        Sheet.objects.update(data=example()["data"] | {"life": 9})
        assert juan.post("values", do=word).status_code == 302
        desk = Desk(juan.sheet)
        assert desk.ledger.left >= 0
        assert "CD-01" not in {finding.rule for finding in desk.verdict.findings}


def test_a_mend_that_no_longer_fits_changes_nothing_and_says_so(juan):
    Sheet.objects.update(data=example()["data"] | {"life": 9})
    word = words_of(juan.get("values"))[0]
    answer = juan.post("values", life="5", do=word, htmx=True)
    assert "That mend no longer fits" in text_of(answer)
    assert juan.data == example()["data"]
    assert juan.post("values", do="mend:nonsense").status_code == 302


def test_a_mend_replaces_a_broken_text_of_the_field_that_it_mends(juan):
    Sheet.objects.update(data=example()["data"] | {"life": 0})
    answer = juan.post("values", life="keins", movement="viel", htmx=True)
    word = next(word for word in words_of(answer) if "Put 1 point into life" in text_of(answer))
    juan.post("values", do=word)
    assert juan.data["life"] == 1
    assert juan.sheet.typed == {"movement": "viel"}


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
    assert (answer.status_code, answer["HX-Retarget"], answer["HX-Reswap"]) == (409, "#bench", "outerHTML")
    assert [attributes.split()[0] for _tag, attributes in top(answer)] == ['id="bench"']


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


def test_a_deleted_draft_is_gone_and_can_be_brought_back(juan):
    assert juan.whole("delete")["Location"] == "/"
    for answer in (juan.get("values"), juan.post("values", life="6"), juan.get(""), juan.whole("copy"),
                   juan.whole("delete"), juan.get("values", htmx=True)):
        assert answer.status_code == 404
    home = juan.client.get("/")
    assert "“Juan” was deleted." in text_of(home)
    assert juan.whole("restore")["Location"] == juan.url("figure")
    assert juan.get("values").status_code == 200
    assert juan.whole("restore").status_code == 404


def test_a_guest_brings_no_more_back_than_a_browser_may_keep(juan, monkeypatch):
    juan.whole("delete")
    juan.client.post("/build/condice/")
    monkeypatch.setattr(drafts, "GUEST_DRAFTS", 1)
    assert juan.whole("restore")["Location"] == "/"
    assert juan.sheet.deleted


@pytest.mark.parametrize("do", ["", "burn", "undo:", "\0"])
def test_the_draft_as_a_whole_has_no_other_buttons(juan, do):
    assert juan.whole(do).status_code == 400


def test_a_draft_with_nothing_in_the_way_is_finished(juan):
    assert "Nothing is in the way." in text_of(juan.get("finish"))
    assert juan.whole("finish")["Location"] == f"/sheets/{juan.pk}/"
    assert juan.sheet.finished


@pytest.mark.parametrize("fields", [{"life": "viele"}, {"life": "99"}])
def test_a_draft_with_something_in_the_way_is_not_finished_and_it_is_told_what(juan, fields):
    juan.post("values", fields)
    assert juan.whole("finish")["Location"] == juan.url("finish")
    assert juan.sheet.finished is None
    text = text_of(juan.get("finish"))
    assert "Something is still in the way; it is listed below." in text
    assert "This is in the way:" in text


def test_advice_is_not_in_the_way(juan):
    Sheet.objects.update(data=example()["data"] | {"life": 0})
    juan.whole("finish")
    assert juan.sheet.finished


def test_a_draft_of_a_system_that_is_gone_is_not_to_be_found(juan):
    Sheet.objects.update(ruleset="gone")
    assert juan.get("values").status_code == 404
    assert juan.post("values", life="3").status_code == 404
    assert juan.client.get("/").status_code == 200


# Whatever people write


PAYLOAD = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}{% now %}&lt;b&gt;</textarea></title>--><!--"
WRITTEN = [
    ("figure", {"_name": PAYLOAD}), ("attacks", {"attacks.0.name": PAYLOAD, "attacks.0.description": PAYLOAD}),
    ("values", {"life": PAYLOAD}), ("attacks", {"attacks.0.dice": PAYLOAD}),
    ("abilities", {"abilities.0.name": PAYLOAD, "abilities.0.description": PAYLOAD}),
    ("abilities", {"abilities.1.attribute": PAYLOAD, "abilities.0.cost": PAYLOAD}),
]


def harmful(answer):
    """Elements and attributes of an answer that no page of ours has."""
    found = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            if tag in ("img", "b") or (tag == "script" and "src" not in dict(attributes)):
                found.append(tag)
            found.extend(name for name, _value in attributes if name.startswith("on"))

    reader = Reader()
    reader.feed(answer.content.decode())
    reader.close()
    return found


@pytest.mark.parametrize(("slug", "fields"), WRITTEN, ids=lambda given: given if isinstance(given, str) else "")
def test_what_people_write_is_text_on_every_page(slug, fields):
    abilities = [{"ability": "custom", "name": "", "cost": 1, "description": "", "range": 0},
                 {"ability": "aura", "range": 0, "attribute": None}]
    juan = Guest(example() | {"data": patched(example()["data"], {"abilities": abilities})})
    before = juan.sheet.version
    answers = [juan.post(slug, fields, htmx=True)]
    assert juan.sheet.version == before + 1
    answers += [juan.get(one) for one in STEPS]
    answers += [juan.post(slug, {}, do="more:movement", htmx=True), juan.get("abilities", q=PAYLOAD)]
    answers += [juan.post("values", {"defence": "9"}, version=1), juan.post("values", do="settle")]
    answers += [juan.client.get(url) for url in ("/", f"/sheets/{juan.pk}/", "/sheets/")]
    juan.whole("copy")
    juan.whole("delete")
    answers.append(juan.client.get("/"))
    for answer in answers:
        assert not harmful(answer)
    assert any("alert(1)&lt;/script" in answer.content.decode() for answer in answers)
