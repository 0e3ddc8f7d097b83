"""Evenings as iCalendar files (RFC 5545): of a party, and of all parties of a user."""

from collections.abc import Sequence
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar, Event

from sheets.models import Evening
from sheets.models.evenings import CANCELLED, DURATION, FIXED

TYPE = "text/calendar; charset=utf-8"
REFRESH = timedelta(hours=1)
"""The time after which programs should ask again."""

YEARS = 10
"""The years that the description of a time zone covers."""


def in_calendars(**parties: object) -> list[Evening]:
    """Return the evenings that calendars show: those with a next date, and those called off whose date is to come."""
    found = Evening.objects.filter(state__in=(FIXED, CANCELLED), **parties).select_related("party").order_by("pk")
    return [one for one in found
            if one.next_start() or (one.state == CANCELLED and one.starts > timezone.now() - DURATION)]


def calendar_answer(request: HttpRequest, evenings: Sequence[Evening]) -> HttpResponse:
    """Return the answer with evenings as a calendar; it says nothing of a party but its name and its address."""
    return HttpResponse(calendar_of(request, evenings).to_ical(), content_type=TYPE)


def calendar_of(request: HttpRequest, evenings: Sequence[Evening]) -> Calendar:
    """Return evenings as a calendar. A repeated one has its time zone, in which its time of day stays the same."""
    calendar = Calendar()
    calendar.add("prodid", "-//Bogenschmiede//Evenings//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", "Bogenschmiede")
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    for one in evenings:
        calendar.add_component(_event(request, one))
    # Time zones are described from the first evening on, for some years.
    first = min([one.starts.year for one in evenings], default=timezone.now().year)
    calendar.add_missing_timezones(date(first, 1, 1), date(timezone.now().year + YEARS, 1, 1))
    return calendar


def _event(request: HttpRequest, evening: Evening) -> Event:
    event = Event()
    event.add("uid", str(evening.uuid))
    event.add("sequence", evening.sequence)
    event.add("dtstamp", evening.changed)
    event.add("summary", evening.party.name)
    start = evening.starts.astimezone(ZoneInfo(evening.zone)) if evening.weeks else evening.starts
    event.add("dtstart", start)
    event.add("duration", DURATION)
    if evening.weeks and evening.state == FIXED:
        event.add("rrule", {"freq": "weekly", "interval": evening.weeks})
    event.add("status", "CANCELLED" if evening.state == CANCELLED else "CONFIRMED")
    event.add("url", request.build_absolute_uri(reverse("evening", args=[evening.party_id])))
    return event
