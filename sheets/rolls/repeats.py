"""Repeated rolls: the effects of the last roll are undone, and its dice are thrown again."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, islice, zip_longest
from typing import Any, NoReturn, Protocol
from uuid import UUID

from django.db.models import QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.dice import RealTray
from rulesets.kit import HIGHEST, Act, Data, House, Play, Refused, Roll, Ruleset, Sheet
from rulesets.names import isolated
from sheets import models
from sheets.models import Event
from sheets.rolls.open_results import is_followup
from sheets.rolls.rows import AUTOMATIC_MARK
from sheets.rolls.stored import turn_moved_on


class Rethrow(RealTray):
    """A tray in which some dice keep their faces, {position: face}, while the others are thrown again."""

    def __init__(self, fixed: Mapping[int, int], tray: RealTray | None = None) -> None:
        super().__init__()
        self.fixed, self.tray = fixed, tray or RealTray()

    def face(self, faces: range) -> int:
        """Return the face that stays, or a new one."""
        kept_face = self.fixed.get(len(self.fallen))
        if kept_face is not None and kept_face in faces:
            return self.lay(faces, kept_face, stays=True)
        return self.lay(faces, self.tray.face(faces))

    def again(self) -> NoReturn:
        """Throw all dice again, because the throw does not count."""
        self.fixed = {}
        super().again()


class _PlayedCharacter(Protocol):
    """The attributes of a Character that a repeat needs."""

    sheet: models.Sheet
    ruleset: Ruleset
    house: House
    written: Sheet
    play: Play

    def common(self) -> dict[str, Any]:
        """Return the counters that it shares with its party."""


@dataclass(frozen=True)
class RollToRepeat:
    """A roll that is repeated, and the state before it had any effect."""

    event: Event
    roll: Roll
    act: Act | None
    """The act that the roll was made for; None if there was none."""
    written: Sheet
    play: Play
    repeats_to_pay: int
    """The number of repeats to be paid for in that state, including this one."""

    @property
    def fixed(self) -> dict[int, int]:
        """The dice of others, {position: face}, which stay as they are."""
        fallen = self.event.thrown
        own = self.roll.own_dice(len(fallen))
        return {place: face for place, face in enumerate(fallen) if place not in own}


def dice_of_undone_repeat(event: Event, *, by_roller: bool) -> dict[int, int]:
    """Return the dice, {position: face}, of an undone repeat of a roll; empty if there was none.

    The repeat was made by the roller (`by_roller`) or by its target. A repeat that is undone and made again is a new
    event with the same dice, so all of them are looked for.
    """
    chain = [event]
    while chain[-1].again:
        chain.append(chain[-1].again)
    pks = _events_with_same_dice(chain.pop())
    for one in reversed(chain):
        pks = {found.pk for found in _repeats_of(pks, by_roller=bool(one.act)).only("pk")}
    found = _repeats_of(pks, by_roller=by_roller).filter(undone=True).order_by("pk").first()
    return dict(enumerate(found.thrown)) if found else {}


def _events_with_same_dice(event: Event) -> set[int]:
    """Return the primary keys of an event and of those undone before it that have the same dice."""
    earlier = undone_acts(event.sheet_id, event, event.before, event.pk) if event.act else []
    return {event.pk, *(one.pk for one in earlier)}


def undone_acts(sheet_key: UUID | None, pattern: Event, state: Data | None, until: int | None = None) -> list[Event]:
    """Return the events in which a sheet did an act and undid it in this state, oldest first.

    The act, its roll and the party are those of `pattern`. Only events after the last act still in effect count.
    """
    acts = Event.objects.filter(sheet=sheet_key).exclude(act="")
    acts = acts.filter(pk__lt=until) if until else acts
    last = acts.filter(undone=False).order_by("-pk").values("pk")[:1]
    found = acts.filter(undone=True, act=pattern.act, roll=pattern.roll, party=pattern.party_id,
                        pk__gt=Coalesce(Subquery(last), 0)).order_by("pk")
    return [one for one in found.only("before", "faces", "veiled") if one.before == state]


def dice_of_undone_act(sheet_key: UUID | None, pattern: Event, state: Data, act: Act, roll: Roll) -> dict[int, int]:
    """Return the dice, {position: face}, of an act that was undone and is done again in the same state."""
    if not act.same_throw_while:
        events = undone_acts(sheet_key, pattern, state)
        return dict(enumerate(events[0].thrown)) if events else {}
    empty: list[int] = []
    pools = [empty]
    for one in _undone_with_same_throw(sheet_key, pattern, state, act.same_throw_while):
        with suppress(ValidationError):
            thrown = _split_pools(type(roll).model_validate(one.parameters), one.thrown)
            pools = [max(versions, key=len) for versions in zip_longest(pools, thrown, fillvalue=empty)]
    start = [0, *accumulate(roll.pool_sizes() or (len(pool) for pool in pools))]
    return {start[number] + place: face for number, pool in enumerate(pools)
            for place, face in enumerate(pool[:start[number + 1] - start[number]])}


def _split_pools(roll: Roll, faces: list[int]) -> list[list[int]]:
    """Return the dice of each pool."""
    rest = iter(faces)
    return [[*islice(rest, size)] for size in roll.pool_sizes() or (len(faces),)]


def _undone_with_same_throw(sheet_key: UUID | None, pattern: Event, state: Data, fields: Sequence[str]) -> list[Event]:
    """Return the undone events of an act whose throw is the same by these fields of the state, oldest first.

    The act, its roll and the party are those of the event `pattern`.
    """
    acts = Event.objects.filter(sheet=sheet_key).exclude(act="").order_by("pk")
    found = [one for one in acts.filter(undone=True, act=pattern.act, roll=pattern.roll, party=pattern.party_id).only(
        "before", "given", "faces", "veiled") if _equal_fields(fields, one.before, state)]
    if found:
        since = acts.filter(undone=False, pk__gt=found[0].pk).only("before", "act")
        endings = (one.pk for one in since if one.act == pattern.act or not _equal_fields(fields, one.before, state))
        last_ending_pk = max(endings, default=0)
        found = [one for one in found if one.pk > last_ending_pk]
    return found


def _equal_fields(fields: Iterable[str], *states: Data | None) -> bool:
    """Return True if these fields are equal in two states of play."""
    one, other = ((state or {}) for state in states)
    return all(one.get(key) == other.get(key) for key in fields)


def _repeats_of(events: Iterable[int], *, by_roller: bool) -> QuerySet[Event]:
    """Return the repeats of these events, made by an act of the roller (`by_roller`) or for a target."""
    found = Event.objects.filter(again__in=events)
    return found.exclude(act="") if by_roller else found.filter(act="")


def last_roll(sheet: models.Sheet) -> Event | None:
    """Return the last roll of a sheet that is not undone; rolls made for acts count, too."""
    return sheet.events.exclude(roll="").filter(undone=False).order_by("-pk").first()


def roll_to_repeat(character: _PlayedCharacter, *, only_directly_after: bool = False) -> RollToRepeat:
    """Return the last roll of a locked sheet, to be repeated. Raise Refused if nothing can be repeated.

    A repeat that must come `only_directly_after` is refused after anything else was done.
    """
    event, first, try_pks = repeatable_roll(character, only_directly_after=only_directly_after)
    act = _act_of(character, first) if first.act else None
    if act and act.repeats:
        # Older versions undid nothing when they repeated a roll, so treat such a repeat as a roll without an act.
        act = None
    undone = _acts_to_undo(character, event, first if act else None, try_pks)
    if any(one.party_id != character.sheet.party_id for one in (event, first, *undone)):
        raise Refused(_("That roll was made in another party or in none, and cannot be rerolled here."))
    roll = character.ruleset.rolls[event.roll].model_validate(event.parameters)
    return RollToRepeat(event, roll, act, _sheet_before(character, undone), _play_before(character, undone),
                        len(try_pks) if act else 1)


def repeatable_roll(character: _PlayedCharacter, *, only_directly_after: bool) -> tuple[Event, Event, set[int]]:
    """Return (last roll, the one that it repeats, the keys of both and of the repeats between them).

    Raise Refused if it cannot be repeated, no matter what effects it had.
    """
    event = last_roll(character.sheet)
    if event is None or event.roll not in character.ruleset.rolls:
        raise _refuse_as_taken_back(character.sheet) or Refused(_("There is nothing to reroll yet."))
    first, try_pks = event, {event.pk}
    while first.again:
        first = first.again
        try_pks.add(first.pk)
    if only_directly_after:
        try:
            require_nothing_since(character.sheet, event, try_pks)
        except Refused as fault:
            raise _refuse_as_taken_back(character.sheet, event.pk) or fault from None
    if not character.ruleset.rolls[event.roll].repeatable:
        raise Refused(_("“{what}” is not your roll, so you cannot reroll it.").format(what=event.what))
    return event, first, try_pks


def _refuse_as_taken_back(sheet: models.Sheet, since: int = 0) -> Refused | None:
    """Return the refusal that names a sheet's last roll that was taken back, None if there is none after `since`."""
    back = sheet.events.exclude(roll="").filter(undone=True, again=None, pk__gt=since).order_by("-pk").first()
    return Refused(_("“{what}” has been taken back; do it again before you reroll it.").format(
        what=back.what)) if back else None


