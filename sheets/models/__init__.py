import uuid
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.http import Http404
from django.utils import timezone

from rulesets import systems
from rulesets.kit import Ruleset
from sheets.models.called import Called, Sought, with_columns
from sheets.models.compiled_queries import compiled
from sheets.models.events import Event, PendingEffect
from sheets.models.faces import Portrait, Preview
from sheets.models.library import Encounter, Placed, Tag
from sheets.models.listed import LISTED
from sheets.models.reports import Report
from sheets.models.reviews import Head, Phrases, Reply, Review, Revision, Standing
from sheets.models.scenes import AskedRoll, Handout, HandoutReader, Message, Question, Scene
from sheets.models.state import HasState, State

__all__ = ["AskedRoll", "Change", "Encounter", "Event", "Handout", "HandoutReader", "Head", "Member", "Message",
           "Notification", "Party", "PendingEffect", "Phrases", "Placed", "Portrait", "Preview", "Question", "Remark",
           "Reply", "Report", "Review", "Revision", "Scene", "Sheet", "Standing", "State", "Tag"]
GM, CO_GM, PLAYER = ROLES = ("gm", "co-gm", "player")
"""A member's role in a party, the highest first."""
GMS = (GM, CO_GM)
"""The roles that see every sheet of a party and set its house rules."""
PRIVATE, PARTY, PUBLIC = SEEN_BY = ("private", "party", "public")
"""The readers of a sheet besides its owner and the GMs of its party: nobody, the party, everybody."""
DICE = "dice"
"""The value of `Sheet.page` while a draft is as the dice have made it."""
SENT, DROPPED, FAILED = SETTLED = ("sent", "dropped", "failed")
"""The fate of a notification by e-mail: it was sent, nobody wanted it, or it was given up."""


def system_or_404(slug: str) -> Ruleset:
    """Return the system with this slug (Http404 if there is none)."""
    try:
        return systems()[slug]
    except KeyError:
        raise Http404 from None


class Party(models.Model):
    """A group that plays one system by its own house rules.

    `house` keeps what differs from the book and stands in each of its sheets, too. Whoever holds `invitation` may join.
    `table` is what is counted for the group; `version` counts the changes of the house rules, `pulse` what happens at
    the table for all to see, `presses` how much of that its events tell whole, and `secret` what GMs alone see. With
    `approval` only what a GM has approved is played at its table; with `trust` pending effects are applied at once, and
    with `waits` no roll falls before its target has had a chance to respond.
    `seen_by` says who reads a sheet that comes in, until its owner says otherwise, and `several` that a player may take
    more than one of the ready-made characters; `takers` are those who have taken one, though they may have left since.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200)
    called = Called(default=b"", editable=False)
    ruleset = models.CharField(max_length=64)
    house = models.JSONField(default=dict, blank=True)
    invitation = models.CharField(max_length=64, null=True, unique=True, default=None)  # noqa: DJ001 - null is none
    table = models.JSONField(default=dict, blank=True)
    approval = models.BooleanField(default=False)
    trust = models.BooleanField(default=False)
    waits = models.BooleanField(default=False)
    seen_by = models.CharField(max_length=8, default=PRIVATE)
    several = models.BooleanField(default=False)
    takers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+")
    version = models.PositiveIntegerField(default=1)
    pulse = models.PositiveBigIntegerField(default=0)
    presses = models.PositiveBigIntegerField(default=0)
    secret = models.PositiveBigIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.CheckConstraint(name="party_seen_by", condition=Q(seen_by__in=(PRIVATE, PARTY)))]

    def __str__(self) -> str:
        return self.name

    def save(self, *arguments: Any, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Save the party, with the place of its name in order."""
        super().save(*arguments, update_fields=with_columns(Party, update_fields), **options)

    @property
    def scene(self) -> "Scene | None":
        """The scene that is open, None between two."""
        return next(iter(_open_scenes(self.pk)), None)

    def delete(self, *arguments: Any, **options: Any) -> tuple[int, dict[str, int]]:
        """End the party: members keep their sheets and all that happened to them; what nobody else owns is deleted."""
        self.events.filter(sheet=None).delete()
        return super().delete(*arguments, **options)


