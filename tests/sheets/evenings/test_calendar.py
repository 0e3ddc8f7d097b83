"""Evenings in calendars: the file of a party, the secret link of a user, and the time zone."""

import gzip
import json
import re
import zipfile
from datetime import timedelta
from io import BytesIO

import pytest
from django.core.management import call_command
from icalendar import Calendar

from builder.backup import archive
from rulesets import systems
from sheets.account.services import delete_account
from sheets.models import Answer, Feed, UserZone
from sheets.parties.services import found_party, leave_party
from tests.support.guest import text_of
from tests.support.sheets.evenings import FRIDAY, SATURDAY, key, utc

pytestmark = pytest.mark.django_db
PAGE = "/account/calendar/"


def events(answer):
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return Calendar.from_ical(answer.content).walk("VEVENT")


def file_of(evenings, who="anna"):
    return evenings.run.browsers[who].get(f"/parties/{evenings.run.party.pk}/evening.ics")


def new_link(evenings, who="anna"):
    """Make a link, and return it as the page shows it this once."""
    shown = evenings.run.browsers[who].post(PAGE, {"do": "link"}).text
    return re.search(r'value="http://testserver(/calendar/\d+/[\w-]+\.ics)"', shown)[1]


def test_the_file_has_the_evening_in_utc_and_says_no_more_of_the_party_than_its_name(evenings):
    evenings.plan(FRIDAY, note="bei Anna im Keller")
    answer = file_of(evenings)
    [event] = events(answer)
    assert (event["SUMMARY"], event["STATUS"], event["SEQUENCE"]) == ("Die Runde", "CONFIRMED", 0)
    assert (event["DTSTART"].dt, event["DURATION"].dt) == (utc("2026-12-04 19:00"), timedelta(hours=4))
    assert b"DTSTART:20261204T190000Z" in answer.content
    assert event["URL"] == f"http://testserver/parties/{evenings.run.party.pk}/evening/"
    assert not [one for one in (b"Keller", b"anna", b"gm\r") if one in answer.content]


def test_a_move_keeps_its_identity_with_a_greater_sequence_and_a_cancellation_says_so(evenings):
    evenings.plan(FRIDAY)
    link = new_link(evenings)
    [was] = events(file_of(evenings))
    evenings.press("gm", "move", date=SATURDAY)
    [moved] = events(evenings.run.browsers["anna"].get(link))
    assert (moved["UID"], moved["SEQUENCE"], moved["DTSTART"].dt) == (was["UID"], 1, utc("2026-12-05 17:30"))
    evenings.press("gm", "cancel")
    [gone] = events(evenings.run.browsers["anna"].get(link))
    assert (gone["UID"], gone["SEQUENCE"], gone["STATUS"]) == (was["UID"], 2, "CANCELLED")


@pytest.mark.parametrize(("weeks", "interval"), [("1", 1), ("2", 2)])
def test_a_repeated_one_has_its_rule_in_the_planners_zone(evenings, weeks, interval):
    UserZone.objects.create(user=evenings.run.users["gm"], name="America/New_York")
    evenings.plan("2026-12-04T14:00", weeks=weeks)
    answer = file_of(evenings)
    [event] = events(answer)
    assert (event["RRULE"]["FREQ"], event["RRULE"]["INTERVAL"]) == (["WEEKLY"], [interval])
    assert b"DTSTART;TZID=America/New_York:20261204T140000" in answer.content
    [zone] = Calendar.from_ical(answer.content).walk("VTIMEZONE")
    assert zone["TZID"] == "America/New_York"


def test_there_is_no_file_before_there_is_a_date_or_once_it_has_passed(evenings, clock):
    assert file_of(evenings).status_code == 404
    evenings.plan(FRIDAY, SATURDAY)
    assert file_of(evenings).status_code == 404
    evenings.press("gm", f"fix:{key('2026-12-04 19:00')}")
    assert file_of(evenings).status_code == 200
    clock.go("2026-12-05 00:00")
    assert file_of(evenings).status_code == 404


