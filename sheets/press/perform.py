"""Performing a press: a press is prepared without locks, then carried out in one transaction.

The other modules in the order of the steps: `prepare` (widget, answers and dice), `record_events` (the event),
`targets` (its target), `apply_effects` (its effects on others), `log` (the news about it).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid5

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.dice import RealTray
from rulesets.kit import Act, Refused, Roll, Ruleset, target_figures_of
from sheets.character import Character
from sheets.models import Event, Member, Question
from sheets.optimistic_lock import TRIES
from sheets.press.apply_effects import apply_at_once, by_itself, pass_on, take_at_once
from sheets.press.dice import Throw, rolling_safely
from sheets.press.distinct_targets import note_spared
from sheets.press.log import announce, tell
from sheets.press.prepare import PreparedPress, Press, Seats, prepare_press, write_where
from sheets.press.protections import rolls_to_call_off, stop
from sheets.press.questions import ask, refuse_while_asked
from sheets.press.record_events import in_each_language, make_event
from sheets.press.targets import Target, add_effects, note_again, note_target, repeat_effects
from sheets.press.undo import undo_effects
from sheets.rolls.repeats import repeatable_roll
from sheets.rolls.widgets import Widget
from sheets.scenes.log import record
from sheets.status.reviews import shown_names


@dataclass(frozen=True)
class Performed:
    """The outcome of a press; its event is None if nothing happened or the target is asked first."""

    ready: PreparedPress
    event: Event | None = None
    question: Question | None = None
    """The question that the target is asked before the roll is made."""
    applied: bool = False
    """True if an effect of the event was applied at once, to the actor or to somebody else."""
    moved: bool = False
    """True if more may have changed than the actor's state of play."""
    news: int = 1
    """The number by which the party's `pulse` rose."""
    took_result: bool = False
    """True if the open result of the preceding roll was applied first."""


def perform(read: Callable[..., Seats], pressed: Press, user: User | None) -> Performed:
    """Carry out a press; raise `Refused` if play does not allow it, `IntegrityError` if its key was used before.

    `read` returns the current seats, locked until the end of the transaction if called with `lock=True`. The press is
    prepared without locks, and again if the seats have changed by the time they are locked; after `TRIES` attempts it
    is prepared under locks.
    """
    for _try in range(TRIES):
        ready = _prepare(read(), pressed)
        with transaction.atomic():
            if _lock(ready):
                done = _perform_or_refuse(ready, pressed, user)
                break
            transaction.set_rollback(True)
    else:
        with transaction.atomic():
            ready = _prepare(read(lock=True), pressed)
            _lock(ready)
            done = _perform_or_refuse(ready, pressed, user)
    if isinstance(done, Exception):
        raise done
    return done


def _prepare(seats: Seats, pressed: Press) -> PreparedPress:
    try:
        return prepare_press(seats, pressed.answers, pressed.which, pressed.row)
    except ValidationError:
        if seats.me is None:
            raise
        raise Refused(_("The rules can no longer read this sheet.")) from None


def _lock(ready: PreparedPress) -> bool:
    """Lock the seats of a press and set the time of play, unless it is invalid; return False if they have changed."""
    if not (ready.widget and ready.widget.complete):
        return True
    # A roll whose target is asked first is not made yet.
    played = ready.seats.by.played if ready.responses and not ready.takes else timezone.now()
    return ready.seats.lock(ready.statuses, played=played)


def _perform_or_refuse(ready: PreparedPress, pressed: Press, user: User | None) -> Performed | Exception:
    """Perform a press; return the error that it raised after its dice fell, so that the roll stays."""
    return rolling_safely(lambda _rolls: _perform(ready, pressed, user))


