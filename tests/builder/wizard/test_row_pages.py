"""Long lists of rows stand in pages: what is asked on one of them changes nothing of the others."""

import re

import pytest

from builder.wizard.row_pages import LETTERS, ROWS, row_pages
from builder.wizard.steps import steps
from rulesets import systems
from rulesets.kit import blank, patched, slots
from sheets.api.views import MOST
from sheets.models import Sheet
from tests.support.builder.held import lacking
from tests.support.everyday import everyday
from tests.support.guest import Guest, example, inputs_of, inside, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
ATTACKS, CARDS = slots(systems()["condice"].sheet)["attacks"], slots(systems()["battle-dice"].sheet)["cards"]
HTMX = {"HX-Request": "true"}


def attack(name, **more):
    return {"name": name, "dice": 1, "range": 0, "description": "", **more}


@pytest.fixture
def guest():
    """A draft of sixty attacks."""
    document = example()
    return Guest({**document, "data": document["data"] | {"attacks": [attack(f"a{n}") for n in range(60)]}})


def shown(answer):
    """The names of the attacks that a page asks for."""
    return [value for name, value in inputs_of(answer).items() if re.fullmatch(r"attacks\.\d+\.name", name)]


def turns(answer, *, every=False):
    """[(word, whether it is the page that is shown, title)] of the buttons of a list's pages; they stand twice."""
    found = re.findall(r'<button name="do" value="(turn:[^"]*)"( aria-current="page")?>([^<]*)</button>', answer.text)
    return found if every else found[:len(found) // 2]


def names(guest):
    return [row["name"] for row in guest.data["attacks"]]


def fields(answer):
    """What a browser posts of a page, the buttons aside."""
    return {name: value for name, value in inputs_of(answer).items() if name != "_row"}


@pytest.mark.parametrize(("rows", "first", "last"), everyday([
    ("", 0, 24), ("2", 24, 48), ("4", 48, 60), ("9" * 30, 0, 24), ("-1", 0, 24), ("1", 0, 24), ("3", 48, 60),
    ("x", 0, 24), ("²", 0, 24), ("0", 0, 24),
], 5))
def test_a_page_asks_for_its_rows_and_has_a_button_for_the_others(guest, rows, first, last):
    page = guest.get("attacks", **({"rows": rows} if rows else {}))
    assert shown(page) == [f"a{n}" for n in range(first, last)]
    assert [(word, title) for word, _here, title in turns(page)] == [
        ("turn:attacks:1", "1–24"), ("turn:attacks:2", "25–48"), ("turn:attacks:3", "49–60")]
    assert [title for _word, here, title in turns(page) if here] == [f"{first + 1}–{last}"]


@pytest.mark.parametrize("htmx", [False, True])
def test_who_turns_a_page_loses_nothing_of_what_was_typed_on_it(guest, htmx):
    url = guest.url("attacks")
    typed = fields(guest.get("attacks")) | {"attacks.3.name": "Neu", "attacks.4.dice": "viele", "do": "turn:attacks:2"}
    answer = guest.client.post(url, typed, headers=HTMX if htmx else {})
    assert (guest.data["attacks"][3]["name"], guest.sheet.typed) == ("Neu", {"attacks.4.dice": "viele"})
    if htmx:
        assert shown(answer) == [f"a{n}" for n in range(24, 48)]
        assert f'action="{url}?rows=2"' in answer.text
    else:
        assert answer["Location"] == f"{url}?rows=2#f-attacks"


@pytest.mark.parametrize(("about", "to"), [
    ("attacks:9", "?rows=3#f-attacks"), ("attacks:", "#f-attacks"), ("", ""), ("attacks:-1", "#f-attacks"),
    ("x\n:2", "?rows=2"), ("abilities:2", "?rows=2"),
])
def test_a_page_that_there_is_not_is_the_nearest(guest, about, to):
    assert guest.post("attacks", do=f"turn:{about}")["Location"] == guest.url("attacks") + to


def test_of_two_lists_each_says_which_of_its_pages_is_shown():
    storm = systems()["daemmersturm"]
    lists, document = slots(storm.sheet), next(iter(storm.examples.values()))
    many = {"weapons": [blank(lists["weapons"].parts[0], name="Dolch", kind="dagger", damage="1-4")] * 60,
            "abilities": [blank(lists["abilities"].parts[0], name="Blick")] * 30}
    guest = Guest(document | {"data": document["data"] | many}, system="daemmersturm")
    step = next(slug for slug, (_step, keys) in steps(storm).items() if "weapons" in keys)
    assert "turn:weapons:3" in [word for word, here, _title in turns(guest.get(step, rows="3"), every=True) if here]


def test_texts_that_are_no_values_count_among_those_of_their_row(guest):
    Sheet.objects.filter(pk=guest.pk).update(typed={"attacks.1.dice": "x" * 20_000, "attacks.2.dice": "y" * 20_000})
    assert shown(guest.get("attacks")) == ["a0", "a1"]
    assert shown(guest.get("attacks", rows="2"))[0] == "a2"


def test_of_rows_within_a_row_a_page_shows_what_it_has_room_for_and_keeps_the_others():
    effect = {"kind": "reaction", "name": "Konter", "cost": None, "text": "'" * 500}
    card = blank(slots(systems()["battle-dice"].sheet)["cards"].member("custom"), card="custom", name="Viel",
                 effects=[effect] * 99)
    guest = Guest(systems()["battle-dice"].document("x", {"cards": [card]}), system="battle-dice")
    page = guest.get("deck")
    assert (len(page.content) < MOST, "75 more are stored" in page.text) == (True, True)
    assert 'class="row-pages"' not in page.text
    guest.post("deck", fields(page) | {"cards.0.effects.3.name": "Neu"})
    names = [one["name"] for one in guest.data["cards"][0]["effects"]]
    assert names == ["Konter"] * 3 + ["Neu"] + ["Konter"] * 95


def test_a_page_that_is_saved_changes_its_own_rows_alone_and_a_live_answer_tells_of_these(guest):
    url, before = f"{guest.url('attacks')}?rows=2", [attack(f"a{n}") for n in range(60)]
    posted = fields(guest.client.get(url)) | {"attacks.30.name": "Neu", "attacks.24.dice": "7"}
    before[30]["name"], before[24]["dice"] = "Neu", 7
    assert guest.client.post(url, posted)["Location"] == url
    assert guest.data["attacks"] == before
    posted = fields(guest.client.get(url)) | {"attacks.31.name": "Anders", "attacks.30.dice": "7"}
    posted["_row"] = [f"attacks.{n}" for n in range(24, 48)]
    before[31]["name"], before[30]["dice"] = "Anders", 7
    told = inside(guest.client.post(url, posted, headers=HTMX))
    assert guest.data["attacks"] == before
    assert "f-attacks-30--label" in told
    assert {one for one in told if re.match(r"f-attacks-\d+--hint", one)} == {
        f"f-attacks-{n}--hint" for n in range(24, 48)}


def test_a_text_that_grows_while_it_is_typed_takes_no_row_out_of_the_answer(guest):
    Sheet.objects.filter(pk=guest.pk).update(data=guest.data | {
        "attacks": [attack(f"a{n}", description="x" * 990) for n in range(24)]})
    page = guest.get("attacks")
    assert len(shown(page)) == 24
    posted = fields(page) | {"attacks.0.description": "x" * 3_000, "_row": [f"attacks.{n}" for n in range(24)]}
    assert "f-attacks-23--hint" in inside(guest.post("attacks", posted, htmx=True))
    assert len(shown(guest.get("attacks"))) < 24


@pytest.mark.parametrize(("rows", "do", "page", "focus"), [
    (1, "add:attacks", 3, "f-attacks-60"), (2, "copy:attacks.47", 3, "f-attacks-48"),
    (1, "down:attacks.23", 2, "f-attacks-24"),
    *everyday([(2, "up:attacks.24", 1, "f-attacks-23"), (2, "drop:attacks.30", 2, "f-attacks-30"),
               (3, "more:attacks.50.dice", 3, "f-attacks-50-dice")]),
])
def test_a_button_leads_to_the_page_of_what_it_is_about(guest, rows, do, page, focus):
    url = guest.url("attacks")
    here, there = (f"{url}?rows={number}" if number > 1 else url for number in (rows, page))
    answer = guest.client.post(here, fields(guest.client.get(here)) | {"do": do}, headers=HTMX)
    assert lacking(answer.text, f'id="{focus}"', f'action="{there}"') == []
    assert guest.client.post(here, fields(guest.client.get(here)) | {"do": "undo:"})["Location"] == here
    assert names(guest) == [f"a{n}" for n in range(60)]
    answer = guest.client.post(here, fields(guest.client.get(here)) | {"do": do})
    assert answer["Location"] == f"{there}#{focus}"


def test_the_last_row_of_the_last_page_leaves_by_the_page_before(guest):
    Sheet.objects.filter(pk=guest.pk).update(data=guest.data | {"attacks": guest.data["attacks"][:49]})
    url = guest.url("attacks")
    answer = guest.client.post(f"{url}?rows=3", {"_version": guest.sheet.version, "do": "drop:attacks.48"})
    assert answer["Location"] == f"{url}?rows=2#f-attacks-47"


def test_a_finding_leads_to_the_page_of_its_row(guest):
    # None of them is worth less than another, so that the rules have little else to say.
    attacks = [attack(f"a{n}", dice=n + 1, range=60 - n) for n in range(60)]
    Sheet.objects.filter(pk=guest.pk).update(data=patched(guest.data, {"attacks": attacks, "attacks.40.name": ""}))
    link = f"{guest.url('attacks')}?rows=2#f-attacks-40-name"
    assert f'href="{link}"' in guest.get("values").text
    assert 'id="f-attacks-40-name"' in guest.client.get(link).text
    assert guest.client.get(guest.url(), {"at": "attacks.40.name"})["Location"] == link


def test_two_tabs_on_two_pages_choose_and_nothing_is_lost(guest):
    url = guest.url("attacks")
    one, two = fields(guest.client.get(url)), fields(guest.client.get(f"{url}?rows=2"))
    guest.client.post(url, one | {"attacks.3.name": "erste"})
    answer = guest.client.post(f"{url}?rows=2", two | {"attacks.30.name": "zweite"})
    assert answer.status_code == 409
    found = inputs_of(answer)
    keep = {name: "mine" if "30" in name else "theirs" for name in found if name.startswith("_keep.")}
    assert set(keep) == {"_keep.attacks.3.name", "_keep.attacks.30.name"}
    again = re.search(r'action="([^"]*\?rows=2)"', answer.text)[1]
    guest.client.post(again, found | keep | {"do": "settle"})
    assert [name for name in names(guest) if not re.fullmatch(r"a\d+", name)] == ["erste", "zweite"]
    assert len(names(guest)) == 60


def test_where_a_thousand_fields_differ_rows_are_chosen_and_both_are_kept_as_chosen(guest):
    url, version = guest.url("attacks"), guest.sheet.version
    mine = {f"attacks.{n}.{key}": value for n in range(60) for key, value in
            (("name", f"meine {n}"), ("dice", "2"), ("range", "3"))}
    guest.client.post(url, {"_version": version, **{name: f"{value}1" for name, value in mine.items()}})
    answer = guest.client.post(url, {"_version": version, **mine})
    assert answer.status_code == 409
    found = inputs_of(answer)
    chosen = [name for name in found if name.startswith("_keep.")]
    assert len(chosen) == 60
    assert "meine 7" in text_of(answer)
    keep = {name: "mine" if name == "_keep.attacks.7" else "theirs" for name in chosen}
    guest.client.post(url, found | keep | {"do": "settle"})
    assert guest.data["attacks"][7] == attack("meine 7", dice=2, range=3)
    assert guest.data["attacks"][8] == attack("meine 81", dice=21, range=31)


LONG, WITHIN = attack("a", description="x" * 4_000), {"keyword": "flink", "value": None}
OWN = {"card": "custom", "copies": 1, "keywords": [WITHIN] * 11, "effects": []}
LISTED = {"card": "snowbuddies", "copies": 1}


@pytest.mark.parametrize(("slot", "rows", "pages"), [
    (ATTACKS, [], [0]), (ATTACKS, [attack("a")] * 99, [ROWS] * 4 + [99 - 4 * ROWS]),
    (ATTACKS, [LONG] * 10, [(LETTERS - 1) // 4_001] * 2),
    (ATTACKS, [attack("a", description="x" * LETTERS * 2), attack("b")], [1, 1]),
    (CARDS, [LISTED, OWN, OWN, LISTED, OWN], [2, 1]),
])
def test_pages_hold_so_many_rows_and_so_much_text(slot, rows, pages):
    assert [len(page.rows) for page in row_pages(slot, rows)] == pages


def test_rows_within_rows_count_and_what_is_kept_in_the_catalogue_does_not():
    assert [(page.rows, page.title) for page in row_pages(CARDS, [LISTED, OWN, OWN, LISTED, OWN])] == [
        ((1, 2), "2–3"), ((4,), "5")]
