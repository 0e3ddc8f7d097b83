"""The comparison of two states of a sheet by the rules: rows, points, figures, odds, findings, house rules.

Nothing here is stored, and nothing is queried; texts are in the active language.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.document import canonical, house_data
from rulesets.kit import Finding, Ruleset, Slot, join, slots
from sheets.diff.changes import Diff, DiffEntry, Figure, Points, SheetContent
from sheets.diff.odds_changes import shifts
from sheets.diff.places import placed
from sheets.diff.row_matching import RowTraits, matched, moved, row_traits
from sheets.forms.differences import differing_fields, in_words
from sheets.forms.house_rules import house_differences
from sheets.models import Revision, Sheet
from sheets.outline import OutlineEntry, outline, read_figure, yes_or_no
from sheets.rolls.widgets import Widget

__all__ = ["SheetContent", "diff"]

RollPlace = tuple[str, str, int]
"""The identity of a roll on a sheet: its place, its kind, and its number among those of that kind."""


def diff(ruleset: Ruleset, before: SheetContent, after: SheetContent) -> Diff:
    """Compare two states of a sheet; raise pydantic's ValidationError if the rules cannot read one of them."""
    return _Comparison(ruleset, _State(ruleset, before), _State(ruleset, after)).made()


class _State:
    """One of the two states, as the rules read it, with everything that is computed from it."""

    def __init__(self, ruleset: Ruleset, side: SheetContent) -> None:
        self.ruleset, self.name = ruleset, side.name
        self.house = ruleset.house.model_validate(side.house)
        self.shape = ruleset.sheet.model_validate(side.data).under(self.house)
        self.data = self.shape.model_dump()
        self.ledger = self.shape.ledger(self.house)
        self.verdict = ruleset.check(self.shape, self.house, self.name, mends=False)
        self.derived = self.verdict.derived

    @cached_property
    def entries(self) -> dict[str, OutlineEntry]:
        """The rows of the outline, by path."""
        read = outline(self.shape, self.house, self.name)
        return {entry.path: entry for section in read.sections for entry in section.entries}

    def rows(self, key: str, slot: Slot) -> list[RowTraits]:
        """Return the traits by which the rows of a list are matched."""
        return row_traits(slot, getattr(self.shape, key), self.data[key])

    def rolls(self, places: Mapping[str, str]) -> dict[RollPlace, Widget]:
        """Return the widget of each roll that is not rare and can be made with its first answers.

        A roll that belongs to a row is identified by the row's place.
        """
        found: dict[RollPlace, Widget] = {}
        count: dict[tuple[str, str], int] = defaultdict(int)
        for offer in self.shape.roll_offers(self.ruleset.play()):
            widget = Widget(offer)
            if not (widget.is_act or offer.rare) and widget.complete:
                one = placed(offer.key, places), offer.cls.slug
                found[*one, count[one]] = widget
                count[one] += 1
        return found

    def spent(self, path: str) -> int:
        """Return the points that the ledger has for a field."""
        return sum(line.points for line in self.ledger.lines if line.path == path) if self.ledger else 0


