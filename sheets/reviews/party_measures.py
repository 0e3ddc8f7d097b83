"""The figures of a sheet beside those of its party, by the exact ones that its system states (`Sheet.measures`)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.kit import House, Measure
from rulesets.kit import Sheet as SheetShape
from rulesets.names import short_names
from rulesets.work import WORK, TooMuch, compute_limit
from sheets.access import at_table
from sheets.diff.changes import DiffEntry, Figure
from sheets.models import Member, Sheet
from sheets.status.reviews import review_statuses, shown_state

MOST = 24
"""The most other characters of a party that are looked at."""


@dataclass(frozen=True)
class Bar:
    """One character's figure, as wide as its share of the largest, in hundredths."""

    name: str
    short: str
    """The first word of the name if nobody else beside it is called so; otherwise the name."""
    measure: Measure
    width: int
    own: bool = False


@dataclass(frozen=True)
class PartyMeasure:
    """A measure of a sheet beside the same one of the others; `bars` are the strongest first."""

    measure: Measure
    bars: tuple[Bar, ...]
    others: tuple[Measure, ...]

    @property
    def least(self) -> Measure:
        """The smallest figure of the others."""
        return min(self.others, key=lambda one: one.exact)

    @property
    def most(self) -> Measure:
        """The largest figure of the others."""
        return max(self.others, key=lambda one: one.exact)

    @property
    def range(self) -> str:
        """Both in words, or the one figure that they all have."""
        least, most = self.least.shown, self.most.shown
        return least if least == most else _("{least} to {most}").format(least=least, most=most)

    @property
    def ahead(self) -> bool:
        """True if it is stronger than every other one, by so much that it shows."""
        return bool(self.others) and all(
            self.measure.beats(one) and self.measure.shown != one.shown for one in self.others)


def party_measures(me: Member, sheet: Sheet, shape: SheetShape, house: House, name: str) -> list[PartyMeasure]:
    """Return how a sheet, as it would be played, stands beside what the others of its party play now."""
    with compute_limit(WORK // 4):
        return _party_measures(me, sheet, measured(shape, house), name)


def _party_measures(me: Member, sheet: Sheet, own: list[Measure], name: str) -> list[PartyMeasure]:
    if not own:
        return []
    others = list(at_table(me, Sheet.objects.exclude(pk=sheet.pk)).filter(opponent=False, ruleset=sheet.ruleset)
                  .select_related("party").order_by("called", "pk")[:MOST])
    statuses = review_statuses(others)
    found = [(shown_state(one, statuses[one.pk]), one) for one in others]
    read = [(state.name, dict(_keyed(measured_state(one, state)))) for state, one in found]
    return [_beside(one, name, [(other, by_key[one.key]) for other, by_key in read if one.key in by_key])
            for one in own]


def in_measures(changes: Iterable[DiffEntry], beside: Iterable[PartyMeasure], sheet: Sheet, base: Any) -> list[
        DiffEntry]:
    """Return changes of a sheet since a state of it, each with the odds that are shown beside the party, too.

    A roll's own odds rest on other answers than those: where both are about the same row, they would be two figures
    that seem to be one.
    """
    own = {one.measure.path: one.measure for one in beside if one.measure.path}
    changes = list(changes)
    if not any(one.odds and one.path in own for one in changes):
        return changes
    with compute_limit(WORK // 4):
        before = dict(_keyed(measured_state(sheet, base)))
    return [_in_measure(one, own[one.path], before) if one.odds and one.path in own else one for one in changes]


def _in_measure(change: DiffEntry, now: Measure, before: Mapping[str, Measure]) -> DiffEntry:
    if change.kind != "changed" or (then := before.get(now.key)) is None:
        return change
    odds = () if then.shown == now.shown else (Figure(str(now.short or now.title), then.shown, now.shown),)
    return replace(change, odds=odds)


def measured(shape: SheetShape, house: House) -> list[Measure]:
    """Return the measures of a sheet; none where they would take too long to be reckoned."""
    try:
        return list(shape.measures(house))
    except TooMuch:
        return []


def measured_state(sheet: Sheet, state: Any) -> list[Measure]:
    """Return the measures of a state of a sheet; none where the rules can no longer read it."""
    ruleset = sheet.system
    try:
        house = ruleset.house.model_validate(state.house)
        return measured(ruleset.sheet.model_validate(state.data), house)
    except ValidationError:
        return []


def _keyed(measures: Sequence[Measure]) -> Iterator[tuple[str, Measure]]:
    for one in measures:
        yield one.key, one


def _beside(measure: Measure, name: str, others: list[tuple[str, Measure]]) -> PartyMeasure:
    both = [(name, measure, True), *((other, one, False) for other, one in others)]
    largest = max((one.exact for _name, one, _own in both), default=0) or 1
    short = short_names([called for called, _one, _own in both])
    bars = sorted((Bar(called, short[called], one, round(100 * one.exact / largest), own) for called, one, own in both),
                  key=lambda bar: (-bar.measure.exact, not bar.own, bar.name))
    return PartyMeasure(measure, tuple(bars), tuple(one for _name, one in others))
