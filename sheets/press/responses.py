"""Responses: the target of a roll is asked before the roll is made, and the answer decides which roll is made."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from rulesets.kit import FORGO, Act, Refused, Response
from sheets.access import at_table, is_own, played_by, plays
from sheets.character import Character
from sheets.models import Event, Member, Party, Question, Sheet
from sheets.models.event_kinds import Pressed, Stopped
from sheets.models.store import store
from sheets.press.dice import keeping_rolls
from sheets.press.log import announce, tell
from sheets.press.perform import follow, press, refusal
from sheets.press.prepare import pressed_widget, standing_in
from sheets.press.questions import of_earlier_rounds
from sheets.press.record_events import in_each_language
from sheets.press.targets import Target
from sheets.rolls.widgets import Widget
from sheets.scenes.log import record
from sheets.status.reviews import review_statuses, shown_state

MOST_STANDING = 12
"""The most responses of a sheet that are given without being asked; the oldest is dropped for a new one."""


@dataclass(frozen=True)
class OpenQuestion:
    """A question as a page shows it, to be answered by the target's player or called off by the actor's."""

    question: Question
    name: str
    """The target's name, as others see it."""
    actor: str
    """The actor's name, as others see it."""
    responses: tuple[Response, ...]
    """The possible responses; empty for readers who do not play the target."""
    callable_off: bool
    """True if the reader may cancel the roll; a reader who may also respond may do so only for an own sheet."""


def questions_shown(me: Member, found: Iterable[Question]) -> list[OpenQuestion]:
    """Return the questions that a member may answer or call off, as a page shows them."""
    questions = [one for one in found if plays(me, one.target) or plays(me, one.sheet)]
    sheets = {one.pk: one for question in questions for one in (question.target, question.sheet)}
    for sheet in sheets.values():
        sheet.party = me.party
    statuses = review_statuses(sheets.values()) if sheets else {}
    names = {pk: shown_state(sheet, statuses[pk]).name.strip() or _("Unnamed") for pk, sheet in sheets.items()}
    shown, late = [], of_earlier_rounds(me.party, questions)
    for one in questions:
        roll = _Roll(one, sheets, statuses, late=one.pk in late)
        responses = tuple(roll.responses) if plays(me, one.target) else ()
        callable_off = not responses or is_own(me, one.sheet)
        shown.append(OpenQuestion(one, names[one.target_id], names[one.sheet_id], responses, callable_off))
    return shown


class _Roll:
    """The roll that waits for a response, as it would be made now."""

    def __init__(self, question: Question, sheets: Mapping[UUID, Sheet], statuses: Mapping[Any, Any], *,
                 late: bool) -> None:
        actor, target = sheets[question.sheet_id], sheets[question.target_id]
        self.question, self.late = question, late
        self.actor, self.responder = Character(actor, statuses[actor.pk]), Character(target, statuses[target.pk])

    @property
    def target(self) -> Target:
        """The target as it is now."""
        return Target(Character(self.responder.sheet, self.responder.review_status), chosen=True)

    @property
    def pressed(self) -> Widget | None:
        """The widget that was pressed; None if it is no longer offered."""
        if self.actor.barred:
            return None
        one = self.question
        widget = pressed_widget(self.actor, one.answers, one.widget, self.target, one.row)
        return widget if widget and widget.complete else None

    @property
    def responses(self) -> Iterator[Response]:
        """The responses that the target has not tried yet; the last one, not to respond, is always possible.

        Responses that do an act are left out once a later round has begun.
        """
        widget, target, tried = self.pressed, self.target, self.question.tried
        for one in target.responses(widget.complete) if widget else ():
            paid = one.offer is not None and issubclass(one.offer.cls, Act)
            if one.key not in (*tried, FORGO) and one.readies not in tried and not (self.late and paid):
                yield one
        yield target.forgoing(widget.complete) if widget else Response(FORGO, _("Do not respond"))


def _lock_question(me: Member, number: int) -> tuple[Question, dict[UUID, Sheet]]:
    """Return a question and {key: sheet} of its sheets still at the table; the sheets are locked, after the party.

    Raise `Question.DoesNotExist` for a question of another table.
    """
    question = Question.objects.select_related("who").get(pk=number, party=me.party_id)
    asked = Sheet.objects.filter(pk__in=[question.sheet_id, question.target_id])
    held = {one.pk: one for one in at_table(me, asked).order_by("pk").select_for_update(of=("self",))}
    for sheet in held.values():
        sheet.party = me.party
    return question, held


def respond(me: Member, number: int, choice: str, key: UUID, user: User, *, always: bool = False) -> str:
    """Answer a question: do the response, then make the roll unless the response has stopped it.

    After a response that has not stopped the roll, the question stays open while other responses are left. With
    `always` the response is from now on given without asking. Return a
    message if the question was settled already or the roll is gone, else "". Raise `Question.DoesNotExist` for members
    who may not answer it, `Refused` if play does not allow it, `IntegrityError` if the key was used before.
    """
    question, held = _lock_question(me, number)
    target, actor = held.get(question.target_id), held.get(question.sheet_id)
    if target is None or not plays(me, target):
        raise Question.DoesNotExist
    if question.response is not None:
        return _answered_already(question)
    if target.events.filter(key=key).exists():
        # The same press has arrived before.
        return ""
    late = bool(of_earlier_rounds(me.party, [question]))
    roll = _Roll(question, held, review_statuses([actor, target]), late=late) if actor else None
    if roll is None or roll.pressed is None:
        question.delete()
        announce(me.party)
        return _("{title}: the roll is no longer possible and has been cancelled.").format(title=question.title)
    titles = _titles(roll, choice)
    chosen = next((one for one in roll.responses if one.key == choice), None)
    if titles is None or chosen is None:
        raise Refused(_("That is no longer possible; choose another response."))
    try:
        with keeping_rolls():
            _carry_out(me, roll, chosen, key, user, titles)
            if always:
                keep_standing(me, target, choice, titles)
            announce(me.party)
    except Refused as fault:
        raise Refused(refusal(target.system, fault, others=not is_own(me, target))) from None
    return ""


