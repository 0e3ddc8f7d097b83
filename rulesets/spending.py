"""Spends the unspent points of a sheet in random legal steps.

A step writes one field: it raises a priced figure by one, adds a row, makes a choice, or gives a name. It is undone if
it overspends or causes a finding, so that a system's own rules shape the characters.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from django.utils.functional import Promise
from pydantic import ValidationError

from rulesets.kit import (
    HIGHEST,
    ROWS,
    Concept,
    Data,
    Finding,
    House,
    Ledger,
    Part,
    Ruleset,
    Sheet,
    Slot,
    blank,
    join,
    slots,
    tag_of,
)
from rulesets.work import spend

CAP = 3
"""The most rows of a list, unless the points cannot be spent otherwise."""
TRY = 300_000
"""The work of trying one step, after which the whole sheet is checked."""
WORDS = 4
"""The most words drawn from a list of choices."""
FREE_STEPS = 8
"""The most steps for a sheet that has no budget."""


class Stuck(ValueError):
    """Raised if no legal steps spend the exact points left, or if too many are spent already."""


@dataclass(frozen=True)
class _Step:
    """A change of one field: `node[key]` becomes `value(rng)`."""

    path: str
    node: Data
    key: str
    weight: float
    value: Callable[[Random], Any]


class Walk:
    """A series of steps that starts from a sheet and changes `data` in place."""

    def __init__(self, ruleset: Ruleset, start: Sheet, house: House, rng: Random, *, free: bool = False,
                 concept: Concept | None = None) -> None:
        self.ruleset, self.house, self.rng, self.free, self.concept = ruleset, house, rng, free, concept
        self.data = start.model_dump()
        self.remember(*self.check(start))

    def check(self, at: Sheet) -> tuple[Ledger | None, tuple[Finding, ...]]:
        """Return (ledger, findings) of a sheet; no findings are computed for an overspent one."""
        if (ledger := at.ledger(self.house)) and ledger.left < 0:
            return ledger, ()
        return ledger, self.ruleset.check(at, self.house, "-", mends=False).findings

    def remember(self, ledger: Ledger | None, findings: tuple[Finding, ...]) -> None:
        """Store the points left and the findings after a step."""
        self.left = ledger.left if ledger else 0
        self.budgeted = ledger is not None
        self.findings = findings
        self.counts = Counter(finding.key for finding in findings)

    def take(self, step: _Step, *, mending: bool = False) -> bool:
        """Take a step and return True if it is legal and, when mending, removes a finding. Otherwise undo it."""
        spend(TRY)
        before = step.node[step.key]
        step.node[step.key] = step.value(self.rng)
        try:
            ledger, findings = self.check(self.ruleset.sheet.model_validate(self.data))
        except ValidationError:
            pass
        else:
            counts = Counter(finding.key for finding in findings)
            if not (ledger and ledger.left < 0) and counts <= self.counts and not (mending and counts == self.counts):
                self.remember(ledger, findings)
                return True
        step.node[step.key] = before
        return False

    def settle(self) -> None:
        """Resolve the findings that can be resolved by steps at their place, and leave the others."""
        for finding in self.findings:
            place = finding.path and f"{finding.path}."
            steps = [step for step in self.steps(ROWS) if f"{step.path}.".startswith(place)]
            while finding in self.findings and steps:
                self.take(steps.pop(self.rng.randrange(len(steps))), mending=True)

    def lower_to_budget(self) -> bool:
        """Lower figures until no more is spent than the house rules allow; return False if that is impossible."""
        while self.left < 0:
            steps = [step for step in self.steps(0) if isinstance(step.node[step.key], int) and step.node[step.key] > 1]
            if not steps:
                return False
            spend(TRY)
            step = self.rng.choice(steps)
            step.node[step.key] -= 1
            self.remember(*self.check(self.ruleset.sheet.model_validate(self.data)))
        return True

    def choose(self) -> None:
        """Make the free choices at random; undo those that change the points left or cause a finding."""
        for step in list(_choices(self.ruleset.sheet, self.data)):
            left, before = self.left, step.node[step.key]
            if self.take(step) and self.left != left:
                step.node[step.key] = before
                self.remember(*self.check(self.ruleset.sheet.model_validate(self.data)))

    def spend(self) -> bool:
        """Take steps until no points are left; return False if some cannot be spent."""
        if not self.budgeted and not self.concept:
            for _step in range(self.rng.randint(1, FREE_STEPS)):
                self.step(CAP)
        while self.left:
            if not (self.step(CAP) or self.step(ROWS)):
                return False
        return True

    def step(self, cap: int) -> bool:
        """Take a random legal step, preferably one that the concept favours; return False if there is none."""
        every = list(self.steps(cap))
        for steps in (self.favoured(every, bounded=True), self.favoured(every, bounded=False), every):
            while steps:
                index, = self.rng.choices(range(len(steps)), [step.weight for step in steps])
                if self.take(steps.pop(index)):
                    return True
        return False

    def favoured(self, steps: list[_Step], *, bounded: bool) -> list[_Step]:
        """Return the steps that the concept favours, weighted by how much."""
        if not self.concept:
            return []
        found = ((step, self.concept.liking(step.path, step.node[step.key], bounded=bounded)) for step in steps
                 if isinstance(step.node[step.key], int))
        return [replace(step, weight=weight) for step, weight in found if weight]

    def steps(self, cap: int) -> Iterator[_Step]:
        """Yield the possible steps; lists grow up to `cap` rows."""
        yield from self.part_steps(self.ruleset.sheet, self.data, "", cap)

    def part_steps(self, part: type[Part], node: Data, place: str, cap: int) -> Iterator[_Step]:
        """Yield the steps in a part and in the parts below it."""
        for key, slot in slots(part).items():
            value, path = node[key], join(place, key)
            if slot.kind == "number" and value is not None and value < (slot.high or HIGHEST):
                if slot.ask.price is not None or not self.budgeted:
                    yield _Step(path, node, key, _weight(slot, value, inside=bool(place)), _always(value + 1))
            elif slot.kind == "choice" and value is None:
                yield _Step(path, node, key, 1, _one_of(slot.choices))
            elif slot.kind in ("text", "lines") and not value and slot.ask.samples:
                yield _Step(path, node, key, 1, _one_of(_samples(slot)))
            elif slot.kind == "rows":
                yield from self.row_steps(slot, node, path, cap)
            elif slot.kind == "part" and value is not None:
                yield from self.deal_steps(slot, node, path) if slot.ask.deal else \
                    self.part_steps(slot.parts[0], value, path, cap)

    def row_steps(self, slot: Slot, node: Data, path: str, cap: int) -> Iterator[_Step]:
        """Yield the steps in the rows of a list, and those that add a row."""
        rows = node[slot.key]
        for index, row in enumerate(rows):
            yield from self.part_steps(slot.member(row.get(slot.tag)), row, join(path, index), cap)
        welcome = self.free or not self.budgeted or _paid(slot)
        if welcome and len(rows) < max(cap, 2 * len(slot.ask.presets)):
            yield from _additions(slot, node, path)

    def deal_steps(self, slot: Slot, node: Data, path: str) -> Iterator[_Step]:
        """Yield a step that deals out the remaining numbers, if a field is empty."""
        values, numbers = node[slot.key], getattr(self.house, slot.ask.deal)
        if None in values.values():
            yield _Step(path, node, slot.key, 1, lambda rng: _dealt(values, numbers, rng))


def _choices(part: type[Part], node: Data, place: str = "") -> Iterator[_Step]:
    """Yield the steps that make a choice in a part and its inner parts, but not in rows."""
    for key, slot in slots(part).items():
        value, path = node[key], join(place, key)
        if slot.kind == "choice" and len(slot.choices) > 1:
            yield _Step(path, node, key, 1, _one_of((*slot.choices, None) if slot.nullable else slot.choices))
        elif slot.kind == "choices":
            yield from (_Step(path, node, key, 1, partial(_more_words, slot, node)) for _word in range(WORDS))
        elif slot.kind == "part" and value is not None and not slot.ask.deal:
            yield from _choices(slot.parts[0], value, path)


def _more_words(slot: Slot, node: Data, rng: Random) -> list[Any]:
    """Return the words chosen so far and, in half of the cases, one more, in the order of the choices."""
    there = node[slot.key]
    more = [rng.choice(slot.choices)] if rng.random() < 0.5 else []
    return [one for one in slot.choices if one in there or one in more]


def _always(value: int) -> Callable[[Random], int]:
    return lambda _rng: value


def _one_of(values: Sequence[Any]) -> Callable[[Random], Any]:
    return lambda rng: rng.choice(values)


def _weight(slot: Slot, value: int, *, inside: bool) -> float:
    """Return the weight of raising a figure: required and low figures are preferred."""
    return (3 if slot.required or not inside else 0.5) / (1 + value / 8)


def _paid(slot: Slot) -> bool:
    """Return True if rows of this list cost points."""
    return any(inner.ask.price is not None for part in slot.parts for inner in slots(part).values())


def _dealt(values: Data, numbers: list[int], rng: Random) -> Data:
    """Return the values with the remaining numbers dealt out at random to the empty ones."""
    left = list((Counter(numbers) - Counter(values.values())).elements())
    rng.shuffle(left)
    return {key: left.pop() if value is None and left else value for key, value in values.items()}


def _additions(slot: Slot, node: Data, path: str) -> Iterator[_Step]:
    """Yield the steps that add a row.

    The missing entries of a catalogue are together as likely as one row of a plain list. A list with presets gets more
    rows, and unpaid rows are rarer.
    """
    rows = node[slot.key]
    there = [row.get(slot.tag) for row in rows]
    fresh = [part for part in slot.parts if not slot.tag or tag_of(part, slot.tag) not in there]
    known = (slot.ask.presets.values(), slot.ask.samples)
    for part in fresh or slot.parts:
        weight = 6 / (1 + len(there) / (1 + len(slot.ask.presets))) ** 2 / len(fresh or slot.parts)
        weight *= 1 if _paid(slot) else 0.1
        yield _Step(path, node, slot.key, weight, partial(_with_new_row, part, rows, known))


def _translated(value: Any) -> Any:
    """Return a lazy text in the current language, and any other value unchanged."""
    return str(value) if isinstance(value, Promise) else value


def _samples(slot: Slot) -> list[Any]:
    """Return the sample texts; for a list of texts, each as a list of one line."""
    texts = [*map(str, slot.ask.samples)]
    return [[one] for one in texts] if slot.kind == "lines" else texts


_Known = tuple[Iterable[Mapping[str, Any]], Iterable[Mapping[str, Any]]]
"""(offered rows, sample rows), each as the fields that they fill in."""


def _with_new_row(part: type[Part], rows: list[Data], known: _Known, rng: Random) -> list[Data]:
    return [*rows, _row(part, rows, rng, known)]


def _row(part: type[Part], others: list[Data], rng: Random, known: _Known) -> Data:
    """Return a new row: a known one, or an empty one with choices made and a name that no other row has."""
    there = [row.items() for row in others]
    known = [[{key: _translated(value) for key, value in one.items()} for one in some] for some in known]
    new = [[one for one in some if not any(one.items() <= row for row in there)] for some in known]
    given = dict(rng.choice(rng.choice([some for some in new if some]))) if any(new) else {}
    for key, slot in slots(part).items():
        if key in given:
            continue
        if slot.kind == "choice" and slot.default in (..., None):
            given[key] = rng.choice(slot.choices)
        elif slot.kind in ("text", "lines") and slot.ask.samples:
            taken, samples = [row.get(key) for row in others], _samples(slot)
            given[key] = rng.choice([one for one in samples if one not in taken] or samples)
        elif slot.kind == "number" and slot.required:
            given[key] = max(slot.low or 0, slot.ask.least or 0, int(slot.ask.price is not None))
    return blank(part, **given)
