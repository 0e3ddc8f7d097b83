"""A sheet in reading order: values, sections of rows, the ledger. Page, paper, Markdown and BBCode all render it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from rulesets.kit import CheckedPart, Face, House, Ledger, Offer, Sheet, Slot, decimal, join, slots

FIGURE = 6
"""The most characters of a value that is shown as a figure."""
LAID_OUT = 120
"""The most cards that are shown one by one."""
FRACTION = re.compile(r"\d{1,400}/[1-9]\d{0,399}")
"""A derived value that is a fraction; its parts are at most as long as the figures that odds are computed with."""


@dataclass(frozen=True)
class Value:
    """A derived figure: its name, how it is derived, and the ids of the rules for it."""

    key: str
    title: Any
    value: Any
    how: str
    rules: tuple[str, ...]
    drawn: bool = False
    """True if it is drawn as that number of boxes."""


@dataclass(frozen=True)
class Fact:
    """A field of the sheet with its value in words."""

    title: Any
    value: str
    long: bool = False
    """True if it is a longer text rather than a figure or a word."""
    key: str = ""
    """Its path in the sheet, "" if it belongs to a row."""

    @property
    def figure(self) -> bool:
        """True if it is short enough to be shown as a figure."""
        return not self.long and len(self.value) <= FIGURE


@dataclass(frozen=True)
class OutlineEntry:
    """A row of the sheet: its name, its cost, its text, its figures."""

    path: str
    label: str
    points: int | None
    text: str
    facts: tuple[Fact, ...]
    die: str = ""
    """The colour of the die that belongs to it, "" if none does."""
    title: str = ""
    """For the part of a whole, which part it is; `note` is the rest of the text, and `text` contains both."""
    note: str = ""
    face: Face | None = None
    """The row as a card, if rows are cards."""


@dataclass(frozen=True)
class Chart:
    """A derived value {key: number} as bars: (label, number, width in hundredths of the longest)."""

    title: Any
    bars: tuple[tuple[str, int, float], ...]

    @property
    def line(self) -> str:
        """The bars in one line."""
        return ", ".join(f"{label}: {number}" for label, number, _width in self.bars)


@dataclass(frozen=True)
class Section:
    """A list of the sheet."""

    path: str
    title: Any
    entries: tuple[OutlineEntry, ...]
    within: bool = False
    """True if these are the parts of a whole rather than the rows of a list."""
    goes_on: bool = False
    """True if other rows of the same list are elsewhere on the page."""

    @property
    def paid(self) -> bool:
        """True if its rows cost points."""
        return any(entry.points is not None for entry in self.entries)

    @property
    def faces(self) -> list[Face]:
        """Its rows as cards."""
        return [entry.face for entry in self.entries if entry.face]

    @property
    def laid_out(self) -> list[Face]:
        """Its cards one by one, each copy separately; if a page has no room for all, each once with its number."""
        if sum(face.copies for face in self.faces) > LAID_OUT:
            return self.faces
        return [replace(face, copies=1) for face in self.faces for _copy in range(face.copies)]


@dataclass(frozen=True)
class Outline:
    """All that a sheet says, in reading order."""

    values: tuple[Value, ...]
    facts: tuple[Fact, ...]
    """Fields outside of lists that no derived value repeats."""
    sections: tuple[Section, ...]
    ledger: Ledger | None
    copies: tuple[Value, ...] = ()
    """Derived texts that are copied elsewhere verbatim."""
    charts: tuple[Chart, ...] = ()


def outline(shape: Sheet, house: House, name: str = "") -> Outline:
    """Return the outline of a sheet in the current language; `name` is the document's."""
    derived = shape.derive(house, name)
    derivations = shape.derivations().items()
    values = tuple(
        Value(key, one.title, read_figure(derived[key]), str(one.how).format(shape), one.rules, one.as_squares)
        for key, one in derivations
        if one.tile and isinstance(derived[key], int | str)
    )
    facts, sections = [], []
    for key, slot in slots(type(shape)).items():
        value = getattr(shape, key)
        if slot.kind == "rows":
            figures = [(one.title, derived[one.key]) for one in shape.derivations().values() if one.of == key]
            entries = tuple(_entry(join(key, i), row, house, figures) for i, row in enumerate(value))
            sections.append(Section(key, slot.ask.title, entries))
        elif slot.kind == "part" and value is not None:
            words, within = str(value.what()), _within(key, value)
            facts += [Fact(slot.ask.title, words, key=key)] if words else [] if within else _facts(value, path=key)
            sections += [Section(key, slot.ask.title, within, within=True)] if within else []
        elif slot.kind not in ("part", "other") and key not in derived:
            facts.append(Fact(slot.ask.title, worded(slot, value), slot.ask.long, key))
    copies = tuple(Value(key, one.title, derived[key], "", one.rules) for key, one in derivations if one.copy)
    return Outline(values, tuple(facts), tuple(sections), shape.ledger(house), copies, charts(shape, house, derived))


