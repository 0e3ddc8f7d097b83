from django.conf import settings
from django.db import models
from django.db.models import F
from django.utils import timezone

FINISHED, SUBMITTED, PLAYED, RESTORED, RENEWED = REVISION_KINDS = (
    "finished", "submitted", "played", "restored", "renewed")
"""The reasons for storing a revision; `RENEWED` is a pending submission judged again under newer (house) rules."""
RECALLED, RETURNED, APPROVED, WITHDRAWN, ERASED = "recalled", "returned", "approved", "withdrawn", "erased"
KINDS = (SUBMITTED, RECALLED, RETURNED, APPROVED, WITHDRAWN, PLAYED, ERASED)
"""The kinds of entries in the chain."""


class Revision(models.Model):
    """An immutable snapshot of a sheet, numbered within the sheet.

    `data` is complete, `house` holds the house rules that differ from the book; `seal` is the digest of both with the
    name and the version of the rules. `mac` authenticates the seal and the other fields; it covers `person`, an opaque
    stand-in for `author`. `signed` says when it was signed: 1 later, by a migration, 2 when it
    was stored.
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

    `mac` authenticates the fields that remain when the rows they refer to are deleted (keys, seal, digests, the opaque
    `person`); entries of the kind `erased` record such deletions. `seen` holds the rules' findings on the revision and
    `said` the texts that people wrote about it; the chain covers them by digests, so that both can be erased.

    The digests: `found` is that of `seen`, `words` that of `said`, and `house` that of the house rules; each is "" if
    there is nothing to cover. `before` is the `mac` of the previous entry. `code` is the check code that is printed
    with an approval.
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
        """Return the standings of sheets whose submission waits in the party that they are in."""
        return self.filter(waiting__isnull=False, sheet__party=F("party"), sheet__deleted=None, sheet__offered=False)


class Standing(models.Model):
    """A sheet's place in a party's review queue: the waiting submission, and the rules of the approved revision.

    It is derived from the chain, so that a queue can be read without reading all past reviews. `waiting` is the number
    of the unanswered submission, null if there is none; `under` identifies the rules and house rules of the revision
    that is played, "" without an approval.
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
    """A reply to a comment on a field; the newest reply says whether the matter is `done`.

    The comment is the one that the chain's `entry` makes at `path`. Replies are not part of the chain.
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
    """A GM's private list of prepared sentences for reviews, in order."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="phrases")
    lines = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"{self.user_id} {len(self.lines)}"


class Head(models.Model):
    """The signed end of the chain, by which removed last entries are noticed. There is only one row."""

    number = models.PositiveBigIntegerField(default=0)
    mac = models.CharField(max_length=64, blank=True)
    signature = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.number} {self.mac[:8]}"


class Remark(models.Model):
    """A GM's private note on a sheet of the party."""

    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="remarks", db_index=False)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="remarks")
    text = models.TextField(max_length=4000)

    class Meta:
        constraints = [models.UniqueConstraint(name="remark_once", fields=["sheet", "author"])]
