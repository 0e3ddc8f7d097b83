"""Findings: a rule's messages about a sheet, with their severity and with mends that may resolve them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from rulesets.kit.asks import Data
from rulesets.kit.fields import Part, slots
from rulesets.kit.words import MESSAGE_LENGTH, Wording, short

if TYPE_CHECKING:
    from rulesets.kit.checked_parts import CheckedPart, RuleMethod
    from rulesets.kit.shapes import House, Sheet

Severity = Literal["error", "approval", "warning"]
SEVERITIES: tuple[Severity, ...] = ("error", "approval", "warning")
POLICY: dict[str, Severity] = {"block": "error", "ask": "approval", "warn": "warning"}

DROP: Any = object()
"""The value in a mend's patch that removes the row at a path."""
Patch = Mapping[str, Any]
"""{path: new value or DROP}."""
FindingKey = tuple[str | None, Severity]
"""(rule id, severity), by which findings are counted when a mend is tried."""


class Mend:
    """A correction that a rule proposes: a label with its figures, and a patch {path: new value or DROP}.

    Paths are relative to the part whose rule made the finding; the kit prefixes them. Most mends are never shown, so
    the label is only formatted when it is read.
    """

    __slots__ = ("figures", "patch", "says")

    def __init__(self, says: Wording, patch: Patch, **figures: Any):
        self.says, self.patch, self.figures = says, patch, figures

    @property
    def label(self) -> str:
        """The label, formatted with the figures."""
        return str(self.says.format(**self.figures) if self.figures else self.says)

    def below(self, prefix: str) -> "Mend":
        """Return the mend with `prefix` before its paths."""
        return Mend(self.says, {join(prefix, path): value for path, value in self.patch.items()}, **self.figures)


@dataclass(frozen=True)
class Fix:
    """A mend that was tried and works, as the data that results.

    It leaves fewer findings of this kind, no more of any other, and the values that it sets cause no error.
    """

    label: str
    data: Data

    def asdict(self) -> Data:
        """Return the form that commands and the API use."""
        return {"label": self.label, "data": self.data}


@dataclass(frozen=True)
class Finding:
    """A finding of a rule; `path` is a dotted path in the sheet's data, "" for the whole sheet.

    Most findings are never shown, so messages are only formatted, and mends made, when they are read.
    """

    severity: Severity
    says: Wording
    path: str = ""
    rule: str | None = None
    mends: Iterable[Mend] = field(default=(), compare=False)
    figures: Mapping[str, Any] = field(default_factory=dict)
    fixes: tuple[Fix, ...] = field(default=(), compare=False)
    lacking: bool = False
    """True if something is still missing although the path is not empty, such as a third fear after two."""

    @property
    def message(self) -> str:
        """The message, formatted with the figures."""
        named = {key: short(one, MESSAGE_LENGTH) if isinstance(one, str) else one for key, one in self.figures.items()}
        return str(self.says.format(**named))

    def with_changes(self, **changes: Any) -> "Finding":
        """Return a copy with these fields changed (`dataclasses.replace` takes five times as long)."""
        found = object.__new__(type(self))
        vars(found).update(vars(self), **changes)
        return found

    def below(self, prefix: str) -> "Finding":
        """Return the finding with `prefix` before its path and those of its mends."""
        return self.with_changes(path=join(prefix, self.path), mends=(mend.below(prefix) for mend in self.mends))

    @property
    def key(self) -> FindingKey:
        """(rule id, severity), by which findings are counted when a mend is tried."""
        return self.rule, self.severity

    def asdict(self) -> Data:
        """Return the form that commands and the API use."""
        return {
            "severity": self.severity,
            "rule": self.rule,
            "path": self.path,
            "message": self.message,
            "fixes": [fix.asdict() for fix in self.fixes],
        }


def error(message: Wording, path: str = "", mends: Iterable[Mend] = (), rule: str | None = None,
          *, lacking: bool = False, **figures: Any) -> Finding:
    """Return a finding that makes the sheet illegal."""
    return Finding("error", message, path, rule, mends, figures, lacking=lacking)


def approval(message: Wording, path: str = "", mends: Iterable[Mend] = (), rule: str | None = None,
             *, lacking: bool = False, **figures: Any) -> Finding:
    """Return a finding that needs the GM's approval."""
    return Finding("approval", message, path, rule, mends, figures, lacking=lacking)


def warning(message: Wording, path: str = "", mends: Iterable[Mend] = (), rule: str | None = None,
            *, lacking: bool = False, **figures: Any) -> Finding:
    """Return a finding that is only a warning."""
    return Finding("warning", message, path, rule, mends, figures, lacking=lacking)


def join(*steps: int | str) -> str:
    """Return a document path of these steps, leaving out empty ones: "attacks.0.dice"."""
    return ".".join([str(step) for step in steps if step != ""])


