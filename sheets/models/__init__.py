import uuid
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.http import Http404

from rulesets import systems
from rulesets.kit import Ruleset
from sheets.models.called import Called, Sought, with_columns
from sheets.models.catalogue import PartyEntry
from sheets.models.compiled_queries import compiled
from sheets.models.evenings import Answer, Evening, EveningDate, Feed, UserZone
from sheets.models.events import Event, PendingEffect
from sheets.models.faces import Portrait, Preview
from sheets.models.keys import is_key
from sheets.models.library import Encounter, Placed, Tag
from sheets.models.listed import LISTED
from sheets.models.notifications import Mailing, Notification, Reminded
from sheets.models.outbox import Delivery, Receiver
from sheets.models.push import Muted, PushDevice
from sheets.models.receipts import DiceLog, Receipt, RollKey
from sheets.models.reports import Report
from sheets.models.reviews import Head, Phrases, Remark, Reply, Review, Revision, Standing
from sheets.models.scenes import DIALECTS, AskedRoll, Handout, HandoutReader, Message, Question, Scene, ThreadReading
from sheets.models.state import HasState, State
from sheets.models.turn_receipts import TurnReceipt
from sheets.models.webhooks import Happening, Webhook

__all__ = ["Answer", "AskedRoll", "Change", "Delivery", "DiceLog", "Encounter", "Evening", "EveningDate", "Event",
           "Feed", "Handout", "HandoutReader", "Happening", "Head", "Mailing", "Member", "Message", "Muted",
           "Notification", "Party", "PartyEntry", "PendingEffect", "Phrases", "Placed", "Portrait", "Preview",
           "PushDevice", "Question", "Receipt", "Receiver", "Remark", "Reminded", "Reply", "Report", "Review",
           "Revision", "RollKey", "Scene", "Sheet", "Standing", "State", "Tag", "ThreadReading", "TurnReceipt",
           "UserZone", "Webhook", "is_key"]
GM, CO_GM, PLAYER = ROLES = ("gm", "co-gm", "player")
"""A member's role in a party, the highest first."""
GMS = (GM, CO_GM)
"""The roles that see every sheet of a party and set its house rules."""
PRIVATE, PARTY, PUBLIC = SEEN_BY = ("private", "party", "public")
"""Values of `seen_by`: who may read a sheet in addition to its owner and the GMs of its party."""
DICE = "dice"
"""The name in `Sheet.page` while a draft is exactly as it was rolled, in place of a page's own name."""


def system_or_404(slug: str) -> Ruleset:
    """Return the system with this slug (Http404 if there is none)."""
    try:
        return systems()[slug]
    except KeyError:
        raise Http404 from None


class Party(models.Model):
    """A group that plays one system by its own house rules.

    `house` holds the settings that differ from the book; each of the party's sheets has a copy. Anybody who knows the
    token `invitation` may join. `table` holds the party's shared counters.
    Four numbers only ever grow, so that pages notice changes: `version` with each change of the house rules, `pulse`
    with each change at the table that everybody may see, `presses` with those of them that events describe completely
    (so that no page needs reloading), and `secret` with changes that only GMs may see. With `approval`, only approved
    versions of sheets are played; with `trust`, pending effects are applied at once; with `waits`, a roll is made only
    after its target has had a chance to respond; with `by_hand`, dice may be thrown on a real table. `seen_by` is the
    default for sheets that join the party. With `several`, a player may take more than one of the offered characters;
    `takers` are all who ever took one. `bbcode` is the dialect of its forum, `told` the kinds sent to its webhooks.
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
    by_hand = models.BooleanField(default=False)
    seen_by = models.CharField(max_length=8, default=PRIVATE)
    several = models.BooleanField(default=False)
    bbcode = models.CharField(max_length=8, default=DIALECTS[0])
    told = models.JSONField(null=True, default=None)
    takers = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="+")
    version = models.PositiveIntegerField(default=1)
    pulse = models.PositiveBigIntegerField(default=0)
    presses = models.PositiveBigIntegerField(default=0)
    secret = models.PositiveBigIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.CheckConstraint(name="party_seen_by", condition=Q(seen_by__in=(PRIVATE, PARTY))),
                       models.CheckConstraint(name="party_bbcode", condition=Q(bbcode__in=DIALECTS))]

    def __str__(self) -> str:
        return self.name

    def save(self, *arguments: Any, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Save the party and its sort key, `called`."""
        super().save(*arguments, update_fields=with_columns(Party, update_fields), **options)

    asked: tuple[str, ...] = ("", "")
    """(key of the scene, key of the acting sheet) from the request, "" for none; not stored."""

    @property
    def open_scenes(self) -> list[Scene]:
        """The open scenes, newest first."""
        found = _open_scenes(self.pk)
        for one in found:
            one.party = self
        return found

    @property
    def scene(self) -> Scene | None:
        """The open scene that is asked for (see `asked_of`); None if none is open."""
        return self.asked_of(self.open_scenes)

    def asked_of(self, scenes: list[Scene]) -> Scene | None:
        """Return the scene that the address names, else that of the sheet that it names, else the newest."""
        if len(scenes) > 1:
            scene, sheet = self.asked
            sitting = self.sheets.filter(pk=sheet).first() if not scene and is_key(sheet) else None
            for one in scenes:
                if str(one.uuid) == scene or (sitting and one.seats(sitting)):
                    return one
        return next(iter(scenes), None)

    def scene_of(self, sheet: "Sheet") -> Scene | None:
        """Return the open scene in which a sheet of the party sits; None if none is open."""
        return next((one for one in self.open_scenes if one.seats(sheet)), None)

    def delete(self, *arguments: Any, **options: Any) -> tuple[int, dict[str, int]]:
        """Delete the party and the events that belong to no sheet; sheets and their events remain."""
        self.events.filter(sheet=None).delete()
        return super().delete(*arguments, **options)


