"""A system as a whole: its shapes, its examples, and the texts of its rules."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from django.utils.functional import cached_property
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from rulesets.kit.asks import Data
from rulesets.kit.checked_parts import CheckedPart
from rulesets.kit.concepts import Concept, lines_of, names
from rulesets.kit.contests import Contest, contest_of
from rulesets.kit.crossings import Crossing, crossing_of
from rulesets.kit.fields import Part, blank, slots
from rulesets.kit.findings import Finding, findings_on, in_order, warning, with_house_severity
from rulesets.kit.former_names import accept_former_arguments
from rulesets.kit.free_roll import FreeRoll
from rulesets.kit.group import Table
from rulesets.kit.mending import mended
from rulesets.kit.packages import has_module, shapes_in
from rulesets.kit.rolls import Roll
from rulesets.kit.secrets import secretive
from rulesets.kit.shapes import Act, House, Play, Sheet
from rulesets.kit.words import UNNAMED, Wording

_Shape = TypeVar("_Shape", bound=Part)


@dataclass(frozen=True)
class Verdict:
    """The result of checking a sheet: findings, most severe first, and derived values."""

    findings: tuple[Finding, ...]
    derived: Mapping[str, Any]

    @property
    def verdict(self) -> str:
        """"illegal", "needs-approval" or "legal", by the most severe finding."""
        severities = {finding.severity for finding in self.findings}
        return "illegal" if "error" in severities else "needs-approval" if "approval" in severities else "legal"


@dataclass(frozen=True)
class RuleText:
    """The text of a numbered rule, in our own words (Markdown)."""

    id: str
    title: str
    text: str


@accept_former_arguments({"signed": "needs_approval"})
@dataclass(frozen=True, eq=False)
class Ruleset:
    """A system.

    Its package contains `sheet`, `rolls`, `play`, `examples` and `rules.<language>.md`, and optionally `contest`,
    `crossing` and `concepts`. Nothing is registered: the shapes are the classes in those modules.
    """

    package: str
    slug: str
    prefix: str
    """The letters at the beginning of its rule ids."""
    title: Wording
    summary: Wording
    """The system in one or two sentences."""
    minutes: int
    """The approximate number of minutes that building a sheet takes."""
    version: int = 1
    """The version of the rules, which is sealed with each sheet (see `sheets.documents`); it rises with every
    change."""
    names: tuple[str, ...] = field(default=())
    """Names for random sheets if no vocabulary has any; if this is empty too, the system's title is used."""
    needs_approval: bool = False
    """True if a sheet is valid only after a GM has approved it."""
    words: Mapping[str, Wording] = field(default_factory=dict)
    """Texts for sheets that are not characters: `figure` and `intro` of the first step, `name`, `random`, `build`."""

    @property
    def name_title(self) -> str:
        """The title of the field for a sheet's name."""
        return str(self.words.get("name", _("Name of the character")))

    def _shapes(self, module: str, shape: type[_Shape]) -> tuple[type[_Shape], ...]:
        return shapes_in(self.package, module, shape)

    @cached_property
    def sheet(self) -> type[Sheet]:
        """The class of its sheets."""
        return self._shapes("sheet", Sheet)[-1]

    @cached_property
    def house(self) -> type[House]:
        """The class of its house rules, whose defaults are the book's."""
        return self._shapes("sheet", House)[-1]

    @cached_property
    def book(self) -> House:
        """The house rules of the book."""
        return self.house()

    @cached_property
    def play(self) -> type[Play]:
        """The class of its states of play."""
        return self._shapes("play", Play)[-1]

    @cached_property
    def table(self) -> type[Table]:
        """The class of what a party has in common; `Table` if the system has nothing of its own."""
        own = self._shapes("play", Table)
        return own[-1] if own else Table

    @cached_property
    def has_chains(self) -> bool:
        """True if some roll belongs to a chain (see `Roll.chain`)."""
        return any(roll.chain for roll in self.rolls.values())

    @cached_property
    def has_open_results(self) -> bool:
        """True if it has rolls whose result stays open until an act applies it (`Roll.applied_by`)."""
        return any(roll.applied_by for roll in self.rolls.values())

    @cached_property
    def shared(self) -> tuple[str, ...]:
        """The counters that both the table and the state of play have."""
        return tuple(key for key in self.table.model_fields if key in self.play.model_fields)

    @cached_property
    def own_rolls(self) -> dict[str, type[Roll]]:
        """{slug: roll} of the rolls that the system defines."""
        return {roll.slug: roll for roll in self._shapes("rolls", Roll)}

    @cached_property
    def rolls(self) -> dict[str, type[Roll]]:
        """{slug: roll} of all rolls, of which the last is the free roll."""
        return {**self.own_rolls, FreeRoll.slug: FreeRoll}

    @cached_property
    def acts(self) -> dict[str, type[Act]]:
        """{slug: act} of all acts."""
        return {act.slug: act for act in self._shapes("play", Act)}

    @cached_property
    def secretive(self) -> bool:
        """True if the system has anything that only the owner of a sheet may see."""
        return secretive(self.play) or any(one.hides() for one in (*self.acts.values(), *self.rolls.values()))

    @cached_property
    def contest(self) -> type[Contest] | None:
        """The Contest in which two characters meet, from the module `contest`; None if there is none."""
        return contest_of(self.package)

    @property
    def crossing(self) -> type[Crossing]:
        """The Crossing through which characters affect each other, from the module `crossing`."""
        return crossing_of(self.package)

    def binds(self, act: str) -> bool:
        """Return True if only the target of an act may settle it and take it back."""
        return self.acts.get(act) in self.crossing.binding

    @cached_property
    def concepts(self) -> Mapping[str, Concept]:
        """{slug: concept} of random characters, from the module `concepts`; empty if there are none."""
        there = self.package and has_module(self.package, "concepts")
        found: Mapping[str, Concept] = import_module(f"{self.package}.concepts").CONCEPTS if there else {}
        return found

    def concept_title(self, slug: str) -> str:
        """Return the title of a concept in the current language, "" if there is no such concept."""
        return self.vocabulary().get("concepts", {}).get(slug, slug) if slug in self.concepts else ""

    def concept_lines(self, slug: str, data: Data) -> list[str]:
        """Return the lines that describe a character of a concept, in the current language."""
        concept = self.concepts.get(slug)
        told = concept.tells(self.vocabulary(), data) if concept and concept.tells else []
        return told or (lines_of(self.vocabulary(), slug) if concept else [])

    def concept_line(self, slug: str, data: Data, number: int) -> str:
        """Return one of the lines that describe a character, the same one for the same number."""
        lines = self.concept_lines(slug, data)
        return lines[number % len(lines)] if lines else ""

    @property
    def concept_titles(self) -> dict[str, str]:
        """{slug: title} of all concepts."""
        return {slug: self.concept_title(slug) for slug in self.concepts}

    def could_be_random(self, name: str) -> bool:
        """Return True if a name is blank or could be a random one; False if someone must have chosen it."""
        return not name.strip() or name in self.names or name == str(self.title) or name in self._vocabulary_names

    @cached_property
    def _vocabulary_names(self) -> frozenset[str]:
        """All names that the vocabularies of any language can make."""
        files = self._folder.glob("concepts.*.toml") if self.package else ()
        return frozenset(name for file in files for name in names(tomllib.loads(file.read_text(encoding="utf-8"))))

    def vocabulary(self, language: str = "") -> Mapping[str, Any]:
        """Return the vocabulary of random characters, by default in the current language; English if it is missing."""
        return self._vocabulary((language or get_language() or "en").partition("-")[0])

    @cache  # noqa: B019 - rulesets live as long as the process
    def _vocabulary(self, language: str) -> Mapping[str, Any]:
        if not self.package:
            return {}
        file = self._folder / f"concepts.{language}.toml"
        file = file if file.exists() else self._folder / "concepts.en.toml"
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    @cached_property
    def examples(self) -> dict[str, Data]:
        """{slug: legal sheet document}."""
        found: dict[str, Data] = import_module(f"{self.package}.examples").EXAMPLES
        return found

    @cached_property
    def offenders(self) -> dict[str, Data]:
        """{rule id: document that breaks this rule only}, for each rule that a readable document can break."""
        found: dict[str, Data] = import_module(f"{self.package}.examples").OFFENDERS
        return found

    @property
    def _folder(self) -> Path:
        return Path(import_module(self.package).__path__[0])

    @cached_property
    def stylesheet(self) -> str:
        """The name of its stylesheet among the static files, "" if it has none."""
        own = self._folder / "static" / f"{self.slug}.css"
        return own.name if own.exists() else ""

    @cached_property
    def board_stylesheet(self) -> str:
        """The name of the stylesheet for its own templates of a sheet's page, "" if it has none."""
        own = self._folder / "static" / f"{self.slug}-board.css"
        return own.name if own.exists() else ""

    @cached_property
    def templates(self) -> frozenset[str]:
        """The names of its own templates for parts of a sheet's page."""
        return frozenset(file.stem for file in (self._folder / "templates" / self.slug).glob("[!_]*.html"))

    @cached_property
    def paper_file(self) -> str:
        """The file with its own part of a printed page (typst), "" if it has none."""
        own = self._folder / "paper.typ" if self.package else None
        return str(own) if own and own.exists() else ""

    @cached_property
    def plays_with_cards(self) -> bool:
        """True if rows of its sheets are cards, which can be printed and cut out."""
        parts = (part for slot in slots(self.sheet).values() if slot.kind == "rows" for part in slot.parts)
        return any(getattr(part, "face", CheckedPart.face) is not CheckedPart.face for part in parts)

    def document(self, name: str = "", data: Data | None = None) -> Data:
        """Return a sheet document with this data, or with an empty sheet."""
        return {"format": "bogenschmiede.sheet", "version": 1, "ruleset": self.slug, "name": name,
                "data": blank(self.sheet) if data is None else data}

    @cache  # noqa: B019 - rulesets live as long as the process
    def rules(self, language: str) -> dict[str, RuleText]:
        """Return {rule id: text} in the order of the rules page; English if the language is missing."""
        file = self._folder / f"rules.{language}.md"
        text = (file if file.exists() else self._folder / "rules.en.md").read_text(encoding="utf-8")
        found = re.split(rf"^### ({self.prefix}-\d+[a-z]?)\s+(.*)$", text, flags=re.M)[1:]
        texts = (re.split(r"^#{1,2} ", text, maxsplit=1, flags=re.M)[0].strip() for text in found[2::3])
        rows = zip(found[::3], found[1::3], texts, strict=True)
        return {one: RuleText(one, title, text) for one, title, text in rows}

    def check(self, sheet: Sheet, house: House | None = None, name: str = "", *, mends: bool = True) -> Verdict:
        """Return the verdict on a sheet; its findings carry their fixes unless `mends` is off."""
        house = house or self.book
        if (found := findings_on(sheet, house)) and mends:
            found = mended(sheet, house, found)
        of_name = [*sheet.about(name, house)]
        if not name.strip():
            of_name.append(warning(UNNAMED, rule=f"{self.prefix}-00", lacking=True))
        if of_name:
            found = in_order([*found, *(with_house_severity(house, one) for one in of_name)])
        return Verdict(tuple(found), sheet.derive(house, name))
