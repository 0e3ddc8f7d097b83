"""Performing a press: all that it does in one transaction, from what was made ready before.

From here to read: the seats (`seats`), the press made ready (`prepare`), the event (`record_events`), whom it is aimed
at (`targets`), what comes of it at others (`apply_effects`), word of it (`log`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.dice import RealTray
from rulesets.kit import Refused, Ruleset
from sheets.character import Character
from sheets.models import Event, Member, Question, Sheet
from sheets.optimistic_lock import TRIES
from sheets.press.apply_effects import follow
from sheets.press.log import announce, tell
from sheets.press.prepare import PreparedPress, Press, Seats, ThrownDice, prepare_press, write_where
from sheets.press.questions import ask
from sheets.press.record_events import make_event
from sheets.press.targets import Target, add_effects, note_again, note_target, repeat_effects
from sheets.press.undo import call_off
from sheets.rolls.widgets import Widget
from sheets.scenes.log import record
from sheets.status.reviews import shown_names


@dataclass(frozen=True)
class Performed:
    """The outcome of a press: its event, None where nothing happened."""

    ready: PreparedPress
    event: Event | None = None
    question: Question | None = None
    """The question that the target is asked before the roll falls."""
    applied: bool = False
    """True if what it brought was done at once, to oneself or another."""
    moved: bool = False
    """True if more has changed than the state of play of the one who acts."""
    news: int = 1
    """The number of times that the party was told of it."""


def perform(read: Callable[..., Seats], pressed: Press, user: User | None) -> Performed:
    """Do what is pressed, once (`Refused` where play does not allow it, `IntegrityError` for a key that is spent).

    `read` returns the seats as they are now, held with `lock=True` until the transaction ends. What was read is made
    ready while nobody waits; if it has changed by the time it is held, that is done anew.
    """
    for _try in range(TRIES):
        ready = _prepare(read(), pressed)
        with transaction.atomic():
            if _lock(ready):
                return _perform(ready, pressed, user)
            transaction.set_rollback(True)
    with transaction.atomic():
        ready = _prepare(read(lock=True), pressed)
        _lock(ready)
        return _perform(ready, pressed, user)


def _prepare(seats: Seats, pressed: Press) -> PreparedPress:
    try:
        return prepare_press(seats, pressed.answers, pressed.which, pressed.row)
    except ValidationError:
        if seats.me is None:
            raise
        raise Refused(_("The rules cannot read this sheet any more.")) from None


def _lock(ready: PreparedPress) -> bool:
    """Lock the seats of a press, and note that the sheet is played; a press that makes no sense locks nothing."""
    if not (ready.widget and ready.widget.made):
        return True
    # While its target is asked nothing is played.
    played = ready.seats.by.played if ready.responses else timezone.now()
    return ready.seats.lock(ready.statuses, played=played)


def _perform(ready: PreparedPress, pressed: Press, user: User | None) -> Performed:
    seats, character, widget = ready.seats, ready.character, ready.widget
    if not (widget and widget.made):
        if character.ruleset.secretive and not seats.own:
            # Whether it is offered, and with which answers, may tell of what is secret.
            raise Refused(_("That cannot be done now."))
        return Performed(ready)
    sheet = character.sheet
    # A guest is nobody that a log names.
    if ready.responses:
        return Performed(ready, question=ask(ready, widget, pressed, user))
    told = sheet.party.pulse if sheet.party else 0
    event = press(character, widget, pressed.key, user=user, dice=ready.dice, called=ready.titles,
                  target=ready.target, me=seats.me)
    if seats.me:
        tell(seats.me, sheet, event)
    applied = follow(character, event, widget, user)
    moved = applied or bool(event.again_id) or event.before_data is not None
    return Performed(ready, event, None, applied, moved, sheet.party.pulse - told if sheet.party else 0)


def refusal(ruleset: Ruleset, fault: Refused, *, others: bool) -> str:
    """Return the reason for a refusal as the reader may see it; for `others` none, because it might tell a secret."""
    return _("That cannot be done now.") if others and ruleset.secretive else str(fault)


def press(character: Character, widget: Widget, key: UUID, tray: RealTray | None = None, *, user: User | None = None,
          dice: ThrownDice | None = None, called: dict[str, str] | None = None, target: Target | None = None,
          me: Member | None = None) -> Event:
    """Make a roll or do an act of a sheet that is held (`Refused` where play does not allow it).

    `me` is the member who presses at the party's table, None on the page of the sheet alone.

    The key is a new one. The dice are those that have `fallen` for it; `called` are the `titles` where they are known.
    What comes of it is offered to the target, which is held, too.
    """
    event = make_event(character, widget, key, tray, user=user, dice=dice, called=called)
    if event.again:
        _call_off(character.sheet, event.again, user)
        note_again(event, event.again)
    elif target:
        note_target(event, widget, target)
    if event.act:
        write_where({"pk": character.sheet.pk}, {"play": character.sheet.play})
    record(event, opens=bool(me))
    if event.again:
        repeat_effects(character.sheet, event)
    elif target:
        add_effects(event, widget.made, character.sheet, target)
    if party := character.sheet.party:
        announce(party, table=bool(event.group), told=event.before_data is None and not event.again_id)
    return event


def _call_off(sheet: Sheet, event: Event, user: User | None) -> None:
    """Take back what came elsewhere of the roll that is repeated (`Refused` where something followed on that)."""
    if stuck := call_off(sheet, event, user):
        names = ", ".join(name.strip() or _("Without a name") for name in shown_names(stuck).values())
        raise Refused(_("What came of that roll was followed by something else: {names}; take that back before you "
                        "repeat the roll.").format(names=names))