def _perform(ready: PreparedPress, pressed: Press, user: User | None) -> Performed:
    seats, character, widget = ready.seats, ready.character, ready.widget
    if not (widget and widget.complete):
        if character.ruleset.secretive and not seats.own:
            # A more exact message could reveal something secret.
            raise Refused(_("That cannot be done now."))
        return Performed(ready)
    sheet = character.sheet
    told = sheet.party.pulse if sheet.party else 0
    if pressed.faces is not None:
        _refuse_by_hand(ready)
    if ready.takes:
        after = _take_open_result(ready, ready.takes, pressed, user)
        done = _perform(after, pressed, user)
        return replace(done, moved=True, took_result=True, news=sheet.party.pulse - told if sheet.party else 0)
    if ready.responses:
        return Performed(ready, question=ask(ready, widget, pressed, user))
    if isinstance(widget.complete, Roll) and widget.complete.chain and not widget.root:
        # It would forfeit what a target is asked about.
        refuse_while_asked(sheet, pressed.key)
    event = press(character, widget, pressed.key, user=user, called=ready.titles, target=ready.target,
                  me=seats.me, nonce=pressed.nonce, faces=pressed.faces)
    if seats.me:
        tell(seats.me, sheet, event)
    applied = follow(character, event, widget, user)
    moved = applied or bool(event.again_id) or event.before_data is not None
    return Performed(ready, event, None, applied, moved, sheet.party.pulse - told if sheet.party else 0)


def _refuse_by_hand(ready: PreparedPress) -> None:
    """Raise `Refused` if the roll of a press cannot be thrown by hand."""
    party = ready.character.sheet.party
    if not (party and party.by_hand):
        raise Refused(_("In this party, dice are not thrown by hand."))
    if ready.takes:
        raise Refused(_("First apply the result of “{what}”.").format(
            what=ready.takes.root.what if ready.takes.root else ready.takes.title))
    if ready.responses:
        raise Refused(_("The target is asked before this roll, so that its dice can only fall here."))


def follow(before: Character, event: Event, widget: Widget, user: User | None, *, late: bool = False) -> bool:
    """Carry out the consequences of an event that need no decision; return True if anything was done.

    These are the automatic acts of a roll, its immediate effects on the target, the effects on a paired opponent, and,
    in a party that trusts, the effects on each target. `before` is the character as it was before the event; its sheet
    is locked, and matches the database afterwards. An event is `late` if it was pressed in an earlier round; it is then
    no action of this turn.
    """
    sheet, party, crossing = before.sheet, before.sheet.party, before.ruleset.crossing
    in_turn = event.scene and event.scene.round and str(event.sheet_id) in event.scene.on and not late
    leads = None if event.act or event.again_id else widget.offer.leads
    itself = [one for one in (leads(widget.complete, event.fell) if leads else ())
              if one.automatic == "always" or (one.automatic and in_turn)]
    done = (bool(itself) and by_itself(before, event, itself, user)) or event.stopped
    # For a repeat, the immediate effects were applied with the roll that it repeats.
    done = (not event.again_id and bool(crossing.at_once) and take_at_once(event, user)) or done
    if event.act and crossing.pairs and pass_on(before, event, widget, user):
        # The effects on the opponent may have changed this sheet in turn.
        sheet.refresh_from_db(fields=["play", "played"])
        done = True
    if party and party.trust and (event.new_effects or event.again):
        done = apply_at_once(party, event, user) or done
        if crossing.effects_in_return:
            # The effects on targets may have changed this sheet in return.
            sheet.refresh_from_db(fields=["play", "played"])
    return done


def _take_open_result(ready: PreparedPress, takes: Widget, pressed: Press, user: User | None) -> PreparedPress:
    """Apply the open result of the preceding roll as it stands; return the press, prepared again afterwards.

    Raise `Refused` if play does not allow both.
    """
    character, seats = ready.character, ready.seats
    titled = Widget(replace(takes.offer, title=_("Open result applied automatically")), {})
    called = in_each_language(lambda: _("Open result applied automatically"))
    what = takes.root.what if takes.root else takes.title
    if titled.complete is None:
        raise Refused(_("First apply the result of “{what}”.").format(what=what))
    try:
        press(character, titled, uuid5(pressed.key, "taken"), user=user, called=called, me=seats.me)
    except Refused as fault:
        raise Refused(_("First apply the result of “{what}”. {why}").format(what=what, why=fault)) from None
    after = _prepare(seats, pressed)
    if not (ready.widget and after.widget) or after.widget.complete != ready.widget.complete:
        # Never make another roll than the one that was pressed.
        raise Refused(_("First apply the result of “{what}”; it changes what can be rolled.").format(what=what))
    return after


