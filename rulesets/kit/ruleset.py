"""A system as a whole: its four shapes found in its own modules, its examples, its rules in our words."""

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
from rulesets.kit.concepts import Concept, lines_of, names
from rulesets.kit.contests import Contest, contest_of
from rulesets.kit.crossings import Crossing, crossing_of
from rulesets.kit.fields import Part, blank, slots
from rulesets.kit.findings import Finding, in_order, spoken, under, warning
from rulesets.kit.group import Table
from rulesets.kit.mending import mended
from rulesets.kit.packages import has_module, shapes_in
from rulesets.kit.rolls import Roll
from rulesets.kit.secrets import secretive
from rulesets.kit.shapes import Act, House, Play, Sheet
from rulesets.kit.spoken import Spoken
from rulesets.kit.words import UNNAMED, Wording

_Shape = TypeVar("_Shape", bound=Part)


@dataclass(frozen=True)
class Verdict:
    """The result of a check: `verdict` is illegal, needs-approval or legal; findings gravest first."""

    findings: tuple[Finding, ...]
    derived: Mapping[str, Any]

    @property
    def verdict(self) -> str:
        """The verdict, which the gravest finding decides."""
        severities = {finding.severity for finding in self.findings}
        return "illegal" if "error" in severities else "needs-approval" if "approval" in severities else "legal"