def require_nothing_since(sheet: models.Sheet, event: Event, try_pks: set[int], name: str = "") -> None:
    """Raise Refused if, after a roll, its sheet has done something else, or its turn or scene has ended.

    Acts of others, and acts that follow from the roll, do not matter. `name` is the sheet's name if somebody else wants
    to reroll.
    """
    if event.scene and event.scene.ended:
        raise Refused(_("The scene of that roll is over; you can only reroll right after a roll."))
    if turn_moved_on(event):
        raise Refused(_("The turn has moved on since that roll; you can only reroll right after it."))
    acts = sheet.events.exclude(act="").filter(undone=False, pk__gt=event.pk, step_of=None)
    for one in acts.select_related("applied_effect__event").order_by("-pk"):
        cause = one.applied_effect.event if hasattr(one, "applied_effect") else None
        if not (is_followup(one, event) or (cause and (cause.pk in try_pks or cause.sheet_id != sheet.pk))):
            raise _refusal_naming(one, name)


def _refusal_naming(one: Event, name: str = "") -> Refused:
    """Return the refusal that names an act to undo first, and who has done it if that was somebody else."""
    what = one.words or one.title
    if name:
        return Refused(_("{name} did “{what}” after that roll; they have to take it back before you reroll.").format(
            name=isolated(name), what=what))
    return Refused(_("“{what}” came after that roll; take it back before you reroll.").format(what=what))


