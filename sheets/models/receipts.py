"""The keys that sign rolls, and the receipts of rolls: their place in a log and what was signed."""

from collections.abc import Iterable
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from rulesets.dice import Die

ENDED_BY = TIME, PUT_BACK, LEAKED = ("time", "put-back", "leaked")
"""The reasons why a key has ended: its time is over, an older database was restored, or the key became known."""


class RollKey(models.Model):
    """A key pair that signs rolls from `begins` to `until`; one at a time is in use.

    `number` counts the keys from 1; `identity` is the id under which it is published. `spki` is the public half
    (base64 of its DER), `proof` holds signatures which prove that the key is valid, and `sealed` is the encrypted
    private half, null once the key has `ended`.
    """

    number = models.PositiveIntegerField(primary_key=True)
    identity = models.CharField(max_length=43)
    spki = models.TextField()
    proof = models.JSONField()
    sealed = models.BinaryField(null=True)
    begins = models.DateTimeField()
    until = models.DateTimeField()
    ended = models.CharField(max_length=8, blank=True, default="")
    before = models.ForeignKey("self", models.PROTECT, related_name="+", null=True, blank=True, db_index=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["identity"], name="roll_key_once")]

    def __str__(self) -> str:
        return self.identity


class DiceLog(models.Model):
    """The log of the rolls that a user makes on the dice pages, without a sheet."""

    uuid = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="dice_log")

    def __str__(self) -> str:
        return str(self.uuid)


class Receipt(models.Model):
    """The place of a roll in a log, and what was signed for its dice.

    `log` is "scene:<uuid>", "hidden:<uuid>" (a scene's hidden rolls), "sheet:<uuid>" or "person:<uuid>" (a user's dice
    pages); one of `scene`, `sheet` and `dice_log` is set, and the receipt lasts as long as that. `number` counts from 1
    without a gap, and `link` chains all rolls of the log up to this one.

    `event` is null if the roll was refused, removed, or made without a sheet; `made_by` is the user who made it.
    `nonce_by` says who chose the nonce: "roller" or "server". `rolled` says what was rolled; secret parameters are
    null. `dice` are lists [first, last, face] or, for a die left from the roll that this one repeats, [first, last,
    face, true]. `outcome` is stored only for a roll on a dice page, {value, figures, faces}; `faces` are the dice that
    count. With `shared` anybody with the token may see it.

    A roll thrown `by_hand` on a real table has no key, nonce or signature.

    If the roll is removed, only its place and link remain, and `token` becomes the SHA-256 of it.
    """

    event = models.OneToOneField("sheets.Event", models.SET_NULL, related_name="receipt", null=True)
    log = models.CharField(max_length=43)
    scene = models.ForeignKey("sheets.Scene", models.CASCADE, related_name="receipts", null=True)
    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="receipts", null=True)
    dice_log = models.ForeignKey(DiceLog, models.CASCADE, related_name="receipts", null=True)
    number = models.PositiveIntegerField()
    link = models.BinaryField()
    key = models.ForeignKey(RollKey, models.PROTECT, related_name="+", null=True, db_index=False)
    nonce = models.CharField(max_length=22, blank=True, default="")
    nonce_by = models.CharField(max_length=6, blank=True, default="")
    rolled = models.JSONField(null=True)
    signature = models.BinaryField(null=True)
    dice = models.JSONField(default=list)
    by_hand = models.BooleanField(default=False)
    outcome = models.JSONField(null=True)
    token = models.CharField(max_length=43)
    shared = models.BooleanField(default=False)
    made = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["log", "number"], name="receipt_numbered_once"),
                       models.UniqueConstraint(fields=["token"], name="receipt_token_once")]
        indexes = [models.Index(fields=["key"], name="receipt_of_key", condition=Q(key__isnull=False))]

    def __str__(self) -> str:
        return f"{self.log} {self.number}"

    def note_dice(self, dice: Iterable[Die]) -> None:
        """Set `dice` to the dice that fell, without saving the receipt."""
        self.dice = [[one.first, one.last, one.face, *([True] if one.stays else [])] for one in dice]
