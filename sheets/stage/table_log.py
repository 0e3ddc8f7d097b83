"""The log of a party's table as one of its members reads it, line by line."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from rulesets.grouping import by_key
from rulesets.names import isolated
from sheets.models import Event, PendingEffect, Scene
from sheets.models.compiled_queries import compiled
from sheets.press.log import done_for_all, is_others, passed_on, superseded, told_to, undo_blocked, undoable_acts
from sheets.rolls.rows import AUTOMATIC_MARK
from sheets.rolls.stored import event_text, leading_events, stored_dice, titles_in_all_languages
from sheets.rolls.tray import ShownTray, tray_of
from sheets.stage.luck import standing_rolls
from sheets.stage.messages import ShownMessage, merged, newest_said

if TYPE_CHECKING:
    from sheets.stage.participants import Participant
    from sheets.stage.table import PartyTable

LOG = 40
"""The number of events that the page shows."""
STEPS = Q(step_of__isnull=False, roll="")
"""The steps of a turn without dice, which are part of the turn's line."""
NAMED = ("who", "applied_effect")
"""The relations loaded with each event."""
BRIEF = ("key", "sheet", "party", "widget", "act", "roll", "undone", "again", "before", "step_of",
         "applied_effect__event")
"""The fields of an event that show which other events belong to it."""


@dataclass(frozen=True)
class TargetEffect:
    """The effect of an event at one of its targets."""

    name: str
    state: str
    """"open", "applied" or "dismissed"."""
    words: str
    """The text of the act that applied it, "" if the reader may not see it."""
    undoable: int | None = None
    """The key of that act if the reader can undo it."""
    own: bool = False
    """True if the roll did it automatically."""


@dataclass(frozen=True)
class LogLine:
    """A line of the log in the reader's language."""

    event: Event
    who: str
    title: str
    text: str
    sides: int
    dice: list[tuple[int, str, int]]
    """(face, colour, times) of each die; if there are many dice, equal ones are counted together."""
    deed: str = ""
    """The deed in words, "hits Troll", if there is one target and the system has words for it."""
    redone: bool = False
    """True if it was replaced by a repeat."""
    effects: tuple[TargetEffect, ...] = ()
    """Its effects on the targets."""
    undoable: bool = False
    """True if the reader can undo it now."""
    together: bool = False
    """True if it was done for several at once and the reader may undo it for all."""
    steps: tuple[tuple[str, str], ...] = ()
    """(name, text) of what a turn event did to each sheet that the reader sees."""

    @property
    def shown(self) -> tuple[Any, ...]:
        """All values that a page shows of it, to find out if a drawn line has changed."""
        event = self.event
        return (event.pk, event.made, event.undone, event.hidden, event.number, event.words, event.at, event.act,
                event.turn is None, bool(event.faces), self.who, self.title, self.text, self.sides, tuple(self.dice),
                self.deed, self.redone, self.effects, self.undoable, self.together, self.steps, self.begins_round)

    @property
    def begins_round(self) -> bool:
        """True if a round begins with it."""
        turn = self.event.turn_passed
        return bool(turn and turn.begins_round)

    def __str__(self) -> str:
        who = isolated(self.who)
        told = f"{who} {self.deed}" if self.deed else ": ".join(filter(None, (who, self.title)))
        return ": ".join(filter(None, (told, self.text or self.event.words)))


def _events(party: Any, sheets: Any, *scene: Any, gm: bool) -> QuerySet[Event]:
    found = Event.objects.filter(Q(sheet=None) | Q(sheet__pk__in=sheets), party=party).exclude(STEPS)
    for one in scene:
        found = found.filter(scene=one)
    return found if gm else found.filter(hidden=False)


@compiled
def _newest_events(party: Any, sheets: Any, *scene: Any, gm: bool, brief: bool = False) -> QuerySet[Event]:
    found = _events(party, sheets, *scene, gm=gm).order_by("-pk")
    return (found.select_related("applied_effect").only(*BRIEF) if brief else found.select_related(*NAMED))[:LOG]


@compiled
def _effects_of(events: Any) -> QuerySet[PendingEffect]:
    return PendingEffect.objects.filter(event__pk__in=events).select_related("applied").order_by("pk")


@compiled
def _steps_of(turns: Any, sheets: Any) -> QuerySet[Event]:
    return Event.objects.filter(STEPS, step_of__pk__in=turns, sheet__pk__in=sheets).order_by("pk")


