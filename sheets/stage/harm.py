"""Harm done in a scene: who was hurt, healed or brought down, found by comparing states before and after acts."""

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.kit import Data, redacted
from sheets.models import Event, Scene, Sheet
from sheets.stage.participants import Participant
from sheets.stage.table import PartyTable


@dataclass(frozen=True)
class Harm:
    """A change of a character's condition by an act, for better or worse."""

    name: str
    fell: bool
    """True if the act brought them down."""
    turn: int | None
    """The key of the turn event that the act is a step of, or None."""


@dataclass(frozen=True)
class _Act:
    """The stored values of an act that are needed here."""

    key: int
    before: Data
    turn: int | None


def harm(table: PartyTable, scene: Scene, most: int) -> dict[int, Harm]:
    """Return {key of an act: `Harm` to the sheet that did it} for the scene's newest acts that changed a condition.

    Only participants that the reader sees are included, by the gauge from which the table derives their condition.
    The state after an act is read from the state before the next one.
    """
    there: dict[Any, Participant] = {one.sheet.pk: one for one in table.participants if one.character}
    acts = Event.objects.filter(undone=False, before__isnull=False)
    past: dict[Any, list[_Act]] = {}
    for sheet, pk, before, step_of in acts.filter(scene=scene, sheet__in=there).order_by("-pk").values_list(
            "sheet", "pk", "before", "step_of")[:most]:
        past.setdefault(sheet, []).insert(0, _Act(pk, before or {}, step_of))
    left = _left(acts, past)
    return {act.key: found for sheet, done in past.items()
            for act, found in _changes(there[sheet], done, left.get(sheet))}


def _left(acts: QuerySet[Event], past: Mapping[Any, list[_Act]]) -> dict[Any, Data | None]:
    """Return {sheet: its state before its first act after the scene's last one, None if there was none}."""
    if not past:
        return {}
    last = max(done[-1].key for done in past.values())
    since = acts.filter(sheet=OuterRef("pk"), pk__gt=last).order_by("pk").values("before")[:1]
    return dict(Sheet.objects.filter(pk__in=past).annotate(since=Subquery(since)).values_list("pk", "since"))


def _changes(one: Participant, done: list[_Act], left: Data | None) -> Iterator[tuple[_Act, Harm]]:
    states = [*(act.before for act in done), one.sheet.play if left is None else left]
    stood = [_standing(one, states[0])]
    for was, now in pairwise(states):
        stood.append(stood[-1] if was == now else _standing(one, now))
    for act, (was, now) in zip(done, pairwise(stood), strict=True):
        if was and now and was != now:
            yield act, Harm(one.name, now[1] and not was[1], act.turn)


def _standing(one: Participant, state: Data) -> tuple[int, bool] | None:
    """Return (value of the gauge, True if down) in a state of play.

    Return None if the system has no such gauge, or cannot read the state any more.
    """
    if one.character is None:
        return None
    character = copy(one.character)
    try:
        play = character.ruleset.play.model_validate({**state, **character.common()})
    except ValidationError:
        return None
    character.play = redacted(play) if character.others else play
    then = replace(one, character=character)
    gauge = next((found for found in then.gauges if found.most), None)
    return (gauge.current, then.wounds == _("down")) if gauge else None
