"""How long answers become: the largest sheets that anybody may keep, and every page and live answer of them."""

from uuid import uuid4

import pytest

from builder.wizard.posted import MAX_INVALID_CHARACTERS, MAX_INVALID_PER_ROW
from builder.wizard.steps import FINISH, steps
from rulesets import systems
from rulesets.kit import blank, slots
from sheets.api.views import MOST
from sheets.character import Character
from sheets.models import Sheet
from sheets.press.log import LOG
from sheets.reviews import services as reviews
from sheets.rolls.widgets import key_of
from sheets.status.reviews import review_status
from tests.largest import DEAR, largest
from tests.support.everyday import MORE
from tests.support.guest import Guest, example, inputs_of, text_of
from tests.support.party import Rooms
from tests.support.rulesets.contract import report

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.database("sqlite")]

LISTS = {slug: [key for key, slot in slots(ruleset.sheet).items() if slot.kind == "rows"]
         for slug, ruleset in systems().items()}
HTMX, TOKEN = {"HX-Request": "true"}, "t" * 20
SHEETS = [(slug, lists, deep) for slug, keys in LISTS.items() for lists in (None, *(keys if len(keys) > 1 else ()))
          for deep in (False, True)]
"""Of each system sheets with all lists full, and with each of several; short texts in all rows, long ones in some."""
SHOWN = ("/sheets/{pk}/", "/sheets/{pk}/?_rolls=2", "/shared/{token}/", "/compare/{slug}/?a={pk}&b={pk}",
         "/compare/{slug}/?a={pk}&b={other}", "/sheets/{pk}/export/", "/sheets/{pk}/print/", "/sheets/{pk}/history/",
         "/sheets/{pk}/history/?of=now", "/sheets/", "/", "/sheets/trash/")


def everyday_sheets():
    """Return those with all lists full of the systems with the fewest lists and with the most; others are more."""
    some = [(slug, None, True) for slug in (min(LISTS, key=lambda one: len(LISTS[one])),
                                            max(LISTS, key=lambda one: len(LISTS[one])))]
    return [*some, *(pytest.param(*one, marks=MORE) for one in SHEETS if one not in some)]


largest_sheets = pytest.mark.parametrize(("slug", "lists", "deep"), everyday_sheets())


CARD = {"card": "custom", "name": "Viel", "cost": 1, "copies": 1}
"""What there is the most of on one row: rows within it."""


def bounded(what, answer, full, status=0):
    """An answer that is no longer than one may be, and of this status if one is stated."""
    if full:
        report(f"{len(answer.content):>7} bytes, {answer.status_code}: {what}")
    assert answer.status_code == status if status else answer.status_code < 500, what
    assert len(answer.content) < MOST, f"{what}: {len(answer.content)} bytes"
    return answer


@pytest.mark.prove
@largest_sheets
def test_no_page_no_live_answer_and_no_press_of_the_largest_sheet_is_longer_than_one_may_be(slug, lists, deep, full):
    guest = Guest(largest(slug, lists=lists, deep=deep), system=slug)
    for step in steps(systems()[slug]):
        page = bounded(f"{slug} {step}", guest.get(step), full)
        if step != FINISH.slug:
            fields = {name: value for name, value in inputs_of(page).items() if name != "_row"}
            bounded(f"{slug} {step} live", guest.post(step, fields, htmx=True), full, 200)
            bounded(f"{slug} {step} anew", guest.post(step, fields, do="undo:", htmx=True), full)
    other = Guest(reworded(largest(slug, lists=lists, deep=deep)), system=slug)
    Sheet.objects.filter(pk=other.pk).update(share="o" * 20)
    Sheet.objects.filter(pk=guest.pk).update(share=TOKEN, share_play=True)
    for address in SHOWN:
        where = address.format(pk=guest.pk, slug=slug, token=TOKEN, other="o" * 20)
        bounded(f"{slug} {address}", guest.client.get(where), full, 200)
    # The last rolls fill the log, each with the longest name that there is: at full counts as many as it has lines.
    for offer in list(Character(guest.sheet).rolls())[:LOG if full else 3]:
        press = {"w": key_of(offer), "_press": str(uuid4())}
        bounded(f"{slug} {press['w']}", guest.client.post(f"/sheets/{guest.pk}/play/", press, headers=HTMX), full)
    assert guest.sheet.events.exists()
    bounded(f"{slug} after presses", guest.client.get(f"/sheets/{guest.pk}/"), full, 200)
    bounded(f"{slug} promises", guest.client.get(f"/sheets/{guest.pk}/", headers=HTMX), full, 200)


