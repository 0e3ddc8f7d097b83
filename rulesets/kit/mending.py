"""Trying out mends, to find those that resolve a finding without causing another."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from rulesets.kit.asks import Data
from rulesets.kit.findings import (
    DROP,
    Finding,
    FindingKey,
    Fix,
    Mend,
    Patch,
    cached_findings,
    findings_below,
    findings_on,
    patched,
)

if TYPE_CHECKING:
    from rulesets.kit.shapes import House, Sheet

MAX_FIXES = 5
"""The most fixes that are offered for one finding."""
MAX_FIXES_IN_ALL = 25
"""The most fixes for a sheet: each carries the whole data, and a sheet can break a rule a hundred times."""
MAX_FAILURES = 25
"""The number of failed mends of a sheet after which no more are tried: each try checks all rules."""
MAX_PAIR_TRIES = 25
"""The most tries of two mends together for a sheet, for findings that no single mend resolves."""


def mended(sheet: "Sheet", house: "House", found: list[Finding]) -> list[Finding]:
    """Return the findings, each with at most `MAX_FIXES` fixes (see `Fix`)."""
    trial = Trial(sheet, house, found)
    return [finding.with_changes(fixes=tuple(trial.fixes(finding))) for finding in found]


class _Partial(NamedTuple):
    """A mend that resolves its finding but causes others: the sheet after it, and the counts of its findings."""

    mend: Mend
    sheet: "Sheet"
    after: Counter[FindingKey]


class Trial:
    """A trial of a sheet's mends: all rules are checked after each, until enough of them succeed or too many fail."""

    def __init__(self, sheet: "Sheet", house: "House", found: list[Finding]):
        self.sheet, self.house, self.data = sheet, house, sheet.model_dump()
        self.cached = cached_findings(sheet, house, found)
        self.before = Counter(finding.key for finding in found)
        self.working = self.failures = self.pair_tries = 0

    def fixes(self, finding: Finding) -> Iterator[Fix]:
        """Yield the different mends of a finding that work; if none does, pairs of mends that do."""
        seen: list[Data] = []
        partial: list[_Partial] = []
        mends = iter(finding.mends)
        while (len(seen) < MAX_FIXES and self.working < MAX_FIXES_IN_ALL and self.failures < MAX_FAILURES
               and (mend := next(mends, None))):
            new = patched(self.data, mend.patch)
            if new not in seen and self.works(finding, mend, patched(self.sheet, mend.patch), partial):
                seen.append(new)
                self.working += 1
                yield Fix(mend.label, new)
            else:
                self.failures += 1
        if not seen:
            yield from self.pairs(finding, partial)

    def works(self, finding: Finding, mend: Mend, data: Data, partial: list[_Partial]) -> bool:
        """Return whether data has fewer findings of this kind, no more of any other, and no error in the values set.

        Parts that the mend does not change must be the same objects as before. A mend that only causes other findings
        is appended to `partial`: it may work together with a second one.
        """
        try:
            sheet = type(self.sheet).model_validate(data)
        except ValidationError:
            return False
        if not (found_then := findings_below(sheet, self.house, self.cached)):
            return True
        after = Counter(one.key for one in found_then)
        if after[finding.key] >= self.before[finding.key]:
            return False
        own = written_paths(mend.patch)
        if any(one.severity == "error" and one.path in own for one in found_then):
            return False
        # Faster than Counter's own comparison, which looks up each key twice.
        if all(n <= self.before.get(key, 0) for key, n in after.items()):
            return True
        partial.append(_Partial(mend, sheet, after))
        return False

    def pairs(self, finding: Finding, partial: list[_Partial]) -> Iterator[Fix]:
        """Yield pairs that work: a mend of the finding, then one of a finding that it causes (see `MAX_PAIR_TRIES`)."""
        seen: list[Data] = []
        for first, sheet, after in partial:
            if self.pair_tries >= MAX_PAIR_TRIES:
                return
            self.pair_tries += 1
            data = sheet.model_dump()
            for broken in findings_on(sheet, self.house):
                if after[broken.key] <= self.before[broken.key]:
                    continue
                for second in broken.mends:
                    if self.pair_tries >= MAX_PAIR_TRIES or len(seen) >= MAX_FIXES or self.working >= MAX_FIXES_IN_ALL:
                        return
                    self.pair_tries += 1
                    new = patched(data, second.patch)
                    if new not in seen and self.works(finding, second, patched(sheet, second.patch), []):
                        seen.append(new)
                        self.working += 1
                        yield Fix(f"{first.label}; {second.label}", new)


def written_paths(patch: Patch) -> set[str]:
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
