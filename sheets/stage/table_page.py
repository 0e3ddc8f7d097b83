"""The parts of a table's page beside the acts of whoever acts: all of them, or those that a roll has changed."""

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
    """The acts that were done, with those that their effects became at once; or that were taken back."""
    lines: frozenset[int] = frozenset()
    """The keys of other events whose log lines have changed."""
    news: int = 1
    """The number by which the party's `pulse` rose."""

    @classmethod
    def of(cls, acts: Iterable[Event], *more: Any) -> "Happened":
        """Return the outcome of acts, with those that came of them at once."""
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
        """{key of a sheet: its state of play before all that}, of these."""
        # Acts are undone from the newest to the oldest.
        first = sorted(self.acts, key=lambda event: event.pk if event.undone else -event.pk)
        return {event.sheet_id: (event.after if event.undone else event.before) or {} for event in first if event.act}

    @property
    def beyond(self) -> bool:
        """True where more is otherwise than the state of play of these: counters of the party, or what is written."""
        return any(event.group or event.before_data is not None or event.again_id or event.paid_for_id
                   for event in self.acts)


def beside(party_table: PartyTable, picker: TargetPicker, now: str, answers: Answers | None = None,
           which: str = "") -> dict[str, Any]:
    """Return who is there, what waits, the log and the acts of all at once; the answers are those of `which`.

    `now` is the change token of the table, read before what it stands for.
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
    """Return what the GMs alone have: what came of the rolls that they asked for, and what they do for all at once."""
    return {"gathered": gathered(party_table, rolls), "rounds": [
        (Widget(offer, answers if key_of(offer) == which else None),
         ", ".join(one.name or _("Unnamed") for one in characters))
        for offer, characters in party_table.rounds()]}


def around(picker: TargetPicker, happened: Happened, now: str, *, moved: bool | None = None) -> dict[str, Any] | None:
    """Return what stands beside the acts of whoever acts, as far as a press has changed it; None for all of it.

    `now` is the change token of the table after the press, and `moved` whether somebody has another place by it, where
    that is known. The table has no participants yet: those that the answer
    is about are seated here, and as a GM rolls for everybody at once, all of them for a GM.
    """
    table, touched = picker.table, happened.touched
    if happened.beyond or picker.table.party.waits:
        # A response changes more than its own act.
        return None
    table.whole = table.me.gm
    lines = happened.lines | {key for event in happened.acts for key in (event.pk, event.source) if key} | last_acts(
        table.told.recent, touched)
    first = next((event for event in table.told.recent if not table.told.within(event)), None)
    asked = asked_at(table.party.pk)
    if not table.whole:
        table.seat_some(touched | picker.keys | {roll.sheet_id for roll in asked} | _sheets_of(table, {
            *lines, *([first.pk] if first else [])}) | {one.sheet_id for one in picker.waiting.newest[0]})
    if any(place_changed(table, event) for event in happened.acts) if moved is None else moved:
        return None
    shown = table.told.lines_of(lines | ({first.pk} if first else set()))
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
    """Return what a press of the turns, with its steps, has changed of a GM's table; None for all of it.

    That is so where all stand in another `order` than the page says. Whoever is on among the GM's own acts from now on.
    """
    turn, table = acts[0].turn_passed, picker.table
    if turn is None or order != table.order:
        return None
    another = picker.on != picker.by and picker.on
    if another:
        picker.bring_on(another)
    # The one before can be taken back no more.
    before = table.scene.events.filter(turn__isnull=False, pk__lt=acts[0].pk).order_by("-pk")[:1]
    happened = Happened(tuple(acts), frozenset(one.pk for one in before))
    if (context := around(picker, happened, now, moved=False)) is None:
        return None
    on, actor = {*turn.before["on"], *turn.after["on"]}, picker.actor
    begun, touched = turn.changes_round, happened.touched
    context["chips"] = picker.seats
    context["seats"] = [one for one in context["chips"] if begun or str(one.key) in on or one.key in touched]
    # The order stands there as it is, unless whether the GM has set one is otherwise.
    context["ordered"] = bool(turn.before["order"]) == bool(turn.after["order"])
    context["parts"] = ["parties/table/_turns.html", "parties/table/_turn_notices.html"]
    if another or happened.touched & picker.keys:
        context["parts"][1] = "parties/table/_aim.html"
        return context | {"still": True, **picker.shown()}
    return context | {"turn_notices": table.turn_notices(actor.by) if actor else []}


def of_what_was_settled(picker: TargetPicker, happened: Happened, now: str, answers: Answers,
                        rows: str) -> dict[str, Any] | None:
    """Return the same where it was no press of whoever acts, with what these may do if that may be otherwise by it.

    `answers` and `rows` are what the page says of itself.
    """
    context = around(picker, happened, now) if picker.keys else None
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
    """Return the acts taken back out of the line that they came from: {key: key of the line below their own}."""
    there = [event.pk for event in table.told.recent if not table.told.within(event)]
    apart = {event.pk for event in happened.acts if event.undone and event.source in there}
    return {key: next((one for one in there if one < key and one not in apart), None) for key in apart}


def _sheets_of(table: PartyTable, lines: Set[int]) -> set[Any]:
    """Return the keys of the sheets that lines of the log name."""
    at = PendingEffect.objects.filter(event__in=lines).values_list("sheet", flat=True)
    return {event.sheet_id for event in table.told.recent if event.pk in lines} | {*at}


def place_changed(table: PartyTable, event: Event) -> bool:
    """Return True if an act, or its taking back, has given somebody another place in the order of turns."""
    seat = next((one for one in table.participants if one.sheet.pk == event.sheet_id), None)
    if seat is None or seat.character is None or not event.act:
        return False
    character, was = seat.character, event.after if event.undone else event.before
    play = table.ruleset.play.model_validate({**(was or {}), **character.common()})
    return table.place(replace(character.seated, play=play)) != seat.place
