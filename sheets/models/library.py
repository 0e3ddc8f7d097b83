"""Users' tags on their sheets, and GMs' saved sets of opponents."""

import uuid

from django.conf import settings
from django.db import models


class Tag(models.Model):
    """A word that a user puts on own sheets; nobody else sees it."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tags", db_index=False)
    name = models.CharField(max_length=40)

    class Meta:
        constraints = [models.UniqueConstraint(name="tag_once", fields=["owner", "name"])]

    def __str__(self) -> str:
        return self.name


class Encounter(models.Model):
    """A named set of opponents of one system, each with a number of copies, which its owner puts on stage together.

    For systems without such opponents, `act` holds the answers to the act that is done at the table instead.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="encounters")
    ruleset = models.CharField(max_length=64)
    name = models.CharField(max_length=200)
    act = models.JSONField(default=dict, blank=True)
    made = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name

    @property
    def size(self) -> int:
        """The number of all its opponents, copies included."""
        return sum(one.number for one in self.placed.all())


class Placed(models.Model):
    """An opponent in an encounter; `number` is the count of its copies there."""

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="placed", db_index=False)
    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="placed")
    number = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [models.UniqueConstraint(name="placed_once", fields=["encounter", "sheet"])]
