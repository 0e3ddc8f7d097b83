"""Evenings that are weekly or fortnightly: they go on to their next date by themselves, at the same time of day."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheets.models import Evening, Notification
from sheets.models.evenings import DURATION, FIXED
from tests.support.guest import text_of
from tests.support.sheets.evenings import FRIDAY, key, utc

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("weeks", "now", "when"), [
    ("1", "2026-12-04 22:00", "Fri, 4 December, 20:00"), ("1", "2026-12-04 23:00", "Fri, 11 December, 20:00"),
    ("1", "2026-12-30 12:00", "Fri, 1 January, 20:00"),
    ("2", "2026-12-04 23:00", "Fri, 18 December, 20:00"), ("2", "2026-12-12 12:00", "Fri, 18 December, 20:00"),
])
def test_it_goes_on_to_its_next_date_by_itself_and_asks_anew(evenings, clock, weeks, now, when):
    evenings.plan(FRIDAY, weeks=weeks)
    evenings.press("anna", f"yes:{key('2026-12-04 19:00')}")
    clock.go(now)
    shown = text_of(evenings.page())
    assert when in shown
    assert ("Can you come?" in shown) is (when != "Fri, 4 December, 20:00")


@pytest.mark.parametrize(("zone", "before", "after"), [
    ("Europe/Berlin", "2027-03-26 19:00", "2027-04-02 18:00"),
    ("America/New_York", "2027-03-12 19:00", "2027-03-19 18:00"),
    ("Asia/Tokyo", "2027-03-26 19:00", "2027-04-02 19:00"),
    ("Europe/Berlin", "2026-10-23 18:00", "2026-10-30 19:00"),
])
def test_the_time_of_day_stays_in_the_planners_zone_when_clocks_change(zone, before, after):
    evening = Evening(state=FIXED, starts=utc(before), zone=zone, weeks=1)
    assert evening.next_start(utc(before) + DURATION) == utc(after)


@pytest.mark.parametrize(("now", "start"), [
    ("2027-03-20 12:00", "2027-03-21 01:30"), ("2027-03-27 12:00", "2027-03-28 01:30"),
    ("2027-04-01 12:00", "2027-04-04 00:30"),
])
def test_a_time_that_the_clocks_leave_out_is_an_hour_later_that_once(now, start):
    evening = Evening(state=FIXED, starts=utc("2027-03-07 01:30"), zone="Europe/Berlin", weeks=1)
    assert evening.next_start(utc(now)) == utc(start)


@given(st.datetimes(utc("2026-12-01 00:00").replace(tzinfo=None), utc("2030-12-01 00:00").replace(tzinfo=None)),
       st.sampled_from([1, 2]))
def test_the_next_date_is_the_first_that_has_not_passed(now, weeks):
    evening = Evening(state=FIXED, starts=utc("2026-12-04 19:00"), zone="Europe/Berlin", weeks=weeks)
    now = now.replace(tzinfo=utc("2026-12-01 00:00").tzinfo)
    expected = evening.starts
    while expected + DURATION <= now:
        expected = evening.following(expected)
    assert evening.next_start(now) == expected


def test_one_date_can_be_called_off_and_the_others_stay(evenings):
    evenings.plan(FRIDAY, weeks="1")
    evenings.press("gm", "skip")
    assert "Fri, 11 December, 20:00" in text_of(evenings.page())
    assert (evenings.row.state, evenings.row.sequence, evenings.answers()) == ("fixed", 1, [])
    told = Notification.objects.filter(kind="evening-cancelled", user=evenings.run.users["anna"]).get()
    assert told.data["start"] == "2026-12-04T19:00:00+00:00"


def test_moving_the_next_date_moves_those_that_follow(evenings, clock):
    evenings.plan(FRIDAY, weeks="1")
    clock.go("2026-12-08 12:00")
    evenings.press("gm", "move", date="2026-12-12T19:30")
    clock.go("2026-12-14 12:00")
    assert "Sat, 19 December, 19:30" in text_of(evenings.page())


def test_one_that_never_ends_can_be_ended(evenings, clock):
    evenings.plan(FRIDAY, weeks="2")
    clock.go("2027-06-01 12:00")
    evenings.press("gm", "cancel")
    assert "No evening is planned." in text_of(evenings.page())


def test_answers_to_dates_that_have_passed_are_not_kept(evenings, clock):
    evenings.plan(FRIDAY, weeks="1")
    evenings.press("anna", f"yes:{key('2026-12-04 19:00')}")
    clock.go("2026-12-08 12:00")
    evenings.press("anna", f"maybe:{key('2026-12-11 19:00')}")
    assert evenings.answers() == [("anna", "maybe")]
