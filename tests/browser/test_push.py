"""A push, decrypted as a browser does it, is shown by the worker in Chromium and opens its page."""

import json

import pytest
from django.test import Client
from playwright.sync_api import expect

from sheets.models import Notification
from tests.support.mail_readers import happens, reader
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


def test_a_push_is_shown_and_opens_its_page(visit, service):
    juan, client = reader(wants=False), Client()
    client.force_login(juan)
    page = visit("/account/notifications/", client=client)
    expect(page.get_by_role("button", name="Auf diesem Gerät Bescheid geben")).to_be_visible()
    device = Device()
    device.turn_on(client)
    happens(juan)
    assert run() == ["sent"]
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
    url = Notification.objects.get().url
    assert worker.evaluate(SHOWN) == [["Bogenschmiede", told["text"], url]]
    assert worker.evaluate(CLICKED) == ["closed", f"{origin}{url}"]