def test_the_link_has_the_evenings_of_all_ones_parties_and_needs_no_session(evenings, client):
    evenings.plan(FRIDAY)
    other = found_party(evenings.run.users["anna"], "Die Zweite", systems()["condice"])
    evenings.run.browsers["anna"].post(f"/parties/{other.pk}/evening/", {"do": "plan", "date": SATURDAY})
    link = new_link(evenings)
    assert [one["SUMMARY"] for one in events(client.get(link))] == ["Die Runde", "Die Zweite"]
    leave_party(evenings.run.party.members.get(user=evenings.run.users["anna"]))
    assert [one["SUMMARY"] for one in events(client.get(link))] == ["Die Zweite"]


def test_only_a_hash_of_the_link_is_stored_and_it_is_shown_only_once(evenings):
    link = new_link(evenings)
    token = link.rpartition("/")[2].removesuffix(".ics")
    assert Feed.objects.get().hashed != token
    assert token not in evenings.run.browsers["anna"].get(PAGE).text


def test_a_new_link_ends_the_old_one_and_a_link_can_be_ended(evenings, client):
    old, new = new_link(evenings), new_link(evenings)
    assert [client.get(one).status_code for one in (old, new)] == [404, 200]
    evenings.run.browsers["anna"].post(PAGE, {"do": "end"})
    assert client.get(new).status_code == 404
    assert not Feed.objects.exists()


def test_a_link_of_somebody_who_may_not_sign_in_or_is_gone_is_none(evenings, client):
    link, user = new_link(evenings), evenings.run.users["anna"]
    number = Feed.objects.get().pk
    assert client.get(f"/calendar/{number}/x.ics").status_code == 404
    assert client.get(link.replace(f"/{number}/", f"/{number + 1}/")).status_code == 404
    assert client.get(f"/calendar/{2**70}/x.ics").status_code == 404
    user.is_active = False
    user.save()
    assert client.get(link).status_code == 404
    user.is_active = True
    user.save()
    assert client.get(link).status_code == 200
    delete_account(user)
    assert client.get(link).status_code == 404


def test_the_time_zone_is_chosen_from_those_that_there_are(evenings):
    browser = evenings.run.browsers["anna"]
    assert "data-suggests" in browser.get(PAGE).text
    assert browser.post(PAGE, {"do": "zone", "zone": "Asia/Tokyo"}).status_code == 302
    assert UserZone.objects.get().name == "Asia/Tokyo"
    shown = browser.get(PAGE).text
    assert "<option selected>Asia/Tokyo</option>" in shown
    assert "data-suggests" not in shown
    for bad in "", "Mars/Olympus", "../etc/passwd", "Asia/Tokyo\0":
        assert browser.post(PAGE, {"do": "zone", "zone": bad}).status_code == 400
    assert UserZone.objects.get().name == "Asia/Tokyo"
    assert "Times are those of Asia/Tokyo." in text_of(evenings.page())


def test_the_download_of_an_account_has_answers_and_plans_and_no_hash(evenings):
    evenings.plan(FRIDAY, note="bei Anna")
    new_link(evenings, "gm")
    answer = evenings.run.browsers["gm"].get("/account/download/")
    with zipfile.ZipFile(BytesIO(b"".join(answer.streaming_content))) as found:
        told = found.read("account.json").decode()
    assert Feed.objects.get().hashed not in told
    account = json.loads(told)
    assert [one["answer"] for one in account["evening_answers"]] == ["yes"]
    assert [(one["note"], one["state"]) for one in account["evenings"]] == [("bei Anna", "fixed")]


def test_a_plan_outlives_its_planners_account_and_their_answers_do_not(evenings):
    evenings.plan(FRIDAY)
    delete_account(evenings.run.users["gm"])
    assert evenings.row.planner is None
    assert not Answer.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kept", [False, True])
def test_a_restore_ends_all_links_unless_they_are_to_be_kept(evenings, client, tmp_path, capsys, kept):
    evenings.plan(FRIDAY)
    link = new_link(evenings)
    archive.back_up(tmp_path / "backup")
    with gzip.open(tmp_path / "backup") as packed:
        assert link.rpartition("/")[2].removesuffix(".ics").encode() not in packed.read()
    capsys.readouterr()
    call_command("restore", str(tmp_path / "backup"), "--replace", *(["--keep-tokens"] if kept else []))
    assert ("1 links of calendars have ended" in capsys.readouterr().out) is not kept
    assert client.get(link).status_code == (200 if kept else 404)
    assert evenings.row.starts == utc("2026-12-04 19:00")
