"""A single address for the receipts of all rolls that a character has made since its turn began."""

from django.db import models
from django.utils import timezone


class TurnReceipt(models.Model):
    """The receipts of a character's rolls since its turn began, under one token.

    `numbers` are their numbers in the log of the `scene`, from `first` to `last`. With `shared`, anybody with the token
    may see those of its receipts that everybody may see.
    """

    scene = models.ForeignKey("sheets.Scene", models.CASCADE, related_name="turn_receipts")
    log = models.CharField(max_length=43)
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    numbers = models.JSONField()
    token = models.CharField(max_length=22)
    shared = models.BooleanField(default=False)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["token"], name="turn_receipt_token_once")]

    def __str__(self) -> str:
        return f"{self.log} {self.numbers}"
