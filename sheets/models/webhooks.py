"""The webhooks of parties, and what has happened at a table that they are not told of yet."""

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from sheets.models.compiled_queries import insert

if TYPE_CHECKING:
    from sheets.models import Party

STANDARD, DISCORD = FORMS = ("standard", "discord")
"""The forms of a message: Standard Webhooks, signed, or what Discord takes."""
NEW, ON, OFF, GONE = STATES = ("new", "on", "off", "gone")
"""Not tested yet; on; switched off after failures for days; ended, by its receiver (410) or because its GM has left."""
KINDS = ("roll.made", "turn.started", "effect.pending", "roll.asked", "review.submitted", "review.decided",
         "scene.opened", "scene.closed")
"""The kinds of events that a webhook may report."""
EVENT = "event"
"""The kind of a happening that is an event of the table, which may turn out to be several of these."""


class Webhook(models.Model):
    """An address that is told what happens in a party, in a `language`, by one of its GMs, its `keeper`.

    `sealed` holds the address and the secrets, encrypted; `host` is the part of the address that is shown. `failing` is
    the time of the first failure since the last success.
    """

    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="webhooks")
    keeper = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True)
    form = models.CharField(max_length=8)
    host = models.CharField(max_length=255)
    sealed = models.BinaryField()
    kinds = models.JSONField(default=list)
    language = models.CharField(max_length=16)
    state = models.CharField(max_length=4, default=NEW)
    made = models.DateTimeField(default=timezone.now)
    failing = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(name="webhook_form", condition=Q(form__in=FORMS)),
                       models.CheckConstraint(name="webhook_state", condition=Q(state__in=STATES))]

    def __str__(self) -> str:
        return f"{self.host} {self.pk}"


class Happening(models.Model):
    """Something that happened in a party, in the order in which it did; `data` says what it is about, by keys.

    It goes once it is in the outbox for each webhook that is told of it.
    """

    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="happenings")
    kind = models.CharField(max_length=32)
    data = models.JSONField(default=dict)
    made = models.DateTimeField(default=timezone.now)


def record_happening(party: "Party", kind: str, *others: str, **data: Any) -> None:
    """Note for the webhooks of a party, which is locked, that something has happened.

    It is noted if any of them is told of this kind, or of one of the `others` that it may turn out to be.
    """
    if party.told and not {kind, *others}.isdisjoint(party.told):
        insert(Happening(party=party, kind=kind, data=data))