class TableLog:
    """The log of a party's table; each part is queried once, when first needed."""

    def __init__(self, table: "PartyTable") -> None:
        self.table, self.me = table, table.me

    @cached_property
    def newest(self) -> list[LogLine]:
        """The lines of events of sheets that the reader sees, and of rolls without a sheet, newest first."""
        read: list[Event] = self._events(_newest_events)
        effects = by_key((one.event_id, one) for one in _effects_of([event.pk for event in read]))
        for event in read:
            event.new_effects = effects.get(event.pk, [])
        return self.lines_from(read)

    @cached_property
    def entries(self) -> list[LogLine | ShownMessage]:
        """These lines and the newest messages, newest first."""
        return merged(self.newest, newest_said(self.me))

    def of_scene(self, scene: Scene, most: int, dice: int) -> list[LogLine]:
        """Return the lines of a scene without buttons, oldest first: at most `most` events, with `dice` dice."""
        found = self._events().filter(scene=scene).order_by("-pk")[:most]
        return [replace(one, undoable=False, together=False,
                        effects=tuple(replace(it, undoable=None) for it in one.effects))
                for one in reversed(self.lines(found, dice))]

    def rolls_of(self, scene: Scene) -> list[Event]:
        """Return the newest rolls of a scene that may count as luck, as the reader sees them, newest first."""
        return [self._seen(event) for event in self._told(standing_rolls(self._events().filter(scene=scene)))]

    def _events(self, find: Callable[..., Any] = _events) -> Any:
        table = self.table
        seen = self._by_sheet.keys() if table.whole else table.seated_keys
        # If only one scene is open, the log includes what happened before it.
        one = [table.scene.pk] if not table.everywhere and table.several else []
        return find(table.party.pk, seen, *one, gm=self.me.gm)

    @cached_property
    def recent(self) -> list[Event]:
        """The events of the log with the fields `BRIEF` only, enough to see which of them belong together."""
        return [*self._events(partial(_newest_events, brief=True))]

    def is_in_another_line(self, event: Event) -> bool:
        """Return True if an event is shown in the line of the event that caused it, which is in the log, too."""
        return hasattr(event, "applied_effect") and event.applied_effect.event_id in {one.pk for one in self.recent}

    def lines_about(self, *keys: int) -> list[LogLine]:
        """Return the lines of the events with these keys that the reader may see."""
        return self.lines(self._events().filter(pk__in=keys))

    def lines_of(self, keys: Set[int]) -> list[LogLine]:
        """Return the log's lines with these keys, newest first; the participants of their events must be seated."""
        shown = self.table.party.events.filter(pk__in=keys & {event.pk for event in self.recent}).order_by("-pk")
        return self.lines(shown, recent=self.recent)

    def lines(self, found: QuerySet[Event], dice: int | None = None,
              recent: list[Event] | None = None) -> list[LogLine]:
        """Return the lines of some of the party's events; `dice` is the most dice of all these lines together.

        `recent` are the events of their log, to see which of them belong together; by default the events themselves.
        """
        read = [*found.select_related(*NAMED).prefetch_related("pending_effects__applied")]
        return self.lines_from(read if dice is None else leading_events(read, dice), recent)

    def lines_from(self, read: Sequence[Event], recent: Sequence[Event] | None = None) -> list[LogLine]:
        """Return the lines of events that were loaded with all fields and relations that lines need."""
        names: dict[Any, str] = {participant.sheet.pk: participant.name for participant in self.table.participants}
        mine = {participant.sheet.pk for participant in self.table.participants if participant.mine}
        steps = self._steps([event.pk for event in read if event.turn], names)
        recent = read if recent is None else recent
        redone, there, last = superseded(recent), {event.pk for event in recent}, self._last_acts(recent)
        told = zip(read, self._told(read), strict=True)
        # An act that applied an effect is part of the line of the event that caused it.
        return [self._line(seen, names.get(event.sheet_id) or (event.who.username if event.who else ""),
                           redone=event.pk in redone, effects=tuple(self._effects(seen, names, mine, last)),
                           undoable=self._undoable(event, last, mine), **self._turn(event, names),
                           steps=tuple(steps.get(event.pk, ())),
                           together=self.me.gm and sum(one.key == event.key and bool(one.act) for one in recent) > 1)
                for event, seen in told
                if not (hasattr(event, "applied_effect") and event.applied_effect.event_id in there)]

    def _steps(self, turns: Sequence[int], names: Mapping[Any, str]) -> dict[int | None, list[tuple[str, str]]]:
        """Return {key of a turn event: [(name, text) of each step whose text says more than its title]}."""
        found: dict[int | None, list[tuple[str, str]]] = {}
        for event in _steps_of(turns, names.keys()) if turns else ():
            seen, act = self._seen(event), self.table.ruleset.acts.get(event.act)
            if seen.words and seen.words != seen.what and not (act and act.routine):
                found.setdefault(event.step_of_id, []).append((names[event.sheet_id], seen.words))
        return found

    def _turn(self, event: Event, names: Mapping[Any, str]) -> dict[str, str]:
        """Return the texts for the end of a turn: whose turn it was, and whose turn it is now."""
        if (turn := event.turn_passed) is None:
            return {}
        by_key = {str(key): name for key, name in names.items()}
        on = ", ".join(isolated(by_key[key]) for key in turn.after["on"] if key in by_key)
        text = _("Round {n}").format(n=turn.after["round"]) if turn.after["round"] else ""
        return {"of": ", ".join(isolated(by_key[key]) for key in turn.of if key in by_key),
                "text": f"{text}: {on}" if text and on else text}

    def _undoable(self, event: Event, last: Set[int], mine: Set[Any]) -> bool:
        if event.turn:
            return event == self.table.turn_to_undo
        if event.pk not in last or self.me.gm or event.sheet_id not in mine:
            return event.pk in last and self.me.gm
        return not is_others(self._by_sheet[event.sheet_id].sheet, event, self.me.user_id)

    def line(self, event: Event) -> LogLine:
        """Return the line of a roll that was just made by a participant."""
        names: dict[Any, str] = {one.sheet.pk: one.name for one in self.table.participants}
        [seen] = self._told([event])
        mine = {one.sheet.pk for one in self.table.participants if one.mine}
        return self._line(seen, names[event.sheet_id], effects=tuple(self._effects(seen, names, mine)))

    def tray(self, line: LogLine) -> ShownTray | None:
        """Return the tray of a roll in the log, titled with its maker's name; None if it has no dice or is undone."""
        found = tray_of(self.table.ruleset, line.event) if line.event.roll and not line.event.undone else None
        return replace(found, title=" · ".join(filter(None, (line.who, found.title)))) if found else None

    def tray_since(self, own: ShownTray | None, newest_roll: Event | None) -> ShownTray | None:
        """Return the tray of the newest roll after `newest_roll`; `own` if there is none or its roll is unfinished."""
        if not self.table.whole or (own and own.is_unfinished(self.table.ruleset.crossing.stopping)):
            return own
        # If a press has loaded `recent`, that shows the later rolls, too.
        brief, after = vars(self).get("recent"), newest_roll.pk if newest_roll else 0
        since = {one.pk for one in brief or () if one.roll and one.pk > after}
        lines = self.newest if brief is None else self.lines_of(since)
        newest = next((line for line in lines if line.event.roll), None)
        return own if newest is None or newest.event.pk <= after else self.tray(newest) or own

    def _last_acts(self, read: Sequence[Event]) -> set[int]:
        """Return the keys of the acts that can be undone now: the last one of each sheet."""
        return {event.pk for event in undoable_acts(read) if not self._stays(event)}

    def _stays(self, event: Event) -> bool:
        seat = self._by_sheet.get(event.sheet_id)
        return seat is not None and (undo_blocked(seat.sheet, event) or done_for_all(seat.sheet, event))

    def _seen(self, event: Event) -> Event:
        """Return an event as the reader may see it; for unreadable sheets, only what everybody at the table sees."""
        if (whose := self._by_sheet.get(event.sheet_id)) is None or whose.mine:
            return event
        event = event.for_others(self.table.ruleset)
        return event if whose.shown else event.outwardly()

    def _told(self, read: Sequence[Event]) -> list[Event]:
        """Return events with what the reader may know of their targets; a GM may know everything."""
        if self.me.gm:
            return [event.unveiled(event.aimed_at) for event in read]
        shown = {str(pk): one.shown for pk, one in self._by_sheet.items()}
        return told_to(self.me.user_id, read, shown, {key for key, is_shown in shown.items() if is_shown})

    @cached_property
    def _by_sheet(self) -> "dict[Any, Participant]":
        return {one.sheet.pk: one for one in self.table.participants}

    def _effects(self, event: Event, names: Mapping[Any, str], mine: Set[Any],
                 last: Set[int] | None = None) -> Iterator[TargetEffect]:
        """Yield the effects of an event that the reader may see; `last` are the last acts, None for a new event."""
        for one in event.pending_effects.all() if event.new_effects is None else event.new_effects:
            act, name = one.applied, names.get(one.sheet_id) or event.aimed_at.get(str(one.sheet_id), "")
            if not (one.sheet_id in names or self.me.gm or (event.sheet_id in mine and name)):
                continue
            pairs = self.table.ruleset.crossing.pairs
            theirs = bool(act and pairs and passed_on(self.table.ruleset, act))
            own = event.sheet_id in mine and not self.table.ruleset.binds(one.act)
            decides = self.me.gm or own or (one.sheet_id in mine and not theirs)
            undoable = act and decides and (not self._stays(act) if last is None else act.pk in last)
            yield TargetEffect(name, one.state, self._seen(act).words if act and one.sheet_id in names else "",
                               act.pk if act and undoable else None, bool(act and AUTOMATIC_MARK in act.widget))

    def _line(self, event: Event, name: str, *, of: str = "", text: str = "", **more: Any) -> LogLine:
        seen = self._seen(event)
        cls = self.table.ruleset.acts.get(seen.act) or self.table.ruleset.rolls.get(seen.roll)
        title = str(cls.title) if cls and not seen.titles and seen.title in titles_in_all_languages(cls) else seen.what
        roll, names = self.table.ruleset.rolls.get(seen.roll), [*seen.aimed_at.values()]
        deed = roll.log_phrase(isolated(names[0]), seen.outcome) if roll and len(names) == 1 else ""
        return LogLine(seen, name, f"{title}: {of}" if of else title, text or event_text(self.table.ruleset, seen),
                       getattr(roll, "sides", 6),
                       stored_dice(self.table.ruleset, seen.roll, seen.parameters, seen.faces), deed, **more)