@dataclass(frozen=True)
class RuleText:
    """One numbered rule in our own short words (Markdown)."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A system.

    Its package holds `sheet`, `rolls`, `play`, `examples` and `rules.<language>.md`; nothing is registered: the shapes
    are the classes that those modules define. `contest` and `crossing` may be there as well.
    """

    package: str
    slug: str
    prefix: str
    """The letters before the number of a rule id."""
    title: Wording
    summary: Wording
    """The system in a sentence or two."""
    minutes: int
    """Minutes that building takes, roughly."""
    version: int = 1
    """Rises with every change of the rules; it is part of the seal."""
    names: tuple[str, ...] = field(default=())
    """Names that a random sheet may carry where no vocabulary has any; without any it is called as the system is."""
    signed: bool = False
    """True if a sheet counts only once a GM has approved it."""
    words: Mapping[str, Wording] = field(default_factory=dict)
    """The words for a sheet that is no character: `figure` and `intro` of the first step, `name`, `random`, `build`."""

    @property
    def name_title(self) -> str:
        """The title of the field for a sheet's name."""
        return str(self.words.get("name", _("Name of the character")))

    def _found(self, module: str, shape: type[_Shape]) -> tuple[type[_Shape], ...]:
        return shapes_in(self.package, module, shape)

    @cached_property
    def sheet(self) -> type[Sheet]:
        """The shape of the sheet."""
        return self._found("sheet", Sheet)[-1]

    @cached_property
    def house(self) -> type[House]:
        """The house rules with the book as default."""
        return self._found("sheet", House)[-1]

    @cached_property
    def book(self) -> House:
        """The book's own."""
        return self.house()

    @cached_property
    def play(self) -> type[Play]:
        """The state at the table."""
        return self._found("play", Play)[-1]

    @cached_property
    def table(self) -> type[Table]:
        """The shape of what a party has in common; without one of its own, a system has nothing of the kind."""
        own = self._found("play", Table)
        return own[-1] if own else Table

    @cached_property
    def shared(self) -> tuple[str, ...]:
        """The counters of a party that the state of play of a sheet has, too."""
        return tuple(key for key in self.table.model_fields if key in self.play.model_fields)

    @cached_property
    def rolls(self) -> dict[str, type[Roll]]:
        """Every roll by its slug."""
        return {roll.slug: roll for roll in self._found("rolls", Roll)}

    @cached_property
    def acts(self) -> dict[str, type[Act]]:
        """Every act by its slug."""
        return {act.slug: act for act in self._found("play", Act)}

    @cached_property
    def secretive(self) -> bool:
        """True if it has anything that only the owner of a sheet may see."""
        return secretive(self.play) or any(one.hides() for one in (*self.acts.values(), *self.rolls.values()))

    @cached_property
    def contest(self) -> type[Contest] | None:
        """The Contest in which two meet, from the module `contest`; None where the system has none."""
        return contest_of(self.package)

    @property
    def crossing(self) -> type[Crossing]:
        """The Crossing by which one character reaches another, from the module `crossing`."""
        return crossing_of(self.package)

    def binds(self, act: str) -> bool:
        """Return whether those alone at whom an act lands may settle it and take it back."""
        return self.acts.get(act) in self.crossing.binding

    @cached_property
    def concepts(self) -> Mapping[str, Concept]:
        """The concepts of random characters by slug, from the module `concepts`; none where the system states none."""
        there = self.package and has_module(self.package, "concepts")
        found: Mapping[str, Concept] = import_module(f"{self.package}.concepts").CONCEPTS if there else {}
        return found

    def concept_title(self, slug: str) -> str:
        """Return the title of a concept in the current language, "" where there is no such concept."""
        return self.vocabulary().get("concepts", {}).get(slug, slug) if slug in self.concepts else ""

    def concept_lines(self, slug: str, data: Data) -> list[str]:
        """The lines of who a character of a concept with this sheet data is, in the language of the moment."""
        concept = self.concepts.get(slug)
        told = concept.tells(self.vocabulary(), data) if concept and concept.tells else []
        return told or (lines_of(self.vocabulary(), slug) if concept else [])

    def concept_line(self, slug: str, data: Data, number: int) -> str:
        """A line of who a character of a concept is, in the language of the moment: for each number the same."""
        lines = self.concept_lines(slug, data)
        return lines[number % len(lines)] if lines else ""

    @property
    def concept_titles(self) -> dict[str, str]:
        """Every concept's title by its slug."""
        return {slug: self.concept_title(slug) for slug in self.concepts}

    def may_be_rolled(self, name: str) -> bool:
        """Return whether a name is blank or may be a random character's; any other was chosen by somebody."""
        return not name.strip() or name in self.names or name == str(self.title) or name in self._rolled

    @cached_property
    def _rolled(self) -> frozenset[str]:
        """Every name of the vocabularies, in all languages."""
        files = self._home.glob("concepts.*.toml") if self.package else ()
        return frozenset(name for file in files for name in names(tomllib.loads(file.read_text(encoding="utf-8"))))

    def vocabulary(self, language: str = "") -> Mapping[str, Any]:
        """The words of random characters in a language, or that of the moment; English where it has none."""
        return self._vocabulary((language or get_language() or "en").partition("-")[0])

    @cache  # noqa: B019 - rulesets live as long as the process
    def _vocabulary(self, language: str) -> Mapping[str, Any]:
        if not self.package:
            return {}
        file = self._home / f"concepts.{language}.toml"
        file = file if file.exists() else self._home / "concepts.en.toml"
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    @cached_property
    def examples(self) -> dict[str, Data]:
        """Legal sheet documents by a slug that says what they show."""
        found: dict[str, Data] = import_module(f"{self.package}.examples").EXAMPLES
        return found

    @cached_property
    def offenders(self) -> dict[str, Data]:
        """For each rule that a readable document can break, a document that breaks it and only it."""
        found: dict[str, Data] = import_module(f"{self.package}.examples").OFFENDERS
        return found

    @property
    def _home(self) -> Path:
        return Path(import_module(self.package).__path__[0])

    @cached_property
    def stylesheet(self) -> str:
        """The system's own stylesheet among the static files, "" if it has none."""
        own = self._home / "static" / f"{self.slug}.css"
        return own.name if own.exists() else ""

    @cached_property
    def board_stylesheet(self) -> str:
        """The stylesheet of what it draws itself of a sheet's page, "" if it has none."""
        own = self._home / "static" / f"{self.slug}-board.css"
        return own.name if own.exists() else ""

    @cached_property
    def templates(self) -> frozenset[str]:
        """The parts of a sheet's page that it draws itself, by the names of the templates in its folder."""
        return frozenset(file.stem for file in (self._home / "templates" / self.slug).glob("[!_]*.html"))

    @cached_property
    def paper_file(self) -> str:
        """The file that sets the system's own part of a printed page (typst), "" if it has none."""
        own = self._home / "paper.typ" if self.package else None
        return str(own) if own and own.exists() else ""

    @cached_property
    def plays_with_cards(self) -> bool:
        """True if rows of its sheets are cards, which can be cut out of paper."""
        parts = (part for slot in slots(self.sheet).values() if slot.kind == "rows" for part in slot.parts)
        return any(getattr(part, "face", Spoken.face) is not Spoken.face for part in parts)

    def document(self, name: str = "", data: Data | None = None) -> Data:
        """A sheet document; without data an empty sheet."""
        return {"format": "bogenschmiede.sheet", "version": 1, "ruleset": self.slug, "name": name,
                "data": blank(self.sheet) if data is None else data}

    @cache  # noqa: B019 - rulesets live as long as the process
    def rules(self, language: str) -> dict[str, RuleText]:
        """Our wording of each numbered rule by id, in the order of the page; English where a language is missing."""
        file = self._home / f"rules.{language}.md"
        text = (file if file.exists() else self._home / "rules.en.md").read_text(encoding="utf-8")
        found = re.split(rf"^### ({self.prefix}-\d+[a-z]?)\s+(.*)$", text, flags=re.M)[1:]
        texts = (re.split(r"^#{1,2} ", text, maxsplit=1, flags=re.M)[0].strip() for text in found[2::3])
        rows = zip(found[::3], found[1::3], texts, strict=True)
        return {one: RuleText(one, title, text) for one, title, text in rows}

    def check(self, sheet: Sheet, house: House | None = None, name: str = "", *, mends: bool = True) -> Verdict:
        """Findings (with the mends that hold, unless `mends` is off) and derived values of a sheet."""
        house = house or self.book
        if (found := spoken(sheet, house)) and mends:
            found = mended(sheet, house, found)
        of_name = [*sheet.about(name, house)]
        if not name.strip():
            of_name.append(warning(UNNAMED, rule=f"{self.prefix}-00", lacking=True))
        if of_name:
            found = in_order([*found, *(under(house, one) for one in of_name)])
        return Verdict(tuple(found), sheet.derive(house, name))
