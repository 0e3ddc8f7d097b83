"""Dice thrown by hand: every roll of every system takes them, with the effects of dice that fall here."""

import html
import re

import pytest

from sheets.character import Character
from sheets.models import Event, Party, PendingEffect, Receipt, Scene
from sheets.receipts.chain import check_log
from sheets.receipts.verifying import PublishedKeys, check
from sheets.rolls.widgets import key_of
from tests.support.database import undone
from tests.support.guest import text_of
from tests.support.rulesets.contract import every_system, taken
from tests.support.sheets.acts_with_rolls import EACH, Seat

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
ASKED = re.compile(r'name="_face" type="number" inputmode="numeric" min="(-?\d+)"\s+max="(-?\d+)"')
KEPT = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


def seated(*arguments):
    """Return Anna's seat in a party that allows dice thrown by hand."""
    seat = Seat(*arguments)
    Party.objects.update(by_hand=True)
    return seat


def by_hand(seat, widget, faces, **given):
    """Press a roll and answer what fell, as long as dice are asked for; return the last page."""
    page, left = seat.press(widget, _hand="1", **given), [*faces]
    while asked := ASKED.findall(page.text):
        assert not Receipt.objects.filter(by_hand=True).exists()
        fields = {}
        for name, value in KEPT.findall(page.text.partition('<form class="stack"')[2]):
            fields.setdefault(html.unescape(name), []).append(html.unescape(value))
        fields.pop("csrfmiddlewaretoken", None)
        chosen = [left.pop(0) for _die in asked]
        assert all(int(first) <= face <= int(last) for face, (first, last) in zip(chosen, asked, strict=True))
        fields["_face"] = [*fields.get("_face", []), *map(str, chosen)]
        page = seat.table.browsers["anna"].post(page.request["PATH_INFO"], fields, follow=True)
    assert not left
    return page


def effects(seat):
    """What a press has done, but for its marks."""
    seat.sheet.refresh_from_db()
    event = Event.objects.filter(sheet=seat.sheet).exclude(roll="").order_by("pk").first()
    kept = ("roll", "act", "given", "faces", "tries", "outcome", "figures", "text", "said", "aimed_at")
    waits = [*PendingEffect.objects.order_by("pk").values_list("sheet", "act", "filled", "state")]
    return seat.sheet.play, waits, {name: getattr(event, name) for name in kept}


def assert_same_by_hand(seat, widget, **given):
    """Press a roll here, take it back, and throw the same by hand: all is as before, but not proved."""
    with undone():
        seat.press(widget, **given)
        if Receipt.objects.count() != 1 or Receipt.objects.get().event is None:
            return None
        here, fell = effects(seat), Receipt.objects.get()
    seat.sheet.refresh_from_db()
    ruleset, dice = seat.table.ruleset, [die[2] for die in fell.dice]
    if not dice:
        return None
    if hidden := ruleset.rolls[here[2]["roll"]].hides() or (here[2]["act"] and ruleset.acts[here[2]["act"]].hides()):
        dice = []
    with undone():
        by_hand(seat, widget, dice, **given)
        receipt = Receipt.objects.get()
        if hidden:
            assert (receipt.by_hand, receipt.signature is None) == (False, False)
            return here[2]["roll"]
        assert effects(seat) == here, widget
        assert (receipt.by_hand, receipt.event.by_hand, receipt.dice, receipt.rolled) == (
            True, True, fell.dice, fell.rolled)
        assert (receipt.key, receipt.nonce, receipt.signature, receipt.number) == (None, "", None, 1)
        assert check_log(receipt.log).broken is None
        return here[2]["roll"]


@pytest.mark.parametrize("where", ["sheet", "table"])
@every_system
def test_each_roll_that_is_offered_takes_dice_thrown_by_hand_with_the_effects_of_dice_that_fall_here(ruleset, where):
    seat, done = seated(ruleset.slug, "", where), set()
    for offer in {key_of(one): one for one in Character(seat.sheet).rolls()}.values():
        for made in taken(offer, 1):
            given = {key: getattr(made, key) for key in offer.asks}
            done.add(assert_same_by_hand(seat, key_of(offer), **given))
    assert done - {None}


@pytest.mark.parametrize("where", ["sheet", "table"])
@pytest.mark.parametrize(("slug", "act"), EACH)
def test_each_act_with_a_roll_takes_dice_thrown_by_hand_with_the_effects_of_dice_that_fall_here(slug, act, where):
    seat = seated(slug, act, where)
    assert_same_by_hand(seat, seat.widget, **seat.given)


def thrown_by_hand():
    """Return Anna's seat in a system with plain dice, after a roll of two dice by hand."""
    seat = seated("condice", "", "table")
    by_hand(seat, "roll-success", [6, 1], dice="2")
    return seat


