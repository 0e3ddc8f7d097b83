"""Tries out mends: which of them resolve a finding without causing another."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from rulesets.kit.asks import Data
from rulesets.kit.findings import DROP, Finding, Fix, Key, Mend, Patch, heard, known_of, patched, spoken

if TYPE_CHECKING:
    from rulesets.kit.shapes import House, Sheet

MENDS = 5
"""The most mends that are offered for one finding."""
MENDS_IN_ALL = 25
"""The most mends for a sheet: each carries the whole data, and a sheet can break a rule a hundred times."""
MISSES = 25
"""The number of failed mends of a sheet after which no more are tried: each try checks all rules."""
PAIRS = 25
"""The most tries of two mends together for a sheet, made where no single mend works."""


def mended(sheet: "Sheet", house: "House", found: list[Finding]) -> list[Finding]:
    """Return the findings, each with at most `MENDS` fixes (see `Fix`)."""
    trial = Trial(sheet, house, found)
    return [finding.but(fixes=tuple(trial.fixes(finding))) for finding in found]


class _Missed(NamedTuple):
    """A mend that resolves its finding but causes others: the sheet after it, and the counts of its findings."""

    mend: Mend
    sheet: "Sheet"
    after: Counter[Key]


class Trial:
    """A trial of a sheet's mends: all rules are checked after each, until enough of them succeed or too many fail."""

    def __init__(self, sheet: "Sheet", house: "House", found: list[Finding]):
        self.sheet, self.house, self.data = sheet, house, sheet.model_dump()
        self.known = known_of(sheet, house, found)
        self.before = Counter(finding.key for finding in found)
        self.held = self.missed = self.paired = 0

    def fixes(self, finding: Finding) -> Iterator[Fix]:
        """Yield the different mends of a finding that work; if none does, pairs of mends that do."""
        seen: list[Data] = []
        missed: list[_Missed] = []
        mends = iter(finding.mends)
        while len(seen) < MENDS and self.held < MENDS_IN_ALL and self.missed < MISSES and (mend := next(mends, None)):
            new = patched(self.data, mend.patch)
            if new not in seen and self.holds(finding, mend, patched(self.sheet, mend.patch), missed):
                seen.append(new)
                self.held += 1
                yield Fix(mend.label, new)
            else:
                self.missed += 1
        if not seen:
            yield from self.pairs(finding, missed)

    def holds(self, finding: Finding, mend: Mend, data: Data, missed: list[_Missed]) -> bool:
        """Return whether data has fewer findings of this kind, no more of any other, and no error in the values set.

        Parts that the mend does not change must be the same objects as before. A mend that only causes other findings
        is appended to `missed`: it may work together with a second one.
        """
        try:
            sheet = type(self.sheet).model_validate(data)
        except ValidationError:
            return False
        if not (said := heard(sheet, self.house, self.known)):
            return True
        after = Counter(one.key for one in said)
        if after[finding.key] >= self.before[finding.key]:
            return False
        own = written(mend.patch)
        if any(one.severity == "error" and one.path in own for one in said):
            return False
        # Faster than Counter's own comparison, which looks up each key twice.
        if all(n <= self.before.get(key, 0) for key, n in after.items()):
            return True
        missed.append(_Missed(mend, sheet, after))
        return False

    def pairs(self, finding: Finding, missed: list[_Missed]) -> Iterator[Fix]:
        """Yield pairs that work: a mend of the finding, then one of a finding that it causes (see `PAIRS`)."""
        seen: list[Data] = []
        for first, sheet, after in missed:
            if self.paired >= PAIRS:
                return
            self.paired += 1
            data = sheet.model_dump()
            for broken in spoken(sheet, self.house):
                if after[broken.key] <= self.before[broken.key]:
                    continue
                for second in broken.mends:
                    if self.paired >= PAIRS or len(seen) >= MENDS or self.held >= MENDS_IN_ALL:
                        return
                    self.paired += 1
                    new = patched(data, second.patch)
                    if new not in seen and self.holds(finding, second, patched(sheet, second.patch), []):
                        seen.append(new)
                        self.held += 1
                        yield Fix(f"{first.label}; {second.label}", new)


def written(patch: Patch) -> set[str]:
    """Return the paths at which a patch sets scalar values, as they are after its rows are removed."""
    drops = [path.split(".") for path, value in patch.items() if value is DROP]
    single = {path for path, value in patch.items() if value is not DROP and not isinstance(value, list | dict)}
    if not drops:
        return single
    found = set()
    for path in single:
        old, steps = path.split("."), path.split(".")
        for *above, row in drops:
            if len(old) > (at := len(above)) and old[:at] == above and int(row) < int(old[at]):
                steps[at] = str(int(steps[at]) - 1)
        found.add(".".join(steps))
    return found