def _act_of(character: _PlayedCharacter, event: Event) -> Act:
    try:
        return character.ruleset.acts[event.act].model_validate(event.answered)
    except (KeyError, ValidationError):
        raise Refused(_("That roll was made with an older version of the program; take it back and do it again.")
                      ) from None


def _acts_to_undo(character: _PlayedCharacter, event: Event, first: Event | None, try_pks: set[int]) -> list[Event]:
    """Return the acts that applied a roll's result, newest first: the one it was made for, and those that followed."""
    since = {"pk__gte": first.pk} if first else {"pk__gt": event.pk}
    acts = list(character.sheet.events.exclude(act="").filter(undone=False, **since).select_related("applied_effect")
                .order_by("-pk"))
    # An act that was done automatically with a roll stays: only the roll is repeated.
    acts = [one for one in acts if not (
        AUTOMATIC_MARK in one.widget and hasattr(one, "applied_effect") and one.applied_effect.event_id in try_pks)]
    found = [one for one in acts if one.pk in try_pks or is_followup(one, event)]
    # An effect of the roll that its own sheet has accepted must be undone separately.
    applied_here = (one for one in acts if hasattr(one, "applied_effect") and one.applied_effect.event_id == event.pk)
    if other := next((one for one in acts[:len(found)] if one not in found), None) or next(applied_here, None):
        raise _refusal_naming(other)
    version = next((one.version for one in found if one.version is not None), None)
    if version not in (None, character.sheet.version):
        raise Refused(_("The sheet was changed after that roll, so it can no longer be rerolled."))
    return found


def _sheet_before(character: _PlayedCharacter, undone: list[Event]) -> Sheet:
    """Return the sheet as it was before the first of these events."""
    if not (changing_sheet := [one for one in undone if one.before_data is not None]):
        return character.written
    number = changing_sheet[-1].before_revision
    data = character.sheet.revisions.get(number=number).data if number else changing_sheet[-1].before_data
    return character.ruleset.sheet.model_validate(data).under(character.house)


def _play_before(character: _PlayedCharacter, undone: list[Event]) -> Play:
    """Return the state of play before the first of these events, with the party's counters corrected."""
    if not undone:
        return character.play
    counters = character.common()
    for one in undone:
        counters |= counters_without(counters, one)
    return character.ruleset.play.model_validate({**(undone[-1].before or {}), **counters})


def counters_without(counters: Mapping[str, Any], event: Event) -> dict[str, Any]:
    """Return the party's counters without the changes of an act, even if others have changed them since."""
    found = {}
    for key, (before, after) in event.group.items():
        now = counters.get(key, before)
        is_number = all(isinstance(one, int) for one in (before, after, now))
        found[key] = min(HIGHEST, max(0, now - after + before)) if is_number else before
    return found
