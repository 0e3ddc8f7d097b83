"""Answering questions, applying, changing or dismissing pending effects, and taking acts back, as a button says."""

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
from sheets.press.log import announce
from sheets.press.pending import OpenEffect, effect_widget, guarded, open_effects
from sheets.press.perform import refusal
from sheets.press.questions import open_questions
from sheets.press.record_events import make_event
from sheets.press.responses import call_off, respond
from sheets.press.rethrows import rethrow
from sheets.press.targets import Target
from sheets.press.undo import undo_act, undo_for_all, what_stays
from sheets.rolls.widgets import Widget
from sheets.scenes.log import record


@dataclass(frozen=True)
class Decision:
    """A decision: the action of the button, and the key of the effect, the question or the act that it is about."""

    action: str
    about: int
    user: User
    key: UUID
    """The key of the press."""
    choice: str = ""
    """The roll by which it is to be stopped, or the response to it."""
    answers: Answers | None = None
    """The answers that change a pending effect."""


@dataclass(frozen=True)
class Settled:
    """The outcome at a table: the acts done or taken back, and the keys of events whose lines have changed."""

    me: Member
    acts: tuple[Event, ...] = ()
    lines: frozenset[int] = frozenset()
    news: int = 1
    """The number of times that the party was told."""
    place: str = "log"
    """The place on the page where it is seen."""
    fault: str = ""
    """The reason that nothing was done."""
    stays: tuple[str, ...] = ()
    """The reasons why what was to be taken back stays."""
    late: bool = False
    """True if it was settled before, possibly by the same press."""


@transaction.atomic
def settle(lock: Callable[[], Member], decision: Decision) -> Settled:
    """Do what somebody decided, in one transaction (`ObjectDoesNotExist` for those who may not decide it).

    `hold` returns the member who decides, whose party is held from then on.
    """
    return SETTLING[decision.action](lock(), decision)


