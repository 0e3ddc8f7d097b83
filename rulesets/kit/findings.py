"""Findings: what a rule has to say of a sheet, how grave it is, and what would mend it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import ValidationError

from rulesets.kit.asks import Data
from rulesets.kit.fields import Part, slots
from rulesets.kit.words import NAMED, Wording, short

if TYPE_CHECKING:
    from rulesets.kit.shapes import House, Sheet
    from rulesets.kit.spoken import RuleMethod, Spoken

Severity = Literal["error", "approval", "warning"]
SEVERITIES: tuple[Severity, ...] = ("error", "approval", "warning")
POLICY: dict[str, Severity] = {"block": "error", "ask": "approval", "warn": "warning"}
MENDS = 5
"""At most so many mends are offered for one finding."""
MENDS_IN_ALL = 25
"""And so many for a sheet: each carries the whole data, and a sheet can break a rule a hundred times."""
MISSES = 25
"""After so many mends of a sheet that do not hold no more are tried: each try has all rules speak."""
PAIRS = 25
"""So many tries of two mends together are made for a sheet, where none holds alone."""

DROP: Any = object()
"""In a mend's patch: the row at this path goes."""
Patch = Mapping[str, Any]
"""{path: new value or DROP}."""
Key = tuple[str | None, Severity]
"""What mends count by: a rule at a severity."""


@dataclass(frozen=True)
class Mend:
    """One way out: a label that says what gives way, and a patch {path: new value or DROP}.

    Paths are relative to the part whose rule speaks; the kit makes them whole.
    """

    label: Wording
    patch: Patch


@dataclass(frozen=True)
class Fix:
    """A mend that holds: the finding is gone, nothing else became more frequent, and what it wrote is right."""

    label: str
    data: Data

    def asdict(self) -> Data:
        """The shape that commands and API answer."""
        return {"label": self.label, "data": self.data}


@dataclass(frozen=True)
class Finding:
    """What a rule found. `path` is dotted from the sheet's data, "" for the whole.

    Rules speak more often than they are read: words are put together, and mends made, when somebody asks for them.
    """

    severity: Severity
    says: Wording
    path: str = ""
    rule: str | None = None
    mends: Iterable[Mend] = field(default=(), compare=False)
    figures: Mapping[str, Any] = field(default_factory=dict)
    fixes: tuple[Fix, ...] = field(default=(), compare=False)
    lacking: bool = False
    """Whether more has to come, where that cannot be seen of what stands at the path: two fears of three."""

    @property
    def message(self) -> str:
        """What people read."""
        named = {key: short(one, NAMED) if isinstance(one, str) else one for key, one in self.figures.items()}
        return str(self.says.format(**named))

    def but(self, **changes: Any) -> "Finding":
        """The finding with something otherwise (`dataclasses.replace` takes five times as long)."""
        found = object.__new__(type(self))
        vars(found).update(vars(self), **changes)
        return found

    def below(self, prefix: str) -> "Finding":
        """The finding as the part around says it."""
        return self.but(path=join(prefix, self.path), mends=_placed(prefix, self.mends))

    @property
    def key(self) -> Key:
        """What mends count by: a rule at a severity."""
        return self.rule, self.severity

    def asdict(self) -> Data:
        """The shape that commands and API answer."""
        return {
            "severity": self.severity,
            "rule": self.rule,
            "path": self.path,
            "message": self.message,
            "fixes": [fix.asdict() for fix in self.fixes],
        }


def error(message: Wording, path: str = "", mends: Iterable[Mend] = (), rule: str | None = None,
          *, lacking: bool = False, **figures: Any) -> Finding:
    """A finding that makes the sheet illegal."""
    return Finding("error", message, path, rule, mends, figures, lacking=lacking)


def approval(message: Wording, path: str = "", mends: Iterable[Mend] = (), rule: str | None = None,
             *, lacking: bool = False, **figures: Any) -> Finding:
    """A finding that the GM may grant."""
    return Finding("approval", message, path, rule, mends, figures, lacking=lacking)