class _Comparison:
    """The comparison of two states, from which a `Diff` is made.

    `places` maps the path of each row in the state before to its path now or, if the row is gone, to a unique path.
    """

    def __init__(self, ruleset: Ruleset, before: _State, after: _State) -> None:
        self.ruleset, self.sides = ruleset, (before, after)
        self.before, self.after = before, after
        self.slots = slots(ruleset.sheet)
        self.derivations = ruleset.sheet.derivations()
        lists = {key: slot for key, slot in self.slots.items() if slot.kind == "rows"}
        self.pairs = {key: matched(before.rows(key, slot), after.rows(key, slot)) for key, slot in lists.items()}
        self.places = {join(key, index): _gone(join(key, index)) for key in lists
                       for index in range(len(before.data[key]))}
        self.places |= {join(key, here): join(key, there) for key, pairs in self.pairs.items() for here, there in pairs}
        rolls = before.rolls(self.places), after.rolls({})
        self.rolls = {one: tuple(side.get(one) for side in rolls) for one in dict.fromkeys((*rolls[1], *rolls[0]))}
        ledger = after.ledger or before.ledger
        self.unit = str(ledger.unit.title) if ledger else ""

    def made(self) -> Diff:
        """Return the complete difference."""
        found = [change for key, slot in self.slots.items()
                 for change in (self._rows(key, slot) if slot.kind == "rows" else self._field(key, slot))]
        named = self.before.name != self.after.name
        names = [Figure(self.ruleset.name_title, *(side.name for side in self.sides))] if named else [None]
        return Diff(
            names[0], tuple(one for one in found if one.kind != "follows"),
            tuple(one for one in found if one.kind == "follows"),
            tuple(self._figures({one.path for one in found})), tuple(self._rest()),
            self._points({one.path for one in found if one.kind != "follows"}),
            *self._findings(), tuple(self._house()))

    def _rows(self, key: str, slot: Slot) -> Iterator[DiffEntry]:
        """Yield the entries of a list's rows: those that exist now, in their order, then those that are gone."""
        pairs = self.pairs[key]
        came_from, shifted = {there: here for here, there in pairs}, moved(pairs)
        for there in range(len(self.after.data[key])):
            if there not in came_from:
                yield self._lone("added", slot, join(key, there))
            elif change := self._in_both(key, slot, came_from[there], there, shifted=there in shifted):
                yield change
        yield from (self._lone("removed", slot, join(key, here))
                    for here in sorted(set(range(len(self.before.data[key]))) - set(came_from.values())))

    def _lone(self, kind: str, slot: Slot, path: str) -> DiffEntry:
        """Return the entry of a row that only one of the states has."""
        gone = kind == "removed"
        entry = (self.before if gone else self.after).entries[path]
        fields = tuple(Figure(str(one.title), one.value if gone else None, None if gone else one.value, long=one.long)
                       for one in entry.facts)
        points = (entry.points or 0) * (-1 if gone else 1)
        return DiffEntry(kind, path, str(slot.ask.title), entry.label, entry.text, fields, points, self.unit,
                      odds=self._odds(_gone(path) if gone else path, entry.label))

    def _in_both(self, key: str, slot: Slot, here: int, there: int, *, shifted: bool) -> DiffEntry | None:
        """Return the entry of a row that both states have; None if nothing about it differs."""
        rows = [getattr(side.shape, key)[at] for side, at in zip(self.sides, (here, there), strict=True)]
        fields = [_written(title, inner, a, b) for _path, title, inner, a, b in
                  differing_fields(type(rows[1]), self.before.data[key][here], self.after.data[key][there])]
        kind = "changed" if fields else "moved" if shifted else "follows"
        if shifted:
            fields.append(Figure(_("Place"), str(here + 1), str(there + 1)))
        old, new = (row.price(side.house) or 0 for row, side in zip(rows, self.sides, strict=True))
        figures = [figure for one in self.derivations.values() if one.of == key
                   for figure in _apart(one.title, *(side.derived[one.key].get(row.name)
                                                     for row, side in zip(rows, self.sides, strict=True)))]
        odds = self._odds(join(key, there), str(rows[1].label))
        if kind == "follows" and not (old != new or figures or odds):
            return None
        return DiffEntry(kind, join(key, there), str(slot.ask.title), str(rows[1].label), "", tuple(fields), new - old,
                      self.unit, tuple(figures), odds)

    def _field(self, key: str, slot: Slot) -> Iterator[DiffEntry]:
        """Yield the entries of a field that is not a list of parts; a part within a part has an entry of its own."""
        yield from self._value(key, str(slot.ask.title), slot, *(side.data[key] for side in self.sides))

    def _value(self, path: str, title: str, slot: Slot, a: Any, b: Any) -> Iterator[DiffEntry]:
        if a == b:
            return
        if slot.kind != "part" or a is None or b is None:
            kind = "added" if slot.kind == "part" and a is None else "removed" if slot.kind == "part" else "changed"
            figure = _written("", slot, a, b)
            yield self._changed(kind, path, title, [Figure("", None, figure.after) if kind == "added" else
                                                    Figure("", figure.before, None) if kind == "removed" else figure])
            return
        inner = slots(slot.parts[0])
        own = [_written(one.ask.title, one, a[key], b[key]) for key, one in inner.items()
               if one.kind != "part" and a[key] != b[key]]
        if own:
            yield self._changed("changed", path, title, own)
        for key, one in inner.items():
            if one.kind == "part":
                yield from self._value(join(path, key), f"{title}: {one.ask.title}", one, a[key], b[key])

    def _changed(self, kind: str, path: str, title: str, fields: list[Figure]) -> DiffEntry:
        """Return the entry of a field, with the derived figure of the same key unless that shows the same change."""
        old, new = (side.spent(path) for side in self.sides)
        figures = [one for one in self._derived(path) if (one.before, one.after) != (fields[0].before, fields[0].after)]
        return DiffEntry(kind, path, "", title, "", tuple(fields), new - old, self.unit, tuple(figures),
                      self._odds(path, title))

    def _odds(self, path: str, label: str) -> tuple[Figure, ...]:
        """Return the changed odds of a row's or a field's rolls, and remove these, so that none is shown twice."""
        own = [one for one in self.rolls if f"{one[0]}.".startswith(f"{path}.")]
        return tuple(figure for one in own for figure in _titled(label, *self.rolls.pop(one)))

    def _rest(self) -> Iterator[Figure]:
        """Yield the changed odds of the remaining rolls that both states have."""
        for old, new in self.rolls.values():
            if old and new:
                yield from _titled("", old, new)

    def _figures(self, told: set[str]) -> Iterator[Figure]:
        """Yield the changes of derived figures, except those whose field has an entry (`told`)."""
        for key in self.derivations:
            if key not in told:
                yield from self._derived(key)

    def _derived(self, key: str) -> Iterator[Figure]:
        """Yield the change of a derived value; if it is shown as bars, that of each bar."""
        if (one := self.derivations.get(key)) is None or not one.tile or one.of:
            return
        old, new = (side.derived[key] for side in self.sides)
        if one.words:
            labels: dict[str, Any] = {}
            for side in self.sides:
                labels |= getattr(side.shape, one.words)(side.house)
            for name, label in labels.items():
                yield from _apart(f"{one.title}: {label}", old.get(name, 0), new.get(name, 0))
        elif not isinstance(new, list | dict):
            yield from _apart(one.title, read_figure(old), read_figure(new))

    def _points(self, told: set[str]) -> Points | None:
        """Return the change of the budget, without ledger lines for the paths in `told`, which have entries."""
        ledgers = [side.ledger for side in self.sides if side.ledger]
        if len(ledgers) < len(self.sides) or ledgers[0] == ledgers[1]:
            return None
        lines = [{} if ledger.lines_are_rows else {(line.path, str(line.title)): line.points for line in ledger.lines}
                 for ledger in ledgers]
        found = [figure for one in dict.fromkeys((*lines[0], *lines[1]))
                 if not any(f"{path}.".startswith(f"{one[0]}.") for path in told)
                 for figure in _apart(one[1], *(side.get(one, 0) for side in lines))]
        title, (before, after) = str(self.unit), [str(ledger.words["spent"]) for ledger in ledgers]
        spent = None if before == after else Figure(title, before, after)
        return Points(title, spent, tuple(found)) if found or spent else None

    def _house(self) -> Iterator[Figure]:
        """Yield the house rules that differ; all of them as stored, if they differ only in some that the form lacks."""
        found = house_differences(self.ruleset, self.after.house, self.before.house)
        yield from (Figure(one.title, one.before, one.now) for one in found)
        stored = [canonical(house_data(side.house)).decode() for side in self.sides]
        if not found and stored[0] != stored[1]:
            yield Figure(_("House rules"), *stored)

    def _findings(self) -> tuple[tuple[Finding, ...], tuple[Finding, ...], tuple[tuple[Finding, Finding], ...]]:
        """Return the findings of only the later state, of only the earlier one, and pairs with changed messages."""
        old, new = (_by_place(side.verdict.findings, places)
                    for side, places in zip(self.sides, (self.places, {}), strict=True))
        both = [(old[key], new[key]) for key in new if key in old and old[key].message != new[key].message]
        return (tuple(one for key, one in new.items() if key not in old),
                tuple(one for key, one in old.items() if key not in new), tuple(both))