def _lock_effect(me: Member, number: int) -> PendingEffect | None:
    """Return an open effect of this table, with its sheet held after the party; None if it is no longer open.

    Raise `ObjectDoesNotExist` for those who play neither side of it.
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
    """Let the target of a pending effect do something about it; `do` returns its event, and may be `Refused`."""
    if (effect := _lock_effect(me, decision.about)) is None:
        return Settled(me, late=True)
    if not plays(me, effect.sheet):
        raise Sheet.DoesNotExist
    told, place = me.party.pulse, "log" if decision.action == "rethrow" else f"landed-{effect.pk}"
    try:
        with transaction.atomic():
            event = do(effect, decision)
    except Refused as fault:
        others = not is_own(me, effect.sheet)
        return Settled(me, place=place, fault=refusal(effect.sheet.system, fault, others=others))
    except IntegrityError:
        # The key of this press is spent at that sheet.
        return Settled(me, late=True)
    except ValidationError:
        return Settled(me, place=place, fault=_("The rules cannot read this sheet any more."))
    if event is None:
        return Settled(me, late=True)
    return Settled(me, (event,), frozenset({effect.event_id}), me.party.pulse - told, place)


def _apply(effect: PendingEffect, decision: Decision) -> Event:
    """Apply a pending effect, as it came or as it was changed."""
    widget = effect_widget(effect.sheet.system, effect, decision.answers)
    if widget is None or not widget.made:
        raise Refused(_("That makes no sense as it was changed; nothing has happened."))
    if effect.sheet.system.crossing.onto and Target(Character(effect.sheet)).late(effect.event):
        raise Refused(_("The roll that this was for is over; it comes too late."))
    return apply_effect(effect, widget, decision.key, decision.user)


def guard(effect: PendingEffect, widget: Widget, key: UUID, user: User) -> Event:
    """Throw the guarding roll of a sheet held with its party; if it stops the effect, nothing comes of that."""
    sheet = effect.sheet
    character = Character(sheet)
    event = make_event(character, widget, key, user=user)
    store(sheet, played=timezone.now())
    record(event, opens=False)
    if event.outcome in character.ruleset.crossing.stopping:
        store(effect, state=DISMISSED)
    if sheet.party:
        announce(sheet.party, told=True)
    return event


def _guard(effect: PendingEffect, decision: Decision) -> Event | None:
    """Let the target of a pending effect try to stop it."""
    found = _open_effect(effect)
    widget = next((one for one in found.guards if one.key == decision.choice), None) if found else None
    return guard(effect, widget, decision.key, decision.user) if widget else None


def _open_effect(effect: PendingEffect) -> OpenEffect | None:
    """Return an effect that waits at a sheet that is held, as whoever plays it sees it."""
    return next(iter(guarded(open_effects(Character(effect.sheet), [effect]))), None)


def _rethrow(effect: PendingEffect, decision: Decision) -> Event | None:
    """Let the target of a pending effect have its own dice in it thrown once more."""
    found = _open_effect(effect)
    return rethrow(found, decision.key, decision.user) if found else None


def _dismiss(me: Member, decision: Decision) -> Settled:
    """Dismiss a pending effect, as those who decide about it or those who sent it may."""
    if (effect := _lock_effect(me, decision.about)) is None:
        return Settled(me, late=True)
    if effect.sheet.system.binds(effect.act) and not plays(me, effect.sheet):
        raise PendingEffect.DoesNotExist
    store(effect, state=DISMISSED)
    announce(me.party, told=True)
    return Settled(me, lines=frozenset({effect.event_id}))


def _respond(me: Member, decision: Decision) -> Settled:
    """Answer for the target of a roll that waits, before the roll falls."""
    try:
        told = respond(me, decision.about, decision.choice, decision.key, decision.user)
    except Refused as fault:
        return Settled(me, place="landings", fault=str(fault))
    except IntegrityError:
        # The key of this press is spent at that sheet.
        return Settled(me, late=True)
    return Settled(me, stays=(told,) if told else ())


def _forgo_all(me: Member, decision: Decision) -> Settled:
    """Let none of the opponents respond, as a GM may."""
    if not me.gm:
        raise Question.DoesNotExist
    asked = list(open_questions(me.party).filter(target__opponent=True).values_list("pk", flat=True))
    done = [_respond(me, replace(decision, about=pk, choice=FORGO, key=uuid4())) for pk in asked]
    return Settled(me, stays=tuple(text for one in done for text in (*one.stays, one.fault) if text))


def _call_off(me: Member, decision: Decision) -> Settled:
    """Take a roll back that waits for a response."""
    told = call_off(me, decision.about)
    return Settled(me, stays=(told,) if told else ())


def _sheet_key(event: Event) -> UUID:
    """Return the key of an event's sheet (`Sheet.DoesNotExist` where it has none)."""
    if event.sheet_id is None:
        raise Sheet.DoesNotExist
    return event.sheet_id


def _take_back(me: Member, decision: Decision) -> Settled:
    """Take back an act of somebody at this table, by either side of it."""
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
        return Settled(me, stays=(str(fault),))


def _take_all_back(me: Member, decision: Decision) -> Settled:
    """Take back an act that a GM had everybody do at once, for all who have done nothing else since."""
    if not me.gm:
        raise Event.DoesNotExist
    first = Event.objects.get(pk=decision.about, party=me.party_id)
    return Settled(me, stays=tuple(what_stays(undo_for_all(me.party, first.key, decision.user))))


SETTLING: dict[str, Callable[[Member, Decision], Settled]] = {
    **{action: partial(_decide, do=do) for action, do in (
        ("apply", _apply), ("change", _apply), ("guard", _guard), ("rethrow", _rethrow))},
    "respond": _respond, "forgo-all": _forgo_all, "call-off": _call_off,
    "dismiss": _dismiss, "back": _take_back, "all-back": _take_all_back,
}
"""The function for the action of each button."""
