"""The comparison of two sheets of a system, or of a sheet with typed figures, and their odds against each other."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import cached_property
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from rulesets.grouping import by_key
from rulesets.kit import Derived, Offer, Ruleset, blank
from rulesets.names import isolated
from sheets.character import Character
from sheets.fitting import fitted
from sheets.forms.inputs import Answers
from sheets.outline import OutlineEntry, outline
from sheets.rolls.odds_chart import odds_bars
from sheets.rolls.widgets import Widget

ROOM = 192 * 1024
"""The most bytes of the compared texts."""
_NUMBER = re.compile(r"([−-]?\d{1,60})(?: / \d{1,60})?")
"""A number, or the two numbers of a gauge."""


class Side:
    """One side of a comparison: a sheet or only typed figures, the way in which it meets the other, and its figures.

    The figures are the sheet's unless others were typed for the same sheet and the same way.
    """

    def __init__(self, ruleset: Ruleset, letter: str, answers: Answers, character: Character | None, ref: str = "",
                 link: str = "") -> None:
        self.ruleset, self.letter, self.answers, self.character = ruleset, letter, answers, character
        self.ref, self.link = ref, link

    @property
    def fault(self) -> str:
        """The error for a link of which no sheet was found, or ""."""
        return _("No shared {system} sheet has this link.").format(system=self.ruleset.title) if self.link else ""

    @property
    def name(self) -> str:
        """The name of the character, "" if it has none."""
        return self.character.name.strip() if self.character else ""

    @cached_property
    def ways(self) -> list[Offer]:
        """The ways in which the sheet can meet another."""
        contest = self.ruleset.contest
        if not contest or not self.character:
            return []
        return list(contest.offers_for(self.character.written, self.character.play))

    @cached_property
    def way(self) -> Offer | None:
        """The chosen way, by default the first."""
        chosen = self.answers.get(f"{self.letter}_way", [""])[-1]
        return next((one for one in self.ways if one.key == chosen), self.ways[0] if self.ways else None)

    @property
    def source(self) -> str:
        """The source of the figures in the form: the sheet's reference in the address, and the key of the way."""
        return f"{self.ref} {self.way.key if self.way else ''}".strip()

    @cached_property
    def widget(self) -> Widget | None:
        """The figures as a form; None if the system has no contest."""
        if self.ruleset.contest is None:
            return None
        given: Mapping[str, Any] | None = None
        if self.source not in ("", self.answers.get(f"{self.letter}_of", [""])[-1]):
            given = self.way.filled if self.way else {}
        offer = Offer(self.ruleset.contest, self.ruleset.contest.title, key=self.letter)
        return Widget(offer, self.answers if given is None else None, f"{self.letter}.", given or {})

    @property
    def typed(self) -> bool:
        """True if its figures differ from the sheet's."""
        if self.widget is None or self.way is None:
            return True
        return any(one.fault or one.value != self.way.filled.get(one.slot.key, one.value) for one in self.widget.inputs)

    @property
    def usable(self) -> bool:
        """True if the sheet is not blank and its figures are complete enough to meet another."""
        is_blank = self.character and self.character.written == self.ruleset.sheet.model_validate(
            blank(self.ruleset.sheet))
        return not is_blank and (self.widget is None or bool(self.widget.complete))

    @property
    def faults(self) -> list[tuple[str, Any, str]]:
        """(id of the input, title, message) of each invalid figure."""
        return [(f"{self.widget.key}-{one.path}", one.slot.ask.title, one.fault)
                for one in self.widget.inputs if one.fault] if self.widget else []

    @cached_property
    def figures(self) -> dict[tuple[str, str], tuple[Any, str]]:
        """{(section, key): (title, text)} of everything on the sheet as it is played now."""
        if self.character is None:
            return {}
        written_now = outline(self.character.now, self.character.house)
        derivations = self.character.now.derivations()
        derived = self.character.now.derive(self.character.house)
        figures = {("", value.key): (value.title, str(value.value)) for value in written_now.values}
        figures |= {("", gauge.key): (
            gauge.title, f"{gauge.current} / {gauge.most}" if gauge.most else str(gauge.current))
                  for gauge in self.character.play.gauges(self.character.written)}
        figures |= {("", f"{fact.key} {fact.title}"): (fact.title, fact.value)
                  for fact in written_now.facts if not fact.long and ("", fact.key) not in figures}
        figures |= {("", f"{key} {inner}"): (f"{derivations[key].title}: {title}", str(value))
                  for key, values in derived.items() if isinstance(values, dict) and not derivations[key].of
                  for (inner, value), title in zip(values.items(), self._titles(derivations[key], values), strict=True)}
        figures |= {(str(section.title), entry.label.casefold()): (entry.label, _entry_text(entry))
                  for section in written_now.sections for entry in section.entries}
        return figures

    def _titles(self, one: Derived, keys: Iterable[str]) -> list[str]:
        """Return the titles of derived values by key: as on the sheet, without what may differ between the sides."""
        said = getattr(self.character.now, one.words)(self.character.house) if self.character and one.words else {}
        return [str(said[key]).partition(" (")[0] if key in said else capfirst(key) for key in keys]


