"""How long answers become: the largest sheets that anybody may keep, and every page and live answer of them."""

import pytest

from builder.wizard.steps import FINISH, steps
from rulesets import systems
from rulesets.kit import slots
from sheets.api.views import MOST
from sheets.models import Sheet
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.everyday import everyday
from tests.guest import Guest, inputs_of
from tests.largest import DEAR, largest
from tests.party import Rooms
from tests.rulesets.contract import report

pytestmark = pytest.mark.django_db

LISTS = {slug: [key for key, slot in slots(ruleset.sheet).items() if slot.kind == "rows"]
         for slug, ruleset in systems().items()}
SHEETS = [(slug, lists, deep) for slug, keys in LISTS.items() for lists in (None, *(keys if len(keys) > 1 else ()))
          for deep in (False, True)]
"""Of each system sheets with all lists full, and with each of several; short texts in all rows, long ones in some."""
SHOWN = ("/sheets/{pk}/export/", "/sheets/{pk}/print/", "/sheets/{pk}/history/", "/sheets/{pk}/history/?of=now",
         "/mine/", "/", "/trash/")


def everyday_sheets():
    """One sheet of one system every day."""
    first = min(SHEETS, key=lambda one: len(LISTS[one[0]]))
    return everyday([first, *(one for one in SHEETS if one != first)])


def bounded(what, answer, full):
    """An answer that is no longer than one may be."""
    if full:
        report(f"{len(answer.content):>7} bytes, {answer.status_code}: {what}")
    assert answer.status_code < 500, what
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
        bounded(f"{slug} {step} live", guest.post(step, fields, htmx=True), full)
        bounded(f"{slug} {step} anew", guest.post(step, fields, do="undo:", htmx=True), full)
    for address in SHOWN:
        bounded(f"{slug} {address}", guest.client.get(address.format(pk=guest.pk)), full)


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