@compiled
def _open_scenes(party: Any) -> models.QuerySet["Scene"]:
    return Scene.objects.filter(party=party, ended=None)


class Member(models.Model):
    """A person's membership in a party. Each party has exactly one GM; `notes` are read by nobody else."""

    party = models.ForeignKey(Party, models.CASCADE, related_name="members", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, default=PLAYER)
    notes = models.TextField(max_length=4000, blank=True, default="")
    joined = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="member_once", fields=["party", "user"]),
            models.UniqueConstraint(name="one_gm", fields=["party"], condition=Q(role=GM)),
            models.CheckConstraint(name="member_role", condition=Q(role__in=ROLES)),
        ]

    @property
    def gm(self) -> bool:
        """True if the member is the GM or a co-GM."""
        return self.role in GMS


class SheetQuerySet(models.QuerySet):
    def not_deleted(self) -> "SheetQuerySet":
        """Return the sheets that are not in the trash."""
        return self.filter(deleted=None)


class Sheet(HasState, models.Model):
    """A sheet that exists; what stands in `data` is the shape of its system's Sheet in `rulesets`.

    `data` is always readable: an input that is broken now stands in `typed` ({path: text}) and leaves its field's last
    good value in place. `concept` is the slug of what the dice made of it, "" where they did not. `house` keeps what
    differs from the book. It belongs to `owner` or, before anybody has signed
    in, to whoever holds the key `guest`. Its status is computed, never stored. `version` counts saves, `position` is
    the place in the history of changes, which is kept from `floor` to `top`, `typing` the path of a text that is being
    written just now, and `page` the page that made the last saves with the version of the first of them. A sheet in a
    `party` has the party's house rules; one that is `offered` there becomes whose who takes it, and an `opponent` is
    played by its GMs; one in no party is kept by its owner for any of theirs. What is `archived` leaves its owner's
    lists, not its party. Its party sees its figures `at_table`, or not; of older sheets that is null, and their owner
    is asked. Whoever holds its link `share` reads the sheet as written and with `share_play` what becomes of it at the
    table, too. Its `portrait` is no part of what it says.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="sheets", null=True, blank=True, db_index=False
    )
    guest = models.CharField(max_length=64, blank=True, default="", db_index=True)
    ruleset = models.CharField(max_length=64)
    name = models.CharField(max_length=200, blank=True)
    called = Called(default=b"", editable=False)
    sought = Sought(default="", blank=True, editable=False)
    data = models.JSONField()
    typed = models.JSONField(default=dict, blank=True)
    concept = models.CharField(max_length=64, blank=True, default="")
    house = models.JSONField(default=dict, blank=True)
    play = models.JSONField(default=dict, blank=True)
    notes = models.TextField(max_length=4000, blank=True, default="")
    share = models.CharField(max_length=64, null=True, unique=True, default=None)  # noqa: DJ001 - null is not shared
    share_play = models.BooleanField(default=False)
    tags = models.ManyToManyField(Tag, related_name="sheets", blank=True)
    archived = models.DateTimeField(null=True, blank=True)
    portrait = models.OneToOneField(Portrait, models.SET_NULL, related_name="sheet", null=True, blank=True)
    party = models.ForeignKey(Party, models.SET_NULL, related_name="sheets", null=True, blank=True)
    seen_by = models.CharField(max_length=8, default=PRIVATE)
    at_table = models.BooleanField(null=True)
    offered = models.BooleanField(default=False)
    opponent = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=1)
    position = models.PositiveIntegerField(default=0)
    top = models.PositiveIntegerField(default=0)
    floor = models.PositiveIntegerField(default=0)
    page = models.CharField(max_length=64, blank=True, default="")
    typing = models.CharField(max_length=200, blank=True, default="")
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)
    finished = models.DateTimeField(null=True, blank=True)
    played = models.DateTimeField(null=True, blank=True)
    deleted = models.DateTimeField(null=True, blank=True)

    objects = SheetQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="sheet_belongs_to_somebody", condition=Q(owner__isnull=False) | ~Q(guest="")
            ),
            models.CheckConstraint(name="sheet_seen_by", condition=Q(seen_by__in=SEEN_BY)),
            models.CheckConstraint(
                name="partys_sheet_has_an_owner", condition=Q(party__isnull=True) | Q(owner__isnull=False)
            ),
        ]
        indexes = [
            # By one of all SQLite would look for guests' drafts, which are many, as for somebody's.
            models.Index(fields=["owner"], name="sheet_of_an_owner", condition=Q(owner__isnull=False)),
            models.Index(fields=["updated"], name="sheet_of_a_guest", condition=Q(owner__isnull=True)),
            models.Index(fields=["deleted"], name="sheet_thrown_away", condition=Q(deleted__isnull=False)),
            *LISTED,
        ]

    def __str__(self) -> str:
        return f"{self.name or self.id} ({self.ruleset})"

    def save(self, *arguments: Any, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Save the sheet, with the columns by which it is found and put in order."""
        if update_fields is None and not self._state.adding and {"called", "sought"} & self.get_deferred_fields():
            # Django would store what was read, which they were not.
            update_fields = {one.name for one in self._meta.local_concrete_fields if not one.primary_key
                             and one.attname not in self.get_deferred_fields()}
        super().save(*arguments, update_fields=with_columns(Sheet, update_fields), **options)

    @property
    def system(self) -> Ruleset:
        """The sheet's system (Http404 if that system is gone)."""
        return system_or_404(self.ruleset)

    def saved_by_page(self, page: str, version: int) -> bool:
        """Return True if everything saved since a version came from this page, which never received the answers."""
        name, _space, first = self.page.partition(" ")
        return bool(name) and name == page and version >= int(first) - 1

    @property
    def rolled(self) -> bool:
        """True if the sheet is still as the dice made it."""
        return self.page.startswith(f"{DICE} ")

    def note_page(self, page: str) -> None:
        """Note which page has made this version, "" for none that saves while somebody types."""
        if not (page and self.page.startswith(f"{page} ")):
            self.page = page and f"{page} {self.version}"


