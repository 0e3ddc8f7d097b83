"""Browsers that are told by web push, and what people do not want to be told of on a channel."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class PushDevice(models.Model):
    """A browser to which a user is told of news by web push, in a `language`, as long as their session lasts there.

    `sealed` holds the address of the push service and the browser's keys, encrypted. `session` is a random text that
    the session holds, `password` the user's hash for sessions, which changes with the password.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_devices")
    sealed = models.BinaryField()
    name = models.CharField(max_length=64)
    language = models.CharField(max_length=16)
    session = models.CharField(max_length=32)
    password = models.CharField(max_length=64)
    made = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"push device {self.pk}"


class Muted(models.Model):
    """A topic of notifications that a user does not want to be sent on a channel; see `notifications.topics`."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="muted")
    channel = models.CharField(max_length=8)
    topic = models.CharField(max_length=16)

    def __str__(self) -> str:
        return f"{self.topic} {self.channel}"
