"""Questions, effects and rolls that are asked for, as they wait at a character."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q

from sheets.character import Character
from sheets.models import PLAYER, Member
from sheets.press.asked import Asked, asked_of, asked_rolls
from sheets.press.pending import (
    OpenEffect,
    guarded,
    newest_keys,
    open_effects,
    read_newest,
    say_whence,
    waiting,
    waiting_shown,
)
from sheets.press.questions import open_questions
from sheets.press.responses import OpenQuestion, questions_shown


def waiting_at(character: Character) -> dict[str, Any]:
    """Return what waits at a character for whoever plays it, as its page shows it; without a party nothing does."""
    sheet, party = character.sheet, character.sheet.party
    if party is None:
        return {"effects": [], "asked": [], "questions": [], "known": ""}
    waits = waiting(character.ruleset, party.pk).filter(sheet=sheet)
    found, older = read_newest([*newest_keys(waits)], waits.count)
    say_whence(found)
    effects = guarded(open_effects(character, found))
    asked = asked_of(asked_rolls(party.pk).filter(sheet=sheet), [character])
    questions = []
    if party.waits and not character.others:
        me = Member(party=party, user_id=sheet.owner_id, role=PLAYER)
        questions = questions_shown(me, open_questions(party).filter(Q(sheet=sheet) | Q(target=sheet)).select_related(
            "sheet", "target"))
    return waiting_shown(party.pk, effects, older) | {
        "asked": asked, "questions": questions, "known": known(effects, older, asked, questions)}


def known(effects: Iterable[OpenEffect], older: int, asked: Iterable[Asked], questions: Iterable[OpenQuestion]) -> str:
    """Return a word for what waits, which is another as soon as something comes or goes."""
    return ".".join((*([f"{older}"] if older else []), *(f"{one.effect.pk}-{len(one.guards)}" for one in effects),
                     *(f"a{one.roll.pk}" for one in asked), *(f"q{one.question.pk}" for one in questions)))