def test_a_roll_thrown_by_hand_is_marked_in_logs_and_receipt_and_left_out_of_luck():
    seat = thrown_by_hand()
    receipt, browser = Receipt.objects.get(), seat.table.browsers["anna"]
    answer = browser.get(f"/rolls/{receipt.token}.json").json()
    assert {key: answer[key] for key in ("by_hand", "key", "nonce", "signature", "dice")} == {
        "by_hand": True, "key": None, "nonce": None, "signature": None, "dice": []}
    assert answer["says"]["dice"] == [{"first": 1, "last": 6, "face": 6}, {"first": 1, "last": 6, "face": 1}]
    assert (answer["says"]["state"], answer["number"]) == ("stands", 1)
    assert "thrown by hand, not proved" in text_of(browser.get(f"/rolls/{receipt.token}/"))
    assert "data-receipt=" not in browser.get(f"/rolls/{receipt.token}/").text
    for page in (seat.table.read("ben"), browser.get(f"/sheets/{seat.sheet.pk}/")):
        assert "thrown by hand" in text_of(page)
    assert "Only rolls that" in (luck := text_of(browser.get(f"/sheets/{seat.sheet.pk}/luck/"))) or "No roll" in luck
    assert check(answer, PublishedKeys()).verdict == "not-proved"
    assert check(answer, PublishedKeys()).message == "it was thrown by hand"
    seat.press("roll-success", dice="2")
    assert [*Receipt.objects.order_by("number").values_list("number", "by_hand")] == [(1, True), (2, False)]
    assert check_log(receipt.log).broken is None


@pytest.mark.parametrize("face", ["0", "7", "x", "-1", "6.5", "9" * 500, "\x00"])
def test_a_face_that_the_die_does_not_have_is_asked_for_again_and_nothing_happens(face):
    seat = seated("condice", "", "table")
    page = seat.press("roll-success", dice="2", _hand="1", _face=["3", face])
    assert (page.status_code, len(ASKED.findall(page.text))) == (422, 1)
    assert "Each die shows a whole number from 1 to 6." in text_of(page)
    assert not Receipt.objects.exists()
    assert not Event.objects.exists()
    assert not Scene.objects.filter(rolls__gt=0).exists()


def test_more_faces_than_dice_are_refused():
    seat = seated("condice", "", "table")
    page = seat.press("roll-success", dice="2", _hand="1", _face=["3", "4", "5"])
    assert "This roll has fewer dice than you have thrown" in text_of(page)
    assert not Event.objects.exists()


@pytest.mark.parametrize("where", ["sheet", "table"])
def test_a_party_that_does_not_allow_it_refuses_dice_thrown_by_hand_and_shows_no_way_to_them(where):
    seat = seated("condice", "", where)
    address = seat.table.address if where == "table" else f"/sheets/{seat.sheet.pk}/"
    assert "_hand=1" in seat.table.browsers["anna"].get(address).text
    Party.objects.update(by_hand=False)
    page = seat.press("roll-success", dice="2", _hand="1", _face=["3", "4"])
    assert "In this party, dice are not thrown by hand." in text_of(page)
    assert not Event.objects.exists()
    assert "_hand" not in seat.table.browsers["anna"].get(address).text


@pytest.mark.parametrize("where", ["sheet", "table"])
def test_a_page_on_which_one_throws_by_hand_stays_so_after_a_roll(where):
    seat = seated("condice", "", where)
    page = by_hand(seat, "roll-success", [6, 1], dice="2")
    assert "_hand=1" in page.redirect_chain[-1][0]
    assert 'id="by-hand"' in page.text
    assert re.search(r'action="[^"]*/play/\?[^"]*_hand=1', page.text)


def test_an_act_that_was_taken_back_keeps_the_dice_that_fell_here():
    slug, act = next(one for one in EACH if one[0] == "condice")
    seat = seated(slug, act)
    seat.press()
    event = Event.objects.get(act=act)
    seat.press("undo", _event=str(event.pk))
    seat.press(_hand="1")
    assert [one.faces for one in Event.objects.filter(act=act)] == [event.faces] * 2
    assert not Receipt.objects.filter(by_hand=True).exists()


def test_a_gm_allows_it_in_the_settings_and_it_is_off_by_default():
    seat = Seat("condice")
    assert Party().by_hand is False
    for given in ({"by_hand": "on"}, {}):
        seat.table.browsers["gm"].post(f"/parties/{seat.table.party.pk}/settings/", {
            "_saw": seat.table.browsers["gm"].get(f"/parties/{seat.table.party.pk}/settings/").context["seen"],
            "name": "Die Runde", "seen_by": "private", **given})
        assert Party.objects.get().by_hand == bool(given)
