"""Spending of the points that a sheet has left, by random legal steps.

A step writes one field: a priced figure raised by one, a row more, a choice made, a name given. It is kept where it
overspends nothing and makes no finding, so that whatever a system's own rules say of a sheet shapes the characters.
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
"""Rows in one list beyond which a random character adds none, unless its points fit nowhere else."""
TRY = 300_000
"""The work of one step that is tried: the whole sheet is checked after it."""
WORDS = 4
"""At most so many words of a list of choices are drawn."""
FREE_STEPS = 8
"""At most so many steps where no budget ends the walk."""


class Stuck(ValueError):
    """No legal steps spend exactly what is left, or more than all is spent already."""


@dataclass(frozen=True)
class _Step:
    """One field written: `node[key]` becomes what `value` draws."""

    path: str
    node: Data
    key: str
    weight: float
    value: Callable[[Random], Any]


class Walk:
    """Steps from a sheet; `data` is written in place."""

    def __init__(self, ruleset: Ruleset, start: Sheet, house: House, rng: Random, *, free: bool = False,
                 concept: Concept | None = None) -> None:
        self.ruleset, self.house, self.rng, self.free, self.concept = ruleset, house, rng, free, concept
        self.data = start.model_dump()
        self.see(*self.look(start))

    def look(self, at: Sheet) -> tuple[Ledger | None, tuple[Finding, ...]]:
        """The ledger and the findings of a sheet; an overspent one is not asked for findings."""
        if (ledger := at.ledger(self.house)) and ledger.left < 0:
            return ledger, ()
        return ledger, self.ruleset.check(at, self.house, "-", mends=False).findings

    def see(self, ledger: Ledger | None, findings: tuple[Finding, ...]) -> None:
        self.left = ledger.left if ledger else 0
        self.budgeted = ledger is not None
        self.findings = findings
        self.counts = Counter(finding.key for finding in findings)

    def take(self, step: _Step, *, mending: bool = False) -> bool:
        """Take a step and return True if it is legal (and, when mending, removes a finding); else change nothing."""
        spend(TRY)
        before = step.node[step.key]
        step.node[step.key] = step.value(self.rng)
        try:
            ledger, findings = self.look(self.ruleset.sheet.model_validate(self.data))
        except ValidationError:
            pass
        else:
            counts = Counter(finding.key for finding in findings)
            if not (ledger and ledger.left < 0) and counts <= self.counts and not (mending and counts == self.counts):
                self.see(ledger, findings)
                return True
        step.node[step.key] = before
        return False

    def settle(self) -> None:
        """Take away the findings that a step at their place takes away; leave others as the player left them."""
        for finding in self.findings:
            place = finding.path and f"{finding.path}."
            steps = [step for step in self.steps(ROWS) if f"{step.path}.".startswith(place)]
            while finding in self.findings and steps:
                self.take(steps.pop(self.rng.randrange(len(steps))), mending=True)

    def thinned(self) -> bool:
        """Lower figures one by one where the house has fewer points; return whether no more is spent than there is."""
        while self.left < 0:
            steps = [step for step in self.steps(0) if isinstance(step.node[step.key], int) and step.node[step.key] > 1]
            if not steps:
                return False
            spend(TRY)
            step = self.rng.choice(steps)
            step.node[step.key] -= 1
            self.see(*self.look(self.ruleset.sheet.model_validate(self.data)))
        return True

    def choose(self) -> None:
        """Draw what is chosen freely, a word or a few; keep it if it moves no points and makes no finding."""
        for step in list(_choices(self.ruleset.sheet, self.data)):
            left, before = self.left, step.node[step.key]
            if self.take(step) and self.left != left:
                step.node[step.key] = before
                self.see(*self.look(self.ruleset.sheet.model_validate(self.data)))

    def spend(self) -> bool:
        """Take steps until nothing is left; return False if some points fit nowhere."""
        if not self.budgeted and not self.concept:
            for _step in range(self.rng.randint(1, FREE_STEPS)):
                self.step(CAP)
        while self.left:
            if not (self.step(CAP) or self.step(ROWS)):
                return False
        return True

    def step(self, cap: int) -> bool:
        """Take one random legal step, if possible one that the concept likes; return whether there was one."""
        every = list(self.steps(cap))
        for steps in (self.liked(every, bounded=True), self.liked(every, bounded=False), every):
            while steps:
                index, = self.rng.choices(range(len(steps)), [step.weight for step in steps])
                if self.take(steps.pop(index)):
                    return True
        return False

    def liked(self, steps: list[_Step], *, bounded: bool) -> list[_Step]:
        """Return the steps that the concept likes, by how much it does."""
        if not self.concept:
            return []
        found = ((step, self.concept.liking(step.path, step.node[step.key], bounded=bounded)) for step in steps
                 if isinstance(step.node[step.key], int))
        return [replace(step, weight=weight) for step, weight in found if weight]

    def steps(self, cap: int) -> Iterator[_Step]:
        """Yield what can be written next; lists grow up to `cap` rows."""
        yield from self.below(self.ruleset.sheet, self.data, "", cap)

    def below(self, part: type[Part], node: Data, place: str, cap: int) -> Iterator[_Step]:
        """Yield the steps in one part and in the parts below it."""
        for key, slot in slots(part).items():
            value, path = node[key], join(place, key)
            if slot.kind == "number" and value is not None and value < (slot.high or HIGHEST):
                if slot.ask.price is not None or not self.budgeted:
                    yield _Step(path, node, key, _liking(slot, value, inside=bool(place)), _always(value + 1))
            elif slot.kind == "choice" and value is None:
                yield _Step(path, node, key, 1, _one_of(slot.choices))
            elif slot.kind in ("text", "lines") and not value and slot.ask.samples:
                yield _Step(path, node, key, 1, _one_of(_samples(slot)))
            elif slot.kind == "rows":
                yield from self.rows(slot, node, path, cap)
            elif slot.kind == "part" and value is not None:
                yield from self.deals(slot, node, path) if slot.ask.deal else \
                    self.below(slot.parts[0], value, path, cap)

    def rows(self, slot: Slot, node: Data, path: str, cap: int) -> Iterator[_Step]:
        """Yield the steps in the rows of a list, and a row more."""
        rows = node[slot.key]
        for index, row in enumerate(rows):
            yield from self.below(slot.member(row.get(slot.tag)), row, join(path, index), cap)
        welcome = self.free or not self.budgeted or _paid(slot)
        if welcome and len(rows) < max(cap, 2 * len(slot.ask.presets)):
            yield from _additions(slot, node, path)

    def deals(self, slot: Slot, node: Data, path: str) -> Iterator[_Step]:
        """Yield a step that deals out what is not dealt out yet."""
        held, numbers = node[slot.key], getattr(self.house, slot.ask.deal)
        if None in held.values():
            yield _Step(path, node, slot.key, 1, lambda rng: _dealt(held, numbers, rng))


def _choices(part: type[Part], node: Data, place: str = "") -> Iterator[_Step]:
    """Yield the steps that choose, in a part and in the parts that it is made of; rows choose as they come."""
    for key, slot in slots(part).items():
        value, path = node[key], join(place, key)
        if slot.kind == "choice" and len(slot.choices) > 1:
            yield _Step(path, node, key, 1, _one_of((*slot.choices, None) if slot.nullable else slot.choices))
        elif slot.kind == "choices":
            yield from (_Step(path, node, key, 1, partial(_more_words, slot, node)) for _word in range(WORDS))
        elif slot.kind == "part" and value is not None and not slot.ask.deal:
            yield from _choices(slot.parts[0], value, path)


def _more_words(slot: Slot, node: Data, rng: Random) -> list[Any]:
    """Return the words chosen already and, as often as not, one more, in the order in which they are offered."""
    there = node[slot.key]
    more = [rng.choice(slot.choices)] if rng.random() < 0.5 else []
    return [one for one in slot.choices if one in there or one in more]


def _always(value: int) -> Callable[[Random], int]:
    return lambda _rng: value


def _one_of(values: Sequence[Any]) -> Callable[[Random], Any]:
    return lambda rng: rng.choice(values)


def _liking(slot: Slot, value: int, *, inside: bool) -> float:
    """Rather what a part must have than its extras, rather what is still low than what is high."""
    return (3 if slot.required or not inside else 0.5) / (1 + value / 8)


def _paid(slot: Slot) -> bool:
    """Return whether points buy rows of this list."""
    return any(inner.ask.price is not None for part in slot.parts for inner in slots(part).values())


def _dealt(held: Data, numbers: list[int], rng: Random) -> Data:
    """Numbers for those that hold none yet, each given out as often as it is there."""
    left = list((Counter(numbers) - Counter(held.values())).elements())
    rng.shuffle(left)
    return {key: left.pop() if value is None and left else value for key, value in held.items()}


def _additions(slot: Slot, node: Data, path: str) -> Iterator[_Step]:
    """A row more: of a catalogue each entry that is not there yet, together as likely as one row of a plain list.

    Of a list with presets characters have more rows, and unpaid rows are rarer.
    """
    rows = node[slot.key]
    there = [row.get(slot.tag) for row in rows]
    fresh = [part for part in slot.parts if not slot.tag or tag_of(part, slot.tag) not in there]
    known = (slot.ask.presets.values(), slot.ask.samples)
    for part in fresh or slot.parts:
        weight = 6 / (1 + len(there) / (1 + len(slot.ask.presets))) ** 2 / len(fresh or slot.parts)
        weight *= 1 if _paid(slot) else 0.1
        yield _Step(path, node, slot.key, weight, partial(_longer, part, rows, known))


def _spoken(value: Any) -> Any:
    """A text in the language of the moment; anything else as it is."""
    return str(value) if isinstance(value, Promise) else value


def _samples(slot: Slot) -> list[Any]:
    """Return the texts that a random sheet may carry; for a list of texts each is a list of one line."""
    texts = [*map(str, slot.ask.samples)]
    return [[one] for one in texts] if slot.kind == "lines" else texts


_Known = tuple[Iterable[Mapping[str, Any]], Iterable[Mapping[str, Any]]]
"""Rows that are offered and rows that a random sheet may carry, each as what is filled in."""


def _longer(part: type[Part], rows: list[Data], known: _Known, rng: Random) -> list[Data]:
    return [*rows, _row(part, rows, rng, known)]


def _row(part: type[Part], others: list[Data], rng: Random, known: _Known) -> Data:
    """A new row at its least, as one of the known ones or with its choices made and a name that no other row has."""
    there = [row.items() for row in others]
    known = [[{key: _spoken(value) for key, value in one.items()} for one in some] for some in known]
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
