"""The next evening of a party: its dates, who can come, and what people need to see it in their calendars."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

ASKED, FIXED, CANCELLED, OVER = STATES = ("asked", "fixed", "cancelled", "over")
"""The states of an evening: dates to choose from; a date; called off; replaced after it had passed."""
OPEN = (ASKED, FIXED)
"""The states of which a party has at most one evening."""
YES, MAYBE, NO = ANSWERS = ("yes", "maybe", "no")
REPEATS = (0, 1, 2)
"""The weeks from one date to the next; 0 for an evening that does not repeat."""
DURATION = timedelta(hours=4)
"""The time for which an evening is shown and stands in calendars; nobody is asked how long it takes."""

BEFORE = timedelta(days=1)
"""The time before an evening at which its members are reminded of it."""


class Evening(models.Model):
    """A planned evening of a party: asked for, with dates to choose from, or fixed, with a date that may repeat.

    `starts` is that date or, until it is chosen, the first to choose from.
    `zone` is the time zone of whoever planned it, in which a repeated evening keeps its time of day when clocks change.
    `weeks` is the time between its dates (see `REPEATS`). `version` counts changes by GMs, `sequence` those of the
    date. Members are reminded of it at `remind`, null for never.
    """

    uuid = models.UUIDField(default=uuid4, editable=False)
    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="evenings")
    planner = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True)
    state = models.CharField(max_length=9)
    starts = models.DateTimeField()
    zone = models.CharField(max_length=64)
    weeks = models.PositiveSmallIntegerField(default=0)
    note = models.CharField(max_length=200, blank=True, default="")
    version = models.PositiveIntegerField(default=1)
    sequence = models.PositiveIntegerField(default=0)
    remind = models.DateTimeField(null=True)
    made = models.DateTimeField(default=timezone.now)
    changed = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_open_evening", fields=["party"], condition=Q(state__in=OPEN)),
            models.CheckConstraint(name="evening_state", condition=Q(state__in=STATES)),
            models.CheckConstraint(name="evening_weeks", condition=Q(weeks__lte=max(REPEATS))),
        ]
        indexes = [models.Index(fields=["remind"], name="evening_to_remind", condition=Q(remind__isnull=False))]

    def __str__(self) -> str:
        return f"{self.state} {self.uuid}"

    def next_start(self, now: datetime | None = None) -> datetime | None:
        """Return the start of the date that is now or comes next; None if there is none any more."""
        now = now or timezone.now()
        if self.state != FIXED:
            return None
        if now < self.starts + DURATION:
            return self.starts
        return self.following(now - DURATION) if self.weeks else None

    def next_reminder(self, now: datetime | None = None) -> datetime | None:
        """Return the time of the next reminder that is to come: a day before a date."""
        now = now or timezone.now()
        if self.starts - BEFORE > now:
            return self.starts - BEFORE
        return self.following(now + BEFORE) - BEFORE if self.weeks else None

    def following(self, after: datetime) -> datetime:
        """Return the first date of a repeated evening that starts after a moment."""
        zone, period = ZoneInfo(self.zone), timedelta(weeks=self.weeks)
        local = self.starts.astimezone(zone).replace(tzinfo=None)
        # A day less, as a clock may have changed since.
        local += max(0, (after - self.starts - timedelta(days=1)) // period) * period
        while (start := local.replace(tzinfo=zone).astimezone(UTC)) <= after:
            local += period
        return start


class EveningDate(models.Model):
    """A date to choose from."""

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="dates", db_index=False)
    starts = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(name="evening_date_once", fields=["evening", "starts"])]

    def __str__(self) -> str:
        return self.starts.isoformat()


class Answer(models.Model):
    """A member's answer to one date of an evening: `yes`, `maybe` or `no`; each date of a repeated one has its own."""

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="answers", db_index=False)
    member = models.ForeignKey("sheets.Member", models.CASCADE, related_name="answers")
    starts = models.DateTimeField()
    answer = models.CharField(max_length=5)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_answer_to_a_date", fields=["evening", "starts", "member"]),
            models.CheckConstraint(name="answer_known", condition=Q(answer__in=ANSWERS)),
        ]

    def __str__(self) -> str:
        return f"{self.answer} {self.starts.isoformat()}"


class UserZone(models.Model):
    """The time zone in which a user reads dates of evenings."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="zone")
    name = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.name


class Feed(models.Model):
    """A link by which a program reads the evenings of a user's parties; `hashed` is the hash of its token."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="feed")
    hashed = models.CharField(max_length=64)
    made = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"feed {self.pk}"
