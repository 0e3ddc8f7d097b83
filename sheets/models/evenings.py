"""When a party plays, and what its GMs then ask for."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language


class Evening(models.Model):
    """A time at which a party plays, from where it `begun` to where it `ended`, null while it lasts.

    What happened in it are the party's events of that time. `opened` and `closed` are the keys of what was done for all
    at either end, in their order, so that it can be taken back.
    """

    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="evenings")
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

    `widget` names the roll among those of the sheet, `titles` say what it is called in each language and `note` what
    the GM adds. The first such roll since it was `made` answers it. It lasts for as long as a GM wants the answer.
    """

    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="asked_rolls")
    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="asked_rolls")
    key = models.UUIDField()
    widget = models.CharField(max_length=200)
    titles = models.JSONField(default=dict)
    note = models.CharField(max_length=200, blank=True, default="")
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(name="asked_once", fields=["sheet", "key"])]

    @property
    def title(self) -> str:
        """What the roll is called, in the reader's language."""
        return self.titles.get(get_language(), "")
