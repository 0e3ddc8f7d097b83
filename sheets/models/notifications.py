"""Notifications of users, and their subscriptions to them by e-mail."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Notification(models.Model):
    """A notification of something that others did; its text is made from `kind` and `data` in the reader's language.

    `who` is the user who did it, null once that account is deleted, and `about` the sheet concerned.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications", db_index=False)
    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True)
    about = models.ForeignKey("sheets.Sheet", models.SET_NULL, related_name="+", null=True)
    kind = models.CharField(max_length=32)
    data = models.JSONField(default=dict)
    url = models.CharField(max_length=300, blank=True, default="")
    made = models.DateTimeField(auto_now_add=True)
    read = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["user", "-id"], name="notification_newest"),
                   models.Index(fields=["user"], condition=Q(read=None), name="notification_unread")]


class Mailing(models.Model):
    """A user's subscription to notifications by e-mail, in `language`; its `receiver` is in the outbox."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="mailing")
    language = models.CharField(max_length=16)


class Reminded(models.Model):
    """The time before which a member of a party has been notified of everything that waited for them."""

    member = models.OneToOneField("sheets.Member", models.CASCADE, related_name="reminded")
    until = models.DateTimeField()
