"""Every act with a roll, in every system: what is thrown is in its log, whatever refuses it afterwards."""

import pytest

from rulesets.document import BYTES
from rulesets.kit import Refused
from sheets.documents import length
from sheets.models import Event, Receipt, Sheet
from sheets.pages.held_receipts import is_held
from tests.support.database import undone
from tests.support.guest import text_of
from tests.support.rulesets.contract import every_system
from tests.support.sheets.acts_with_rolls import EACH, FULL, Seat, assert_logged

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.mark.parametrize("where", ["sheet", "table"])
@pytest.mark.parametrize(("slug", "act"), EACH)
def test_each_act_with_a_roll_is_done_or_refused_in_words_at_the_size_limit_and_logged_either_way(
        fallen, slug, act, where):
    seat = Seat(slug, act, where, full=True)
    page = seat.press()
    receipt = Receipt.objects.get()
    assert (receipt.number, len(fallen)) == (1, 1)
    assert receipt.rolled["act"] == act
    assert (receipt.event is None) == (FULL in page.text)
    assert Event.objects.filter(act=act).exists() == (receipt.event is not None)
    answer = seat.table.browsers["anna"].get(f"/rolls/{receipt.token}.json")
    if is_held(receipt):
        # A draw, or a refused roll that may have been one, is read once its game is over.
        assert answer.status_code == 404
    else:
        assert answer.json()["says"]["state"] == ("refused" if receipt.event is None else "stands")
    assert length(Sheet.objects.get(pk=seat.sheet.pk)) <= BYTES
    assert_logged(fallen)
    # The log goes on behind it.
    if receipt.event is None:
        seat.sheet.refresh_from_db()
        seat.sheet.notes = ""
        seat.sheet.save()
        seat.press()
        assert [one.event is None for one in Receipt.objects.order_by("number")] == [True, False]
        assert_logged(fallen)


@every_system
def test_some_act_of_each_system_is_refused_at_the_size_limit(ruleset):
    refused = set()
    for act in [act for slug, act in EACH if slug == ruleset.slug]:
        with undone():
            if FULL in Seat(ruleset.slug, act, full=True).press().text:
                refused.add(act)
    assert refused


AFTER = ["record_act", "note_target", "write_where", "record", "announce", "follow", "tell"]
"""The steps of `sheets.press.perform` after the dice of a roll or an act have fallen."""


@pytest.mark.parametrize("fault", [Refused("It is so."), ZeroDivisionError("It broke.")], ids=repr)
@pytest.mark.parametrize("after", AFTER)
@every_system
def test_whatever_refuses_or_breaks_a_press_after_its_dice_leaves_the_roll_in_its_log(
        fallen, monkeypatch, ruleset, after, fault):
    seat = Seat(ruleset.slug, next(one for slug, one in EACH if slug == ruleset.slug), "table")
    room = "record_events" if after == "record_act" else "perform"

    def broken(*_arguments, **_options):
        raise fault

    seat.table.browsers["anna"].raise_request_exception = False
    with monkeypatch.context() as patch:
        patch.setattr(f"sheets.press.{room}.{after}", broken)
        aim = {"_at": str(seat.table.sheets["ben"].pk)} if after == "note_target" else {}
        page = seat.press(**aim)
    assert (fallen != []) == Receipt.objects.exists()
    if not Event.objects.exists():
        assert [one.event for one in Receipt.objects.all()] == [None]
        assert page.status_code == (200 if isinstance(fault, Refused) else 500)
        assert (str(fault) in text_of(page)) == isinstance(fault, Refused)
    assert_logged(fallen)
    seat.press()
    assert_logged(fallen)
