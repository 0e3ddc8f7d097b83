"""Long lists of rows stand in pages: what is asked on one of them changes nothing of the others."""

import re

import pytest

from builder.wizard.row_pages import LETTERS, ROWS, row_pages
from builder.wizard.steps import steps
from rulesets import systems
from rulesets.kit import blank, slots
from sheets.api.views import MOST
from sheets.models import Sheet
from tests.support.everyday import everyday
from tests.support.guest import Guest, example, inputs_of, inside, text_of

pytestmark = pytest.mark.django_db
ATTACKS = slots(systems()["condice"].sheet)["attacks"]


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
    ("", 0, 24), ("1", 0, 24), ("2", 24, 48), ("3", 48, 60), ("4", 48, 60), ("9" * 30, 0, 24), ("x", 0, 24),
    ("-1", 0, 24), ("²", 0, 24), ("0", 0, 24),
], 4))
def test_a_page_asks_for_its_rows_and_has_a_button_for_the_others(guest, rows, first, last):
    page = guest.get("attacks", **({"rows": rows} if rows else {}))
    assert shown(page) == [f"a{n}" for n in range(first, last)]
    assert [title for _word, _here, title in turns(page)] == ["1–24", "25–48", "49–60"]
    assert [word for word, _here, _title in turns(page)] == [f"turn:attacks:{n}" for n in (1, 2, 3)]
    assert [title for _word, here, title in turns(page) if here] == [f"{first + 1}–{last}"]


@pytest.mark.parametrize("htmx", [False, True])
def test_who_turns_a_page_loses_nothing_of_what_was_typed_on_it(guest, htmx):
    url = guest.url("attacks")
    typed = fields(guest.get("attacks")) | {"attacks.3.name": "Neu", "attacks.4.dice": "viele", "do": "turn:attacks:2"}
    answer = guest.client.post(url, typed, headers={"HX-Request": "true"} if htmx else {})
    assert guest.data["attacks"][3]["name"] == "Neu"
    assert guest.sheet.typed == {"attacks.4.dice": "viele"}
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
    lists = slots(systems()["daemmersturm"].sheet)
    weapon = blank(lists["weapons"].parts[0], name="Dolch", kind="dagger", damage="1-4")
    ability = blank(lists["abilities"].parts[0], name="Blick")
    document = next(iter(systems()["daemmersturm"].examples.values()))
    guest = Guest(document | {"data": document["data"] | {"weapons": [weapon] * 60, "abilities": [ability] * 30}},
                  system="daemmersturm")
    step = next(slug for slug, (_step, keys) in steps(systems()["daemmersturm"]).items() if "weapons" in keys)
    here = [word for word, here, _title in turns(guest.get(step, rows="3"), every=True) if here]
    assert set(here) >= {"turn:weapons:3"}


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
    assert len(page.content) < MOST
    assert "75 more are kept" in page.text
    posted = fields(page) | {"cards.0.effects.3.name": "Neu"}
    guest.post("deck", posted)
    names = [one["name"] for one in guest.data["cards"][0]["effects"]]
    assert names == ["Konter"] * 3 + ["Neu"] + ["Konter"] * 95


def test_a_short_list_has_no_pages():
    assert 'class="row-pages"' not in Guest(example()).get("attacks").text


@pytest.mark.parametrize("htmx", [False, True])
def test_a_page_that_is_saved_changes_its_own_rows_alone(guest, htmx):
    url = f"{guest.url('attacks')}?rows=2"
    posted = fields(guest.client.get(url)) | {"attacks.30.name": "Neu", "attacks.24.dice": "7"}
    answer = guest.client.post(url, posted, headers={"HX-Request": "true"} if htmx else {})
    assert answer.status_code == (200 if htmx else 302)
    before = [attack(f"a{n}") for n in range(60)]
    before[30]["name"], before[24]["dice"] = "Neu", 7
    assert guest.data["attacks"] == before
    if not htmx:
        assert answer["Location"] == url


def test_a_live_answer_tells_of_the_rows_that_the_page_shows(guest):
    url = f"{guest.url('attacks')}?rows=2"
    posted = inputs_of(guest.client.get(url)) | {"attacks.30.dice": "7"}
    posted["_row"] = [f"attacks.{n}" for n in range(24, 48)]
    told = inside(guest.client.post(url, posted, headers={"HX-Request": "true"}))
    assert "f-attacks-30--label" in told
    assert {one for one in told if re.match(r"f-attacks-\d+--hint", one)} == {
        f"f-attacks-{n}--hint" for n in range(24, 48)}


