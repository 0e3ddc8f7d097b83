"""When a party plays, and what its GMs then ask for and hand out."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language


class Evening(models.Model):
    """A time at which a party plays, from where it `begun` to where it `ended`, null while it lasts.

    What happened in it are the party's events of that time. `opened` and `closed` are the keys of what was done for all
    at either end, in their order, so that it can be taken back.
    """

    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="evenings", db_index=False)
    name = models.CharField(max_length=200, blank=True, default="")
    begun = models.DateTimeField(default=timezone.now)
    ended = models.DateTimeField(null=True, blank=True)
    opened = models.JSONField(default=list)
    closed = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(name="one_evening_at_a_time", fields=["party"],
                                               condition=Q(ended=None))]
        indexes = [models.Index(fields=["party", "-begun"], name="evening_newest_of_party")]

    def __str__(self) -> str:
        return self.name or f"{self.begun:%Y-%m-%d}"


class AskedRoll(models.Model):
    """That a GM asks whoever plays a sheet for a roll; what is asked of several at once has one `key`.

    `widget` names the roll among those of the sheet and `row`, where it is about a row, by what that is; `titles` say
    what it is called in each language and `note` what the GM adds. The first such roll since it was `made` answers it.
    It lasts for as long as a GM wants the answer.
    """

    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="asked_rolls")
    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="asked_rolls", db_index=False)
    key = models.UUIDField()
    widget = models.CharField(max_length=200)
    row = models.CharField(max_length=220, blank=True, default="")
    titles = models.JSONField(default=dict)
    note = models.CharField(max_length=200, blank=True, default="")
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(name="asked_once", fields=["sheet", "key"])]

    @property
    def title(self) -> str:
        """What the roll is called, in the reader's language."""
        return self.titles.get(get_language(), "")


class Handout(models.Model):
    """What a GM hands out: a text, a picture, or both; to all, those who come later too, or to its `readers` alone.

    The picture is kept as `sheets.faces.pictures` has written it, `large` and `small`, null where there is none. What
    was handed out is never changed; it can be taken back. `key` tells its picture from every other one.
    """

    key = models.UUIDField(unique=True)
    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="handouts", db_index=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True)
    made = models.DateTimeField(default=timezone.now)
    title = models.CharField(max_length=200)
    text = models.TextField(max_length=8000, blank=True, default="")
    large = models.BinaryField(null=True)
    small = models.BinaryField(null=True)
    for_all = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["party", "-made"], name="handout_newest_of_party")]

    def __str__(self) -> str:
        return self.title


class HandoutReader(models.Model):
    """That a member may read a handout that is not for all, or has `opened` one, null before."""

    handout = models.ForeignKey(Handout, models.CASCADE, related_name="readers", db_index=False)
    member = models.ForeignKey("sheets.Member", models.CASCADE, related_name="handouts")
    opened = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(name="handout_reader_once", fields=["handout", "member"])]