class Change(HasState, models.Model):
    """A sheet as it stood at place `number` of its history: what undo and redo go to."""

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="changes", db_index=False)
    number = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    name = models.CharField(max_length=200, blank=True)
    data = models.JSONField()
    typed = models.JSONField(default=dict, blank=True)
    concept = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(name="change_numbered_once", fields=["sheet", "number"])]


class Remark(models.Model):
    """A GM's note on a sheet of the party, for nobody else's eyes."""

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="remarks", db_index=False)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="remarks")
    text = models.TextField(max_length=4000)

    class Meta:
        constraints = [models.UniqueConstraint(name="remark_once", fields=["sheet", "author"])]


class Notification(models.Model):
    """A notification of something that others did, told in the reader's language from `kind` and `data`.

    It names `who` did it for as long as there is that account, and the sheet that it is `about`. `mail` says
    what came of it by e-mail, nothing yet where it is empty, and `tries` how often a mail with it was begun.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications", db_index=False)
    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True)
    about = models.ForeignKey(Sheet, models.SET_NULL, related_name="+", null=True)
    kind = models.CharField(max_length=32)
    data = models.JSONField(default=dict)
    url = models.CharField(max_length=300, blank=True, default="")
    made = models.DateTimeField(auto_now_add=True)
    read = models.DateTimeField(null=True, blank=True)
    mail = models.CharField(max_length=8, blank=True, default="")
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(name="notification_mail", condition=Q(mail__in=("", *SETTLED)))]
        indexes = [
            models.Index(fields=["user", "-id"], name="notification_newest"),
            models.Index(fields=["user"], condition=Q(read=None), name="notification_unread"),
        ]


class Mailing(models.Model):
    """A person's wish to get notifications by e-mail, too, in a `language`; they are sent none before `after`."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="mailing")
    language = models.CharField(max_length=16)
    after = models.DateTimeField(default=timezone.now)