def _entry_text(entry: OutlineEntry) -> str:
    """Return a row of a sheet as one line of text."""
    facts = (f"{fact.title} {fact.value}" for fact in entry.facts if not fact.long)
    return " · ".join(filter(None, [str(entry.text), *facts])) or "✓"


def comparison_context(sides: list[Side]) -> dict[str, Any]:
    """Return the template context for two sides: their faults, their contents, and their odds against each other."""
    names = _names(sides)
    compared = [(side, name) for side, name in zip(sides, names, strict=True) if side.character]
    return {
        "sides": sides, "faults": [fault for side in sides for fault in side.faults], "charts": _charts(sides, names),
        "heads": [name for _side, name in compared],
        "groups": [(section, [_row(title, cells) for title, cells in rows])
                   for section, rows in fitted(_groups([side for side, _name in compared]), ROOM)[0]],
    }


def _names(sides: list[Side]) -> list[str]:
    """Return the names of both sides, numbered if they are equal."""
    names = [isolated(side.name) or _("Side {n}").format(n=number) for number, side in enumerate(sides, 1)]
    return names if names[0] != names[1] else [f"{name} ({number})" for number, name in enumerate(names, 1)]


@dataclass(frozen=True)
class ComparedRow:
    """A row of the comparison: a title and each side's text; `ahead` is the index of the side with more, or None."""

    title: Any
    cells: list[str]
    ahead: int | None = None

    @property
    def differs(self) -> bool:
        """True if the sides differ here."""
        return len(set(self.cells)) > 1


def _row(title: Any, cells: list[str]) -> ComparedRow:
    matches = [_NUMBER.fullmatch(cell) for cell in cells]
    numbers = [int(match[1].replace("−", "-")) for match in matches if match]
    if len(numbers) < 2 or len(numbers) < len(cells) or len(set(numbers)) == 1:
        return ComparedRow(title, cells)
    return ComparedRow(title, cells, numbers.index(max(numbers)))


def _groups(sides: list[Side]) -> list[tuple[str, list[tuple[Any, list[str]]]]]:
    """Return (section, rows); a row is a title and the text of each side, "" for a side without it."""
    titles = {key: title for side in reversed(sides) for key, (title, _words) in side.figures.items()}
    keys = dict.fromkeys(key for side in sides for key in side.figures)
    return [*by_key((key[0], (titles[key], [side.figures[key][1] if key in side.figures else "" for side in sides]))
                    for key in keys).items()]


def _charts(sides: list[Side], names: list[str]) -> list[tuple]:
    """Return pairs of odds and their bars; an empty list while a figure is invalid."""
    contests = [side.widget.complete for side in sides if side.widget and side.widget.complete]
    if len(contests) < len(sides):
        return []
    prospects = [prospect.named(*names) for prospect in contests[0].meet(contests[1])]
    return [(prospect, odds_bars(prospect) if prospect.exact else []) for prospect in prospects]