@pytest.mark.parametrize("where", ["", "keywords", "effects"])
def test_no_page_of_a_draft_with_unreadable_texts_and_many_rows_in_rows_is_longer_than_one_may_be(where, full):
    deck = systems()["battle-dice"]
    effect = {"kind": "reaction", "name": DEAR * 100, "cost": None, "text": DEAR * 400}
    card = blank(slots(deck.sheet)["cards"].member("custom"), **CARD,
                 keywords=[{"keyword": "flink", "value": None}] * (99 if where else 2),
                 effects=[effect] * (99 if where == "effects" else 2))
    guest = Guest(deck.document("x", {"cards": [card] * (1 if where else 2)}), system="battle-dice")
    broken = dict.fromkeys(("cards.0.cost", "cards.0.keywords.0.value"), DEAR * (MAX_INVALID_PER_ROW // 2 - 10))
    assert (guest.post("deck", broken).status_code, set(guest.sheet.typed)) == (302, set(broken))
    for step in ("figure", "deck", FINISH.slug):
        bounded(f"unreadable, many {where}, {step}", guest.get(step), full, 200)
    fields = inputs_of(guest.get("deck"))
    bounded(f"unreadable, many {where}, live", guest.post("deck", fields, htmx=True), full, 200)


@pytest.mark.parametrize(("kept", "step", "fields", "status"), [
    ({}, "attacks", {"attacks.0.dice": "x" * (MAX_INVALID_PER_ROW + 1)}, 400),
    # What a draft kept from before may be saved on, and becomes no more.
    ({"attacks.0.dice": "x" * (MAX_INVALID_PER_ROW + 9)}, "values", {"life": "7"}, 302),
    ({"attacks.0.dice": "x" * (MAX_INVALID_PER_ROW + 9)}, "attacks",
     {"attacks.0.dice": "x" * (MAX_INVALID_PER_ROW + 10)}, 400),
    ({"life": "x" * (MAX_INVALID_CHARACTERS - 9)}, "attacks", {"attacks.0.dice": "x" * 10}, 400),
], ids=["too long", "saved on", "grows", "together"])
def test_more_unreadable_texts_than_a_page_has_room_for_are_refused(kept, step, fields, status):
    guest = Guest(example())
    Sheet.objects.filter(pk=guest.pk).update(typed=kept)
    assert guest.post(step, fields).status_code == status
    assert (guest.data["life"], guest.sheet.typed) == (7 if status == 302 else 5, kept)


def test_an_ordinary_sheet_of_many_words_is_shown_whole():
    words = "Wort für Wort, und weiter. " * 140
    guest = Guest(example() | {"data": example()["data"] | {"abilities": [
        {"ability": "custom", "name": f"n{n}", "cost": 1, "description": f"{words} Ende {n}.", "range": 0}
        for n in range(15)]}})
    page = text_of(guest.client.get(f"/sheets/{guest.pk}/"))
    assert [n for n in range(15) if f"Ende {n}." not in page] == []


@pytest.mark.prove
@largest_sheets
def test_no_choice_between_two_of_the_largest_sheets_is_longer_than_an_answer_may_be(slug, lists, deep, full):
    document = largest(slug, lists=lists, deep=deep)
    guest = Guest(document, system=slug)
    version = guest.sheet.version
    guest.post("figure", {"_name": "theirs"})
    Sheet.objects.filter(pk=guest.pk).update(data=reworded(document["data"]))
    bounded(f"{slug} conflict", guest.post("figure", {"_name": "mine"}, version=version, htmx=True), full, 409)


@pytest.mark.prove
@largest_sheets
def test_no_page_about_two_of_the_largest_revisions_is_longer_than_one_may_be(slug, lists, deep, full, monkeypatch):
    monkeypatch.setattr(reviews, "why_not_submittable", lambda sheet: "")
    rooms, data = Rooms(slug), largest(slug, lists=lists, deep=deep)["data"]
    rooms.change(**data)
    rooms.wait()
    seen = reviews.pending_decision(rooms.sheet, review_status(rooms.sheet))
    reviews.give_back(rooms.member(rooms.gm), rooms.sheet, seen.seal, {"comment": "Noch einmal."})
    rooms.change(**reworded(data))
    rooms.wait()
    rooms.change(**systems()[slug].document()["data"])
    history = f"/sheets/{rooms.sheet.pk}/history/"
    asked = [*((who, "", {}) for who in ("player", "gm")),
             *(("player", history, query) for query in ({}, {"a": 1, "b": 2}, {"a": 2, "b": "now"}, {"of": 1})),
             ("player", f"/drafts/{rooms.sheet.pk}/{FINISH.slug}/", {}),
             *(("gm", url, {}) for url in (f"/parties/{rooms.party.pk}/", "/reviews/", "/notifications/"))]
    for who, url, query in asked:
        bounded(f"{slug} {url} {query} read by {who}", rooms.read(who, url, **query), full)


def reworded(data):
    """The same data with the last letter of each text another."""
    if isinstance(data, dict):
        return {key: reworded(one) for key, one in data.items()}
    if isinstance(data, list):
        return [reworded(one) for one in data]
    return data[:-1] + "&" if isinstance(data, str) and set(data) == {DEAR} else data


def test_no_log_of_decisions_is_longer_than_an_answer_may_be_however_much_was_said(full, monkeypatch):
    monkeypatch.setattr(reviews, "why_not_submittable", lambda sheet: "")
    rooms = Rooms()
    rooms.change(**largest("condice")["data"])
    said = {"comment": DEAR * 4000} | dict.fromkeys(
        (f"at.{path}" for path in ("life", "defence", "movement", "attacks.0.name", "attacks.0.dice")), DEAR * 1000)
    for number in range(1, 7):
        rooms.change(life=number)
        rooms.wait()
        assert rooms.press("gm", "return", **said).status_code == 302
    rooms.change(life=99)
    rooms.wait()
    for who in ("player", "gm"):
        page = bounded(f"log read by {who}", rooms.read(who), full, 200)
    assert page.text.count("<li><time") >= 7
    much = {f"at.attacks.{n}.name": DEAR * 1000 for n in range(90)}
    answer = bounded("too much said", rooms.press("gm", "return", **much, comment=DEAR * 90_000), full)
    assert answer.status_code in (409, 422)
    bounded("the wizard of what was returned", rooms.read("player", f"/drafts/{rooms.sheet.pk}/attacks/"), full, 200)
