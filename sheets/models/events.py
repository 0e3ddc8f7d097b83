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
from rulesets.names import isolated, straight
from sheets.models.event_kinds import EventKind, TurnPassed

OPEN, APPLIED, DISMISSED = STATES = ("open", "applied", "dismissed")
"""The states of a pending effect: still open, applied by an act of the target, or dismissed."""
OTHERS = "others"
"""The key in an event's `said` under which all but the owner's text is found, {language: text}."""


class Event(models.Model):
    """Something that happened at the table: a roll, an act, an act with its roll, or the turn that passed on.

    What the columns of each kind say stands in `sheets.models.event_kinds`.
    """

    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="events", null=True, blank=True,
                              db_index=False)
    """The sheet that it is about; none for a roll of a GM, and where the turn passes on."""
    party = models.ForeignKey("sheets.Party", models.SET_NULL, related_name="events", null=True, blank=True,
                              db_index=False)
    """The party that the sheet was in."""
    scene = models.ForeignKey("sheets.Scene", models.SET_NULL, related_name="events", null=True, blank=True,
                              db_index=False)
    """The scene that was open."""
    number = models.PositiveIntegerField(null=True, blank=True)
    """The number of a roll in its scene."""
    hidden_number = models.PositiveIntegerField(null=True, blank=True)
    """The number of a hidden roll in a row of its own, which it keeps when it is shown."""
    made = models.DateTimeField(auto_now_add=True)
    undone = models.BooleanField(default=False)
    """True if it was taken back."""
    again = models.ForeignKey("self", models.SET_NULL, related_name="+", null=True, blank=True)
    """The event whose roll this one repeats; what came of that is taken back in this one."""
    paid_for = models.ForeignKey("self", models.SET_NULL, related_name="+", null=True, blank=True, db_index=False)
    """The throw that this act has had thrown again."""
    step_of = models.ForeignKey("self", models.SET_NULL, related_name="steps", null=True, blank=True, db_index=False)
    """The event in which the turn passed on and did this."""
    aimed_at = models.JSONField(default=dict)
    """Those it was aimed at, {key of the sheet: name}."""
    veiled = models.JSONField(default=dict)
    """What of `given`, `done`, `faces` and `tries` tells figures of theirs, under these names, for those who may read
    them when they look (`unveiled`); in events of older versions only where not all could who read the
    sheet then."""

    # Pressed
    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True)
    key = models.UUIDField()
    widget = models.CharField(max_length=200)
    title = models.CharField(max_length=300)
    titles = models.JSONField(default=dict)
    row = models.CharField(max_length=220, blank=True, default="")
    hidden = models.BooleanField(default=False)
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

    brought: "list[PendingEffect] | None" = None
    """The pending effects that it made, if they are at hand; not stored."""
    source: int | None = None
    """The key of the event that it came from, if that has just been said or taken back; not stored."""
    after: dict[str, Any] | None = None
    """The state of play that has just been taken back with it; not stored."""

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
        """Return a new event of these kinds, with what it belongs to."""
        event = cls(**links)
        event.add(*kinds)
        return event

    def add(self, *kinds: EventKind) -> None:
        """Make it an event of these kinds, too."""
        for kind in kinds:
            for column, value in kind.columns.items():
                setattr(self, column, value)

    @property
    def turn_passed(self) -> TurnPassed | None:
        """The turns before and after it, None where the turn did not pass on."""
        return TurnPassed(**self.turn) if self.turn else None

    @property
    def fell(self) -> Outcome:
        """The outcome of its roll."""
        return Outcome.stored(self.outcome, self.figures)

    @property
    def parameters(self) -> dict[str, Any]:
        """All that the roll was given, including what is veiled."""
        return {**self.given, **self.veiled.get("given", {})}

    @property
    def thrown(self) -> list[int]:
        """All dice that fell, including what is veiled."""
        return self.veiled.get("faces", self.faces)

    @property
    def answered(self) -> dict[str, Any]:
        """All that the act was asked for, including what is veiled."""
        return {**(self.done or {}), **self.veiled.get("done", {})}

    @property
    def what(self) -> str:
        """The name of the roll or act that was pressed, in the reader's language."""
        return straight(self.titles.get(get_language(), self.title))

    @property
    def at(self) -> str:
        """The names of those it was aimed at, "→ Troll"; "" if it was aimed at nobody."""
        return f"→ {', '.join(map(isolated, self.aimed_at.values()))}" if self.aimed_at else ""

    @property
    def words(self) -> str:
        """The act's own text, in the reader's language."""
        return straight(self.said.get(get_language(), self.text))

    def for_others(self, ruleset: Ruleset) -> "Event":
        """Return the event as all but the sheet's owner read it; it is not to be saved.

        Of a secret act its own title is left and what it told others, which those of earlier days did not; of a secret
        roll nothing. Of what the system no longer knows nobody can tell whether it was secret.
        """
        if self.sheet_id is None or not (ruleset.secretive or OTHERS in self.said):
            return self
        seen = copy(self)
        said = {key: text for key, text in self.said.items() if key != OTHERS}
        seen.said, act, roll = self.said.get(OTHERS, said), ruleset.acts.get(self.act), ruleset.rolls.get(self.roll)
        if OTHERS in self.said:
            seen.text = ""
        if self.act and (act is None or act.hides()):
            seen.title = str(act.title) if act else _("Something only its owner may know")
            seen.titles = {}
            seen.widget, seen.text, seen.said = "", "", self.said.get(OTHERS, {})
        if self.roll and (roll is None or roll.hides()):
            if not self.act:
                seen.title = str(roll.title) if roll else _("Something only its owner may know")
                seen.titles = {}
            seen.roll, seen.given, seen.faces, seen.tries = "", {}, [], []
            seen.outcome, seen.figures, seen.veiled = None, {}, {}
        return seen

    def outwardly(self) -> "Event":
        """Return the event as mere spectators read it: what was done, the dice, what came of them; not to be saved."""
        seen = copy(self)
        seen.text, seen.said = "", {}
        # A roll that is veiled is told by its outcome alone.
        seen.veiled = {"given": self.parameters}
        return seen

    def unveiled(self, known: Container[str]) -> "Event":
        """Return the event with the figures of its targets, if all of these are `known` by the keys of their sheets.

        It is not to be saved.
        """
        if not self.veiled or not all(key in known for key in self.aimed_at):
            return self
        seen = copy(self)
        seen.given, seen.faces, seen.tries = self.parameters, self.thrown, self.veiled.get("tries", self.tries)
        seen.done, seen.veiled = self.done and self.answered, {}
        return seen

    def naming(self, known: Container[str]) -> "Event":
        """Return the event with only these of its targets, by the keys of their sheets; it is not to be saved."""
        if all(key in known for key in self.aimed_at):
            return self
        seen = copy(self)
        seen.aimed_at = {key: name for key, name in self.aimed_at.items() if key in known}
        return seen


class PendingEffect(models.Model):
    """The effect of a roll or an act on a sheet it was aimed at, offered as an act to those who play that sheet.

    `act` is the slug of the act and `filled` what is known of it. It is `applied` as one event of the sheet at most;
    taken back, it is open again. What was dismissed because its roll was `repeated` is open again with that roll.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="pending_effects")
    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="pending_effects")
    act = models.CharField(max_length=64)
    filled = models.JSONField(default=dict)
    state = models.CharField(max_length=9, default=OPEN)
    repeated = models.BooleanField(default=False)
    applied = models.OneToOneField(Event, models.SET_NULL, related_name="applied_effect", null=True, blank=True)
    source_name = ""
    """The name that others see of the sheet that it came from; not stored."""

    class Meta:
        db_table = "sheets_landing"
        constraints = [
            models.CheckConstraint(name="landing_state", condition=Q(state__in=STATES)),
            models.CheckConstraint(name="landing_applied", condition=Q(applied__isnull=True) | Q(state=APPLIED)),
        ]
        indexes = [models.Index(fields=["sheet"], condition=Q(state=OPEN), name="landing_open")]
