"""Entries of a party's catalogue."""

from django.db import models
from django.utils import timezone


class PartyEntry(models.Model):
    """An entry of a party's catalogue, which never changes: whoever changes it withdraws it and makes another.

    `place` is the list of the sheet that it stands in, `tag` the kind of row, `row` its fields. A withdrawn entry
    still counts for sheets that were approved while it stood.
    """

    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="entries")
    place = models.CharField(max_length=64)
    tag = models.CharField(max_length=64, blank=True, default="")
    row = models.JSONField()
    made = models.DateTimeField(default=timezone.now)
    withdrawn = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.place} {self.pk}"
