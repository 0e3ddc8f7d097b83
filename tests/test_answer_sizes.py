"""How long answers become: the largest sheets that anybody may keep, and every page and live answer of them."""

from uuid import uuid4

import pytest

from builder.wizard.posted import TOGETHER, TYPED
from builder.wizard.steps import FINISH, steps
from rulesets import systems
from rulesets.kit import blank, slots
from sheets.api.views import MOST
from sheets.character import Character
from sheets.models import Sheet
from sheets.play.event_log import LOG
from sheets.reviews import services as reviews
from sheets.rolls.widgets import key_of
from sheets.status.reviews import review_status
from tests.largest import DEAR, largest
from tests.support.everyday import everyday
from tests.support.guest import Guest, example, inputs_of, text_of
from tests.support.party import Rooms
from tests.support.rulesets.contract import report

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

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
    """One sheet of one system every day."""
    first = min(SHEETS, key=lambda one: len(LISTS[one[0]]))
    return everyday([first, *(one for one in SHEETS if one != first)])


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
@pytest.mark.parametrize(("slug", "lists", "deep"), everyday_sheets())
def test_no_page_and_no_live_answer_of_the_largest_sheet_is_longer_than_one_may_be(slug, lists, deep, full):
    guest = Guest(largest(slug, lists=lists, deep=deep), system=slug)
    for step in steps(systems()[slug]):
        page = bounded(f"{slug} {step}", guest.get(step), full)
        if step == FINISH.slug:
            continue
        fields = inputs_of(page)
        fields.pop("_row", None)
        bounded(f"{slug} {step} live", guest.post(step, fields, htmx=True), full, 200)
        bounded(f"{slug} {step} anew", guest.post(step, fields, do="undo:", htmx=True), full)
    other = Guest(reworded(largest(slug, lists=lists, deep=deep)), system=slug)
    Sheet.objects.filter(pk=other.pk).update(share="o" * 20)
    Sheet.objects.filter(pk=guest.pk).update(share=TOKEN, share_play=True)
    for address in SHOWN:
        where = address.format(pk=guest.pk, slug=slug, token=TOKEN, other="o" * 20)
        bounded(f"{slug} {address}", guest.client.get(where), full, 200)


@pytest.mark.prove
@pytest.mark.parametrize(("slug", "lists", "deep"), everyday_sheets())
def test_no_press_on_the_largest_sheet_is_answered_by_more_than_one_may_be(slug, lists, deep, full):
    guest = Guest(largest(slug, lists=lists, deep=deep), system=slug)
    # The last rolls fill the log, each with the longest name that there is.
    for offer in everyday_offers(guest, full):
        press = {"w": key_of(offer), "_press": str(uuid4())}
        bounded(f"{slug} {press['w']}", guest.client.post(f"/sheets/{guest.pk}/play/", press, headers=HTMX), full)
    assert guest.sheet.events.exists()
    bounded(f"{slug} after presses", guest.client.get(f"/sheets/{guest.pk}/"), full, 200)
    bounded(f"{slug} promises", guest.client.get(f"/sheets/{guest.pk}/", headers=HTMX), full, 200)


def everyday_offers(guest, full):
    """A few of a sheet's rolls, and at full counts as many as the log has lines."""
    return list(Character(guest.sheet).rolls())[:LOG if full else 3]


