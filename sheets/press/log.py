"""The log of a sheet at the table, and the news of it: for pages that watch, and for people who are notified."""

from collections.abc import Collection, Container, Iterable, Sequence
from operator import attrgetter
from typing import Any

from django.db.models import F, QuerySet
from django.urls import reverse

from rulesets.kit import Ruleset
from sheets.access import met_in
from sheets.character import Character
from sheets.models import CO_GM, GM, Event, Member, Party, Sheet
from sheets.models.compiled_queries import compiled
from sheets.notifications.services import notify
from sheets.rolls.repeats import follows
from sheets.rolls.rows import BY_ITSELF

LOG = 40
"""The number of events that the page shows."""

EFFECT_MARK = "-landing-"
"""The part of a widget's name that marks an act that was a pending effect."""


def recent_events(sheet: Sheet) -> list[Event]:
    """Return the last events of a sheet, the newest first."""
    found = _newest(sheet.pk)
    for event in found:
        event.sheet = sheet
    return found


def as_read(log: Sequence[Event], reader: int | None) -> list[Event]:
    """Return events as somebody may read them, given the targets they know of; not to be saved.

    The database is asked only where something was aimed at somebody.
    """
    known = met_in({key for event in log for key in event.aimed_at}, reader)
    return told_to(reader, log, known, {key for key, whole in known.items() if whole})


def told_to(reader: int | None, log: Sequence[Event], named: Container[str], read: Container[str]) -> list[Event]:
    """Return events with the figures only of those whom somebody may `read`, and the names only of those `named`.

    Whom they have aimed at themselves they know by name; a repeat is aimed at whom its roll was. Not to be saved.
    """
    own: set[int] = set()
    for event in sorted(log, key=attrgetter("pk")):
        if reader and event.who_id == reader and (event.again_id is None or event.again_id in own):
            own.add(event.pk)
    told = (event.unveiled(read) for event in log)
    return [event if event.pk in own else event.naming(named) for event in told]


def log_of(character: Character) -> list[Event]:
    """Return the last events as whoever looks may read them, the newest first."""
    return [] if character.unplayed else as_seen(character, recent_events(character.sheet))


def as_seen(character: Character, log: list[Event]) -> list[Event]:
    """Return events of a character as whoever looks may read them."""
    log = as_read(log, character.reader)
    return [event.for_others(character.ruleset) for event in log] if character.others else log


@compiled
def _newest(sheet: Any) -> QuerySet[Event]:
    return Event.objects.filter(sheet=sheet).order_by("-pk")[:LOG]


def latest_by_widget(log: list[Event]) -> dict[str, Event]:
    """Return the last roll or act of each widget that still stands."""
    return {event.widget: event for event in reversed(log) if not event.undone}


def last_events(sheet: Sheet) -> dict[str, Event]:
    """Return the last roll or act of each widget of the sheet."""
    return latest_by_widget(recent_events(sheet))


def last_act(sheet: Sheet, log: list[Event] | None = None, *, but: Collection[int] = ()) -> Event | None:
    """Return the act that can be taken back now, leaving out those in `but`; `log`: the `recent_events`, if known."""
    found = next((event for event in log or () if event.act and not event.undone), None)
    if found is None and (log is None or len(log) >= LOG):
        found = sheet.events.exclude(pk__in=but).exclude(act="").filter(undone=False).order_by("-pk").first()
    return None if found is None or stays(sheet, found) else found


def stays(sheet: Sheet, event: Event) -> bool:
    """Return True if an act cannot be taken back: it belongs to another party or none, parted two, or showed a secret.

    The last holds while two play each other: what was drawn stays drawn. What a turn did goes with the turn alone.
    """
    if event.party_id != sheet.party_id or event.before is None or event.step_of_id:
        return True
    ruleset = sheet.system
    roll = ruleset.rolls.get(event.roll) if ruleset.crossing.pairs else None
    return bool(roll and roll.secret and ruleset.crossing.paired(ruleset.play.model_validate(sheet.play)))