def outline_beside_rolls(written: Outline, rolls: Iterable[Offer]) -> dict[str, Any]:
    """Return the context of a written sheet: the rows to show `beside` its rolls, which no roll shows, and the `rest`.

    The rest begins with the other rows of lists that are partly shown beside the rolls.
    """
    shown = {one.key for one in rolls}
    lists = [section for section in written.sections if not section.within and not section.faces]
    apart = [*_with_rows(lists, shown, shown_already=False)]
    begun = {section.path for section in apart}
    rest = [replace(one, goes_on=one.path in begun) for one in _with_rows(lists, shown, shown_already=True)]
    return {"written": written, "beside": apart, "rest": sorted(rest, key=lambda one: not one.goes_on)}


def _with_rows(lists: Iterable[Section], shown: set[str], *, shown_already: bool) -> Iterator[Section]:
    """Yield the lists with only those rows that a roll shows already, or only those that none does."""
    for section in lists:
        if rows := tuple(one for one in section.entries if (one.path in shown) is shown_already):
            yield replace(section, entries=rows)


def charts(shape: Sheet, house: House, derived: Mapping[str, Any]) -> tuple[Chart, ...]:
    """Return the derived values that are numbers by key, as bars; empty ones are left out."""
    found = []
    for key, one in shape.derivations().items():
        if one.words and derived[key]:
            labels, most = getattr(shape, one.words)(house), max(*derived[key].values(), 1)
            found.append(Chart(one.title, tuple((str(labels[name]), number, round(100 * number / most, 2))
                                                for name, number in derived[key].items())))
    return tuple(found)


def _entry(path: str, row: Any, house: House, figures: list[tuple[Any, dict]]) -> OutlineEntry:
    text, face = str(row.what()), row.face()
    label = f"{face.copies} × {row.label}" if face else str(row.label)
    facts = [fact for fact in _facts(row, row.hidden_fields() | row.fields_in_text)
             if fact.value not in ("", text, str(row.label))]
    facts += [Fact(title, str(by_name[row.name])) for title, by_name in figures if by_name.get(row.name) is not None]
    return OutlineEntry(path, label, row.price(house), text, tuple(facts), face=face)


def _within(path: str, part: CheckedPart) -> tuple[OutlineEntry, ...]:
    """Return the parts that a part is made of, each as an entry that says which one it is."""
    found = [(key, slot.ask.title, getattr(part, key)) for key, slot in slots(type(part)).items()
             if slot.kind == "part"]
    return tuple(OutlineEntry(join(path, key), str(one.label), None, f"{title}, {one.what()}", (), one.die, str(title),
                       str(one.what())) for key, title, one in found if one is not None)


def _facts(part: CheckedPart, hidden: frozenset[str] = frozenset(), path: str = "") -> list[Fact]:
    return [Fact(slot.ask.title, worded(slot, getattr(part, key)), slot.ask.long, path and join(path, key))
            for key, slot in slots(type(part)).items()
            if key not in hidden and len(slot.choices) != 1 and slot.kind not in ("rows", "part", "other")
            and (getattr(part, key) or slot.default != getattr(part, key))]


def yes_or_no(value: Any) -> Any:
    """Return a derived value as people read it."""
    return _("yes") if value is True else _("no") if value is False else value


def read_figure(value: Any) -> Any:
    """Return a derived value as people read it; a fraction ("35/8") as a decimal, rounded."""
    return decimal(Fraction(value), 1) if isinstance(value, str) and FRACTION.fullmatch(value) else yes_or_no(value)


def worded(slot: Slot, value: Any) -> str:
    """Return a field's value as people read it."""
    if isinstance(value, list):
        return ", ".join(str(slot.label(one)) for one in value)
    return "" if value is None else str(yes_or_no(slot.label(value)))