def warning(message: Wording, path: str = "", mends: Iterable[Mend] = (), rule: str | None = None,
            *, lacking: bool = False, **figures: Any) -> Finding:
    """A finding that only advises."""
    return Finding("warning", message, path, rule, mends, figures, lacking=lacking)


def join(*steps: int | str) -> str:
    """A document path from steps, empty ones left out: "attacks.0.dice"."""
    return ".".join([str(step) for step in steps if step != ""])


def patched(data: "Data | Part", patch: Patch) -> Data:
    """`data` with the patch applied, in new lists and objects as far as the patch reaches; the rest is shared.

    Of a part, it is its fields that are shared. Rows go last, the highest index first, so that paths stay true.
    """
    data = _open(data)
    fresh: dict[int, Any] = {}
    drops: list[tuple[int, int, list[Any]]] = []
    for path, value in patch.items():
        *steps, last = path.split(".")
        node: Any = data
        for step in steps:
            at = int(step) if isinstance(node, list) else step
            if id(node[at]) not in fresh:
                node[at] = _open(node[at])
                fresh[id(node[at])] = node[at]
            node = node[at]
        if value is DROP:
            drops.append((len(steps), int(last), node))
        else:
            node[int(last) if isinstance(node, list) else last] = \
                deepcopy(value) if isinstance(value, list | dict) else value
    for _, index, node in sorted(drops, key=lambda drop: drop[:2], reverse=True):
        del node[index]
    return data


def _open(node: Any) -> Any:
    """A copy to write into: a part's fields, a list, an object."""
    return {key: getattr(node, key) for key in slots(type(node))} if isinstance(node, Part) else node.copy()


@cache
def _nested(shape: type["Spoken"]) -> tuple[tuple[str, bool], ...]:
    return shape.nested()


@cache
def _rules(shape: type["Spoken"]) -> tuple["RuleMethod", ...]:
    return shape.spoken_rules()


@cache
def _speaking(shape: type["Spoken"]) -> tuple[tuple[str, bool], ...]:
    """(key, whether a list) of the fields whose parts have rules, or parts that have."""
    return tuple((key, many) for key, many in shape.nested()
                 if any(_rules(part) or _speaking(part) for part in slots(shape)[key].parts))


Known = dict[int, tuple["Spoken", list["Finding"]]]
"""What parts and those below them say, by the parts' identity; each is held so that no other takes its place."""


def spoken(sheet: "Sheet", house: "House", known: Known | None = None) -> list[Finding]:
    """What the rules of a sheet and of its parts say, gravest first, at the severity that the house sets."""
    return in_order(heard(sheet, house, {} if known is None else known))


def heard(part: "Spoken", house: "House", known: Known) -> list[Finding]:
    """What the rules of a part and of those below it say, outermost first; paths and mends begin at the part.

    They see nothing else, so that a part that is `known` need not be asked again.
    """
    if id(part) in known:
        return known[id(part)][1]
    said = _said(part, house)
    for key, many in _speaking(type(part)):
        value = getattr(part, key)
        if many:
            for index, row in enumerate(value):
                if below := heard(row, house, known):
                    said += [one.below(f"{key}.{index}") for one in below]
        elif value is not None:
            said += [one.below(key) for one in heard(value, house, known)]
    known[id(part)] = part, said
    return said


def _said(part: "Spoken", house: "House") -> list[Finding]:
    """What the rules of a part alone say."""
    found = []
    for speak in _rules(type(part)):
        for finding in speak(part, house):
            found.append(under(house, finding, speak.rules[0]))  # noqa: PERF401 - a list in a list takes longer
    return found


def _placed(prefix: str, mends: Iterable[Mend]) -> Iterator[Mend]:
    for mend in mends:
        yield Mend(mend.label, {join(prefix, path): value for path, value in mend.patch.items()})


