"""Decisions by buttons at a table: answering questions, settling pending effects, and undoing acts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.kit import FORGO, Refused
from sheets.access import at_table, is_own, played_by, plays
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Event, Member, PendingEffect, Question, Sheet
from sheets.models.events import DISMISSED, OPEN
from sheets.models.store import store
from sheets.press.apply_effects import apply_effect
from sheets.press.dice import keeping_rolls
from sheets.press.log import announce
from sheets.press.pending import OpenEffect, effect_widget, open_effects, with_guards
from sheets.press.perform import refusal
from sheets.press.questions import open_questions
from sheets.press.record_events import make_event
from sheets.press.responses import end_standing, respond, withdraw_question
from sheets.press.rethrows import rethrow
from sheets.press.targets import Target
from sheets.press.undo import undo_act, undo_failures, undo_for_all
from sheets.rolls.widgets import Widget
from sheets.scenes.log import record


@dataclass(frozen=True)
class Decision:
    """A decision by a button; `about` is the primary key of the effect, the question or the event."""

    action: str
    about: int
    user: User
    key: UUID
    """The key of the press."""
    choice: str = ""
    """The name of the guarding roll, or the key of the response."""
    answers: Answers | None = None
    """The answers that change a pending effect."""
    always: bool = False
    """True if the response is from now on given without asking."""


@dataclass(frozen=True)
class Settled:
    """The outcome of a decision: the acts done or undone, and the keys of events whose log lines have changed."""

    me: Member
    acts: tuple[Event, ...] = ()
    lines: frozenset[int] = frozenset()
    news: int = 1
    """The number by which the party's `pulse` rose."""
    place: str = "log"
    """The anchor on the page where the outcome is seen."""
    fault: str = ""
    """The reason why nothing was done, or ""."""
    warnings: tuple[str, ...] = ()
    """Messages to show as warnings, such as reasons why an act could not be undone."""
    late: bool = False
    """True if the matter was settled before, possibly by the same press."""


@transaction.atomic
def settle(lock: Callable[[], Member], decision: Decision) -> Settled:
    """Carry out a decision in one transaction; raise `ObjectDoesNotExist` for members who may not make it.

    `lock` locks the party and returns the member who decides.
    """
    return SETTLING[decision.action](lock(), decision)


def _lock_effect(me: Member, number: int) -> PendingEffect | None:
    """Return an open effect with its sheet, which is locked after the party; None if it is no longer open.

    Raise `ObjectDoesNotExist` for members who play neither side of it.
    """
    found = PendingEffect.objects.select_related("event").get(pk=number, event__party=me.party_id)
    sheet = at_table(me, Sheet.objects.filter(pk=found.sheet_id)).select_for_update(of=("self",)).first()
    if not (sheet and plays(me, sheet)):
        played_by(me).get(pk=_sheet_key(found.event))
    if sheet is None or found.state != OPEN:
        return None
    sheet.party = me.party
    found.sheet = sheet
    return found


def _decide(me: Member, decision: Decision, do: Callable[[PendingEffect, Decision], Event | None]) -> Settled:
    """Call `do` for a pending effect as its target's player; `do` returns the event, or None if it came too late."""
    if (effect := _lock_effect(me, decision.about)) is None:
        return Settled(me, late=True)
    if not plays(me, effect.sheet):
        raise Sheet.DoesNotExist
    told, place = me.party.pulse, "log" if decision.action == "rethrow" else f"landed-{effect.pk}"
    try:
        with keeping_rolls():
            event = do(effect, decision)
    except Refused as fault:
        others = not is_own(me, effect.sheet)
        return Settled(me, place=place, fault=refusal(effect.sheet.system, fault, others=others))
    except IntegrityError:
        # The sheet has an event with this key already.
        return Settled(me, late=True)
    except ValidationError:
        return Settled(me, place=place, fault=_("The rules can no longer read this sheet."))
    if event is None:
        return Settled(me, late=True)
    return Settled(me, (event,), frozenset({effect.event_id}), me.party.pulse - told, place)


def _apply(effect: PendingEffect, decision: Decision) -> Event:
    """Apply a pending effect, with changed answers if there are any."""
    widget = effect_widget(effect.sheet.system, effect, decision.answers)
    if widget is None or not widget.complete:
        raise Refused(_("That makes no sense with these values; nothing has happened."))
    if effect.sheet.system.crossing.rolls_on_open_dice and Target(Character(effect.sheet)).late(effect.event):
        raise Refused(_("Too late: the roll this was for is over."))
    return apply_effect(effect, widget, decision.key, decision.user)


