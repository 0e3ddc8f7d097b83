"""A clock that a test sets, and a party's page of its next evening, for tests."""

from datetime import UTC, datetime

from django.utils import timezone

from sheets.models import Evening

MONDAY = datetime(2026, 11, 30, 12, tzinfo=UTC)
THURSDAY, FRIDAY, SATURDAY = ("2026-12-03T20:00", "2026-12-04T20:00", "2026-12-05T18:30")
"""Dates as they are typed in Berlin, where it is an hour later than UTC in winter."""


def utc(text):
    """The moment that is written so, in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def key(text):
    """Return a moment as a button names it, in UTC."""
    return int(utc(text).timestamp())


class Clock:
    """The time that it is for the program."""

    def __init__(self, monkeypatch):
        self.now = MONDAY
        monkeypatch.setattr(timezone, "now", lambda: self.now)

    def go(self, text):
        self.now = utc(text)


class Evenings:
    """The page of a party's next evening, pressed by its people."""

    def __init__(self, run):
        self.run, self.address = run, f"/parties/{run.party.pk}/evening/"

    def press(self, who, do, **form):
        """Press a button; the GM's forms say what the page shows."""
        return self.run.browsers[who].post(self.address, {"do": do, **form})

    def plan(self, *dates, who="gm", **form):
        return self.press(who, "plan", date=dates, **form)

    def page(self, who="anna"):
        return self.run.browsers[who].get(self.address)

    @property
    def row(self):
        """The party's evening that was planned last."""
        return Evening.objects.filter(party=self.run.party).latest("pk")

    def answers(self):
        """Who answered what, in order: [(name, answer)]."""
        return [(one.member.user.username, one.answer) for one in self.row.answers.order_by("starts", "pk")]