def passed_on(ruleset: Ruleset, event: Event) -> bool:
    """Return True for an act that has come at once from the other of two who play each other."""
    crossing = ruleset.crossing
    return bool(crossing.pairs and EFFECT_MARK in event.widget and event.before is not None
                and crossing.paired(ruleset.play.model_validate(event.before)))


def is_others(sheet: Sheet, event: Event, user: int | None) -> bool:
    """Return True for an act brought by somebody other than this user who plays against a sheet; a GM may act for both.

    The user's key is None for somebody who has no account.
    """
    if not passed_on(sheet.system, event) or (user and event.who_id == user):
        return False
    return not Member.objects.filter(party=sheet.party_id, user=user, role__in=(GM, CO_GM)).exists()


def undoable_act(character: Character, log: list[Event] | None = None) -> Event | None:
    """Return the act of a sheet that whoever looks at it can take back now."""
    found = last_act(character.sheet, log)
    return None if found is None or is_others(character.sheet, found, character.reader) else found


def superseded(events: Iterable[Event]) -> set[int]:
    """Return the keys of the events whose outcome a repeat among these has replaced."""
    events = list(events)
    found = set()
    for repeat in events:
        if repeat.again_id and not repeat.undone:
            found |= {one.pk for one in events if one.pk == repeat.again_id or (
                one.sheet_id == repeat.sheet_id and repeat.again_id < one.pk < repeat.pk and follows(one, repeat))}
    return found


def topmost(log: Sequence[Event]) -> Event | None:
    """Return the event that lies in the tray, the newest.

    What a turn did without dice is told in the log alone, and what a roll did by itself beside the roll.
    """
    return next((one for one in log if (one.roll or not one.step_of_id) and BY_ITSELF not in one.widget), None)


def leading(log: list[Event]) -> Event | None:
    """Return the event that still leads on: an effect from elsewhere since then has not taken its place."""
    return next((one for one in log if EFFECT_MARK not in one.widget), None)


def announce(party: Party, *, table: bool = False, hidden: bool = False, told: bool = False) -> None:
    """Let everybody at the party's table know that there is something new; with `table` save its counters.

    `told` says that its events and pending effects tell all of it, so that those who watch need not ask for the page.
    """
    counted = ["secret" if hidden else "pulse", *(["presses"] if told and not table else [])]
    for name in counted:
        # It is held, so that nobody else counts meanwhile.
        setattr(party, name, getattr(party, name) + 1)
    Party.objects.filter(pk=party.pk).update(
        **{name: F(name) + 1 for name in counted}, **({"table": party.table} if table else {}))


def tell(me: Member, sheet: Sheet, event: Event) -> None:
    """Tell an owner what a GM has played on their sheet, and the owners of those who are challenged by it."""
    _tell_owner(me, sheet, event)
    if {event.roll, event.act} & {one.slug for one in sheet.system.crossing.effects_on_target}:
        _tell_challenged(me, sheet, event)


def _tell_owner(me: Member, sheet: Sheet, event: Event) -> None:
    """Let an owner know what a GM has played on their sheet."""
    if sheet.opponent or sheet.owner_id == me.user_id or sheet.owner is None:
        return
    notify([sheet.owner], "mended", me.party, me.user, url=f"{reverse('sheet', args=[sheet.pk])}#log", about=sheet,
           what=event.titles)


def _tell_challenged(me: Member, by: Sheet, event: Event) -> None:
    """Let an owner know that somebody wants to be paired with their sheet; the challenge waits there for an answer."""
    pairs = by.system.crossing.pairs
    asked = event.pending_effects.filter(act=pairs.slug).select_related("sheet__owner") if pairs else ()
    for sheet in (one.sheet for one in asked):
        if sheet.owner and sheet.owner != me.user:
            notify([sheet.owner], "challenged", me.party, me.user, url=f"{reverse('sheet', args=[sheet.pk])}#landings",
                   about=sheet, what=event.titles)