def refusal(ruleset: Ruleset, fault: Refused, *, others: bool) -> str:
    """Return the reason for a refusal; only a general one for `others` in a system with secrets."""
    return _("That cannot be done now.") if others and ruleset.secretive else str(fault)


def press(character: Character, widget: Widget, key: UUID, tray: RealTray | None = None, *, user: User | None = None,
          called: dict[str, str] | None = None, target: Target | None = None, me: Member | None = None,
          nonce: str = "", before: Event | None = None, faces: tuple[int | None, ...] | None = None) -> Event:
    """Make a roll or do an act of a locked sheet and return its event; raise `Refused` if play does not allow it.

    `key` is new; `called` are its `titles`, None if they are not known yet. `me` is the member who presses at the
    party's table; None on the page of the sheet alone. The effects are added to the target, which is locked too. The
    dice are read from a signature unless there is a `tray` or `faces` thrown by hand; the dice of a roll `before` are
    used as they fell. Raise `NextDice` if faces are missing.
    """
    throw = Throw(tray, nonce, opens=bool(me), before=before, faces=faces, **_aim_of(widget, target))
    if isinstance(widget.complete, Act) and widget.complete.repeats:
        character = _call_off(character, widget.complete, user)
    earlier = rolls_to_call_off(character.sheet, widget.key, widget.complete, target) if isinstance(
        widget.complete, Roll) and widget.complete.cancels else []
    event = make_event(character, widget, key, throw, user=user, called=called)
    if event.again:
        note_again(event, event.again)
    elif target:
        note_target(event, widget, target)
        note_spared(event, widget, target)
    if event.act:
        write_where({"pk": character.sheet.pk}, {"play": character.sheet.play})
    record(event, opens=bool(me))
    if event.again:
        repeat_effects(character.sheet, event)
    elif target or (character.sheet.party and character.ruleset.crossing.hits(widget.complete) == "actor"):
        add_effects(event, widget.complete, character.sheet, target or Target(character))
    event.stopped = bool(earlier) and stop(character.sheet, event, earlier, user)
    if party := character.sheet.party:
        announce(party, table=bool(event.group), events_suffice=event.before_data is None and not event.again_id)
    return event


def _aim_of(widget: Widget, target: Target | None) -> dict[str, Any]:
    """Return the arguments `at` and `veiled` of `Throw` for a roll aimed at a target; {} if it is aimed at none."""
    if target is None or not target.character.ruleset.crossing.reaches(widget.offer.cls):
        return {}
    key = str(target.character.sheet.pk)
    at = (key,) if target.hit_by(widget.complete) or widget.offer.from_target else ()
    return {"at": at, "veiled": frozenset({*target_figures_of(widget.offer.cls), *widget.offer.from_target})}


def _call_off(character: Character, act: Act, user: User | None) -> Character:
    """Undo the effects of the roll that a character repeats by an act; return the character as it is afterwards.

    Raise `Refused` if the roll cannot be repeated, or if something else has followed its effects.
    """
    sheet = character.sheet
    # Checked first: if the roll cannot be repeated anyway, others' acts are not given as the reason.
    event, *_first = repeatable_roll(character, only_directly_after=act.only_directly_after)
    if event.party_id == sheet.party_id and (stuck := undo_effects(sheet, event, user)):
        names = ", ".join(name.strip() or _("Unnamed") for name in shown_names(stuck).values())
        raise Refused(_("Something else has followed from that roll: {names}; take that back "
                        "before you reroll.").format(names=names))
    return character.of(sheet)
