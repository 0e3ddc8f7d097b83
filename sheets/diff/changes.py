"""The parts of a difference: figures in two states, rows and fields that changed, and all of it together."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rulesets.kit import Finding, short
from sheets.fitting import alike, cut_apart, longest

SHOWN, ROOM = 60, 96 * 1024
"""The most changes of a kind, and the most bytes of all texts, on a page."""
KINDS = {"added": gettext_lazy("new"), "removed": gettext_lazy("removed"), "changed": gettext_lazy("changed"),
         "moved": gettext_lazy("moved"), "follows": gettext_lazy("as a result")}
"""{kind of change: its title}; `follows` is for a row that was not edited, but its cost, figures or odds changed."""


@dataclass(frozen=True)
class SheetContent:
    """One state of a sheet as it is stored: `house` holds the house rules that differ from the book."""

    name: str
    data: Mapping[str, Any]
    house: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Figure:
    """A figure in two states, as text; None if a state does not have it."""

    title: str
    before: str | None
    after: str | None
    long: bool = field(default=False, kw_only=True)
    """True if it is a longer text rather than a figure or a word."""

    @property
    def reworded(self) -> tuple[str, str, str, str]:
        """The parts of a changed text: how both begin, what only the earlier and the later one say, how both end."""
        # Each is the text of a field, up to 4,000 characters, or an invalid one, up to `part_inputs.MAX_FIELD_TEXT`.
        old, new = (re.findall(r"\S+\s*|\s+", one or "") for one in (self.before, self.after))
        head = alike(old, new)
        tail = alike(old[head:][::-1], new[head:][::-1])
        return ("".join(old[:head]), "".join(old[head:len(old) - tail]), "".join(new[head:len(new) - tail]),
                "".join(old[len(old) - tail:]))

    def cut(self, most: int) -> "Figure":
        """Return the figure with its texts cut to `most` characters, beginning a little before they differ."""
        before, after = cut_apart(self.before or "", self.after or "", most)
        return replace(self, title=short(self.title), before=self.before and before, after=self.after and after)

    def __str__(self) -> str:
        said = " → ".join(short(one) for one in (self.before, self.after) if one is not None)
        return f"{self.title} {said}".strip()


@dataclass(frozen=True)
class DiffEntry:
    """A field or a row that has changed, with everything that depends on it."""

    kind: str
    """One of `KINDS`."""
    path: str
    """Its place now; if it was removed, its former place."""
    section: str
    """The list that it is a row of, "" for a field."""
    title: str
    text: str = ""
    """The text of a row that was added or removed."""
    fields: tuple[Figure, ...] = ()
    """The values that changed; the figure of a field with only one value has no title."""
    points: int = 0
    """The increase of its cost."""
    unit: str = ""
    """The name of those points."""
    figures: tuple[Figure, ...] = ()
    """The figures derived from it."""
    odds: tuple[Figure, ...] = ()
    """The odds of its rolls."""

    def cut(self, most: int) -> "DiffEntry":
        """Return the entry with its texts cut to `most` characters."""
        return replace(self, title=short(self.title), text=cut_apart(self.text, "", most)[0],
                       fields=_cut(self.fields, most), figures=_cut(self.figures, most), odds=_cut(self.odds, most))

    @property
    def what(self) -> str:
        """The kind of change, in a word."""
        return str(KINDS[self.kind])

    @property
    def cost(self) -> str:
        """The points as text: "Points +1"; "" if the cost is the same, or if the points themselves were edited."""
        if not self.points or any(one.title == self.unit for one in self.fields):
            return ""
        return f"{self.unit} {self.points:+d}".replace("-", "−")

    @property
    def said(self) -> list[Figure]:
        """The changed values that fit on a line."""
        return [one for one in self.fields if not one.long]

    @property
    def texts(self) -> list[Figure]:
        """The changed values that are longer texts."""
        return [one for one in self.fields if one.long]

    def __str__(self) -> str:
        kind = "" if self.kind in ("changed", "follows") else self.what
        parts = [kind, self.text, *self.fields, self.cost, *self.figures, *self.odds]
        return f"{self.title}: {'; '.join(filter(None, map(str, parts)))}"


def _cut(found: tuple[Any, ...], most: int) -> tuple[Any, ...]:
    return tuple(one.cut(most) for one in found)


@dataclass(frozen=True)
class Points:
    """The change of the budget: the points spent, and the lines of the ledger that no other change shows."""

    title: str
    spent: Figure | None
    """None if the points spent are the same as before."""
    lines: tuple[Figure, ...] = ()

    def __str__(self) -> str:
        return "; ".join(str(one) for one in (*self.lines, self.spent) if one)


@dataclass(frozen=True)
class Diff:
    """All that differs between two states of a sheet; false if nothing does."""

    name: Figure | None
    changes: tuple[DiffEntry, ...]
    """The rows and fields whose data changed, in the order of the sheet."""
    follows: tuple[DiffEntry, ...]
    """The rows that were not edited but whose cost, figures or odds changed."""
    figures: tuple[Figure, ...]
    """The derived figures of the whole sheet."""
    odds: tuple[Figure, ...]
    """The odds of rolls that belong to no row or changed field."""
    points: Points | None
    broken: tuple[Finding, ...]
    """The findings of the later state alone, ..."""
    mended: tuple[Finding, ...]
    """... those of the earlier one alone, ..."""
    reworded_findings: tuple[tuple[Finding, Finding], ...]
    """... and those of both that changed in wording: (before, after)."""
    house: tuple[Figure, ...]

    left_out: int = 0
    """The number of changes and findings that a page has no room for."""

    def __bool__(self) -> bool:
        return any(vars(self).values())

    def on_a_page(self) -> "Diff":
        """Return the difference cut down to what a page has room for."""
        keys = ("changes", "follows", "broken", "mended", "reworded_findings", "odds")
        lists: dict[str, Any] = {key: getattr(self, key) for key in keys}
        left_out = sum(max(0, len(many) - SHOWN) for many in lists.values())
        some = replace(self, left_out=left_out, **{key: many[:SHOWN] for key, many in lists.items()})
        most = longest((some.name, some.changes, some.follows), ROOM)
        return replace(some, name=some.name and some.name.cut(most), changes=_cut(some.changes, most),
                       follows=_cut(some.follows, most), odds=_cut(some.odds, most))

    @property
    def lines(self) -> list[str]:
        """The changes, each as a line."""
        found = [self.name, *self.changes, *self.follows, *self.figures, *self.odds, self.points, *self.house]
        newly, no_longer = _("now breaks {rule}: {message}"), _("no longer breaks {rule}: {message}")
        still = _("still breaks {rule}: {message}")
        findings = [(newly, one) for one in self.broken] + [
            (still, one) for _before, one in self.reworded_findings] + [(no_longer, one) for one in self.mended]
        return [str(one) for one in found if one] + [
            text.format(rule=one.rule, message=one.message) for text, one in findings]
