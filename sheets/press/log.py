"""The log of a sheet at the table, and the news about it for open pages and for notified users."""

from collections.abc import Collection, Container, Iterable, Iterator, Sequence, Set
from itertools import islice
from operator import attrgetter
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.urls import reverse

from rulesets.grouping import by_key
from rulesets.kit import Ruleset
from sheets.access import named_sheets
from sheets.character import Character
from sheets.models import CO_GM, GM, Event, Member, Party, Sheet
from sheets.models.compiled_queries import compiled
from sheets.notifications.services import notify
from sheets.rolls.open_results import EFFECT_MARK, is_followup, open_chain, open_roll
from sheets.rolls.rows import AUTOMATIC_MARK, belongs_to, roll_cards
from sheets.rolls.tray import leaves_open

LOG = 40
"""The number of events that the page shows."""


def recent_events(sheet: Sheet) -> list[Event]:
    """Return the last events of a sheet, the newest first."""
    found = _newest(sheet.pk)
    for event in found:
        event.sheet = sheet
    return found


def as_read(log: Sequence[Event], reader: int | None) -> list[Event]:
    """Return copies of events as `reader`, a user's key, may read them; they must not be saved.

    The database is queried only if an event has a target.
    """
    known = named_sheets({key for event in log for key in event.aimed_at}, reader)
    return told_to(reader, log, known, {key for key, whole in known.items() if whole})


def told_to(reader: int | None, log: Sequence[Event], named: Container[str], read: Container[str]) -> list[Event]:
    """Return copies of events without the figures and names of targets that the reader may not know.

    Figures are shown of targets in `read`, names of targets in `named`; readers know by name the targets of their own
    rolls and of repeats of these. The copies must not be saved.
    """
    own: set[int] = set()
    for event in sorted(log, key=attrgetter("pk")):
        if reader and event.who_id == reader and (event.again_id is None or event.again_id in own):
            own.add(event.pk)
    told = (event.unveiled(read) for event in log)
    return [event if event.pk in own else event.naming(named) for event in told]


def log_of(character: Character) -> list[Event]:
    """Return a character's last events as its reader may see them, newest first; [] if it is not played."""
    return [] if character.unplayed else as_seen(character, recent_events(character.sheet))


def as_seen(character: Character, log: list[Event]) -> list[Event]:
    """Return events of a character as its reader may see them."""
    log = as_read(log, character.reader)
    return [event.for_others(character.ruleset) for event in log] if character.others else log


@compiled
def _newest(sheet: Any) -> QuerySet[Event]:
    return Event.objects.filter(sheet=sheet).order_by("-pk")[:LOG]


def latest_by_widget(log: list[Event]) -> dict[str, Event]:
    """Return {widget name: its newest event that is not undone}."""
    return {event.widget: event for event in reversed(log) if not event.undone}


def last_events(sheet: Sheet) -> dict[str, Event]:
    """Return {widget name: its newest event that is not undone} of a sheet's recent events."""
    return latest_by_widget(recent_events(sheet))


def last_act(sheet: Sheet, log: list[Event] | None = None, *, but: Collection[int] = ()) -> Event | None:
    """Return the last act, if it can be undone; skip those in `but`. `log` holds the `recent_events`, if known."""
    found = next((event for event in log or () if event.act and not event.undone), None)
    if found is None and (log is None or len(log) >= LOG):
        found = sheet.events.exclude(pk__in=but).exclude(act="").filter(undone=False).order_by("-pk").first()
    return None if found is None or undo_blocked(sheet, found) else found


def undo_blocked(sheet: Sheet, event: Event) -> bool:
    """Return True if an act cannot be undone alone.

    That is so if it belongs to another party than the sheet, ended a game of two, is a step of a turn (which is undone
    as a whole), or revealed a secret roll while two characters are paired.
    """
    if event.party_id != sheet.party_id or event.before is None or event.step_of_id:
        return True
    ruleset = sheet.system
    roll = ruleset.rolls.get(event.roll) if ruleset.crossing.pairs else None
    return bool(roll and roll.secret and ruleset.crossing.paired(ruleset.play.model_validate(sheet.play)))


