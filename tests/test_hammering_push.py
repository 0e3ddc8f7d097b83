"""Workers that send pushes, as processes of their own: several at once, and some that are killed.

Whatever is due to a device goes in one message, which says how many notifications those are and names the newest. Since
the oldest that wait always go, a message of `n` is about the newest and the `n - 1` before it.
"""

import re

import pytest

from sheets.notifications.push import new_key
from tests.support.push import CONTACT, Device
from tests.support.receivers import RECEIVERS, receivers, several
from tests.support.server import Installation, until

__all__ = ["receivers"]
# What is delivered is claimed and settled as webhooks are, whose tests always run.
pytestmark = [pytest.mark.slow, pytest.mark.more]


@pytest.fixture
def devices(receivers):
    """{path of the push service: the device there}."""
    return {f"/{number}": Device(address) for number, address in enumerate(receivers.addresses)}


@pytest.fixture
def site(tmp_path, transactional_db, receivers, devices):
    """An installation whose users have a device each."""
    made = Installation(tmp_path)
    made.environment |= {"SITE_URL": "https://sheets.example.org", "TRUSTED_RECEIVERS": receivers.origin,
                         "VAPID_KEY": new_key(), "VAPID_CONTACT": CONTACT}
    made.migrate(tmp_path)
    made.ask("subscribed", *(one.sent for one in devices.values()))
    return made


def told_again(site, receivers, devices):
    """Check that each device was told of everything in order; return how many messages were about something again."""
    keys, again = site.ask("notified", "0"), 0
    for path, device in devices.items():
        found, told = keys[device.sent["endpoint"]], 0
        for message in (device.read(body) for body, _headers in receivers.got[path]):
            number = int((re.match(r"(\d+) notifications$", message["text"]) or [0, 1])[1])
            newest = found.index(int(message["tag"].partition("-")[0])) + 1
            assert newest - number <= told <= newest
            again += newest - number < told
            told = newest
        assert told == len(found)
    return again


def test_several_workers_at_once_tell_each_device_of_all_exactly_once_and_in_order(site, receivers, devices, full,
                                                                                  figure):
    workers, events = (4, 2_000 // RECEIVERS) if full else (2, 20 // RECEIVERS)
    site.ask("notified", "1")
    with several(site, workers):
        # They are at work while more happens.
        receivers.wait_for(1)
        for _more in range(events - 1):
            site.ask("notified", "1")
        until(lambda: site.ask("mailed") == {"sent": RECEIVERS * events}, lambda: str(site.ask("mailed")))
    assert site.ask("attempts") == {"1": RECEIVERS * events}
    assert told_again(site, receivers, devices) == 0
    figure(f"{workers} workers, {RECEIVERS} devices: {RECEIVERS * events} notifications, each once and in order, "
           f"in {receivers.number()} messages")


def test_workers_that_are_killed_lose_no_notification_and_keep_the_order(site, receivers, devices, full, figure):
    kills, events = (8, 2_000 // RECEIVERS) if full else (2, 20 // RECEIVERS)
    for kill in range(kills):
        site.ask("notified", str(events * (kill + 1) // kills - events * kill // kills))
        receivers.kill_sender(site, kill % RECEIVERS, arrives=kill % 2 == 0)
        site.ask("mailed", "later")
    assert site.command("deliver").returncode == 0
    assert told_again(site, receivers, devices) == kills // 2
    assert site.ask("mailed") == {"sent": RECEIVERS * events}
    figure(f"{kills} workers killed: {RECEIVERS * events} notifications in {receivers.number()} messages, none lost, "
           f"{kills // 2} of them about something again")
