"""A sheet of a party in the trash: who sees it no longer, what was approved of it, and where it comes back to."""

import re

import pytest
from django.urls import reverse

from sheets.audit_log.chain import chain_faults
from sheets.models import Notification, Party, Review, Sheet
from sheets.parties import services as parties
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status
from tests.support.builder.held import lacking
from tests.support.builder.trash_requests import bring, throw
from tests.support.guest import example, text_of
from tests.support.party import browser

pytestmark = pytest.mark.django_db


def test_a_thrown_away_sheet_is_out_of_its_partys_sight_and_nobody_is_told(round_):
    pk, gm = str(round_.sheet.pk), browser(round_.gm)
    Sheet.objects.update(seen_by="party")
    shown = [reverse(name, args=[round_.party.pk]) for name in ("party", "table", "house")] + ["/reviews/"]
    assert all("Juan" in gm.get(address).text or address.endswith("house/") for address in shown)
    since = gm.get(shown[1]).context["now"]
    throw(browser(round_.player), round_.sheet)
    assert gm.get(shown[1], {"since": since}).status_code == 200
    for client in (browser(round_.player), gm, browser(round_.second)):
        for address in shown:
            assert len(lacking(client.get(address).text, pk, "<h3>Juan")) == 2, address
        for name in ("sheet", "review", "history", "print"):
            assert client.get(reverse(name, args=[pk])).status_code == 404
    assert "Juan" not in gm.post(shown[2], {"_version": 1, "budget": 20}).text
    assert not Notification.objects.exists()


def test_what_waits_is_taken_back_and_what_was_approved_is_there_again(round_):
    owner = browser(round_.player)
    seal = reviews.pending_decision(round_.sheet, review_status(round_.sheet)).seal
    reviews.approve(round_.member(round_.gm), round_.sheet, seal, {}, {})
    round_.change(life=4)
    reviews.submit(round_.sheet, round_.player)
    Notification.objects.all().delete()
    throw(owner, round_.sheet)
    last = Review.objects.latest("number")
    assert (last.kind, last.by) == ("recalled", round_.player)
    bring(owner, round_.sheet)
    sheet = Sheet.objects.get()
    status = review_status(sheet)
    assert (sheet.party, status.state, status.revision.number) == (round_.party, "changed", 1)
    throw(owner, sheet)
    assert (Review.objects.filter(kind="recalled").count(), Notification.objects.count()) == (1, 0)
    assert list(chain_faults()) == []


@pytest.mark.parametrize("goes", [
    lambda round_: parties.leave_party(round_.member(round_.player)),
    lambda round_: parties.end_party(round_.party, round_.gm),
    lambda round_: parties.remove_member(round_.member(round_.player), round_.gm),
], ids=["left", "ended", "removed"])
def test_a_sheet_comes_back_alone_where_the_party_is_its_owners_no_longer(round_, goes):
    Sheet.objects.update(seen_by="party")
    throw(browser(round_.player), round_.sheet)
    goes(round_)
    assert bring(browser(round_.player), round_.sheet).status_code == 302
    sheet = Sheet.objects.get()
    assert (sheet.party, sheet.seen_by, sheet.deleted) == (None, "private", None)


def test_a_sheet_comes_back_alone_where_its_party_has_no_room_left(round_, monkeypatch):
    owner = browser(round_.player)
    throw(owner, round_.sheet)
    Sheet.objects.create(owner=round_.gm, party=round_.party, ruleset="condice", data=example()["data"])
    monkeypatch.setattr(parties, "SHEETS", 1)
    page = text_of(owner.get(bring(owner, round_.sheet)["Location"]))
    assert lacking(page, "The party already has 1 sheet, which is the maximum",
                   "The sheet is back, but not in any party.") == []
    assert Sheet.objects.get(pk=round_.sheet.pk).party is None


def test_house_rules_that_changed_meanwhile_hold_for_what_comes_back(round_):
    throw(browser(round_.player), round_.sheet)
    gm, house, fields = browser(round_.gm), f"/parties/{round_.party.pk}/house/", {"_version": 1, "budget": 40}
    seen = re.search(r'name="_seen" value="([^"]+)"', gm.post(house, fields).text)[1]
    gm.post(house, {**fields, "do": "save", "_seen": seen})
    bring(browser(round_.player), round_.sheet)
    assert (Party.objects.get().house, Sheet.objects.get().house) == ({"budget": 40}, {"budget": 40})