def done_for_all(sheet: Sheet, event: Event) -> bool:
    """Return True for an act that a GM did for several sheets at once and that can only be undone for all of them."""
    act = sheet.system.acts.get(event.act)
    return bool(act and act.taken_back_together) and Event.objects.filter(
        party=event.party_id, key=event.key, undone=False).exclude(act="").exclude(pk=event.pk).exists()


def passed_on(ruleset: Ruleset, event: Event) -> bool:
    """Return True for an act that was applied at once as an effect of the paired opponent's act."""
    crossing = ruleset.crossing
    return bool(crossing.pairs and EFFECT_MARK in event.widget and event.before is not None
                and crossing.paired(ruleset.play.model_validate(event.before)))


def done_at_once(event: Event) -> bool:
    """Return True for an act that several sheets at a table did by the same press, such as the start of a fight."""
    return bool(event.act) and EFFECT_MARK not in event.widget and Event.objects.filter(
        party=event.party_id, key=event.key, act=event.act, widget=event.widget, undone=False).exclude(
            sheet=event.sheet_id).exists()


def is_others(sheet: Sheet, event: Event, user: int | None) -> bool:
    """Return True for somebody else's act that this user must not undo; GMs may undo all of them.

    That is an act of the sheet's paired opponent, or one that several did at once. `user` is the user's key; None
    without an account.
    """
    if (user and event.who_id == user) or not (passed_on(sheet.system, event) or (
            event.who_id != sheet.owner_id and done_at_once(event))):
        return False
    return not Member.objects.filter(party=sheet.party_id, user=user, role__in=(GM, CO_GM)).exists()


def undoable_act(character: Character, log: list[Event] | None = None) -> Event | None:
    """Return the act of a character's sheet that its reader can undo now, or None."""
    found = last_act(character.sheet, log)
    if found is None or is_others(character.sheet, found, character.reader) or done_for_all(character.sheet, found):
        return None
    return found


def superseded(events: Iterable[Event]) -> set[int]:
    """Return the keys of the events whose outcome was replaced by a repeat among `events`."""
    events = list(events)
    found = set()
    for repeat in events:
        if repeat.again_id and not repeat.undone:
            found |= {one.pk for one in events if one.pk == repeat.again_id or (
                one.sheet_id == repeat.sheet_id and repeat.again_id < one.pk < repeat.pk and is_followup(one, repeat))}
    return found


def topmost(log: Sequence[Event]) -> Event | None:
    """Return the newest event that the dice tray shows, or None.

    The tray leaves out the steps of a turn without dice and the acts that a roll did automatically.
    """
    return next((one for one in log if (one.roll or not one.step_of_id) and AUTOMATIC_MARK not in one.widget), None)


def leading(ruleset: Ruleset, log: list[Event]) -> list[Event]:
    """Return the events whose follow-ups are offered.

    These are the open roll, else the newest event that is not an applied effect, and the roll of a chain before it.
    """
    found = open_roll(ruleset, log) if ruleset.has_open_results else None
    newest = found or next((one for one in log if EFFECT_MARK not in one.widget), None)
    return [one for one in (newest, open_chain(ruleset, log)) if one]


def left_open(character: Character, event: Event) -> bool:
    """Return True if an event, the newest of a character, leaves open a roll before it."""
    ruleset = character.ruleset
    if not (ruleset.has_open_results or ruleset.has_chains):
        return False
    log = recent_events(character.sheet)
    found = open_roll(ruleset, log) if ruleset.has_open_results else None
    if found and found.pk != event.pk:
        return True
    chain = open_chain(ruleset, log)
    first = [*islice((one for one in character.rolls() if chain and belongs_to(one, chain)), 1)]
    return bool(chain and leaves_open(ruleset, roll_cards(ruleset, first, latest_by_widget(log)), chain))


def announce(party: Party, *, table: bool = False, hidden: bool = False, events_suffice: bool = False) -> None:
    """Increment the party's news counters, which the open pages watch; with `table` also save its shared counters.

    With `hidden` only the counter of secret news rises. `events_suffice` means that the new events, pending effects and
    reviews contain all that changed, so that open pages need not be reloaded.
    """
    counted = ["secret" if hidden else "pulse", *(["presses"] if events_suffice and not table else [])]
    for name in counted:
        # The party is locked, so nobody else changes the counters meanwhile.
        setattr(party, name, getattr(party, name) + 1)
    new = [f'"{name}" = "{name}" + 1' for name in counted] + ['"table" = %s'] * table
    shared = [Party.table.field.get_db_prep_save(party.table, connection)] * table
    with connection.cursor() as cursor:
        cursor.execute(f'UPDATE "sheets_party" SET {", ".join(new)} WHERE "id" = %s',  # noqa: S608 - our names
                       [*shared, Party.id.field.get_db_prep_value(party.pk, connection)])


