from collections.abc import Container
from copy import copy
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rulesets.dice import Outcome
from rulesets.kit import Ruleset
from rulesets.names import isolated, strip_directions
from sheets.models.event_kinds import EventKind, TurnPassed
from sheets.models.receipts import Receipt

OPEN, APPLIED, DISMISSED = STATES = ("open", "applied", "dismissed")
"""The states of a pending effect: still open, applied by an act of the target, or dismissed."""
OTHERS = "others"
"""The key in an event's `said` of the text for everybody but the sheet's owner, {language: text}."""


class Event(models.Model):
    """Something that happened at the table: a roll, an act, an act with its roll, or the turn that passed on.

    The columns of each kind are documented in `sheets.models.event_kinds`.
    """

    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="events", null=True, blank=True,
                              db_index=False)
    """The sheet that rolled or acted; null for a GM's own roll and when the turn passes on."""
    party = models.ForeignKey("sheets.Party", models.SET_NULL, related_name="events", null=True, blank=True,
                              db_index=False)
    """The party that the sheet was in at that time."""
    scene = models.ForeignKey("sheets.Scene", models.SET_NULL, related_name="events", null=True, blank=True,
                              db_index=False)
    """The scene that was open at that time."""
    number = models.PositiveIntegerField(null=True, blank=True)
    """The number of a roll in its scene."""
    hidden_number = models.PositiveIntegerField(null=True, blank=True)
    """The number of a hidden roll in its scene, counted separately; it remains when the roll is shown."""
    made = models.DateTimeField(auto_now_add=True)
    undone = models.BooleanField(default=False)
    """True if it was taken back."""
    again = models.ForeignKey("self", models.SET_NULL, related_name="+", null=True, blank=True)
    """The event whose roll this one repeats; this one also takes back the effects of that roll."""
    paid_for = models.ForeignKey("self", models.SET_NULL, related_name="+", null=True, blank=True, db_index=False)
    """The roll that this act paid to have repeated."""
    step_of = models.ForeignKey("self", models.SET_NULL, related_name="steps", null=True, blank=True, db_index=False)
    """The turn event that caused this one."""
    aimed_at = models.JSONField(default=dict)
    """Its targets, {key of the sheet: name}."""
    veiled = models.JSONField(default=dict)
    """The parts of `given`, `done`, `faces` and `tries` that would reveal the targets' figures, keyed by field; readers
    allowed to see them get them through `unveiled`. Events of older versions have it only if some readers of the sheet
    were not allowed to see the targets' figures at that time."""

    # Pressed
    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True)
    key = models.UUIDField()
    widget = models.CharField(max_length=200)
    title = models.CharField(max_length=300)
    titles = models.JSONField(default=dict)
    row = models.CharField(max_length=220, blank=True, default="")
    hidden = models.BooleanField(default=False)
    by_hand = models.BooleanField(default=False)
    """True if its dice were thrown on a real table."""
    # Rolled
    roll = models.CharField(max_length=64, blank=True, default="")
    given = models.JSONField(default=dict)
    faces = models.JSONField(default=list)
    tries = models.JSONField(default=list)
    outcome = models.JSONField(null=True)
    figures = models.JSONField(default=dict)
    # Acted
    act = models.CharField(max_length=64, blank=True, default="")
    done = models.JSONField(null=True)
    before = models.JSONField(null=True)
    text = models.CharField(max_length=500, blank=True, default="")
    said = models.JSONField(default=dict)
    group = models.JSONField(default=dict)
    # ChangedForGood
    before_data = models.JSONField(null=True)
    version = models.PositiveIntegerField(null=True)
    before_revision = models.PositiveIntegerField(null=True)
    # TurnPassed
    turn = models.JSONField(null=True)

    new_effects: "list[PendingEffect] | None" = None
    """The pending effects that it created, if loaded; not stored."""
    source: int | None = None
    """The key of the event that caused it, if that was just recorded or undone; not stored."""
    opened: Receipt | None = None
    """The receipt of its roll, if the dice were signed just now; not stored."""
    unnamed: bool = False
    """True if it has targets that the reader may not know, whose names were left out; not stored."""
    stopped: bool = False
    """True if its outcome has just undone the effects of an earlier roll; not stored."""
    after: dict[str, Any] | None = None
    """The state of play that was current until the event was undone just now; not stored."""

    class Meta:
        constraints = [
            models.UniqueConstraint(name="press_is_one_event", fields=["sheet", "key"]),
            models.UniqueConstraint(name="press_is_one_roll_of_the_party", fields=["party", "key"],
                                    condition=Q(sheet=None)),
            models.UniqueConstraint(name="roll_numbered_once", fields=["scene", "number"],
                                    condition=Q(number__isnull=False)),
            models.UniqueConstraint(name="hidden_roll_numbered_once", fields=["scene", "hidden_number"],
                                    condition=Q(hidden_number__isnull=False)),
        ]
        indexes = [
            models.Index(fields=["sheet", "-id"], name="event_newest_of_sheet"),
            models.Index(fields=["party", "-id"], name="event_newest_of_party"),
            models.Index(fields=["scene", "-id"], name="event_newest_of_scene", condition=Q(scene__isnull=False)),
            models.Index(fields=["step_of"], name="event_step", condition=Q(step_of__isnull=False)),
            models.Index(fields=["paid_for"], name="event_that_paid", condition=Q(paid_for__isnull=False)),
        ]

    @classmethod
    def of(cls, *kinds: EventKind, **links: Any) -> "Event":
        """Return a new, unsaved event of these kinds; `links` are its other fields, such as `sheet` and `party`."""
        event = cls(**links)
        event.add(*kinds)
        return event

    def add(self, *kinds: EventKind) -> None:
        """Fill the columns of these kinds."""
        for kind in kinds:
            for column, value in kind.columns.items():
                setattr(self, column, value)

    @property
    def turn_passed(self) -> TurnPassed | None:
        """The turn order before and after the event, None if the turn did not pass on."""
        return TurnPassed(**self.turn) if self.turn else None

    @property
    def fell(self) -> Outcome:
        """The outcome of its roll."""
        return Outcome.stored(self.outcome, self.figures)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters of the roll, including the veiled ones."""
        return {**self.given, **self.veiled.get("given", {})}

    @property
    def thrown(self) -> list[int]:
        """All dice of the roll, including the veiled ones."""
        return self.veiled.get("faces", self.faces)

    @property
    def answered(self) -> dict[str, Any]:
        """All answers given to the act, including the veiled ones."""
        return {**(self.done or {}), **self.veiled.get("done", {})}

    @property
    def what(self) -> str:
        """The name of the roll or act that was pressed, in the reader's language."""
        return strip_directions(self.titles.get(get_language(), self.title))

    @property
    def at(self) -> str:
        """The names of its targets, "→ Troll"; "" if it has none."""
        return f"→ {', '.join(map(isolated, self.aimed_at.values()))}" if self.aimed_at else ""

    @property
    def words(self) -> str:
        """The act's own text, in the reader's language."""
        return strip_directions(self.said.get(get_language(), self.text))

    def for_others(self, ruleset: Ruleset) -> "Event":
        """Return a copy of the event, not to be saved, as everybody but the sheet's owner may read it.

        A secret act keeps its general title and its text for others (events of older versions have none); a secret roll
        keeps nothing. Acts and rolls that the system no longer has are treated as secret, as they may have been.
        """
        if self.sheet_id is None or not (ruleset.secretive or OTHERS in self.said):
            return self
        seen = copy(self)
        said = {key: text for key, text in self.said.items() if key != OTHERS}
        seen.said, act, roll = self.said.get(OTHERS, said), ruleset.acts.get(self.act), ruleset.rolls.get(self.roll)
        if OTHERS in self.said:
            seen.text = ""
        if self.act and (act is None or act.hides()):
            seen.title = str(act.title) if act else _("Something only the owner may know")
            seen.titles = {}
            seen.widget, seen.text, seen.said = "", "", self.said.get(OTHERS, {})
        if self.roll and (roll is None or roll.hides()):
            if not self.act:
                seen.title = str(roll.title) if roll else _("Something only the owner may know")
                seen.titles = {}
            seen.roll, seen.given, seen.faces, seen.tries = "", {}, [], []
            seen.outcome, seen.figures, seen.veiled = None, {}, {}
        return seen

    def outwardly(self) -> "Event":
        """Return a copy for spectators, not to be saved: action, dice and outcome without the act's text."""
        seen = copy(self)
        seen.text, seen.said = "", {}
        # Templates show nothing but the outcome of a roll whose parameters are veiled.
        seen.veiled = {"given": self.parameters, "done": self.answered}
        return seen

    def unveiled(self, known: Container[str]) -> "Event":
        """Return a copy with the veiled values in place if the keys of all its targets are in `known`, else the event.

        The copy is not to be saved.
        """
        if not self.veiled or not all(key in known for key in self.aimed_at):
            return self
        seen = copy(self)
        seen.given, seen.faces, seen.tries = self.parameters, self.thrown, self.veiled.get("tries", self.tries)
        seen.done, seen.veiled = self.done and self.answered, {}
        return seen

    def naming(self, known: Container[str]) -> "Event":
        """Return a copy, not to be saved, that names only the targets whose keys are in `known`."""
        if all(key in known for key in self.aimed_at):
            return self
        seen = copy(self)
        seen.aimed_at, seen.unnamed = {key: name for key, name in self.aimed_at.items() if key in known}, True
        return seen


class PendingEffect(models.Model):
    """The effect of a roll or an act on a target, offered as an act to those who play the target's sheet.

    `act` is the slug of the act and `filled` the answers to it that are already known. `applied` is the event that
    applied it; undoing that event opens the effect again. An effect dismissed because its roll was `repeated` is opened
    again if the repetition is undone.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="pending_effects")
    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="pending_effects")
    act = models.CharField(max_length=64)
    filled = models.JSONField(default=dict)
    state = models.CharField(max_length=9, default=OPEN)
    repeated = models.BooleanField(default=False)
    applied = models.OneToOneField(Event, models.SET_NULL, related_name="applied_effect", null=True, blank=True)
    source_name = ""
    """The name under which others see the sheet that caused it; not stored."""

    class Meta:
        db_table = "sheets_landing"
        constraints = [
            models.CheckConstraint(name="landing_state", condition=Q(state__in=STATES)),
            models.CheckConstraint(name="landing_applied", condition=Q(applied__isnull=True) | Q(state=APPLIED)),
        ]
        indexes = [models.Index(fields=["sheet"], condition=Q(state=OPEN), name="landing_open")]
