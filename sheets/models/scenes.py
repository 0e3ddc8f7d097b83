"""The scenes of a party, and what its GMs ask for and hand out in them."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language

from rulesets.folding import order_key
from rulesets.kit import Turns

if TYPE_CHECKING:
    from sheets.models import Sheet


NAMED = "_scene"
"""The name of the parameter for the scene in a table's forms and addresses."""
DIALECTS = ("phpbb", "mybb", "woltlab", "xenforo")
"""The BBCode dialects of forum software, the default first."""
ASKED = (NAMED, "_by")
"""The names of the parameters for the scene and for the acting sheet."""


def worded(texts: Mapping[str, str]) -> str:
    """Return the text in the reader's language, else in its first language; "" if `texts` is empty."""
    return texts.get(get_language() or "") or next(iter(texts.values()), "")


def host_of(address: str) -> str:
    """Return the host of an address in ASCII (IDNA), as browsers resolve it; "" if it has none."""
    try:
        return (urlsplit(address).hostname or "").encode("idna").decode()
    except ValueError:
        return ""


class Scene(models.Model):
    """A stretch of play, such as an evening or a fight; `ended` is null while it is open.

    Rolls are numbered within the scene from 1, hidden ones separately; `rolls` and `hidden_rolls` are the last numbers.
    `opener` is the user who opened it, null if that is not known.
    `opened` and `closed` are the keys of the acts done for all sheets at its start and end, in order, for undoing them.
    A scene that was opened automatically, because something was played while none was open, is `by_itself`. Events
    recorded before there were scenes belong to a scene with `before`.

    A party has at most one open main scene; all sheets sit there that sit in none of the other open scenes, which are
    `apart`. `left` holds the keys of the sheets that sat in a scene which ended while another was open.

    `thread` is the address of the forum thread in which it is played, "" for none; it is never fetched. A turn should
    take at most `turn_hours`, null for no limit; the current turn began at `turn_began` and should end by `turn_until`,
    after which its players are `reminded` once. Anybody who knows the token `share` may watch.

    `round` is the number of the round, 0 while turns are not counted. `on` holds the keys of the sheets whose turn it
    is, `done` of those that have had their turn in this round (null: all that precede these in the order), and `held`
    of those that delay their turn. `order` holds the keys of the sheets that the GM has moved to the front; with `free`
    it is everybody's turn at once.
    """

    uuid = models.UUIDField(unique=True, default=uuid4, editable=False)
    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="scenes", db_index=False)
    name = models.CharField(max_length=200, blank=True, default="")
    begun = models.DateTimeField(default=timezone.now)
    ended = models.DateTimeField(null=True, blank=True)
    before = models.BooleanField(default=False)
    by_itself = models.BooleanField(default=False)
    apart = models.BooleanField(default=False)
    left = models.JSONField(default=list)
    opener = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True)
    opened = models.JSONField(default=list)
    closed = models.JSONField(default=list)
    order = models.JSONField(default=list)
    free = models.BooleanField(default=False)
    round = models.PositiveIntegerField(default=0)
    on = models.JSONField(default=list)
    done = models.JSONField(null=True, default=list)
    held = models.JSONField(default=list)
    thread = models.CharField(max_length=500, blank=True, default="")
    turn_hours = models.PositiveSmallIntegerField(null=True, blank=True)
    turn_began = models.DateTimeField(null=True, blank=True)
    turn_until = models.DateTimeField(null=True, blank=True)
    reminded = models.BooleanField(default=False)
    share = models.CharField(max_length=64, null=True, default=None)  # noqa: DJ001 - null is not shared
    rolls = models.PositiveIntegerField(default=0)
    hidden_rolls = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_open_main_scene", fields=["party"], condition=Q(ended=None, apart=False)),
            models.UniqueConstraint(name="scene_share_once", fields=["share"])]
        indexes = [models.Index(fields=["party", "-begun"], name="scene_newest_of_party"),
                   models.Index(fields=["turn_until"], name="scene_turn_until",
                                condition=Q(turn_until__isnull=False, reminded=False)),
                   models.Index(fields=["turn_began"], name="scene_turn_began", condition=Q(ended=None))]

    def __str__(self) -> str:
        return self.name or f"{self.begun:%Y-%m-%d}"

    @property
    def thread_host(self) -> str:
        """The host of the thread's address, as returned by `host_of`."""
        return host_of(self.thread)

    @property
    def by_post(self) -> bool:
        """True if it is played in a forum thread, or has a time limit for turns."""
        return bool(self.thread or self.turn_hours)

    @property
    def query(self) -> str:
        """The query string that selects the scene in an address of the table."""
        return f"{NAMED}={self.uuid}"

    @property
    def overdue(self) -> bool:
        """True if the time limit of the current turn has passed."""
        return bool(self.round and self.turn_until and self.turn_until < timezone.now())

    def start_clock(self) -> None:
        """Start the time limit of the current turn, without saving it."""
        self.turn_began = timezone.now() if self.round and self.on else None
        hours = self.turn_hours if self.turn_began else None
        self.turn_until = self.turn_began + timedelta(hours=hours) if self.turn_began and hours else None
        self.reminded = False

    @property
    def seat(self) -> int | None:
        """The value of `Sheet.scene_id` for sheets that sit in it while it is open."""
        return self.pk if self.apart else None

    def seats(self, sheet: "Sheet") -> bool:
        """Return True if a sheet of the party sits in this scene, which must be open."""
        return sheet.scene_id == self.seat

    def sort_key(self, turns: Turns, sheet: "Sheet", place: int | None, name: str) -> tuple[Any, ...]:
        """Return a key that sorts by the GM's order, the side, the system's initiative `place`, and the name.

        Sheets that had their turn and thereby lost their `place` come before all others.
        """
        own, had = str(sheet.pk), (self.done or []) if turns.order and place is None else []
        first = self.order.index(own) if own in self.order else len(self.order)
        last = turns.together == "side" and sheet.opponent, place is None, place or 0, order_key(name), own
        return (own not in had, had.index(own) if own in had else 0, first, *last)


