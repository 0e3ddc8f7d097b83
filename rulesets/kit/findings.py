"""Findings: what a rule has to say of a sheet, how grave it is, and what would mend it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from rulesets.kit.asks import Data
from rulesets.kit.fields import Part, slots
from rulesets.kit.words import NAMED, Wording, short

if TYPE_CHECKING:
    from rulesets.kit.shapes import House, Sheet
    from rulesets.kit.spoken import RuleMethod, Spoken

Severity = Literal["error", "approval", "warning"]
SEVERITIES: tuple[Severity, ...] = ("error", "approval", "warning")
POLICY: dict[str, Severity] = {"block": "error", "ask": "approval", "warn": "warning"}

DROP: Any = object()
"""In a mend's patch: the row at this path goes."""
Patch = Mapping[str, Any]
"""{path: new value or DROP}."""
Key = tuple[str | None, Severity]
"""The key that mends count by: a rule at a severity."""


class Mend:
    """One way out: a label that says what gives way, with its figures, and a patch {path: new value or DROP}.

    Paths are relative to the part whose rule speaks; the kit makes them whole. Mends are made more often than they
    hold: the label is put together when somebody asks for it.
    """

    __slots__ = ("figures", "patch", "says")

    def __init__(self, says: Wording, patch: Patch, **figures: Any):
        self.says, self.patch, self.figures = says, patch, figures

    @property
    def label(self) -> str:
        """The text that people read."""
        return str(self.says.format(**self.figures) if self.figures else self.says)

    def below(self, prefix: str) -> "Mend":
        """The mend as the part around says it."""
        return Mend(self.says, {join(prefix, path): value for path, value in self.patch.items()}, **self.figures)


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
    """A finding of a rule. `path` is dotted from the sheet's data, "" for the whole.

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
    """True if more has to come, where what stands at the path does not show that: two fears of three."""

    @property
    def message(self) -> str:
        """The text that people read."""
        named = {key: short(one, NAMED) if isinstance(one, str) else one for key, one in self.figures.items()}
        return str(self.says.format(**named))

    def but(self, **changes: Any) -> "Finding":
        """The finding with something otherwise (`dataclasses.replace` takes five times as long)."""
        found = object.__new__(type(self))
        vars(found).update(vars(self), **changes)
        return found

    def below(self, prefix: str) -> "Finding":
        """The finding as the part around says it."""
        return self.but(path=join(prefix, self.path), mends=(mend.below(prefix) for mend in self.mends))

    @property
    def key(self) -> Key:
        """The key that mends count findings by: a rule at a severity."""
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


def patched(whole: "Data | Part", patch: Patch) -> Data:
    """Data with the patch applied, in new lists and objects as far as the patch reaches; the rest is shared.

    Of a part, it is its fields that are shared. Rows go last, the highest index first, so that paths stay true.
    """
    data: Data = _open(whole)
    fresh: dict[str, Any] = {"": data}
    drops: list[tuple[int, int, list[Any]]] = []
    for path, value in patch.items():
        above, _dot, last = path.rpartition(".")
        node = fresh[above] if above in fresh else _opened(above, fresh)
        if value is DROP:
            drops.append((path.count("."), int(last), node))
        else:
            node[int(last) if isinstance(node, list) else last] = \
                deepcopy(value) if isinstance(value, list | dict) else value
    for _depth, index, node in sorted(drops, key=lambda drop: drop[:2], reverse=True):
        del node[index]
    return data


def _opened(path: str, fresh: dict[str, Any]) -> Any:
    """Return the value at a path as a copy to write into; it and the copies around it are kept in `fresh`."""
    above, _dot, last = path.rpartition(".")
    around = fresh[above] if above in fresh else _opened(above, fresh)
    at = int(last) if isinstance(around, list) else last
    fresh[path] = around[at] = _open(around[at])
    return around[at]


def _open(node: Any) -> Any:
    """A copy to write into: a part's fields, a list, an object."""
    if isinstance(node, Part):
        held = vars(node)
        return {key: held[key] for key in slots(type(node))}
    return node.copy()


@cache
def _voice(shape: type["Spoken"]) -> tuple[tuple["RuleMethod", ...], tuple[tuple[str, bool], ...]]:
    """The rules of a shape; (key, whether a list) of the fields whose parts have rules, or parts that have."""
    return shape.spoken_rules(), tuple(
        (key, many) for key, many in shape.nested() if any(any(_voice(part)) for part in slots(shape)[key].parts))


Known = Mapping[int, Sequence[Finding]]
"""The findings of some parts and those below them, by the parts' identity; whoever made it keeps those alive."""


def spoken(sheet: "Sheet", house: "House") -> list[Finding]:
    """Return the findings on a sheet and its parts, gravest first, at the severity that the house sets."""
    return in_order(heard(sheet, house, {}))


def heard(part: "Spoken", house: "House", known: Known) -> list[Finding]:
    """Return the findings on a part and on those below it, outermost first; paths and mends begin at the part.

    They see nothing else, so that a part below that is `known` need not be asked again.
    """
    said: list[Finding] = []
    rules, speaking = _voice(type(part))
    for speak in rules:
        for finding in speak(part, house):
            said.append(under(house, finding, speak.rules[0]))  # noqa: PERF401 - most have nothing to say
    for key, many in speaking:
        value = getattr(part, key)
        for index, one in enumerate(value if many else () if value is None else (value,)):
            below = known.get(id(one)) if known else None
            if below := heard(one, house, known) if below is None else below:
                place = f"{key}.{index}" if many else key
                said += [finding.below(place) for finding in below]
    return said


def known_of(sheet: "Sheet", house: "House", found: Iterable[Finding]) -> Known:
    """Return {id of a row or part: its findings} of a sheet where these are `found`; most have none."""
    # A row is asked once more for nothing where another's place only begins alike.
    paths = "".join([f" {finding.path}" for finding in found])
    known: dict[int, Sequence[Finding]] = {}
    for key, many in _voice(type(sheet))[1]:
        value = getattr(sheet, key)
        for index, one in enumerate(value if many else () if value is None else (value,)):
            place = f" {key}.{index}" if many else f" {key}"
            known[id(one)] = heard(one, house, known) if place in paths else ()
    return known


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
