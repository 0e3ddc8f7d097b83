"""Reminders of evenings the day before, and what is sent of evenings by mail and push."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core import mail
from django.core.management import call_command
from django.db import connection

from sheets.evenings.reminders import _remind as remind
from sheets.evenings.reminders import remind_of_evenings
from sheets.models import Delivery, Mailing, Muted, Notification, PushDevice, Receiver
from sheets.notifications import mail as mailing
from sheets.notifications.push_channel import Push
from sheets.outbox.services import deliver
from tests.support.guest import text_of
from tests.support.push import Device
from tests.support.sheets.evenings import FRIDAY, SATURDAY, key, utc

pytestmark = pytest.mark.django_db


def reminded():
    return sorted(Notification.objects.filter(kind="evening-reminder").values_list("user__username", flat=True))


def test_everybody_who_did_not_say_no_is_reminded_the_day_before_once(evenings, clock):
    evenings.plan(FRIDAY)
    evenings.press("anna", f"no:{key('2026-12-04 19:00')}")
    evenings.press("ben", f"maybe:{key('2026-12-04 19:00')}")
    clock.go("2026-12-03 18:59")
    assert (remind_of_evenings(), reminded()) == (0, [])
    clock.go("2026-12-03 19:00")
    assert [remind_of_evenings() for _one in range(3)] == [1, 0, 0]
    assert reminded() == ["ben", "gm", "second"]
    assert "“Die Runde” plays soon: Fri, 4 December, 20:00." in text_of(
        evenings.run.browsers["ben"].get("/notifications/"))


def test_the_worker_reminds(evenings, clock, settings):
    settings.SITE_URL = "https://sheets.example.org"
    evenings.plan(FRIDAY)
    clock.go("2026-12-03 20:00")
    call_command("deliver")
    assert reminded() == ["anna", "ben", "gm", "second"]


def test_each_date_of_a_repeated_one_is_reminded_of(evenings, clock):
    evenings.plan(FRIDAY, weeks="1")
    for day, times in (("2026-12-03 20:00", 1), ("2026-12-05 20:00", 1), ("2026-12-10 20:00", 2)):
        clock.go(day)
        remind_of_evenings()
        assert Notification.objects.filter(kind="evening-reminder", user=evenings.run.users["anna"]).count() == times
    assert evenings.row.remind == utc("2026-12-17 19:00")


def test_a_weekly_one_that_is_planned_for_today_is_reminded_of_the_next_time(evenings):
    evenings.plan("2026-11-30T20:00", weeks="1")
    assert evenings.row.remind == utc("2026-12-06 19:00")
    evenings.press("gm", "cancel")
    evenings.plan("2026-11-30T20:00")
    assert evenings.row.remind is None


def test_what_was_moved_or_called_off_is_reminded_of_at_its_new_date_or_never(evenings, clock):
    evenings.plan(FRIDAY)
    evenings.press("gm", "move", date="2026-12-12T20:00")
    clock.go("2026-12-04 12:00")
    assert remind_of_evenings() == 0
    evenings.press("gm", "cancel")
    clock.go("2026-12-12 12:00")
    assert remind_of_evenings() == 0


@pytest.mark.parametrize(("weeks", "remind"), [("0", None), ("1", utc("2027-02-04 19:00"))])
def test_a_worker_that_did_not_run_for_long_reminds_of_nothing_that_has_passed(evenings, clock, weeks, remind):
    evenings.plan(FRIDAY, weeks=weeks)
    clock.go("2027-01-31 12:00")
    assert (remind_of_evenings(), reminded()) == (0, [])
    assert evenings.row.remind == remind


def test_a_second_worker_that_found_it_as_well_reminds_nobody_again(evenings, clock):
    evenings.plan(FRIDAY)
    clock.go("2026-12-03 20:00")
    row = evenings.row
    assert [remind(row.pk, row.party_id) for _worker in range(2)] == [True, False]
    assert reminded() == ["anna", "ben", "gm", "second"]


@pytest.mark.database("postgresql")
@pytest.mark.django_db(transaction=True)
def test_two_workers_at_the_same_time_remind_once(evenings, clock):
    evenings.plan(FRIDAY)
    clock.go("2026-12-03 20:00")
    both = threading.Barrier(2)

    def work(_worker):
        try:
            both.wait()
            return remind_of_evenings()
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(work, range(2))) == [0, 1]
    assert reminded() == ["anna", "ben", "gm", "second"]


def due(clock):
    """Send now what waits, although it was made by the machine's own clock."""
    Delivery.objects.update(made=clock.now, due=clock.now)
    Receiver.objects.update(after=clock.now)


def subscribed(evenings, language="de"):
    user = evenings.run.users["anna"]
    user.emailaddress_set.create(email="anna@example.org", primary=True, verified=True)
    mailing.ask(user, language)
    return user


def test_plans_and_reminders_come_by_mail_in_ones_language(evenings, clock, settings):
    settings.MAIL_SECONDS, settings.SITE_URL = 0, "https://sheets.example.org"
    user = subscribed(evenings)
    evenings.plan(FRIDAY)
    due(clock)
    assert [one.state for one in deliver(mailing.Mail())] == ["sent"]
    assert "gm hat den nächsten Abend von „Die Runde“ geplant: Fr., 4. Dezember, 20:00." in plain(mail.outbox[0].body)
    assert f"https://sheets.example.org{evenings.address}" in mail.outbox[0].body
    clock.go("2026-12-03 20:00")
    remind_of_evenings()
    due(clock)
    assert [one.state for one in deliver(mailing.Mail())] == ["sent"]
    assert "„Die Runde“ spielt bald: Fr., 4. Dezember, 20:00." in plain(mail.outbox[1].body)
    assert Mailing.objects.get().user == user


def plain(text):
    """A text without the marks that isolate names."""
    return text.replace("\u2068", "").replace("\u2069", "")


@pytest.mark.parametrize(("topic", "kinds"), [
    ("evenings", ["evening-reminder"]), ("reminders", ["evening-planned"]), ("table", [
        "evening-planned", "evening-reminder"])])
def test_plans_and_reminders_are_chosen_by_themselves(evenings, clock, topic, kinds):
    Muted.objects.create(user=subscribed(evenings), channel="mail", topic=topic)
    evenings.plan(FRIDAY)
    clock.go("2026-12-03 20:00")
    remind_of_evenings()
    assert list(Delivery.objects.order_by("pk").values_list("kind", flat=True)) == kinds


def test_a_device_is_told_of_a_move(evenings, clock, service, settings):
    browser, device = evenings.run.browsers["anna"], Device()
    device.turn_on(browser)
    assert PushDevice.objects.exists()
    evenings.plan(FRIDAY)
    evenings.press("gm", "move", date=SATURDAY)
    due(clock)
    assert [one.state for one in deliver(Push())] == ["sent"]
    [(_address, body, _headers)] = service.got
    assert "2" in str(device.read(body))
