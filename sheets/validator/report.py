"""Bytes that somebody submits as a document, and the rules' verdict on them: for the validator and for imports."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rulesets import systems
from rulesets.document import BYTES, Document, Offence, Unreadable, read
from rulesets.kit import Ambiguity, Finding, Ruleset, Verdict, short
from rulesets.names import UNSEEN
from rulesets.passages import FoundSheet, answered, passages, reading_actions
from rulesets.tidying import Cleaned
from sheets.documents import written
from sheets.forms.paths import path_in_words
from sheets.verdicts import SEVERITIES, VERDICTS, derived_lines, fix_digest

SHAPES = {"data": "sheet", "house": "house", "play": "play"}
"""{part of a document: attribute of `Document` that holds it}."""
MAX_SPELT_OUT = 200
"""The most characters shown of a text with its invisible characters spelt out."""
NOTES = 100
"""The most findings that are shown one by one."""
TONES = {"error": "error", "approval": "ask", "warning": "warn"}
BADGES = {"legal": "good", "needs-approval": "ask", "illegal": "error", "unreadable": "error"}


@dataclass(frozen=True)
class ReportNote:
    """A finding or a parse error as displayed: its severity, place in words and as a path, rule, fixes or readings."""

    severity: Any
    tone: str
    message: Any
    path: str
    where: str = ""
    rule: str = ""
    rule_url: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    """(label, action of the button) of each fix, or of each reading of an ambiguous text."""


def _spelt(text: str) -> str:
    """Return a text with each invisible character as its code point: "A<U+202E>b"."""
    return "".join(f"<U+{ord(one):04X}>" if UNSEEN.match(one) or not one.isprintable() else one for one in text)


class DocumentReport:
    """Bytes from an unknown source, read and judged."""

    def __init__(self, raw: bytes, found: FoundSheet | None = None) -> None:
        self.raw = raw
        self.several = [] if found else passages(raw)
        self.found = self.several[0] if len(self.several) == 1 else found
        self.document: Document | None = None
        self.offences: list[Offence] = []
        self.cleaned: list[Cleaned] = []
        self.slug: str | None
        if self.found:
            self.document, self.offences = self.found.document, self.found.offences
            self.slug = self.found.ruleset.slug
        else:
            try:
                self.document = read(raw)
                self.slug = self.document.ruleset.slug
            except Unreadable as error:
                self.offences = error.offences
                self.slug = error.ruleset
        if self.document:
            self.document, self.cleaned = self.document.cleaned()

    @property
    def text(self) -> str:
        """The text for the page's input field."""
        return self.raw[: BYTES + 1].decode("utf-8-sig", "replace").replace("\0", "\ufffd")

    @property
    def name(self) -> str:
        """The character's name as far as it is known."""
        return self.document.name if self.document else self.found.passage.name if self.found else ""

    @property
    def ruleset(self) -> Ruleset | None:
        """The system, or None if it is not known."""
        return systems().get(self.slug or "")

    @cached_property
    def verdict(self) -> Verdict | None:
        """Findings and derived values; None if the document cannot be read."""
        return self.document.check() if self.document else None

    @property
    def verdict_slug(self) -> str:
        """The verdict as JSON has it, such as "legal"."""
        return self.verdict.verdict if self.verdict else "unreadable"

    @property
    def status(self) -> Any:
        """The verdict for people."""
        return _("Needs an answer") if self.is_ambiguous else VERDICTS[self.verdict_slug]

    @property
    def is_ambiguous(self) -> bool:
        """True if the text can be read in several ways."""
        return bool(self.found and self.found.passage.ambiguities)

    @property
    def badge(self) -> str:
        """The style of the verdict's badge."""
        return "ask" if self.is_ambiguous else BADGES[self.verdict_slug]

    @cached_property
    def data(self) -> dict:
        """The sheet's data."""
        return self.document.sheet.model_dump() if self.document else {}

    @cached_property
    def notes(self) -> list[ReportNote]:
        """The findings, most severe first; of very many the first `NOTES`, and how many more there are."""
        if self.verdict is None:
            ambiguities = self.found.passage.ambiguities if self.found else ()
            offences = self.offences[:len(self.offences) - len(ambiguities)]
            notes = [ReportNote(_("Not readable"), "error", message, place) for place, message in offences]
            notes = [*notes, *map(self._question, ambiguities)][:NOTES]
            more = len(self.offences) - len(notes)
        else:
            notes = [self._note(finding) for finding in self.verdict.findings[:NOTES]]
            more = len(self.verdict.findings) - len(notes)
        if more:
            message = ngettext("There is {n} more; fix these first.", "There are {n} more; fix these first.", more)
            notes.append(ReportNote(_("And more"), "warn", message.format(n=more), ""))
        return notes + [self._change(*one) for one in self.cleaned[:NOTES]]

    @staticmethod
    def _question(ambiguity: Ambiguity) -> ReportNote:
        """Return the note that asks which reading of an ambiguous part is meant."""
        choices = tuple((one.label, action) for action, one in reading_actions(ambiguity).items())
        return ReportNote(_("Which one is meant?"), "ask", ambiguity.question, ambiguity.place, choices=choices)

    def _change(self, place: str, was: str, now: str) -> ReportNote:
        """Return a note saying that a text is stored without its invisible characters or extra spaces."""
        part, _dot, inner = place.partition(".")
        shape = inner and getattr(self.document, SHAPES.get(part, ""), None)
        message = (_("“{was}” is stored as “{now}”, without invisible characters and repeated spaces.") if now else
                   _("“{was}” has no visible characters and is stored as empty."))
        return ReportNote(_("Changed"), "warn", message.format(was=short(_spelt(was), MAX_SPELT_OUT), now=now), place,
                          path_in_words(type(shape), shape.model_dump(), inner) if shape else "")

    def _note(self, finding: Finding) -> ReportNote:
        where = path_in_words(self.ruleset.sheet, self.data, finding.path) if self.ruleset and finding.path else ""
        rules = f"{reverse('rules', args=[self.slug])}#{finding.rule}"
        choices = tuple((fix.label, f"mend:{fix_digest(fix)}") for fix in finding.fixes)
        path = (self.found and self.found.place(finding.path)) or finding.path
        return ReportNote(SEVERITIES[finding.severity], TONES[finding.severity], finding.message, path, where,
                    finding.rule or "", rules, choices)

    @property
    def figures(self) -> list[tuple[Any, list[str]]]:
        """The title and value of each derived figure, a line for each entry of a list."""
        if not self.document or not self.verdict:
            return []
        sheet = type(self.document.sheet)
        return [(sheet.derivations()[key].title, derived_lines(sheet, key, value))
                for key, value in self.verdict.derived.items() if value not in ([], {}, "")]

    def after_action(self, action: str) -> "DocumentReport | None":
        """Return the report after applying one of the fixes or readings; None if it does not exist."""
        if text := answered(self.raw, action):
            return DocumentReport(text)
        if (document := self.document) is None or self.verdict is None:
            return None
        fixes = (fix for finding in self.verdict.findings for fix in finding.fixes)
        chosen = next((fix for fix in fixes if f"mend:{fix_digest(fix)}" == action), None)
        return DocumentReport(written({**document.asdict(), "data": chosen.data})) if chosen else None