def _by_place(findings: tuple[Finding, ...], places: Mapping[str, str]) -> dict[tuple[Hashable, ...], Finding]:
    """Return {(rule, severity, place, number): finding}; the number counts findings that are otherwise alike."""
    found: dict[tuple[Hashable, ...], Finding] = {}
    count: dict[tuple[Hashable, ...], int] = defaultdict(int)
    for finding in findings:
        one = *finding.key, placed(finding.path, places)
        found[*one, count[one]] = finding
        count[one] += 1
    return found


def _gone(path: str) -> str:
    """Return a place for a row that is gone, which no row that exists can have."""
    return f"-{path}"


def _titled(label: str, old: Widget | None, new: Widget | None) -> Iterator[Figure]:
    """Yield the changes of a roll's odds, with the roll's title if it differs from the label of its row or field."""
    either = new or old
    title = str(either.offer.title) if either else ""
    yield from (one if title == label else Figure(f"{title}: {one.title}", one.before, one.after)
                for one in shifts(old, new))


def _written(title: Any, slot: Slot, a: Any, b: Any) -> Figure:
    """Return the change of a value that a user entered."""
    return Figure(str(title), *(_word(one) if type(one) is int and slot.kind == "number" else in_words(slot, one) or "–"
                                for one in (a, b)), long=slot.ask.long)


def _apart(title: Any, a: Any, b: Any) -> Iterator[Figure]:
    """Yield the change of a figure; nothing if it is the same."""
    if a != b:
        yield Figure(str(title), _word(a), _word(b))


def _word(value: Any) -> str:
    """Return a figure as text."""
    return "–" if value is None else f"{value}".replace("-", "−") if type(value) is int else str(yes_or_no(value))


def difference(ruleset: Ruleset, before: Revision | Sheet, after: Revision | Sheet) -> Diff | None:
    """Return the difference between two states of a sheet; None if the rules cannot read both."""
    with suppress(ValidationError):
        return diff(ruleset, *(SheetContent(one.name, one.data, one.house) for one in (before, after)))
    return None
