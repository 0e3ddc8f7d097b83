"""Comparison of a sheet with its party by the exact measures that its system defines (`Sheet.measures`)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.kit import House, Measure
from rulesets.kit import Sheet as SheetShape
from rulesets.names import short_names
from rulesets.work import WORK, TooMuch, compute_limit
from sheets.access import at_table
from sheets.diff.changes import DiffEntry, Figure
from sheets.models import Member, Sheet
from sheets.models.compiled_queries import compiled
from sheets.status.reviews import review_statuses, shown_state

MAX_CHARACTERS = 24
"""The most other characters of a party that are compared."""


@dataclass(frozen=True)
class Bar:
    """The bar of a character's measure; its width is a percentage of the largest."""

    name: str
    short: str
    """The first word of the name if no other bar has the same one; otherwise the whole name."""
    measure: Measure
    width: int
    own: bool = False


@dataclass(frozen=True)
class PartyMeasure:
    """A measure of a sheet and the same one of the other characters; the strongest of the `bars` is first."""

    measure: Measure
    bars: tuple[Bar, ...]
    others: tuple[Measure, ...]

    @property
    def least(self) -> Measure:
        """The smallest measure of the others."""
        return min(self.others, key=lambda one: one.exact)

    @property
    def most(self) -> Measure:
        """The largest measure of the others."""
        return max(self.others, key=lambda one: one.exact)

    @property
    def range(self) -> str:
        """The smallest and the largest as text, or a single figure if they are equal."""
        least, most = self.least.shown, self.most.shown
        return least if least == most else _("{least} to {most}").format(least=least, most=most)

    @property
    def ahead(self) -> bool:
        """True if it is stronger than every other one, and differs as it is shown."""
        return bool(self.others) and all(
            self.measure.beats(one) and self.measure.shown != one.shown for one in self.others)


def party_measures(me: Member, sheet: Sheet, shape: SheetShape, house: House, name: str) -> list[PartyMeasure]:
    """Return the measures of a sheet's content, compared with the other characters of its party as they are played."""
    with compute_limit(WORK // 4):
        return _party_measures(me, sheet, measures_of(shape, house), name)


def _party_measures(me: Member, sheet: Sheet, own: list[Measure], name: str) -> list[PartyMeasure]:
    if not own:
        return []
    others = _others(sheet.pk, me.party_id, sheet.ruleset)
    statuses = review_statuses(others)
    states = [(shown_state(other, statuses[other.pk]), other) for other in others]
    by_name = [(state.name, dict(_keyed(measures_of_state(other, state)))) for state, other in states]
    return [_party_measure(measure, name, [(other, by_key[measure.key]) for other, by_key in by_name
                                           if measure.key in by_key]) for measure in own]


@compiled
def _others(pk: Any, party: Any, ruleset: Any) -> QuerySet[Sheet]:
    found = at_table(Member(party_id=party), Sheet.objects.exclude(pk=pk)).filter(opponent=False, ruleset=ruleset)
    return found.select_related("party").order_by("called", "pk")[:MAX_CHARACTERS]


def with_measured_odds(changes: Iterable[DiffEntry], party_measures: Iterable[PartyMeasure], sheet: Sheet,
                       base: Any) -> list[DiffEntry]:
    """Return changes of a sheet since the state `base`; their odds are those of the measures for the same rows.

    A change's own odds assume other answers to the roll's questions, so the page would show two different figures for
    the same thing.
    """
    measures = {one.measure.path: one.measure for one in party_measures if one.measure.path}
    changes = list(changes)
    if not any(one.odds and one.path in measures for one in changes):
        return changes
    with compute_limit(WORK // 4):
        before = dict(_keyed(measures_of_state(sheet, base)))
    return [_with_measured_odds(one, measures[one.path], before) if one.odds and one.path in measures else one
            for one in changes]


def _with_measured_odds(change: DiffEntry, now: Measure, measures_before: Mapping[str, Measure]) -> DiffEntry:
    if change.kind != "changed" or (before := measures_before.get(now.key)) is None:
        return change
    odds = () if before.shown == now.shown else (Figure(str(now.short or now.title), before.shown, now.shown),)
    return replace(change, odds=odds)


def measures_of(shape: SheetShape, house: House) -> list[Measure]:
    """Return the measures of a sheet, or none if computing them takes too long."""
    try:
        return list(shape.measures(house))
    except TooMuch:
        return []


def measures_of_state(sheet: Sheet, state: Any) -> list[Measure]:
    """Return the measures of a state of a sheet, or none if the rules can no longer read it."""
    ruleset = sheet.system
    try:
        house = ruleset.house.model_validate(state.house)
        return measures_of(ruleset.sheet.model_validate(state.data), house)
    except ValidationError:
        return []


def _keyed(measures: Sequence[Measure]) -> Iterator[tuple[str, Measure]]:
    for one in measures:
        yield one.key, one


def _party_measure(measure: Measure, name: str, others: list[tuple[str, Measure]]) -> PartyMeasure:
    both = [(name, measure, True), *((other, one, False) for other, one in others)]
    largest = max((one.exact for _name, one, _own in both), default=0) or 1
    short = short_names([called for called, _one, _own in both])
    bars = sorted((Bar(called, short[called], one, round(100 * one.exact / largest), own) for called, one, own in both),
                  key=lambda bar: (-bar.measure.exact, not bar.own, bar.name))
    return PartyMeasure(measure, tuple(bars), tuple(one for _name, one in others))
