"""Hostile addresses of webhooks and of devices, when they are given and when something is sent there."""

import time

import pytest

from sheets.models import Delivery, Receiver
from sheets.models.webhooks import ON
from sheets.notifications.push import new_key
from sheets.outbox import connect
from tests.support import push
from tests.support.hostile_addresses import FORMS, INSIDE, PUBLIC, Refusing, drip, endless, resolver, served
from tests.support.mail_readers import happens, later
from tests.support.sheets import webhooks

__all__ = ["resolver", "served"]
pytestmark = [pytest.mark.django_db, pytest.mark.alike, pytest.mark.every_case]
FINE = "https://hook.example/x"


class Hook:
    """A GM who has a webhook of an address told of scenes."""

    def __init__(self, table):
        self.table, self.run = table, webhooks.run

    def give(self, address):
        self.table.browsers["gm"].post(webhooks.page(self.table), {
            "address": address, "form": "standard", "kind": ["scene.opened"]})

    def happen(self):
        self.table.party.webhooks.update(state=ON)
        Delivery.objects.all().delete()
        Delivery.objects.create(receiver=Receiver.objects.get(), kind="scene.opened")


class Browser:
    """A player who is told by push, at the address of a push service."""

    def __init__(self, table):
        self.table, self.run, self.device = table, push.run, push.Device()

    def give(self, address):
        self.table.browsers["anna"].post("/account/devices/", self.device.sent | {"endpoint": address})

    def happen(self):
        Delivery.objects.all().delete()
        happens(self.table.users["anna"])


@pytest.fixture(params=[Hook, Browser])
def way(request, table, settings):
    settings.VAPID_KEY, settings.VAPID_CONTACT, settings.WEBHOOK_SECONDS = new_key(), push.CONTACT, 0
    return request.param(table)


def test_an_address_of_a_hostile_form_is_not_taken(way, resolver):
    stand_in = resolver([PUBLIC])
    # The form of a webhook takes away the spaces around an address.
    for address in [one for one in FORMS if one == one.strip() or isinstance(way, Browser)]:
        way.give(address)
        assert not Receiver.objects.exists(), address
    assert (stand_in.asked, Refusing.asked) == ([], [])
    way.give(FINE)
    assert Receiver.objects.exists()


@pytest.mark.usefixtures("english")
def test_an_address_that_leads_inside_later_is_not_connected_to(way, resolver):
    resolver([PUBLIC])
    way.give(FINE)
    for inside in INSIDE:
        resolver([PUBLIC, inside])
        way.happen()
        later()
        assert way.run() == ["refused"], inside
        assert Delivery.objects.get().answer.startswith("The host of the address"), inside
    assert Refusing.asked == []


def test_a_name_that_is_bound_anew_while_something_is_sent_gets_it_where_it_was_checked(way, resolver):
    stand_in = resolver([PUBLIC], ["127.0.0.1"])
    way.give(FINE)
    way.happen()
    assert (way.run(), Refusing.asked) == (["refused"], [PUBLIC])
    later()
    assert (way.run(), Refusing.asked, len(stand_in.asked)) == (["refused"], [PUBLIC], 2)


@pytest.mark.parametrize(("answer", "state"), [
    (drip, "refused"), (endless, "sent"),
    (lambda out: out.sendall(b"HTTP/1.1 200 OK\r\n" + b"X: x\r\n" * 10_000 + b"\r\n"), "refused"),
], ids=["slow", "endless", "huge headers"])
def test_no_answer_holds_a_worker(way, served, monkeypatch, answer, state):
    monkeypatch.setattr(connect, "SECONDS", 0.3)
    way.give(served(answer).address)
    way.happen()
    begun = time.monotonic()
    assert way.run() == [state]
    assert time.monotonic() - begun < 10


def test_no_redirect_is_followed(way, served, settings):
    inside = served(lambda out: out.sendall(b"HTTP/1.1 200 OK\r\n\r\n"))
    there = served(lambda out: out.sendall(b"HTTP/1.1 307 There\r\nLocation: " + inside.address.encode() + b"\r\n\r\n"))
    settings.TRUSTED_RECEIVERS = [inside.address, there.address]
    way.give(there.address)
    way.happen()
    assert (way.run(), Delivery.objects.get().answer, inside.got) == (["refused"], "307", [])
