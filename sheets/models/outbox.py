"""The outbox: receivers outside the site, and the deliveries to each of them."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

MAIL, WEBHOOK, PUSH = CHANNELS = ("mail", "webhook", "push")
"""The ways of delivery."""
WAITING, SENT, DROPPED, GIVEN_UP = STATES = ("waiting", "sent", "dropped", "given-up")
"""The states of a delivery; it is dropped if nobody wants it any more, and given up after failed attempts."""


class Receiver(models.Model):
    """A receiver of deliveries, which gets them one after the other; nothing is sent to it before `after`.

    A worker claims it by moving `after` into the future. It is `lost` if the last delivery to it was given up. It is
    deleted with the row of its channel: `mailing` for mails, `webhook` for webhooks, `device`
    for pushes.
    """

    channel = models.CharField(max_length=8)
    mailing = models.OneToOneField("sheets.Mailing", models.CASCADE, related_name="receiver", null=True)
    webhook = models.OneToOneField("sheets.Webhook", models.CASCADE, related_name="receiver", null=True)
    device = models.OneToOneField("sheets.PushDevice", models.CASCADE, related_name="receiver", null=True)
    after = models.DateTimeField(default=timezone.now)
    lost = models.BooleanField(default=False)

    class Meta:
        constraints = [models.CheckConstraint(name="receiver_channel", condition=Q(channel__in=CHANNELS))]

    def __str__(self) -> str:
        return f"{self.channel} {self.pk}"


class Delivery(models.Model):
    """Something to be delivered to a receiver, due at a time; a receiver's deliveries are sent in the order of keys.

    It is about something of a `kind`, described by a `notification` or by `data`. `tries` counts the attempts; `answer`
    is the result of the last one in a word. Settled deliveries are stored for a while, for inspection, without `data`.
    """

    receiver = models.ForeignKey(Receiver, models.CASCADE, related_name="deliveries", db_index=False)
    notification = models.ForeignKey("sheets.Notification", models.CASCADE, related_name="deliveries", null=True)
    kind = models.CharField(max_length=32)
    data = models.JSONField(default=dict)
    made = models.DateTimeField(default=timezone.now)
    due = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=8, default=WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    answer = models.CharField(max_length=64, blank=True, default="")
    settled = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(name="delivery_state", condition=Q(state__in=STATES))]
        indexes = [models.Index(fields=["receiver", "id"], name="delivery_in_order"),
                   models.Index(fields=["due"], name="delivery_waiting", condition=Q(state=WAITING)),
                   models.Index(fields=["settled"], name="delivery_settled", condition=Q(settled__isnull=False))]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} {self.state}"