def patched(whole: "Data | Part", patch: Patch) -> Data:
    """Return data with the patch applied; lists and objects that it changes are copied, all others shared.

    A part is patched as the dict of its fields. Rows are removed last, highest index first, so that paths stay valid.
    """
    data: Data = _writable_copy(whole)
    fresh: dict[str, Any] = {"": data}
    drops: list[tuple[int, int, list[Any]]] = []
    for path, value in patch.items():
        above, _dot, last = path.rpartition(".")
        node = fresh[above] if above in fresh else _writable_value(above, fresh)
        if value is DROP:
            drops.append((path.count("."), int(last), node))
        else:
            node[int(last) if isinstance(node, list) else last] = \
                deepcopy(value) if isinstance(value, list | dict) else value
    for _depth, index, node in sorted(drops, key=lambda drop: drop[:2], reverse=True):
        del node[index]
    return data


def _writable_value(path: str, fresh: dict[str, Any]) -> Any:
    """Return a writable copy of the value at a path; it and the copies of its containers are kept in `fresh`."""
    above, _dot, last = path.rpartition(".")
    around = fresh[above] if above in fresh else _writable_value(above, fresh)
    at = int(last) if isinstance(around, list) else last
    fresh[path] = around[at] = _writable_copy(around[at])
    return around[at]


def _writable_copy(node: Any) -> Any:
    """Return a writable copy of a list or dict, or the dict of a part's fields."""
    if isinstance(node, Part):
        held = vars(node)
        return {key: held[key] for key in slots(type(node))}
    return node.copy()


@cache
def _rules_and_nested(shape: type["CheckedPart"]) -> tuple[tuple["RuleMethod", ...], tuple[tuple[str, bool], ...]]:
    """Return a shape's rules, and (key, is a list) of each field whose parts have rules at any depth."""
    return shape.marked_rules(), tuple(
        (key, many) for key, many in shape.nested()
        if any(any(_rules_and_nested(part)) for part in slots(shape)[key].parts))


CachedFindings = Mapping[int, Sequence[Finding]]
"""{id() of a part: findings on it and on the parts below it}; the caller must keep the parts alive."""


def findings_on(sheet: "Sheet", house: "House") -> list[Finding]:
    """Return the findings on a sheet and its parts, most severe first, with the severities that the house rules set."""
    return in_order(findings_below(sheet, house, {}))


def findings_below(part: "CheckedPart", house: "House", cached: CachedFindings) -> list[Finding]:
    """Return the findings on a part and on those below it, outermost first, with paths relative to the part.

    A part's rules see only the part and what is below it, so the findings of a `cached` part are reused.
    """
    found: list[Finding] = []
    rules, nested = _rules_and_nested(type(part))
    for rule in rules:
        for finding in rule(part, house):
            found.append(with_house_severity(house, finding, rule.rules[0]))  # noqa: PERF401 - most rules find nothing
    for key, many in nested:
        value = getattr(part, key)
        for index, one in enumerate(value if many else () if value is None else (value,)):
            below = cached.get(id(one)) if cached else None
            if below := findings_below(one, house, cached) if below is None else below:
                place = f"{key}.{index}" if many else key
                found += [finding.below(place) for finding in below]
    return found


def cached_findings(sheet: "Sheet", house: "House", found: Iterable[Finding]) -> CachedFindings:
    """Return {id() of a row or part: its findings} for a sheet that has the findings `found`."""
    # A prefix of another row's path matches too ("rows.1" in "rows.12"); the only cost is checking that row needlessly.
    paths = "".join([f" {finding.path}" for finding in found])
    cached: dict[int, Sequence[Finding]] = {}
    for key, many in _rules_and_nested(type(sheet))[1]:
        value = getattr(sheet, key)
        for index, one in enumerate(value if many else () if value is None else (value,)):
            place = f" {key}.{index}" if many else f" {key}"
            cached[id(one)] = findings_below(one, house, cached) if place in paths else ()
    return cached


def with_house_severity(house: "House", finding: Finding, usual: str | None = None) -> Finding:
    """Return the finding with its rule (`usual` if it names none) and the severity that the house rules set for it."""
    rule = finding.rule or usual
    return finding.with_changes(rule=rule, severity=POLICY.get(house.policy.get(rule or "", ""), finding.severity))


def in_order(found: list[Finding]) -> list[Finding]:
    """Return findings sorted by severity, most severe first."""
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)) if len(found) > 1 else found


def parts(part: "CheckedPart", prefix: str = "") -> Iterator[tuple[str, "CheckedPart"]]:
    """Yield (path, part) for a part and all parts below it, outermost first."""
    yield prefix, part
    for key, many in type(part).nested():
        value = getattr(part, key)
        if many:
            for index, row in enumerate(value):
                yield from parts(row, join(prefix, key, index))
        elif value is not None:
            yield from parts(value, join(prefix, key))
