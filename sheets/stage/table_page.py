"""The parts of a table's page other than the actor's offers: all of them, or those that a press has changed."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from rulesets.kit import Data
from sheets.forms.inputs import Answers
from sheets.models import AskedRoll, Event, PendingEffect
from sheets.press.asked import asked_at, asked_of
from sheets.press.log import last_acts
from sheets.rolls.widgets import Widget, key_of
from sheets.stage.actor import TargetPicker
from sheets.stage.asked import gathered
from sheets.stage.handouts import new_for
from sheets.stage.pieces import of_settled
from sheets.stage.press_form import head
from sheets.stage.table import PartyTable

EVERY = 3
"""The seconds between two requests of a page that is open."""


@dataclass(frozen=True)
class Happened:
    """The outcome of one press at the table."""

    acts: tuple[Event, ...] = ()
    """The acts that were done, with those that applied their effects at once; or the acts that were undone."""
    lines: frozenset[int] = frozenset()
    """The keys of other events whose log lines have changed."""
    news: int = 1
    """The number by which the party's `pulse` rose."""

    @classmethod
    def of(cls, acts: Iterable[Event], *more: Any) -> "Happened":
        """Return the outcome of acts, including the acts that applied their effects at once."""
        found = [*acts]
        newest = [event for event in found if not event.undone]
        while newest:
            effects = PendingEffect.objects.filter(event__in=newest, applied__isnull=False).select_related("applied")
            newest = []
            for one in effects:
                if one.applied:
                    one.applied.source = one.event_id
                    newest.append(one.applied)
            found += newest
        return cls(tuple(found), *more)

    @property
    def touched(self) -> set[Any]:
        """The keys of the sheets whose state of play has changed."""
        return {event.sheet_id for event in self.acts if event.act}

    @property
    def plays(self) -> dict[Any, Data]:
        """{key of a touched sheet: its state of play before the press}."""
        # Acts are undone from the newest to the oldest.
        first = sorted(self.acts, key=lambda event: event.pk if event.undone else -event.pk)
        return {event.sheet_id: (event.after if event.undone else event.before) or {} for event in first if event.act}

    @property
    def changes_more_than_play(self) -> bool:
        """True if more than the state of play of these sheets has changed: shared counters, written data, or a roll."""
        return any(event.group or event.before_data is not None or event.again_id or event.paid_for_id
                   for event in self.acts)


def live_context(party_table: PartyTable, picker: TargetPicker, now: str, answers: Answers | None = None,
                 which: str = "") -> dict[str, Any]:
    """Return the context of these parts: seats, pending effects, log, group actions; `answers` are those of `which`.

    `now` is the change token of the table, read before the data.
    """
    rolls = asked_at(party_table.party.pk)
    context = head(party_table, picker.query, now) | picker.waiting.shown() | {
        "every": EVERY, "seats": picker.seats, "chips": picker.seats, "picker": picker, "actor": picker.actor,
        "asked": asked_of(rolls, (one.character for one in party_table.participants if one.mine and one.character))}
    if not party_table.me.gm:
        return context | {"handouts": new_for(party_table.me)}
    return context | for_gms(party_table, rolls, answers, which)


def for_gms(party_table: PartyTable, rolls: list[AskedRoll], answers: Answers | None = None,
            which: str = "") -> dict[str, Any]:
    """Return the context for GMs only: the answers to the rolls that they asked for, and the group actions."""
    return {"gathered": gathered(party_table, rolls), "rounds": [
        (Widget(offer, answers if key_of(offer) == which else None),
         ", ".join(one.name or _("Unnamed") for one in characters))
        for offer, characters in party_table.rounds()]}


def changed_context(picker: TargetPicker, happened: Happened, now: str, *,
                    moved: bool | None = None) -> dict[str, Any] | None:
    """Return the context of these parts, as far as a press has changed them; None if all must be drawn.

    `now` is the change token of the table after the press; `moved` is True if the press has changed the order of turns,
    None if that is not known. The table must have no participants yet: those that the answer is about are seated here;
    for GMs, whose page has group actions, everybody is.
    """
    table, touched = picker.table, happened.touched
    if happened.changes_more_than_play or picker.table.party.waits:
        # A response changes more than its own act.
        return None
    table.whole = table.me.gm
    lines = happened.lines | {key for event in happened.acts for key in (event.pk, event.source) if key} | last_acts(
        table.log.recent, touched)
    first = next((event for event in table.log.recent if not table.log.is_in_another_line(event)), None)
    asked = asked_at(table.party.pk)
    if not table.whole:
        table.seat_some(touched | picker.keys | {roll.sheet_id for roll in asked} | _sheets_of(table, {
            *lines, *([first.pk] if first else [])}) | {one.sheet_id for one in picker.waiting.newest[0]})
    if any(place_changed(table, event) for event in happened.acts) if moved is None else moved:
        return None
    shown = table.log.lines_of(lines | ({first.pk} if first else set()))
    made, apart = {event.pk for event in happened.acts if not event.undone}, _told_apart(table, happened)
    context = head(table, picker.query, now) | picker.waiting.shown() | {
        "around": True, "picker": picker, "actor": picker.actor, "line": next(iter(shown), None),
        "seats": [one for one in picker.seats if one.key in touched],
        "lines": [line for line in shown if line.event.pk in made],
        "lines_anew": [line for line in shown if line.event.pk in lines - made and line.event.pk not in apart],
        "lines_apart": [([line], apart[line.event.pk]) for line in shown if line.event.pk in apart],
        "asked": asked_of(asked, (one.character for one in table.participants if one.mine and one.character))}
    return context | for_gms(table, asked) if table.me.gm else context


