"""Webhooks of the table of a fight, and all their receivers, for tests."""

import json
import re

import pytest
from django.utils import timezone

from sheets.models import Receiver, Webhook
from sheets.models.webhooks import KINDS
from sheets.outbox.services import deliver
from sheets.parties import webhook_channel
from sheets.parties.webhook_channel import Webhooks

ADDRESS, DISCORD = "https://hook.example/geheim", "https://discord.com/api/webhooks/1/geheim"


class Out:
    """Stands in for all receivers: answers with a status, and keeps what came."""

    def __init__(self):
        self.status, self.got = 204, []

    def __call__(self, address, body, headers):
        self.got.append((address, body, headers))
        if isinstance(self.status, Exception):
            raise self.status
        return self.status

    def told(self):
        """The messages that came since this was asked last, without tests."""
        found = [json.loads(body) for _address, body, _headers in self.got]
        self.got.clear()
        return [one for one in found if one.get("type") != "webhook.test"]


@pytest.fixture
def out(monkeypatch, settings):
    settings.WEBHOOK_SECONDS = 0
    found = Out()
    monkeypatch.setattr(webhook_channel, "post", found)
    return found


def run():
    """Send all that is due; return what became of it."""
    return [one.state for one in deliver(Webhooks())]


def again():
    """Send what waits for another attempt as well."""
    Receiver.objects.update(after=timezone.now())
    return run()


def page(table):
    return f"/parties/{table.party.pk}/webhooks/"


def add(table, out, form="standard", kinds=KINDS, address=ADDRESS):
    """The GM adds a webhook, whose test succeeds; returns it and its secret."""
    answer = table.browsers["gm"].post(page(table), {"address": address, "form": form, "kind": kinds})
    assert answer.status_code == (200 if form == "standard" else 302)
    run()
    out.got.clear()
    found = Webhook.objects.latest("pk")
    assert found.state == "on"
    secret = re.search(r"whsec_[\w+/=]+", answer.text)
    return found, secret and secret[0]


def types(messages):
    return [one["type"] for one in messages]
