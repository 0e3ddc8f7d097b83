"""Rolls that are refused once their dice fell stay in their log, and removed ones leave their place."""

from uuid import uuid4

import pytest

from sheets.models import Event, Receipt, Scene
from sheets.press import record_events
from sheets.receipts.messages import NO_LINK, link_after, message
from sheets.receipts.services import removed_token
from sheets.removal import remove_events
from tests.support.sheets.table_people import RoundTable

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(django_user_model):
    return RoundTable(django_user_model.objects, "dice-rumble")


@pytest.fixture
def full(monkeypatch):
    """Makes every sheet one that may not grow, until it is called."""
    monkeypatch.setattr(record_events, "BYTES", 1)
    overlong = record_events.overlong
    monkeypatch.setattr(record_events, "overlong", lambda _sheet, _data: "This sheet is full.")
    return lambda: monkeypatch.setattr(record_events, "overlong", overlong)


def initiative(table, where="sheet"):
    anna = table.sheets["anna"]
    address = f"/sheets/{anna.pk}/" if where == "sheet" else table.address
    return table.browsers["anna"].post(f"{address}play/", {
        "w": "act-roll-initiative", "_press": uuid4(), "_by": anna.pk}, follow=True)


def chained():
    """Return True if the numbers and links of the only log are without a gap."""
    link = NO_LINK
    for number, one in enumerate(Receipt.objects.order_by("number"), 1):
        text = message(one.key.identity, one.log, one.number, one.nonce, one.rolled)
        link = link_after(link, text, bytes(one.signature))
        assert (one.number, bytes(one.link)) == (number, link)
    return Receipt.objects.values("log").distinct().count() == 1


@pytest.mark.parametrize("where", ["sheet", "table"])
def test_a_roll_refused_after_its_dice_fell_stays_with_them_and_nothing_else_does(table, full, where):
    assert "This sheet is full." in initiative(table, where).text
    receipt = Receipt.objects.get()
    assert (receipt.event, receipt.number, len(receipt.dice)) == (None, 1, 2)
    assert not Event.objects.exists()
    assert {"sheet": receipt.sheet == table.sheets["anna"], "table": receipt.scene is not None}[where]
    full()
    initiative(table, where)
    assert [one.event is None for one in Receipt.objects.order_by("number")] == [True, False]
    assert chained()
    assert Scene.objects.count() == (where == "table")


def test_what_breaks_after_the_dice_fell_leaves_the_roll_too(table, monkeypatch):
    def broken(*_arguments, **_options):
        raise ZeroDivisionError

    monkeypatch.setattr("sheets.press.perform.record", broken)
    with pytest.raises(ZeroDivisionError):
        initiative(table)
    assert (Receipt.objects.get().event, Event.objects.exists()) == (None, False)


def test_in_a_round_for_all_each_refused_roll_stays(table, full):
    table.do("round", w="act-roll-initiative")
    assert [one.event for one in Receipt.objects.order_by("number")] == [None, None]
    full()
    table.do("round", w="act-roll-initiative")
    assert [one.number for one in Receipt.objects.order_by("number")] == [1, 2, 3, 4]
    assert chained()


def test_a_press_refused_before_its_dice_fall_leaves_nothing(table):
    table.browsers["anna"].post(f"/sheets/{table.sheets['anna'].pk}/play/", {
        "w": "act-spend-die", "_press": uuid4()})
    assert not Receipt.objects.exists()
    table.sheets["anna"].refresh_from_db()
    assert table.sheets["anna"].played is None


def test_a_removed_roll_leaves_its_place_and_link_and_its_address_says_that_it_is_gone(table):
    for _time in range(2):
        table.browsers["anna"].post(f"/sheets/{table.sheets['anna'].pk}/play/", {
            "w": "roll-test-talents-0", "_press": uuid4()})
    first, second = Receipt.objects.order_by("number")
    remove_events(Event.objects.filter(pk=first.event_id))
    gone = Receipt.objects.get(pk=first.pk)
    assert (gone.number, bytes(gone.link), gone.log) == (1, bytes(first.link), first.log)
    assert (gone.key, gone.nonce, gone.rolled, gone.signature, gone.dice) == (None, "", None, None, [])
    assert gone.token == removed_token(first.token)
    client = table.browsers["anna"]
    assert [client.get(f"/rolls/{token}{end}").status_code for token in (first.token, gone.token)
            for end in ("/", ".json")] == [410, 410, 404, 404]
    around = client.get(f"/rolls/{second.token}/").text
    assert "removed" in around


def test_its_maker_and_the_gm_see_a_refused_roll_and_others_its_state_alone(table, full):
    initiative(table, "table")
    full()
    initiative(table, "table")
    refused, stands = Receipt.objects.order_by("number")
    assert [table.browsers[who].get(f"/rolls/{refused.token}.json").status_code for who in ("anna", "gm", "ben")] == [
        200, 200, 404]
    body = table.browsers["anna"].get(f"/rolls/{refused.token}.json").json()
    assert (body["says"]["state"], body["says"]["outcome"], len(body["dice"])) == ("refused", None, 2)
    assert "refused" in table.browsers["anna"].get(f"/rolls/{refused.token}/").text
    assert "refused" in table.browsers["ben"].get(f"/rolls/{stands.token}/").text
