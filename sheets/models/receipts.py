"""The keys that sign rolls, and the receipts of rolls: their place in a log and what was signed."""

from django.db import models
from django.db.models import Q

ENDED_BY = TIME, PUT_BACK, LEAKED = ("time", "put-back", "leaked")
"""The reasons why a key is no longer in use: its time is over, the database was put back, or it became known."""


class RollKey(models.Model):
    """A key pair that signs rolls from `begins` to `until`; one at a time is in use.

    `number` counts the keys from 1. `spki` is the public half (base64 of its DER), `proof` its signatures that show
    that it is good, `sealed` the encrypted private half, null once the key has `ended`.
    """

    id = models.CharField(primary_key=True, max_length=43)
    number = models.PositiveIntegerField(unique=True)
    spki = models.TextField()
    proof = models.JSONField()
    sealed = models.BinaryField(null=True)
    begins = models.DateTimeField()
    until = models.DateTimeField()
    ended = models.CharField(max_length=8, blank=True, default="")
    before = models.ForeignKey("self", models.PROTECT, related_name="+", null=True, blank=True)

    def __str__(self) -> str:
        return self.id


class Receipt(models.Model):
    """The place of a roll in a log, and what was signed for its dice.

    `log` is "scene:<uuid>", "hidden:<uuid>" (a scene's hidden rolls) or "sheet:<uuid>"; `number` counts from 1 without
    a gap, and `link` chains all rolls of the log up to this one. `nonce_by` says who chose the nonce: "roller" or
    "server". `rolled` says what was rolled; secret parameters are null. `dice` are lists [first, last, face] or, for a
    die kept from the roll that this one repeats, [first, last, face, true]. With `shared` anybody with the token may
    see it.
    """

    event = models.OneToOneField("sheets.Event", models.SET_NULL, related_name="receipt", null=True)
    log = models.CharField(max_length=43)
    number = models.PositiveIntegerField()
    link = models.BinaryField()
    key = models.ForeignKey(RollKey, models.PROTECT, related_name="+", null=True)
    nonce = models.CharField(max_length=22, blank=True, default="")
    nonce_by = models.CharField(max_length=6, blank=True, default="")
    rolled = models.JSONField(null=True)
    signature = models.BinaryField(null=True)
    dice = models.JSONField(default=list)
    token = models.CharField(max_length=22, unique=True)
    shared = models.BooleanField(default=False)
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["log", "number"], name="receipt_numbered_once")]
        indexes = [models.Index(fields=["key"], name="receipt_of_key", condition=Q(key__isnull=False))]

    def __str__(self) -> str:
        return f"{self.log} {self.number}"
