"""What the tests of every system share: the systems, brute-force odds, small answers, parts within reach."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from random import Random

import pytest
from pydantic import ValidationError

from rulesets import systems
from rulesets.dice import Again, RealTray, Tray, thrown
from rulesets.document import read_tree
from rulesets.kit import Lasting, Part, Slot, slots
from tests.support.everyday import SEED

SYSTEMS = list(systems().values())
every_system = pytest.mark.parametrize("ruleset", SYSTEMS, ids=lambda ruleset: ruleset.slug)


def every(what):
    """Parametrises over (system, key) of one of a system's mappings."""
    found = [(ruleset, key) for ruleset in SYSTEMS for key in getattr(ruleset, what)]
    return pytest.mark.parametrize(("ruleset", "key"), found, ids=[f"{one.slug}-{key}" for one, key in found])


FIGURES: list[str] = []
"""What `make prove` prints when all tests are done."""


def report(text):
    """A figure for whoever runs `make prove`."""
    FIGURES.append(text)


def seeded(seed) -> Random:
    """Return random numbers that are the same in every run, but for those of `make prove`."""
    return Random(f"{SEED} {seed}" if SEED else seed)  # noqa: S311 - no secret hangs on a test


def found_in(document) -> Counter:
    """Findings of a document by rule and severity."""
    return Counter(finding.key for finding in document.check(mends=False).findings)


def assert_mended(document):
    """Every fix on offer takes its finding away and makes no other more frequent."""
    before = found_in(document)
    for finding in document.check().findings:
        for fix in finding.fixes:
            after = found_in(read_tree({**document.asdict(), "data": fix.data}))
            assert after[finding.key] < before[finding.key], f"{finding.message} {fix.label}"
            assert after <= before, f"{finding.message} {fix.label}"
            assert fix.label.strip()


class _Needed(Exception):
    """The throw asks for one more face."""

    def __init__(self, faces):
        self.faces = faces


class _Scripted(Tray):
    """Every die falls as written; the first that is not written stops the throw."""

    def __init__(self, written):
        self.left = list(written)

    def face(self, faces):
        if not self.left:
            raise _Needed(faces)
        return self.left.pop(0)


def brute(throw) -> dict:
    """Chances by trying every face of every single die; throws made again carry none."""
    chances = defaultdict(Fraction)

    def walk(written, chance):
        try:
            chances[throw(_Scripted(written)).value] += chance
        except Again:
            pass
        except _Needed as needed:
            for face in needed.faces:
                walk((*written, face), chance / len(needed.faces))

    walk((), Fraction(1))
    whole = sum(chances.values())
    return {value: chance / whole for value, chance in chances.items() if chance}


def branches(throw, most: int) -> bool:
    """Whether brute force takes at most `most` throws, guessed along one branch."""
    written, size = [], 1
    while size <= most:
        try:
            throw(_Scripted(written))
        except _Needed as needed:
            written.append(needed.faces[0])
            size *= len(needed.faces)
        except Again:
            break
        else:
            break
    return size <= most


def answers(slot: Slot, numbers=(1, 2)) -> list:
    """Small answers to one field, the plainest first."""
    if slot.kind == "number":
        low, high = (slot.low if slot.low is not None else -999), slot.high or 999
        return list(dict.fromkeys(min(high, max(low, slot.ask.least or 0, n)) for n in numbers))
    if slot.kind in ("choice", "choices"):
        return [[choice] for choice in slot.choices] if slot.kind == "choices" else list(slot.choices)
    if slot.kind == "check":
        return [False, True]
    if slot.kind == "text":
        samples = [str(one) for one in slot.ask.samples[:2]]
        return [slot.default] if slot.default not in (..., None) else samples or ["x"]
    return [[]] if slot.default is ... else [slot.default]


def taken(offer, most: int, numbers=(1, 2)) -> Iterator:
    """An offer with small answers in up to `most` ways; ways that make no sense are left out."""
    keys = list(offer.asks)
    ways = product(*(answers(offer.asks[key], numbers) for key in keys))
    for way in islice(ways, 50 * most):
        try:
            yield offer.take(**dict(zip(keys, way, strict=True)))
        except ValidationError:
            continue
        most -= 1
        if not most:
            return


def offered(ruleset, sheet, play) -> list:
    """Return all acts on offer at the table now."""
    return [offer for act in ruleset.acts.values() for offer in act.offered(sheet, play)]


def pressed(ruleset, act, sheet, play, rng) -> tuple:
    """Return (sheet, play) after an act, rolled for if it wants a roll."""
    roll = act.roll(sheet, play)
    after = act.apply(sheet, play, thrown(roll.throw, RealTray(rng.randbytes))[0] if roll else None)
    return (ruleset.sheet.model_validate(after.data), after.play) if isinstance(after, Lasting) else (sheet, after)


def reachable(part: type[Part], seen=None) -> set[type[Part]]:
    """A part class and every class of the parts below it."""
    seen = {part} if seen is None else seen | {part}
    for below in (below for slot in slots(part).values() for below in slot.parts):
        if below not in seen:
            seen |= reachable(below, seen)
    return seen


def spoken(ruleset) -> set[str]:
    """The ids of rules that a readable document can break."""
    return {f"{ruleset.prefix}-00"} | {
        id_ for part in reachable(ruleset.sheet) if hasattr(part, "marked_rules")
        for method in part.marked_rules() for id_ in method.rules
    }
