"""Whoever is not here is told of their turn by push and by mail; the push, decrypted, opens the turn in Chromium."""

import json

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect

from rulesets import systems
from rulesets.condice.examples import EXAMPLES
from sheets.home.reminders import WAITED, remind_of_waiting
from sheets.models import Scene, Sheet
from sheets.notifications.mail import Mail
from sheets.outbox.services import deliver
from sheets.parties.services import found_party
from tests.support.mail_readers import reader
from tests.support.push import Device, run, service

__all__ = ["service"]
pytestmark = pytest.mark.browser
REGISTERED = """async () => {
  const registration = await navigator.serviceWorker.register("/push-worker.js", { scope: "/push-worker/" });
  const begun = registration.installing;
  await new Promise((done) => begun.addEventListener("statechange", () => begun.state === "activated" && done()));
}"""
WATCHED = """() => {
  // What the system draws cannot be looked at or clicked here, and without a click nothing may be opened.
  self.shown = [];
  self.opened = [];
  self.registration.showNotification = async (title, { body, data }) => self.shown.push([title, body, data]);
  self.clients.openWindow = async (address) => self.opened.push(address);
}"""
SHOWN = """async () => {
  while (!self.shown.length) {
    await new Promise((done) => setTimeout(done, 20));
  }
  return self.shown;
}"""
CLICKED = """() => {
  const notification = { data: self.shown[0][2], close: () => self.opened.push("closed") };
  self.dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil() {} }));
  return self.opened;
}"""


def begin_turn(user):
    """It has been the turn of a user's character for a while."""
    party = found_party(user, "Die Runde", systems()["condice"])
    sheet = Sheet.objects.create(owner=user, party=party, ruleset="condice", name="Grete", data=EXAMPLES["juan"])
    return Scene.objects.create(party=party, round=1, on=[str(sheet.pk)], turn_began=timezone.now() - 2 * WAITED)


def test_a_player_who_is_not_here_is_told_of_their_turn_once_and_the_push_opens_it(visit, service):
    juan, client = reader(), Client()
    client.force_login(juan)
    page = visit("/account/notifications/", client=client)
    expect(page.get_by_role("button", name="Auf diesem Gerät Bescheid geben")).to_be_visible()
    device = Device()
    device.turn_on(client)
    scene = begin_turn(juan)
    assert [remind_of_waiting(), remind_of_waiting()] == [1, 0]
    assert (run(), run(), [one.state for one in deliver(Mail())]) == (["sent"], [], ["sent"])
    [message] = mail.outbox
    assert "the turn of Grete" in message.subject
    told = device.read(service.got[0][1])
    origin = page.evaluate("location.origin")
    page.context.grant_permissions(["notifications"], origin=origin)
    line, registrations = page.context.new_cdp_session(page), []
    line.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    line.send("ServiceWorker.enable")
    with page.context.expect_event("serviceworker") as started:
        page.evaluate(REGISTERED)
    worker = started.value
    worker.evaluate(WATCHED)
    [number] = {one["registrationId"] for one in registrations if one["scopeURL"] == f"{origin}/push-worker/"}
    line.send("ServiceWorker.deliverPushMessage",
              {"origin": origin, "registrationId": number, "data": json.dumps(told)})
    url = f"/parties/{scene.party_id}/table/?{scene.query}"
    assert worker.evaluate(SHOWN) == [["Bogenschmiede", told["text"], url]]
    assert worker.evaluate(CLICKED) == ["closed", f"{origin}{url}"]