def guard(effect: PendingEffect, widget: Widget, key: UUID, user: User) -> Event:
    """Make a guarding roll; if it stops the effect, dismiss all open effects of the same event on the sheet.

    The sheet is locked with its party.
    """
    sheet = effect.sheet
    character = Character(sheet)
    event = make_event(character, widget, key, user=user)
    store(sheet, played=timezone.now())
    record(event, opens=False)
    if event.outcome in character.ruleset.crossing.stopping:
        store(effect, state=DISMISSED)
        effect.event.pending_effects.filter(sheet=sheet, state=OPEN).update(state=DISMISSED)
    if sheet.party:
        announce(sheet.party, events_suffice=True)
    return event


def _guard(effect: PendingEffect, decision: Decision) -> Event | None:
    """Let the target of a pending effect try to stop it."""
    found = _open_effect(effect)
    widget = next((one for one in found.guards if one.key == decision.choice), None) if found else None
    return guard(effect, widget, decision.key, decision.user) if widget else None


def _open_effect(effect: PendingEffect) -> OpenEffect | None:
    """Return a pending effect of a locked sheet as its player sees it."""
    return next(iter(with_guards(open_effects(Character(effect.sheet), [effect]))), None)


def _rethrow(effect: PendingEffect, decision: Decision) -> Event | None:
    """Let the target of a pending effect reroll its own dice."""
    found = _open_effect(effect)
    return rethrow(found, decision.key, decision.user) if found else None


def _dismiss(me: Member, decision: Decision) -> Settled:
    """Dismiss a pending effect; the sender may do so too unless the effect is binding."""
    if (effect := _lock_effect(me, decision.about)) is None:
        return Settled(me, late=True)
    if effect.sheet.system.binds(effect.act) and not plays(me, effect.sheet):
        raise PendingEffect.DoesNotExist
    store(effect, state=DISMISSED)
    announce(me.party, events_suffice=True)
    return Settled(me, lines=frozenset({effect.event_id}))


def _respond(me: Member, decision: Decision) -> Settled:
    """Answer a question for the target of a waiting roll."""
    try:
        told = respond(me, decision.about, decision.choice, decision.key, decision.user, always=decision.always)
    except Refused as fault:
        return Settled(me, place="landings", fault=str(fault))
    except IntegrityError:
        # The sheet has an event with this key already.
        return Settled(me, late=True)
    return Settled(me, warnings=(told,) if told else ())


def _ask_again(me: Member, decision: Decision) -> Settled:
    """End the standing responses of a sheet."""
    end_standing(me, decision.choice)
    return Settled(me, place="landings")


def _forgo_all(me: Member, decision: Decision) -> Settled:
    """Answer all questions to opponents with "Do not respond"; only a GM may do so."""
    if not me.gm:
        raise Question.DoesNotExist
    asked = list(open_questions(me.party).filter(target__opponent=True).values_list("pk", flat=True))
    done = [_respond(me, replace(decision, about=pk, choice=FORGO, key=uuid4())) for pk in asked]
    return Settled(me, warnings=tuple(text for one in done for text in (*one.warnings, one.fault) if text))


def _call_off(me: Member, decision: Decision) -> Settled:
    """Call off a roll that waits for a response."""
    told = withdraw_question(me, decision.about)
    return Settled(me, warnings=(told,) if told else ())


def _sheet_key(event: Event) -> UUID:
    """Return the key of an event's sheet; raise `Sheet.DoesNotExist` if it has none."""
    if event.sheet_id is None:
        raise Sheet.DoesNotExist
    return event.sheet_id


def _take_back(me: Member, decision: Decision) -> Settled:
    """Undo an act at this table; the player of the sheet that caused it may do so too unless it is binding."""
    event = Event.objects.select_related("applied_effect__event").get(pk=decision.about, party=me.party_id)
    sheet = at_table(me, Sheet.objects.select_for_update(of=("self",))).get(pk=_sheet_key(event))
    if not plays(me, sheet):
        came = hasattr(event, "applied_effect") and not sheet.system.binds(event.act)
        if not came:
            raise Sheet.DoesNotExist
        played_by(me).get(pk=_sheet_key(event.applied_effect.event))
    sheet.party = me.party
    try:
        return Settled(me, tuple(undo_act(sheet, event.pk, decision.user)))
    except Refused as fault:
        return Settled(me, warnings=(str(fault),))


def _take_all_back(me: Member, decision: Decision) -> Settled:
    """Undo an act that a GM did for everybody at once, for all sheets that have done nothing else since."""
    if not me.gm:
        raise Event.DoesNotExist
    first = Event.objects.get(pk=decision.about, party=me.party_id)
    return Settled(me, warnings=tuple(undo_failures(undo_for_all(me.party, first.key, decision.user))))


SETTLING: dict[str, Callable[[Member, Decision], Settled]] = {
    **{action: partial(_decide, do=do) for action, do in (
        ("apply", _apply), ("change", _apply), ("guard", _guard), ("rethrow", _rethrow))},
    "respond": _respond, "ask-again": _ask_again, "forgo-all": _forgo_all, "call-off": _call_off,
    "dismiss": _dismiss, "back": _take_back, "all-back": _take_all_back,
}
"""{action of a button: function that carries it out}."""