def under(house: "House", finding: Finding, usual: str | None = None) -> Finding:
    """The finding, of the `usual` rule if it names none, at the severity that the house gives that."""
    rule = finding.rule or usual
    return finding.but(rule=rule, severity=POLICY.get(house.policy.get(rule or "", ""), finding.severity))


def in_order(found: list[Finding]) -> list[Finding]:
    """Gravest first."""
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)) if len(found) > 1 else found


def parts(part: "Spoken", prefix: str = "") -> Iterator[tuple[str, "Spoken"]]:
    """(path, part) of a part and of everything below it, outermost first."""
    yield prefix, part
    for key, many in type(part).nested():
        value = getattr(part, key)
        if many:
            for index, row in enumerate(value):
                yield from parts(row, join(prefix, key, index))
        elif value is not None:
            yield from parts(value, join(prefix, key))


def stated(part: "Spoken") -> int:
    """How many fields a part and those below it were given, defaults aside."""
    count = len(part.__pydantic_fields_set__)
    for key, many in _nested(type(part)):
        value = getattr(part, key)
        if many:
            for row in value:
                count += stated(row)
        elif value is not None:
            count += stated(value)
    return count


def mended(sheet: "Sheet", house: "House", found: list[Finding], known: Known | None = None) -> list[Finding]:
    """The findings with those of their mends that hold (see `Fix`), at most `MENDS` each, the gravest first."""
    trial = Trial(sheet, house, found, {} if known is None else known)
    return [finding.but(fixes=tuple(trial.fixes(finding))) for finding in found]


class _Missed(NamedTuple):
    """A mend of a finding after which only other rules are broken: the sheet then, and what its rules say."""

    mend: Mend
    sheet: "Sheet"
    after: Counter[Key]


class Trial:
    """Mends of a sheet put to the test: all rules speak again after each, until enough hold or too many do not."""

    def __init__(self, sheet: "Sheet", house: "House", found: list[Finding], known: Known):
        self.sheet, self.house, self.known, self.data = sheet, house, known, sheet.model_dump()
        self.before = Counter(finding.key for finding in found)
        self.held = self.missed = self.paired = 0

    def fixes(self, finding: Finding) -> Iterator[Fix]:
        """The mends of a finding that hold, each another; where none does, two together."""
        seen: list[Data] = []
        missed: list[_Missed] = []
        mends = iter(finding.mends)
        while len(seen) < MENDS and self.held < MENDS_IN_ALL and self.missed < MISSES and (mend := next(mends, None)):
            new = patched(self.data, mend.patch)
            if new not in seen and self.holds(finding, mend, patched(self.sheet, mend.patch), missed):
                seen.append(new)
                self.held += 1
                yield Fix(str(mend.label), new)
            else:
                self.missed += 1
        if not seen:
            yield from self.pairs(finding, missed)

    def holds(self, finding: Finding, mend: Mend, data: Data, missed: list[_Missed]) -> bool:
        """Whether data has the finding less often and no other more often, and what was written is right itself.

        Parts in it that the mend leaves alone are still themselves. A mend after which only other rules are broken is
        kept among the `missed`: with another it may hold.
        """
        try:
            sheet = type(self.sheet).model_validate(data)
        except ValidationError:
            return False
        said = heard(sheet, self.house, self.known)
        after = Counter(one.key for one in said)
        if after[finding.key] >= self.before[finding.key]:
            return False
        own = written(mend.patch)
        if any(one.severity == "error" and one.path in own for one in said):
            return False
        # As Counter's own comparison, which asks for each key twice by a call.
        if all(n <= self.before.get(key, 0) for key, n in after.items()):
            return True
        missed.append(_Missed(mend, sheet, after))
        return False

    def pairs(self, finding: Finding, missed: list[_Missed]) -> Iterator[Fix]:
        """Mends that hold together: one of the finding, then one of what it breaks; only so many are tried."""
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
    """Where the single values of a patch stand once its rows are gone."""
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
