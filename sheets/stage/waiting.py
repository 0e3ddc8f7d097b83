"""Open questions, pending effects and asked rolls of a character or a table."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.functional import cached_property

from sheets.access import played_by
from sheets.character import Character
from sheets.models import PLAYER, Member, PendingEffect, Sheet
from sheets.models.scenes import worded
from sheets.press.asked import Asked, asked_at, asked_of
from sheets.press.pending import (
    OpenEffect,
    effect_widget,
    name_sources,
    newest_keys,
    newest_keys_between,
    open_effects,
    read_newest,
    waiting_between,
    waiting_effects,
    waiting_shown,
    with_guards,
)
from sheets.press.questions import open_questions
from sheets.press.responses import OpenQuestion, questions_shown
from sheets.status.reviews import shown_names

if TYPE_CHECKING:
    from sheets.stage.actor import TargetPicker


@dataclass(frozen=True)
class StandingResponses:
    """The responses of a sheet that are given without asking, as a page shows them."""

    sheet: Sheet
    name: str
    titles: list[str]


def standing_of(me: Member) -> Iterator[StandingResponses]:
    """Yield the standing responses of the sheets at the table that a member plays."""
    sheets = list(played_by(me).filter(pk__in=[UUID(key) for key in me.standing])) if me.standing else []
    names = shown_names(sheets)
    for sheet in sheets:
        yield StandingResponses(sheet, names[sheet.pk], [worded(titles) for _key, titles in me.standing[str(sheet.pk)]])


def waiting_at(character: Character) -> dict[str, Any]:
    """Return the context of what waits at a character for its player; nothing without a party."""
    sheet, party = character.sheet, character.sheet.party
    if party is None:
        return {"effects": [], "asked": [], "questions": [], "known": ""}
    keys = newest_keys_between(party.pk, [sheet.pk], [], ruleset=character.ruleset)
    found, older = read_newest(keys, waiting_effects(character.ruleset, party.pk).filter(sheet=sheet).count)
    name_sources(found)
    effects = with_guards(open_effects(character, found))
    asked = asked_of(asked_at(party.pk), [character])
    questions = []
    if party.waits and sheet.owner_id and not character.others:
        me = Member(party=party, user_id=sheet.owner_id, role=PLAYER)
        questions = questions_shown(me, open_questions(party).filter(Q(sheet=sheet) | Q(target=sheet)).select_related(
            "sheet", "target"))
    return waiting_shown(party.pk, effects, older) | {
        "asked": asked, "questions": questions, "known": waiting_token(effects, older, asked, questions)}


class WaitingAtTable:
    """Open questions and pending effects that a member may decide about; a GM decides about all."""

    def __init__(self, picker: "TargetPicker") -> None:
        self.picker, self.table, self.me = picker, picker.table, picker.table.me

    @cached_property
    def _between(self) -> tuple[UUID, list[UUID], list[UUID]]:
        """(party, sheets with pending effects, sheets whose player may decide), all keys; the last is [] for a GM.

        The player of the sheet that caused an effect may withdraw it.
        """
        table = self.table
        targets = [one.sheet.pk for one in self.picker.targets] if table.whole else table.seated_keys
        if self.me.gm:
            return table.party.pk, targets, []
        actors = ([one.sheet.pk for one in self.picker.actors] if table.whole else
                  list(played_by(self.me).values_list("pk", flat=True)))
        return table.party.pk, targets if actors else [], actors

    @property
    def effects(self) -> QuerySet[PendingEffect]:
        """The pending effects that the reader may decide about or, as their sender, withdraw."""
        return waiting_between(*self._between, ruleset=self.table.ruleset)

    @cached_property
    def newest(self) -> tuple[list[PendingEffect], int]:
        """The newest pending effects, and the number of older ones."""
        keys = newest_keys_between(*self._between, ruleset=self.table.ruleset)
        return read_newest(keys, lambda: self.effects.count())  # noqa: PLW0108 - composed only where it is asked

    def _older(self, before: int) -> tuple[list[PendingEffect], int]:
        found = self.effects.filter(pk__lt=before)
        return read_newest([*newest_keys(found)], found.count)

    def _questions(self) -> dict[str, Any]:
        """Return the context of questions that the reader may answer or call off, and of standing responses."""
        if not self.table.party.waits:
            return {}
        found = questions_shown(self.me, open_questions(self.me.party).select_related("sheet", "target"))
        opponents = sum(one.question.target.opponent for one in found)
        return {"questions": found, "for_opponents": self.me.gm and opponents > 1,
                "standing": [*standing_of(self.me)]}

    def shown(self, before: int | None = None) -> dict[str, Any]:
        """Return the context of the newest pending effects (or of those older than `before`) and open questions."""
        there = {one.sheet.pk: one.character for one in self.picker.targets if one.character}
        own = {one.sheet.pk for one in self.picker.actors}
        found, older = self._older(before) if before else self.newest
        name_sources(found, {one.sheet.pk: one.name for one in self.table.participants})
        effects = [OpenEffect(one, widget, there[one.sheet_id], one.sheet_id in own) for one in found
                   if one.sheet_id in there and (widget := effect_widget(self.table.ruleset, one))]
        # Effects that the reader decides about come first.
        effects.sort(key=lambda one: not one.decides)
        return waiting_shown(self.table.party.pk, with_guards(effects), older) | self._questions()


def waiting_token(effects: Iterable[OpenEffect], older: int, asked: Iterable[Asked],
                  questions: Iterable[OpenQuestion]) -> str:
    """Return the change token of what waits; it changes when something is added or settled."""
    return ".".join((*([f"{older}"] if older else []), *(f"{one.effect.pk}-{len(one.guards)}" for one in effects),
                     *(f"a{one.roll.pk}" for one in asked), *(
                         f"q{one.question.pk}-{len(one.responses)}" for one in questions)))