def tell(me: Member, sheet: Sheet, event: Event) -> None:
    """Notify the owner of a sheet that a GM has played, and the owners of the sheets that it challenges."""
    _tell_owner(me, sheet, event)
    if {event.roll, event.act} & {one.slug for one in sheet.system.crossing.effects_on_target}:
        _tell_challenged(me, sheet, event)


def _tell_owner(me: Member, sheet: Sheet, event: Event) -> None:
    """Notify the owner of a sheet if somebody else has played it."""
    if sheet.opponent or sheet.owner_id == me.user_id or sheet.owner is None:
        return
    notify([sheet.owner], "mended", me.party, me.user, url=f"{reverse('sheet', args=[sheet.pk])}#log", about=sheet,
           what=event.titles)


def _tell_challenged(me: Member, by: Sheet, event: Event) -> None:
    """Notify the owners of the sheets that an event challenges to a game of two; the challenge waits there."""
    pairs = by.system.crossing.pairs
    asked = event.pending_effects.filter(act=pairs.slug).select_related("sheet__owner") if pairs else ()
    for sheet in (one.sheet for one in asked):
        if sheet.owner and sheet.owner != me.user:
            notify([sheet.owner], "challenged", me.party, me.user, url=f"{reverse('sheet', args=[sheet.pk])}#landings",
                   about=sheet, what=event.titles)


def _source(event: Event) -> int | None:
    """Return the key of the event whose effect an act has applied, None if it applied none."""
    return event.applied_effect.event_id if hasattr(event, "applied_effect") else None


def last_acts(recent: Iterable[Event], sheets: Set[Any]) -> set[int]:
    """Return the keys of the last two acts of each of these sheets: one can be undone now, the other could be before.

    An act that applied an effect can also be undone at the effect's source, so the key of the source is included.
    """
    acts = [event for event in recent if event.sheet_id in sheets and event.act and not event.undone]
    found = (some[:2] for some in by_key((event.sheet_id, event) for event in acts).values())
    return {key for some in found for event in some for key in (event.pk, _source(event)) if key}


def undoable_acts(read: Sequence[Event]) -> list[Event]:
    """Return the last act of each sheet, newest first, if all acts undone with it are the last of their sheets, too.

    Undone with it are the acts that applied its effects on others and, if it applied an effect itself, the act that
    caused that effect.
    `read` are the newest events of a table, the newest first.
    """
    acts = [event for event in read if event.act and not event.undone and event.sheet_id]
    by_sheet = by_key((event.sheet_id, event) for event in acts)
    return [event for event in acts
            if event == by_sheet[event.sheet_id][0] and _are_last(_together(event, acts), by_sheet)]


def _are_last(events: list[Event], by_sheet: dict[Any, list[Event]]) -> bool:
    """Return True if these acts are the newest of their sheets; a sheet may have several of them."""
    groups = by_key((event.sheet_id, event.pk) for event in events)
    return all({event.pk for event in by_sheet[sheet][:len(keys)]} == {*keys} for sheet, keys in groups.items())


def _together(event: Event, acts: list[Event]) -> list[Event]:
    """Return those of `acts` that `sheets.press.undo.together` undoes with an act."""
    there, root = {one.pk: one for one in acts}, event
    while (above := there.get(_source(root) or 0)) and not above.again_id and above.sheet_id != root.sheet_id:
        root = above
    below = [*_below(root, acts)]
    return [root, *below] if root != event else [event, *(one for one in below if one.sheet_id != event.sheet_id)]


def _below(event: Event, acts: list[Event]) -> Iterator[Event]:
    """Yield the acts that applied an event's effects and, recursively, those that applied their effects."""
    for one in acts:
        if _source(one) == event.pk:
            yield one
            yield from _below(one, acts)
