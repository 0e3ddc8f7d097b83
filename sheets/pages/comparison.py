"""Two sheets of a system side by side, or a sheet and typed figures, and the odds when they meet."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import cached_property
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from rulesets.grouping import by_key
from rulesets.kit import Offer, Ruleset, blank
from rulesets.names import isolated
from sheets.character import Character
from sheets.fitting import fitted
from sheets.forms.inputs import Answers
from sheets.outline import OutlineEntry, outline
from sheets.rolls.odds_chart import odds_bars
from sheets.rolls.widgets import Widget

ROOM = 192 * 1024
"""Bytes for what both sheets say."""
_NUMBER = re.compile(r"([−-]?\d{1,60})(?: / \d{1,60})?")
"""A figure, or what is left of one."""


class Side:
    """One side of a comparison: a sheet, or nothing but typed figures; how it meets the other, and its figures.

    Figures are taken from the sheet until they are typed for this sheet and this way of meeting.
    """

    def __init__(self, ruleset: Ruleset, letter: str, answers: Answers, character: Character | None, ref: str = "",
                 link: str = "") -> None:
        self.ruleset, self.letter, self.answers, self.character = ruleset, letter, answers, character
        self.ref, self.link = ref, link

    @property
    def fault(self) -> str:
        """The error for a link that still stands in its field, "" if there is none."""
        return _("No shared sheet of {system} has this link.").format(system=self.ruleset.title) if self.link else ""

    @property
    def name(self) -> str:
        """The name of the side; "" without one."""
        return self.character.name.strip() if self.character else ""

    @cached_property
    def ways(self) -> list[Offer]:
        """The ways in which the sheet can meet another."""
        contest = self.ruleset.contest
        return list(contest.of(self.character.written, self.character.play)) if contest and self.character else []

    @cached_property
    def way(self) -> Offer | None:
        """The way that is chosen, else the usual one."""
        chosen = self.answers.get(f"{self.letter}_way", [""])[-1]
        return next((one for one in self.ways if one.key == chosen), self.ways[0] if self.ways else None)

    @property
    def whose(self) -> str:
        """The identity of the figures in the form: the sheet's reference in the address, and the way of meeting."""
        return f"{self.ref} {self.way.key if self.way else ''}".strip()

    @cached_property
    def widget(self) -> Widget | None:
        """The figures as a form; None if the system has no contest."""
        if self.ruleset.contest is None:
            return None
        given: Mapping[str, Any] | None = None
        if self.whose not in ("", self.answers.get(f"{self.letter}_of", [""])[-1]):
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
    def sensible(self) -> bool:
        """True if there is something to compare, and nothing that prevents a meeting."""
        blank_yet = self.character and self.character.written == self.ruleset.sheet.model_validate(
            blank(self.ruleset.sheet))
        return not blank_yet and (self.widget is None or bool(self.widget.made))

    @property
    def faults(self) -> list[tuple[str, Any, str]]:
        """(id of the input, title, message) of figures that make no sense."""
        return [(f"{self.widget.key}-{one.path}", one.slot.ask.title, one.fault)
                for one in self.widget.inputs if one.fault] if self.widget else []

    @cached_property
    def figures(self) -> dict[tuple[str, str], tuple[Any, str]]:
        """{(section, key): (title, words)} of what the sheet says as it is now."""
        if self.character is None:
            return {}
        now = outline(self.character.now, self.character.house)
        derivations = self.character.now.derivations()
        derived = self.character.now.derive(self.character.house)
        found = {("", value.key): (value.title, str(value.value)) for value in now.values}
        found |= {("", one.key): (one.title, f"{one.left} / {one.most}" if one.most else str(one.left))
                  for one in self.character.play.gauges(self.character.written)}
        found |= {("", f"{fact.key} {fact.title}"): (fact.title, fact.value)
                  for fact in now.facts if not fact.long and ("", fact.key) not in found}
        found |= {("", f"{key} {inner}"): (f"{derivations[key].title}: {capfirst(inner)}", str(value))
                  for key, values in derived.items() if isinstance(values, dict) and not derivations[key].of
                  for inner, value in values.items()}
        found |= {(str(section.title), entry.label.casefold()): (entry.label, _said(entry))
                  for section in now.sections for entry in section.entries}
        return found


def _said(entry: OutlineEntry) -> str:
    """Return a row of a sheet in one line."""
    facts = (f"{fact.title} {fact.value}" for fact in entry.facts if not fact.long)
    return " · ".join(filter(None, [str(entry.text), *facts])) or "✓"


def compared(sides: list[Side]) -> dict[str, Any]:
    """Return the context for two sides: their faults, their contents, and the odds when they meet."""
    names = _names(sides)
    read = [(side, name) for side, name in zip(sides, names, strict=True) if side.character]
    return {
        "sides": sides, "faults": [fault for side in sides for fault in side.faults], "charts": _charts(sides, names),
        "heads": [name for _side, name in read],
        "groups": [(section, [_row(title, cells) for title, cells in rows])
                   for section, rows in fitted(_groups([side for side, _name in read]), ROOM)[0]],
    }


def _names(sides: list[Side]) -> list[str]:
    """Return the names of both sides, made distinct even if a sheet meets itself."""
    names = [isolated(side.name) or _("Side {n}").format(n=number) for number, side in enumerate(sides, 1)]
    return names if names[0] != names[1] else [f"{name} ({number})" for number, name in enumerate(names, 1)]


@dataclass(frozen=True)
class ComparedRow:
    """Both sides' values of one thing, in words; `ahead` is the place of the side that has more, None for neither."""

    title: Any
    cells: list[str]
    ahead: int | None = None

    @property
    def differs(self) -> bool:
        """True if the sides differ here."""
        return len(set(self.cells)) > 1


def _row(title: Any, cells: list[str]) -> ComparedRow:
    found = [_NUMBER.fullmatch(cell) for cell in cells]
    numbers = [int(one[1].replace("−", "-")) for one in found if one]
    if len(numbers) < 2 or len(numbers) < len(cells) or len(set(numbers)) == 1:
        return ComparedRow(title, cells)
    return ComparedRow(title, cells, numbers.index(max(numbers)))


def _groups(sides: list[Side]) -> list[tuple[str, list[tuple[Any, list[str]]]]]:
    """Return (section, rows of title and the words of each); whatever only one has leaves the other's place empty."""
    titles = {key: title for side in reversed(sides) for key, (title, _words) in side.figures.items()}
    keys = dict.fromkeys(key for side in sides for key in side.figures)
    return [*by_key((key[0], (titles[key], [side.figures[key][1] if key in side.figures else "" for side in sides]))
                    for key in keys).items()]


def _charts(sides: list[Side], names: list[str]) -> list[tuple]:
    """Return (prospect, its bars) of the possible outcomes; none while a figure makes no sense."""
    made = [side.widget.made for side in sides if side.widget and side.widget.made]
    if len(made) < len(sides):
        return []
    found = [one.named(*names) for one in made[0].meet(made[1])]
    return [(one, odds_bars(one) if one.exact else []) for one in found]
