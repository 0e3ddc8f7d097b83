"""The posts of a scene's thread that were noted as read."""

from django.db import models
from django.utils import timezone


class ThreadReading(models.Model):
    """Posts of the thread of a scene that a GM has checked and noted as read, all at once.

    `numbers` are the rolls of the scene's log that are quoted in them, `title` says which posts they are.
    """

    scene = models.ForeignKey("sheets.Scene", models.CASCADE, related_name="thread_readings")
    title = models.CharField(max_length=100, blank=True, default="")
    numbers = models.JSONField(default=list)
    made = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.title or str(self.pk)