@transaction.atomic
def respond_without_asking(question: Question) -> bool:
    """Give the standing responses of the target's players; return True if nobody is asked any more.

    Responses that are not possible now are skipped; if none settles the question, it stays open.
    """
    party = Party.objects.select_for_update().get(pk=question.party_id)
    members = Member.objects.filter(party=party, standing__has_key=str(question.target_id)).select_related("user")
    for me in members.order_by("pk"):
        me.party = party
        if not plays(me, question.target):
            continue
        for choice, _titles_of_it in me.standing[str(question.target_id)]:
            with suppress(Refused, Question.DoesNotExist):
                respond(me, question.pk, choice, uuid4(), me.user)
            now = Question.objects.filter(pk=question.pk).first()
            if now is None or now.response is not None:
                return True
    return False


def keep_standing(me: Member, sheet: Sheet, response: str, titles: dict[str, str]) -> None:
    """Store a response to be given without asking; `FORGO` is always the last one. The party is locked."""
    others = [one for one in me.standing.get(str(sheet.pk), []) if one[0] != response]
    found = sorted([*others, [response, titles]], key=lambda one: one[0] == FORGO)
    store(me, standing=me.standing | {str(sheet.pk): found[-MOST_STANDING:]})


def end_standing(me: Member, sheet: str) -> None:
    """Delete the standing responses of a sheet, so that the member is asked again. The party is locked."""
    store(me, standing={key: found for key, found in me.standing.items() if key != sheet})


def _answered_already(question: Question) -> str:
    return _("That has already been answered: {response}").format(response=question.answer)


def _titles(roll: _Roll, choice: str) -> dict[str, str] | None:
    """Return {language: title of a response}; None if it is not offered."""
    found = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            title = next((str(one.title) for one in roll.responses if one.key == choice), None)
        if title is None:
            return None
        found[language] = title
    return found


def _carry_out(me: Member, roll: _Roll, chosen: Response, key: UUID, user: User, titles: dict[str, str]) -> None:
    """Do a response, then make the waiting roll unless the response stopped it or another one may follow."""
    question, event = roll.question, _done(me, roll, chosen, key, user)
    stopped = event is not None and event.outcome in roll.responder.sheet.system.crossing.stopping
    question.tried = [*question.tried, chosen.key]
    if event is None or chosen.replacement or stopped or all(one.key == FORGO for one in roll.responses):
        question.response = titles
    question.save(update_fields=["response", "tried"])
    if stopped and event:
        _note_stopped(roll, event, titles)
    elif question.response:
        _falls(me, roll, chosen)


def _done(me: Member, roll: _Roll, chosen: Response, key: UUID, user: User) -> Event | None:
    """Do the roll or act of a response; return its event, None if the response has none."""
    if chosen.offer is None:
        return None
    target = roll.responder.sheet
    event = press(roll.responder, Widget(chosen.offer), key, user=user, me=me)
    store(target, played=timezone.now())
    return event


def _falls(me: Member, roll: _Roll, chosen: Response) -> None:
    """Make the waiting roll with the actor's figures as they are now."""
    question, target, pressed = roll.question, roll.target, roll.pressed
    if pressed is None:
        raise Refused(_("That roll is no longer possible."))
    widget, actor = standing_in(pressed, chosen.replacement) if chosen.replacement else pressed, roll.actor.sheet
    event = press(roll.actor, widget, question.key, user=question.who, called=question.titles, target=target, me=me)
    store(actor, played=timezone.now())
    if question.who:
        tell(Member(party=me.party, user=question.who), actor, event)
    follow(roll.actor, event, widget, question.who, late=roll.late)


def _note_stopped(roll: _Roll, by: Event, titles: dict[str, str]) -> None:
    """Record in the actor's log that the roll was stopped before it was made, and do its automatic acts."""
    question, target, pressed, actor = roll.question, roll.target, roll.pressed, roll.actor.sheet
    stopping = by.sheet.system.rolls[by.roll] if by.sheet else None
    if pressed is None or stopping is None:
        return
    made = stopping.model_validate(by.parameters)
    said = in_each_language(lambda: f"{titles[str(translation.get_language())]}: {made.label(by.fell.value)}")
    event = Event.of(
        Pressed(question.who, question.key, pressed.key, question.title[:300], question.titles, pressed.row_name),
        Stopped(said[str(translation.get_language())], said), sheet=actor, party=actor.party,
        aimed_at={str(target.character.sheet.pk): target.character.name})
    record(event)
    store(actor, played=timezone.now())
    follow(roll.actor, event, pressed, question.who, late=roll.late)


def withdraw_question(me: Member, number: int) -> str:
    """Withdraw a question and its roll; return a message if it was answered already, else "".

    Raise `ObjectDoesNotExist` for members who do not play the actor.
    """
    question, _sheets = _lock_question(me, number)
    played_by(me).get(pk=question.sheet_id)
    if question.response is not None:
        return _answered_already(question)
    question.delete()
    announce(me.party)
    return ""
