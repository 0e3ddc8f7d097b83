"""Findings: what a rule has to say of a sheet, how grave it is, and what would mend it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal

from pydantic import ValidationError

Severity = Literal["error", "approval", "warning"]
SEVERITIES: tuple[Severity, ...] = ("error", "approval", "warning")
POLICY: dict[str, Severity] = {"block": "error", "ask": "approval", "warn": "warning"}
MENDS = 5
"""At most so many mends are offered for one finding."""
MENDS_IN_ALL = 50
"""And so many for a sheet: each carries the whole data, and a sheet can break a rule a hundred times."""

DROP: Any = object()
"""In a mend's patch: the row at this path goes."""


@dataclass(frozen=True)
class Mend:
    """One way out: a label that says what gives way, and a patch {path: new value or DROP}.

    Paths are relative to the part whose rule speaks; the kit makes them whole.
    """

    label: Any
    patch: Mapping[str, Any]


@dataclass(frozen=True)
class Fix:
    """A mend that holds: after it the finding is gone and nothing else became more frequent."""

    label: str
    data: dict

    def asdict(self) -> dict:
        """The shape of interface.md."""
        return {"label": self.label, "data": self.data}


@dataclass(frozen=True)
class Finding:
    """What a rule found. `path` is dotted from the sheet's data, "" for the whole."""

    severity: Severity
    message: Any
    path: str = ""
    rule: str | None = None
    mends: tuple[Mend, ...] = ()
    fixes: tuple[Fix, ...] = field(default=(), compare=False)

    @property
    def key(self) -> tuple:
        """What mends count by: a rule at a severity."""
        return self.rule, self.severity

    def asdict(self) -> dict:
        """The shape of interface.md."""
        return {
            "severity": self.severity,
            "rule": self.rule,
            "path": self.path,
            "message": str(self.message),
            "fixes": [fix.asdict() for fix in self.fixes],
        }


def _finding(severity, message, path, mends, rule, figures) -> Finding:
    return Finding(severity, message.format(**figures), path, rule, tuple(mends))


def error(message, path="", mends=(), rule=None, **figures) -> Finding:
    """A finding that makes the sheet illegal."""
    return _finding("error", message, path, mends, rule, figures)


def approval(message, path="", mends=(), rule=None, **figures) -> Finding:
    """A finding that the GM may grant."""
    return _finding("approval", message, path, mends, rule, figures)


def warning(message, path="", mends=(), rule=None, **figures) -> Finding:
    """A finding that only advises."""
    return _finding("warning", message, path, mends, rule, figures)


def join(*steps) -> str:
    """A document path from steps, empty ones left out: "attacks.0.dice"."""
    return ".".join(str(step) for step in steps if step != "")


def patched(data: dict, patch: Mapping[str, Any]) -> dict:
    """A copy of `data` with the patch applied; rows go last, the highest index first, so that paths stay true."""
    data = deepcopy(data)
    drops = []
    for path, value in patch.items():
        *steps, last = path.split(".")
        node = data
        for step in steps:
            node = node[int(step) if isinstance(node, list) else step]
        if value is DROP:
            drops.append((path.count("."), int(last), node))
        elif isinstance(node, list):
            node[int(last)] = value
        else:
            node[last] = deepcopy(value)
    for _, index, node in sorted(drops, key=lambda drop: drop[:2], reverse=True):
        del node[index]
    return data


def spoken(sheet, house) -> list[Finding]:
    """What the rules of a sheet and of its parts say, gravest first, at the severity that the house sets."""
    found = []
    for prefix, part in parts(sheet):
        for speak in type(part).spoken_rules():
            for finding in speak(part, house):
                mends = tuple(
                    Mend(mend.label, {join(prefix, path): value for path, value in mend.patch.items()})
                    for mend in finding.mends
                )
                rule, path = finding.rule or speak.rules[0], join(prefix, finding.path)
                found.append(under(house, replace(finding, rule=rule, path=path, mends=mends)))
    return in_order(found)


def under(house, finding: Finding) -> Finding:
    """The finding at the severity that the house gives its rule."""
    return replace(finding, severity=POLICY.get(house.policy.get(finding.rule), finding.severity))


def in_order(found: list[Finding]) -> list[Finding]:
    """Gravest first."""
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)) if len(found) > 1 else found


def parts(part, prefix="") -> Iterator[tuple[str, Any]]:
    """(path, part) of a part and of everything below it, outermost first."""
    yield prefix, part
    for key, many in type(part).nested():
        value = getattr(part, key)
        if many:
            for index, row in enumerate(value):
                yield from parts(row, join(prefix, key, index))
        elif value is not None:
            yield from parts(value, join(prefix, key))


def mended(sheet, house, found: list[Finding]) -> list[Finding]:
    """The findings with those of their mends that hold (see `Fix`), at most `MENDS` each, the gravest first."""
    before = Counter(finding.key for finding in found)
    data, mended, left = sheet.model_dump(), [], MENDS_IN_ALL
    for finding in found:
        fixes = tuple(islice(_fixes(sheet, house, finding, before, data), left))
        mended.append(replace(finding, fixes=fixes))
        left -= len(fixes)
    return mended


def _fixes(sheet, house, finding, before, data) -> Iterator[Fix]:
    seen = []
    for mend in finding.mends:
        new = patched(data, mend.patch)
        if new in seen:
            continue
        try:
            mended = type(sheet).model_validate(new)
        except ValidationError:
            continue
        after = Counter(f.key for f in spoken(mended, house))
        if after[finding.key] < before[finding.key] and after <= before:
            seen.append(new)
            yield Fix(str(mend.label), new)
            if len(seen) == MENDS:
                return
