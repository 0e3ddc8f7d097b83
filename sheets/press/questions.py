"""Questions: the target of a roll is asked for a response before the roll is made."""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from rulesets.kit import Refused
from sheets.forms.inputs import Answers
from sheets.models import Party, Question, Scene, Sheet
from sheets.press.log import announce
from sheets.press.prepare import PreparedPress, Press
from sheets.rolls.widgets import TARGET_PREFIX, Widget
from sheets.status.reviews import shown_names

ANSWERED_LIFETIME = timedelta(days=1)
"""The time for which answered questions are stored, so that late answers can be told the earlier one."""


def open_questions(party: Party) -> QuerySet[Question]:
    """Return the unanswered questions at a table, oldest first; none if the party does not wait for responses."""
    there = {f"{side}__{name}": value for side in ("sheet", "target")
             for name, value in (("party", F("party")), ("offered", False), ("deleted", None))}
    found = Question.objects.filter(party=party.pk, response__isnull=True, **there).order_by("pk")
    return found if party.waits else found.none()


def of_earlier_rounds(party: Party, questions: Collection[Question]) -> set[int]:
    """Return the keys of the questions that were asked before the current round began; none outside of rounds."""
    scenes = party.open_scenes if questions else ()
    return {key for scene in scenes for key in _of_earlier_rounds(
        scene, [one for one in questions if scene.seats(one.sheet)])}


def _of_earlier_rounds(scene: Scene, questions: Collection[Question]) -> set[int]:
    if not (questions and scene.round):
        return set()
    since = scene.events.filter(turn__isnull=False, undone=False, made__gt=min(one.made for one in questions))
    begun = [one.made for one in since.only("made", "turn") if (passed := one.turn_passed) and passed.changes_round]
    return {one.pk for one in questions if begun and one.made < max(begun)}


def ask(ready: PreparedPress, widget: Widget, pressed: Press, user: User | None) -> Question:
    """Ask the target of a roll; raise `Refused` while another roll of the actor waits. The seats are locked."""
    sheet, at = ready.seats.by, ready.seats.at
    if ready.character.barred:
        raise Refused(ready.character.barred)
    if at is None or sheet.party is None:
        raise ValueError("only a roll at a table has a target that is asked")
    refuse_while_asked(sheet, pressed.key)
    sheet.questions_asked.filter(response__isnull=False, made__lt=timezone.now() - ANSWERED_LIFETIME).delete()
    question = Question.objects.create(
        party=sheet.party, sheet=sheet, target=at, who=user, key=pressed.key, widget=pressed.which, row=pressed.row,
        answers=_own(pressed.answers, widget), titles=ready.titles)
    announce(sheet.party)
    return question


def refuse_while_asked(sheet: Sheet, key: UUID) -> None:
    """Raise `Refused` while a target has not responded to another roll of a sheet than that of the press `key`."""
    for one in sheet.questions_asked.filter(response__isnull=True).exclude(key=key).select_related("target"):
        if sheet.party and open_questions(sheet.party).filter(pk=one.pk).exists():
            raise Refused(_("{name} has not responded to your last roll yet. Wait, or cancel that roll.").format(
                name=shown_names([one.target])[one.target_id].strip() or _("Unnamed")))
        # Its target has left the table.
        one.delete()


def _own(answers: Answers, widget: Widget) -> Answers:
    """Return the posted answers that a widget asks for, without NUL characters, which databases reject."""
    return {name: [text.replace("\0", "") for text in texts] for name, texts in answers.items()
            if name.rstrip("+") in widget.offer.asks or (name.startswith(TARGET_PREFIX) and "\0" not in name)}
