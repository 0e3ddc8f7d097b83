from django.conf import settings
from django.db import models
from django.db.models import F
from django.utils import timezone

FINISHED, SUBMITTED, PLAYED, RESTORED, RENEWED = REVISION_KINDS = (
    "finished", "submitted", "played", "restored", "renewed")
"""The reasons for keeping a revision; the last is a submission seen under house rules or rules that came after it."""
RECALLED, RETURNED, APPROVED, WITHDRAWN, ERASED = "recalled", "returned", "approved", "withdrawn", "erased"
KINDS = (SUBMITTED, RECALLED, RETURNED, APPROVED, WITHDRAWN, PLAYED, ERASED)
"""The kinds of entries in the chain."""


class Revision(models.Model):
    """A sheet as it was at a moment that counts, numbered within the sheet and never changed again.

    `data` is whole, `house` what differs from the book; `seal` covers both with the name and the version of the rules.
    `mac` covers the seal and all the rest, `author` by the opaque `person`; `signed` says since when: a revision that
    is older than its signature was signed as a migration found it.
    """

    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="revisions", db_index=False)
    number = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=9)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True)
    made = models.DateTimeField(default=timezone.now)
    rules = models.PositiveIntegerField()
    house = models.JSONField(default=dict)
    name = models.CharField(max_length=200, blank=True)
    data = models.JSONField()
    seal = models.CharField(max_length=64)
    person = models.CharField(max_length=64, blank=True, default="")
    mac = models.CharField(max_length=64, blank=True, default="")
    signed = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="revision_numbered_once", fields=["sheet", "number"]),
            models.CheckConstraint(name="revision_kind", condition=models.Q(kind__in=REVISION_KINDS)),
        ]

    def __str__(self) -> str:
        return f"{self.name or self.sheet_id} {self.number}"


class Review(models.Model):
    """An entry of the one chain of all reviews; written once, in the order of `number`, which has no gaps.

    `mac` covers the words that outlast their rows (keys, seal, digests, the opaque `person`) and the entry before. The
    rows that they stand for may end: then `erased` entries say so. `seen` is what the rules said of the revision, and
    `said` what was written to it; both are covered by their digests. `code` is on paper and names an approval.
    """

    number = models.PositiveBigIntegerField(primary_key=True)
    kind = models.CharField(max_length=9)
    made = models.DateTimeField()
    sheet_key = models.UUIDField(null=True)
    party_key = models.UUIDField(null=True)
    revision_number = models.PositiveIntegerField(null=True)
    seal = models.CharField(max_length=64, blank=True)
    house = models.CharField(max_length=64, blank=True)
    found = models.CharField(max_length=64, blank=True)
    words = models.CharField(max_length=64, blank=True)
    person = models.CharField(max_length=64, blank=True)
    before = models.CharField(max_length=64, blank=True)
    mac = models.CharField(max_length=64, unique=True)
    code = models.CharField(max_length=16, null=True, unique=True)  # noqa: DJ001 - null is none
    sheet = models.ForeignKey("sheets.Sheet", models.SET_NULL, related_name="reviews", null=True)
    revision = models.ForeignKey(Revision, models.SET_NULL, related_name="reviews", null=True)
    party = models.ForeignKey("sheets.Party", models.SET_NULL, related_name="reviews", null=True, db_index=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True)
    seen = models.JSONField(default=dict)
    said = models.JSONField(default=dict)

    class Meta:
        constraints = [models.CheckConstraint(name="review_kind", condition=models.Q(kind__in=KINDS))]
        indexes = [models.Index(fields=["party", "sheet", "-number", "kind"], name="review_newest_of_sheet"),
                   models.Index(fields=["party", "-number"], name="review_newest_of_party"),
                   models.Index(fields=["sheet_key"], name="review_of_sheet")]

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"


class StandingQuerySet(models.QuerySet):
    def waiting(self) -> "StandingQuerySet":
        """Return those of the sheets that wait in their parties; it costs what waits, not what was ever decided."""
        return self.filter(waiting__isnull=False, sheet__party=F("party"), sheet__deleted=None, sheet__offered=False)


class Standing(models.Model):
    """A sheet's place in a party's queue: the submission that waits there, and the rules of what is played.

    It says nothing that the chain does not say: it is kept so that a queue is found without reading what was ever
    decided. `waiting` is the number of the submission that nobody has answered; `under` names the rules and house rules
    of what was approved or changed for good since, "" without an approval.
    """

    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="standings", db_index=False)
    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="standings", db_index=False)
    waiting = models.PositiveBigIntegerField(null=True)
    under = models.CharField(max_length=80, blank=True, default="")

    objects = StandingQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(name="standing_once", fields=["sheet", "party"])]
        indexes = [models.Index(fields=["party", "waiting"], name="standing_that_waits",
                                condition=models.Q(waiting__isnull=False)),
                   models.Index(fields=["party", "under"], name="standing_in_force", condition=~models.Q(under=""))]

    def __str__(self) -> str:
        return f"{self.sheet_id} {self.waiting or self.under}"


class Reply(models.Model):
    """A reply to a comment at a field, or a note that the matter is `done`; the newest one gives its state.

    The comment is what the `entry` of the chain says at the `path`. Replies are no part of the chain and prove nothing.
    """

    entry = models.ForeignKey(Review, models.CASCADE, related_name="replies", db_index=False)
    path = models.CharField(max_length=200)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="replies")
    text = models.CharField(max_length=1000, blank=True)
    done = models.BooleanField(default=False)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["entry", "path"], name="reply_of_comment")]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.path}"


class Phrases(models.Model):
    """The sentences that a GM often says to players, in their order; nobody else reads them."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="phrases")
    lines = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"{self.user_id} {len(self.lines)}"


class Head(models.Model):
    """The signed end of the chain, so that a missing tail is noticed. There is only one."""

    number = models.PositiveBigIntegerField(default=0)
    mac = models.CharField(max_length=64, blank=True)
    signature = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.number} {self.mac[:8]}"