def test_a_text_that_grows_while_it_is_typed_takes_no_row_out_of_the_answer(guest):
    Sheet.objects.filter(pk=guest.pk).update(data=guest.data | {
        "attacks": [attack(f"a{n}", description="x" * 990) for n in range(24)]})
    page = guest.get("attacks")
    assert len(shown(page)) == 24
    posted = fields(page) | {"attacks.0.description": "x" * 3_000, "_row": [f"attacks.{n}" for n in range(24)]}
    told = inside(guest.post("attacks", posted, htmx=True))
    assert "f-attacks-23--hint" in told
    assert len(shown(guest.get("attacks"))) < 24


@pytest.mark.parametrize(("rows", "do", "page", "focus"), everyday([
    (1, "add:attacks", 3, "f-attacks-60"), (2, "copy:attacks.47", 3, "f-attacks-48"),
    (1, "down:attacks.23", 2, "f-attacks-24"), (2, "up:attacks.24", 1, "f-attacks-23"),
    (2, "drop:attacks.30", 2, "f-attacks-30"), (3, "more:attacks.50.dice", 3, "f-attacks-50-dice"),
], 2))
def test_a_button_leads_to_the_page_of_what_it_is_about(guest, rows, do, page, focus):
    url = guest.url("attacks")
    here = f"{url}?rows={rows}" if rows > 1 else url
    there = f"{url}?rows={page}" if page > 1 else url
    answer = guest.client.post(here, fields(guest.client.get(here)) | {"do": do}, headers={"HX-Request": "true"})
    assert f'id="{focus}"' in answer.text
    assert f'action="{there}"' in answer.text
    guest.post("attacks", do="undo:")
    assert names(guest) == [f"a{n}" for n in range(60)]
    answer = guest.client.post(here, fields(guest.client.get(here)) | {"do": do})
    assert answer["Location"] == f"{there}#{focus}"


def test_the_last_row_of_the_last_page_leaves_by_the_page_before(guest):
    data = guest.data | {"attacks": guest.data["attacks"][:49]}
    Sheet.objects.filter(pk=guest.pk).update(data=data)
    url = guest.url("attacks")
    answer = guest.client.post(f"{url}?rows=3", {"_version": guest.sheet.version, "do": "drop:attacks.48"})
    assert answer["Location"] == f"{url}?rows=2#f-attacks-47"


def test_undo_stays_on_the_page(guest):
    guest.post("values", life="9")
    url = f"{guest.url('attacks')}?rows=2"
    assert guest.client.post(url, fields(guest.client.get(url)) | {"do": "undo:"})["Location"] == url


def test_a_finding_leads_to_the_page_of_its_row(guest):
    # None of them is worth less than another, so that the rules have little else to say.
    data = guest.data | {"attacks": [attack(f"a{n}", dice=n + 1, range=60 - n) for n in range(60)]}
    data["attacks"][40]["name"] = ""
    Sheet.objects.filter(pk=guest.pk).update(data=data)
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


def test_pages_hold_so_many_rows_and_so_much_text():
    def pages(rows):
        return [page.rows for page in row_pages(ATTACKS, rows)]

    assert pages([]) == [()]
    assert list(map(len, pages([attack("a")] * 99))) == [ROWS] * 4 + [99 - 4 * ROWS]
    long = attack("a", description="x" * 4_000)
    assert list(map(len, pages([long] * 10))) == [(LETTERS - 1) // 4_001] * 2
    assert pages([attack("a", description="x" * LETTERS * 2), attack("b")]) == [(0,), (1,)]


def test_rows_within_rows_count_and_what_is_kept_in_the_catalogue_does_not():
    cards = slots(systems()["battle-dice"].sheet)["cards"]
    own = {"card": "custom", "copies": 1, "keywords": [{"keyword": "flink", "value": None}] * 11, "effects": []}
    listed = {"card": "snowbuddies", "copies": 1}
    assert [page.rows for page in row_pages(cards, [listed, own, own, listed, own])] == [(1, 2), (4,)]
    assert [page.title for page in row_pages(cards, [listed, own, own, listed, own])] == ["2–3", "5"]