@compiled
def _open_scenes(party: Any) -> models.QuerySet[Scene]:
    return Scene.objects.filter(party=party, ended=None).order_by("-begun", "-pk")


class Member(models.Model):
    """A user's membership in a party. Each party has at most one member of the role GM; only the user reads `notes`.

    Until `away_until` others know that the member is away, and the member is not reminded of a turn. The responses that
    the member gives without being asked are `standing`: {key of a sheet: [[key of a response, {language: title}]]}.
    """

    party = models.ForeignKey(Party, models.CASCADE, related_name="members", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, default=PLAYER)
    notes = models.TextField(max_length=4000, blank=True, default="")
    joined = models.DateTimeField(auto_now_add=True)
    away_until = models.DateField(null=True, blank=True)
    standing = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="member_once", fields=["party", "user"]),
            models.UniqueConstraint(name="one_gm", fields=["party"], condition=Q(role=GM)),
            models.CheckConstraint(name="member_role", condition=Q(role__in=ROLES)),
        ]

    @property
    def gm(self) -> bool:
        """True if the member has a GM's rights: as the GM or as a co-GM (see `GMS`)."""
        return self.role in GMS


class SheetQuerySet(models.QuerySet):
    def not_deleted(self) -> "SheetQuerySet":
        """Return the sheets that are not in the trash."""
        return self.filter(deleted=None)


class Sheet(HasState, models.Model):
    """A character sheet; `data` has the shape of its system's Sheet class in `rulesets`.

    `data` is always valid: invalid input is stored in `typed` ({path: text}), and its field keeps its last valid value.
    `concept` is the slug of the concept from which the sheet was rolled, "" if it was not. `house` holds the house
    rules that differ from the book. The sheet belongs to `owner` or, for guests, to the browser with the key
    `guest`. Its status is computed, never stored.
    `version` counts saves. `position` is the current place in the undo history, which reaches from `floor` to `top`.
    `typing` is the path of the text that the last save changed, "" if it changed anything else. `page` is "name
    version": the page that made the latest saves in a row, and the version that the first of these saves produced.

    A sheet in a `party` has the party's house rules. One that is `offered` there will belong to the player who takes
    it. An `opponent` is played by the GMs of its party; without a party, it is in its owner's library. An `archived`
    sheet is not listed for its owner but stays in its party. `at_table` says whether the party sees its figures; it is
    null in older sheets until the owner has decided. `scene` is the one in which it sits, null for the main one.

    Anybody who knows the token `share` may read the sheet and, with `share_play`, its state of play. The `portrait` is
    not covered by seals or versions.
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
    scene = models.ForeignKey(Scene, models.SET_NULL, related_name="seated", null=True, blank=True)
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
            models.CheckConstraint(name="sheet_belongs_to_somebody", condition=Q(owner__isnull=False) | ~Q(guest="")),
            models.CheckConstraint(name="sheet_seen_by", condition=Q(seen_by__in=SEEN_BY)),
            models.CheckConstraint(
                name="partys_sheet_has_an_owner", condition=Q(party__isnull=True) | Q(owner__isnull=False)
            ),
        ]
        indexes = [
            # With a single full index on `owner`, SQLite would also use it for guests' drafts, of which there are many;
            # hence two partial indexes.
            models.Index(fields=["owner"], name="sheet_of_an_owner", condition=Q(owner__isnull=False)),
            models.Index(fields=["updated"], name="sheet_of_a_guest", condition=Q(owner__isnull=True)),
            models.Index(fields=["deleted"], name="sheet_thrown_away", condition=Q(deleted__isnull=False)),
            *LISTED,
        ]

    def __str__(self) -> str:
        return f"{self.name or self.id} ({self.ruleset})"

    def save(self, *arguments: Any, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Save the sheet and the columns derived for sorting and searching."""
        if update_fields is None and not self._state.adding and {"called", "sought"} & self.get_deferred_fields():
            # If fields are deferred, Django saves only the loaded ones and would skip the derived columns, so the
            # loaded fields are named, and `with_columns` adds the derived ones.
            update_fields = {one.name for one in self._meta.local_concrete_fields if not one.primary_key
                             and one.attname not in self.get_deferred_fields()}
        super().save(*arguments, update_fields=with_columns(Sheet, update_fields), **options)

    @property
    def system(self) -> Ruleset:
        """The sheet's system (Http404 if that system is gone)."""
        return system_or_404(self.ruleset)

    def saved_by_page(self, page: str, version: int) -> bool:
        """Return True if all saves after `version` were made by this page (which then has missed their responses)."""
        name, _space, first = self.page.partition(" ")
        return bool(name) and name == page and version >= int(first) - 1

    @property
    def rolled(self) -> bool:
        """True if the sheet is unchanged since it was rolled."""
        return self.page.startswith(f"{DICE} ")

    def note_page(self, page: str) -> None:
        """Record the page that saved this version, "" for none, unless that page made the previous save, too."""
        if not (page and self.page.startswith(f"{page} ")):
            self.page = page and f"{page} {self.version}"


class Change(HasState, models.Model):
    """The contents of a sheet at place `number` of its undo history."""

    sheet = models.ForeignKey(Sheet, models.CASCADE, related_name="changes", db_index=False)
    number = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    name = models.CharField(max_length=200, blank=True)
    data = models.JSONField()
    typed = models.JSONField(default=dict, blank=True)
    concept = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(name="change_numbered_once", fields=["sheet", "number"])]