def of_a_turn(picker: TargetPicker, acts: Sequence[Event], now: str, order: str) -> dict[str, Any] | None:
    """Return the context of what a turn event with its steps has changed of a GM's table; None if all must be drawn.

    All must be drawn if the order of turns is not the page's `order`. If a sheet of the GM is on now, it becomes the
    actor.
    """
    turn, table = acts[0].turn_passed, picker.table
    if turn is None or order != table.order:
        return None
    another = picker.on != picker.by and picker.on
    if another:
        picker.bring_on(another)
    # The previous turn event cannot be undone any more.
    before = table.scene.events.filter(turn__isnull=False, pk__lt=acts[0].pk).order_by("-pk")[:1]
    happened = Happened(tuple(acts), frozenset(one.pk for one in before))
    if (context := changed_context(picker, happened, now, moved=False)) is None:
        return None
    on, actor = {*turn.before["on"], *turn.after["on"]}, picker.actor
    begun, touched = turn.changes_round, happened.touched
    context["chips"] = picker.seats
    context["seats"] = [one for one in context["chips"] if begun or str(one.key) in on or one.key in touched]
    # The order is redrawn only if the GM's own order was set or removed.
    context["ordered"] = bool(turn.before["order"]) == bool(turn.after["order"])
    context["parts"] = ["parties/table/_turns.html", "parties/table/_turn_notices.html"]
    if another or happened.touched & picker.keys:
        context["parts"][1] = "parties/table/_aim.html"
        return context | {"still": True, **picker.shown()}
    return context | {"turn_notices": table.turn_notices(actor.by) if actor else []}


def of_what_was_settled(picker: TargetPicker, happened: Happened, now: str, answers: Answers,
                        rows: str) -> dict[str, Any] | None:
    """Return the context of what a decision by a button has changed, with the actor's offers if they may have changed.

    `answers` and `rows` are those of the posted page; None if all must be drawn.
    """
    context = changed_context(picker, happened, now) if picker.keys else None
    pairs, actor = picker.table.ruleset.crossing.pairs, picker.actor
    if context is None or not (happened.touched if pairs else happened.touched & picker.keys):
        return context
    otherwise = None
    if actor and not (pairs or actor.barred):
        otherwise = of_settled(actor.before(happened.plays), actor, happened.acts, answers, rows)
    notices = picker.table.turn_notices(actor.by) if actor else []
    return context | {"still": True, "plays": True, "turn_notices": notices} | (
        {"sheet": actor.character.sheet, **otherwise} if actor and otherwise else
        {"parts": ["parties/table/_aim.html"], **picker.shown()})


def _told_apart(table: PartyTable, happened: Happened) -> dict[int, int | None]:
    """Return {key of an undone act that was part of another line and gets its own: key of the line below that}."""
    there = [event.pk for event in table.log.recent if not table.log.is_in_another_line(event)]
    apart = {event.pk for event in happened.acts if event.undone and event.source in there}
    return {key: next((one for one in there if one < key and one not in apart), None) for key in apart}


def _sheets_of(table: PartyTable, lines: Set[int]) -> set[Any]:
    """Return the keys of the sheets that appear in these lines of the log."""
    at = PendingEffect.objects.filter(event__in=lines).values_list("sheet", flat=True)
    return {event.sheet_id for event in table.log.recent if event.pk in lines} | {*at}


def place_changed(table: PartyTable, event: Event) -> bool:
    """Return True if an act, or its undoing, has changed its sheet's place in the order of turns."""
    seat = next((one for one in table.participants if one.sheet.pk == event.sheet_id), None)
    if seat is None or seat.character is None or not event.act:
        return False
    character, was = seat.character, event.after if event.undone else event.before
    play = table.ruleset.play.model_validate({**(was or {}), **character.common()})
    return table.place(replace(character.as_seated, play=play)) != seat.place
