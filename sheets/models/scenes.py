"""The scenes of a party, and what its GMs ask for and hand out in them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
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


def worded(texts: Mapping[str, str]) -> str:
    """Return a text in the reader's language, as it was first written where it is in no such language, or ""."""
    return texts.get(get_language() or "") or next(iter(texts.values()), "")


class Scene(models.Model):
    """A stretch of play, an evening or a fight, from when it `begun` to when it `ended`, null while it is open.

    Its log are the events that belong to it. Rolls are numbered there from 1, hidden ones in a row of their own; the
    last numbers are `rolls` and `hidden_rolls`. `opened` and `closed` are the keys of what was done for all at either
    end, in their order, so that it can be taken back. Whatever is played while no scene is open opens one `by_itself`;
    events from before there were scenes belong to one that is `before`.

    While turns are counted, `round` is the number of the round, 0 otherwise; `on` are the keys of the sheets whose turn
    it is, `done` of those who have had theirs in this round, null where all have that come before these in the order,
    and `held` of those who hold back in it. `order` are the keys of the sheets that the GM lets go first; with `free`
    all are on at once.
    """

    uuid = models.UUIDField(unique=True, default=uuid4, editable=False)
    party = models.ForeignKey("sheets.Party", models.CASCADE, related_name="scenes", db_index=False)
    name = models.CharField(max_length=200, blank=True, default="")
    begun = models.DateTimeField(default=timezone.now)
    ended = models.DateTimeField(null=True, blank=True)
    before = models.BooleanField(default=False)
    by_itself = models.BooleanField(default=False)
    opened = models.JSONField(default=list)
    closed = models.JSONField(default=list)
    order = models.JSONField(default=list)
    free = models.BooleanField(default=False)
    round = models.PositiveIntegerField(default=0)
    on = models.JSONField(default=list)
    done = models.JSONField(null=True, default=list)
    held = models.JSONField(default=list)
    rolls = models.PositiveIntegerField(default=0)
    hidden_rolls = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(name="one_open_scene", fields=["party"], condition=Q(ended=None))]
        indexes = [models.Index(fields=["party", "-begun"], name="scene_newest_of_party")]

    def __str__(self) -> str:
        return self.name or f"{self.begun:%Y-%m-%d}"

    def sort_key(self, turns: Turns, sheet: "Sheet", place: int | None, name: str) -> tuple[Any, ...]:
        """Return what puts seats in order: whom the GM lets go first, the sides, the system's figure, the name.

        Who has spent the figure with the turn stays before the others.
        """
        own, had = str(sheet.pk), (self.done or []) if turns.order and place is None else []
        first = self.order.index(own) if own in self.order else len(self.order)
        last = turns.together == "side" and sheet.opponent, place is None, place or 0, order_key(name), own
        return (own not in had, had.index(own) if own in had else 0, first, *last)


class AskedRoll(models.Model):
    """A GM's request that whoever plays a sheet make a roll; requests made of several at once share one `key`.

    `widget` names the roll among those of the sheet and `row`, where it is about a row, by what that is; `titles` say
    what it is called in each language and `note` what the GM adds. The first such roll since it was `made` answers it.
    It lasts for as long as a GM wants the answer.
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

    @property
    def title(self) -> str:
        """The name of the roll, in the reader's language."""
        return worded(self.titles)


class Question(models.Model):
    """A request that the target of a roll respond before the roll falls.

    `sheet` is the one that acts. The roll is pressed again by `widget`, `row` and `answers` once somebody has answered:
    by the key of the press, `key`, and for `who` pressed it. `titles` say what it is called in each language, and
    `response` what was answered, {language: text}, null while nobody has; `tried` are the keys of responses that were
    rolled before and did not stop it. What the actor has called off is deleted.
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
    """A GM's handout: a text, a picture or both; for all, including those who join later, or for its `readers` alone.

    The picture is kept as `sheets.faces.pictures` has written it, `large` and `small`, null where there is none. What
    was handed out is never changed; it can be taken back. `key` tells its picture from every other one.
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
        indexes = [models.Index(fields=["party", "-made"], name="handout_newest_of_party")]

    def __str__(self) -> str:
        return self.title


class HandoutReader(models.Model):
    """A member's right to read a handout that is not for all, or a record of when they `opened` one, null before."""

    handout = models.ForeignKey(Handout, models.CASCADE, related_name="readers", db_index=False)
    member = models.ForeignKey("sheets.Member", models.CASCADE, related_name="handouts")
    opened = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(name="handout_reader_once", fields=["handout", "member"])]


class Message(models.Model):
    """A line that a member says at a party's table, to all, or whispers `to` one, who then is the only other reader.

    What is taken back is deleted.
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
