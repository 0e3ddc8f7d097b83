from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import get_language

OPEN, APPLIED, DISMISSED = STATES = ("open", "applied", "dismissed")
"""The states of a pending effect: still open, applied by an act of the target, or dismissed."""


class Event(models.Model):
    """Something that happened at the table: a roll, an act, or an act with its roll. `key` is spent by one press.

    `before` keeps the state of play that an act changed; where it changed the sheet for good (to `version`)
    `before_data` keeps the sheet and `before_revision` the number of the revision that was played, so that acts can be
    taken back in order; an act without `before` stays, and all before it. `widget` names what was pressed as the page
    did and `row`, where it was about a row, by what that is, "" in events of older versions. `title` is what was
    pressed and `text` what the act said of itself, in the language of who did it; `titles` and `said` are the same in
    each, and none in events of older versions. What all but the sheet's owner are told instead stands in `said` under
    "others". `done` is what the act was asked for, null in events of older versions. A repeat names the event whose
    roll was thrown `again`; what came of that is taken back in it. An act that has another's roll thrown again names
    the throw that it has `paid_for`. It belongs to the `party` that the sheet was in; `group` keeps what the act
    changed there, {counter: [before, after]}. A roll of a GM has no sheet; one that is `hidden` is seen by GMs alone.
    It may be `aimed_at` others, {key of the sheet: name}; what of `given`, `done`, `faces` and `tries` tells figures of
    theirs stands in `veiled` instead, under these names, for those who may read them when they look
    (`sheets.secrets.unveiled`); in events of older versions only where not all could who read the sheet then.

    What happens while the party has an open `scene` belongs to it, and a roll has its `number` there, or
    its `hidden_number`, which it keeps when it is shown. The end of a turn is an event without a sheet: `turn` holds
    order, round and seats {"before": …, "after": …}, and what it did to each sheet are events that are a `step_of` it.
    """

    sheet = models.ForeignKey("sheets.Sheet", models.CASCADE, related_name="events", null=True, blank=True,
                              db_index=False)
    party = models.ForeignKey("sheets.Party", models.SET_NULL, related_name="events", null=True, blank=True,
                              db_index=False)
    scene = models.ForeignKey("sheets.Scene", models.SET_NULL, related_name="events", null=True, blank=True,
                              db_index=False)
    number = models.PositiveIntegerField(null=True, blank=True)
    hidden_number = models.PositiveIntegerField(null=True, blank=True)
    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True)
    hidden = models.BooleanField(default=False)
    key = models.UUIDField()
    made = models.DateTimeField(auto_now_add=True)
    widget = models.CharField(max_length=200)
    row = models.CharField(max_length=220, blank=True, default="")
    title = models.CharField(max_length=300)
    titles = models.JSONField(default=dict)
    roll = models.CharField(max_length=64, blank=True, default="")
    given = models.JSONField(default=dict)
    faces = models.JSONField(default=list)
    tries = models.JSONField(default=list)
    outcome = models.JSONField(null=True)
    figures = models.JSONField(default=dict)
    act = models.CharField(max_length=64, blank=True, default="")
    done = models.JSONField(null=True)
    again = models.ForeignKey("self", models.SET_NULL, related_name="+", null=True, blank=True)
    paid_for = models.ForeignKey("self", models.SET_NULL, related_name="+", null=True, blank=True, db_index=False)
    text = models.CharField(max_length=500, blank=True, default="")
    said = models.JSONField(default=dict)
    before = models.JSONField(null=True)
    before_data = models.JSONField(null=True)
    before_revision = models.PositiveIntegerField(null=True)
    version = models.PositiveIntegerField(null=True)
    undone = models.BooleanField(default=False)
    group = models.JSONField(default=dict)
    aimed_at = models.JSONField(default=dict)
    veiled = models.JSONField(default=dict)
    turn = models.JSONField(null=True)
    step_of = models.ForeignKey("self", models.SET_NULL, related_name="steps", null=True, blank=True, db_index=False)

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
        return self.titles.get(get_language(), self.title)

    @property
    def at(self) -> str:
        """The names of those it was aimed at, "→ Troll"; "" if it was aimed at nobody."""
        return f"→ {', '.join(self.aimed_at.values())}" if self.aimed_at else ""

    @property
    def words(self) -> str:
        """The act's own text, in the reader's language."""
        return self.said.get(get_language(), self.text)


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