class AskedRoll(models.Model):
    """A GM's request for a roll by a sheet; requests sent to several sheets at once share one `key`.

    `widget` is the name of the roll on the sheet and `row` identifies the row that it is about, "" if none. `titles` is
    its title, {language: text}, and `note` the GM's remark. The first such roll after `made` answers the request. It
    remains until a GM deletes it.
    """

    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="asked_rolls")
    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="asked_rolls", db_index=False)
    key = models.UUIDField()
    widget = models.CharField(max_length=200)
    row = models.CharField(max_length=220, blank=True, default="")
    titles = models.JSONField(default=dict)
    note = models.CharField(max_length=200, blank=True, default="")
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(name="asked_once", fields=["sheet", "key"])]
        indexes = [models.Index(fields=["made"], name="asked_newest")]

    @property
    def title(self) -> str:
        """The name of the roll, in the reader's language."""
        return worded(self.titles)


class Question(models.Model):
    """A request that the target of a roll respond before the roll is made.

    `sheet` is the acting sheet. Once there is a response, the roll is made from `widget`, `row` and `answers`, with
    the original `key`, for the user `who`, who pressed it. `titles` is its title, {language: text}. `response` is the
    answer, {language: text}, null until there is one; `tried` holds the keys of responses that were rolled but did not
    stop the roll. The question is deleted if the actor cancels the roll.
    """

    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="questions")
    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="questions_asked", db_index=False)
    target = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="questions")
    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True)
    key = models.UUIDField()
    widget = models.CharField(max_length=200)
    row = models.CharField(max_length=220, blank=True, default="")
    answers = models.JSONField(default=dict)
    titles = models.JSONField(default=dict)
    response = models.JSONField(null=True)
    tried = models.JSONField(default=list)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="press_is_one_question", fields=["sheet", "key"]),
            models.UniqueConstraint(name="one_open_question", fields=["sheet"], condition=Q(response__isnull=True)),
        ]

    @property
    def title(self) -> str:
        """The name of the roll, in the reader's language."""
        return worded(self.titles)

    @property
    def answer(self) -> str:
        """The answer in the reader's language; "" while nobody has answered."""
        return worded(self.response or {})


class Handout(models.Model):
    """A GM's handout: a text, a picture or both; for all, including those who join later, or only for its `readers`.

    The picture is stored in two sizes, `large` and `small`, as written by `sheets.faces.pictures`; null if there is
    none. A handout is never changed, but it can be taken back. `key` identifies its picture.
    """

    key = models.UUIDField(unique=True)
    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="handouts", db_index=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True)
    made = models.DateTimeField(default=timezone.now)
    title = models.CharField(max_length=200)
    text = models.TextField(max_length=8000, blank=True, default="")
    large = models.BinaryField(null=True)
    small = models.BinaryField(null=True)
    for_all = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["party", "-made"], name="handout_newest_of_party"),
                   models.Index(fields=["made"], name="handout_newest")]

    def __str__(self) -> str:
        return self.title


class HandoutReader(models.Model):
    """A member's right to read a handout that is not for all, or a mere record of when they `opened` one (or null)."""

    handout = models.ForeignKey(Handout, models.CASCADE, related_name="readers", db_index=False)
    member = models.ForeignKey("sheets.Member", models.CASCADE, related_name="handouts")
    opened = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(name="handout_reader_once", fields=["handout", "member"])]


class Message(models.Model):
    """A message of a member at a party's table, to all or whispered `to` one user, who is then the only other reader.

    A message that is taken back is deleted.
    """

    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="messages", db_index=False)
    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False)
    to = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", null=True, blank=True)
    key = models.UUIDField()
    text = models.CharField(max_length=500)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(name="said_once", fields=["who", "key"])]
        indexes = [models.Index(fields=["party", "-id"], name="message_newest_of_party")]


class ThreadReading(models.Model):
    """A group of posts in a scene's thread that a GM has checked and marked as read together.

    `numbers` are the numbers of the rolls in the scene's log that the posts quote; `title` says which posts they are.
    """

    scene = models.ForeignKey("sheets.Scene", models.CASCADE, related_name="thread_readings")
    title = models.CharField(max_length=100, blank=True, default="")
    numbers = models.JSONField(default=list)
    made = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.title or str(self.pk)