@pytest.mark.parametrize("where", ["", "keywords", "effects"])
def test_no_page_of_a_draft_with_unreadable_texts_and_many_rows_in_rows_is_longer_than_one_may_be(where, full):
    shape = slots(systems()["battle-dice"].sheet)["cards"].member("custom")
    effect = {"kind": "reaction", "name": DEAR * 100, "cost": None, "text": DEAR * 400}
    card = blank(shape, **CARD, keywords=[{"keyword": "flink", "value": None}] * (99 if where else 2),
                 effects=[effect] * (99 if where == "effects" else 2))
    guest = Guest(systems()["battle-dice"].document("x", {"cards": [card, card] if not where else [card]}),
                  system="battle-dice")
    broken = dict.fromkeys(("cards.0.cost", "cards.0.keywords.0.value"), DEAR * (TOGETHER // 2 - 10))
    answer = guest.post("deck", broken)
    assert answer.status_code == 302
    assert set(guest.sheet.typed) == set(broken)
    for step in ("figure", "deck", FINISH.slug):
        bounded(f"unreadable, many {where}, {step}", guest.get(step), full, 200)
    fields = inputs_of(guest.get("deck"))
    bounded(f"unreadable, many {where}, live", guest.post("deck", fields, htmx=True), full, 200)


def test_more_unreadable_texts_than_a_page_has_room_for_are_refused():
    guest = Guest(example())
    assert guest.post("attacks", {"attacks.0.dice": "x" * (TOGETHER + 1)}).status_code == 400
    # What a draft kept from before may be saved on, and becomes no more.
    Sheet.objects.filter(pk=guest.pk).update(typed={"attacks.0.dice": "x" * (TOGETHER + 9)})
    assert guest.post("values", {"life": "7"}).status_code == 302
    assert guest.data["life"] == 7
    assert guest.post("attacks", {"attacks.0.dice": "x" * (TOGETHER + 10)}).status_code == 400
    Sheet.objects.filter(pk=guest.pk).update(typed={"life": "x" * (TYPED - 9)})
    assert guest.post("attacks", {"attacks.0.dice": "x" * 10}).status_code == 400


def test_an_ordinary_sheet_of_many_words_is_shown_whole():
    words = "Wort für Wort, und weiter. " * 140
    guest = Guest(example() | {"data": example()["data"] | {"abilities": [
        {"ability": "custom", "name": f"n{n}", "cost": 1, "description": f"{words} Ende {n}.", "range": 0}
        for n in range(15)]}})
    page = text_of(guest.client.get(f"/sheets/{guest.pk}/"))
    assert [n for n in range(15) if f"Ende {n}." not in page] == []


@pytest.mark.prove
@pytest.mark.parametrize(("slug", "lists", "deep"), everyday_sheets())
def test_no_choice_between_two_of_the_largest_sheets_is_longer_than_an_answer_may_be(slug, lists, deep, full):
    document = largest(slug, lists=lists, deep=deep)
    guest = Guest(document, system=slug)
    version = guest.sheet.version
    guest.post("figure", {"_name": "theirs"})
    Sheet.objects.filter(pk=guest.pk).update(data=reworded(document["data"]))
    answer = bounded(f"{slug} conflict", guest.post("figure", {"_name": "mine"}, version=version, htmx=True), full)
    assert answer.status_code == 409


@pytest.mark.prove
@pytest.mark.parametrize(("slug", "lists", "deep"), everyday_sheets())
def test_no_page_about_two_of_the_largest_revisions_is_longer_than_one_may_be(slug, lists, deep, full, monkeypatch):
    monkeypatch.setattr(reviews, "in_the_way", lambda sheet: "")
    rooms = Rooms(slug)
    document = largest(slug, lists=lists, deep=deep)
    rooms.change(**document["data"])
    rooms.wait()
    seen = reviews.pending_decision(rooms.sheet, review_status(rooms.sheet))
    reviews.give_back(rooms.member(rooms.gm), rooms.sheet, seen.seal, {"comment": "Noch einmal."})
    rooms.change(**reworded(document["data"]))
    rooms.wait()
    rooms.change(**systems()[slug].document()["data"])
    for who in ("player", "gm"):
        bounded(f"{slug} review by {who}", rooms.read(who), full)
    history = f"/sheets/{rooms.sheet.pk}/history/"
    for query in ({}, {"a": 1, "b": 2}, {"a": 2, "b": "now"}, {"of": 1}):
        bounded(f"{slug} history {query}", rooms.read("player", history, **query), full)
    bounded(f"{slug} finish", rooms.read("player", f"/drafts/{rooms.sheet.pk}/{FINISH.slug}/"), full)
    for address in (f"/parties/{rooms.party.pk}/", "/reviews/", "/notifications/"):
        bounded(f"{slug} {address}", rooms.read("gm", address), full)


def reworded(data):
    """The same data with the last letter of each text another."""
    if isinstance(data, dict):
        return {key: reworded(one) for key, one in data.items()}
    if isinstance(data, list):
        return [reworded(one) for one in data]
    return data[:-1] + "&" if isinstance(data, str) and set(data) == {DEAR} else data


@pytest.mark.slow
def test_no_log_of_decisions_is_longer_than_an_answer_may_be_however_much_was_said(full, monkeypatch):
    monkeypatch.setattr(reviews, "in_the_way", lambda sheet: "")
    rooms = Rooms()
    rooms.change(**largest("condice")["data"])
    places = [f"at.{path}" for path in ("life", "defence", "movement", "attacks.0.name", "attacks.0.dice")]
    for number in range(1, 7):
        rooms.change(life=number)
        rooms.wait()
        said = {"comment": DEAR * 4000, **dict.fromkeys(places, DEAR * 1000)}
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
