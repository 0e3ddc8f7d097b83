"""Sheets written as text in a system's own form, checked like any document."""

from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext_lazy as _

from rulesets import systems
from rulesets.document import BYTES, Document, Offence, Unreadable, house_rules, shaped, unread
from rulesets.kit import Ambiguity, Data, ParsedSheet, Reading, Ruleset, short


@dataclass(frozen=True)
class FoundSheet:
    """A sheet found in a text: its system, its place, and its document, or the reasons why there is none."""

    ruleset: Ruleset
    passage: ParsedSheet
    document: Document | None = None
    offences: list[Offence] = field(default_factory=list)

    def place(self, path: str) -> str:
        """Return the place in the text for a path in the data, or for the nearest path above it; "" if unknown."""
        while path and path not in self.passage.places:
            path = path.rpartition(".")[0]
        return self.passage.places.get(path, "")

    def text(self) -> str:
        """Return the sheet as its system writes it; "" if it could not be read."""
        document = self.document
        return document.sheet.to_text(document.name, document.house) if document else ""

    def verdict(self, house: Any = None) -> Data:
        """Return the same data as `validate`, with places in the text."""
        if self.document is None:
            return {"ruleset": self.ruleset.slug, "verdict": "unreadable", "findings": unread(self.offences),
                    "derived": None, "place": self.passage.place}
        try:
            checked = self.document.check(None if house is None else house_rules(self.ruleset, house))
        except Unreadable as error:
            return replace(self, document=None, offences=error.offences).verdict()
        findings = [finding.asdict() | {"place": self.place(finding.path)} for finding in checked.findings]
        return {"ruleset": self.ruleset.slug, "verdict": checked.verdict, "findings": findings,
                "derived": checked.derived, "place": self.passage.place}


def answered(raw: bytes, action: str) -> bytes | None:
    """Return the text with an ambiguous part replaced by the chosen words; None if no reading has this action.

    `action` is one of the keys that `reading_actions` returns.
    """
    for found in passages(raw):
        for ambiguity in found.passage.ambiguities:
            if reading := reading_actions(ambiguity).get(action):
                text = raw.decode("utf-8-sig")
                return (text[:reading.start] + reading.words + text[reading.end:]).encode()
    return None


def reading_actions(ambiguity: Ambiguity) -> dict[str, Reading]:
    """Return {action of a button: the reading that it chooses}."""
    return {f"read:{one.start}:{one.end}:{number}": one for number, one in enumerate(ambiguity.readings)}


def passages(raw: bytes) -> list[FoundSheet]:
    """Return the sheets in a text; none if it is too long, not UTF-8 or a JSON document, or no system finds any."""
    if len(raw) > BYTES:
        return []
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return []
    if text.lstrip().startswith("{"):
        return []
    return [_read_passage(ruleset, passage)
            for ruleset in systems().values() for passage in ruleset.sheet.from_text(text)]


def _question(ambiguity: Ambiguity) -> str:
    """Return the question of an ambiguity, with the words to write for each reading."""
    ways = (str(_("{reading}: write “{words}”.").format(reading=one.label, words=short(one.words)))
            if one.words.strip() else f"{one.label}." for one in ambiguity.readings)
    return " ".join([ambiguity.question, *ways])


def _read_passage(ruleset: Ruleset, passage: ParsedSheet) -> FoundSheet:
    if passage.offences or passage.ambiguities or passage.data is None:
        asked = [(ambiguity.place, _question(ambiguity)) for ambiguity in passage.ambiguities]
        return FoundSheet(ruleset, passage, offences=[*passage.offences, *asked])
    try:
        sheet = shaped(ruleset.sheet, passage.data, "data")
    except Unreadable as error:
        places = FoundSheet(ruleset, passage)
        offences = [(places.place(path.removeprefix("data.")) or passage.place, message)
                    for path, message in error.offences]
        return FoundSheet(ruleset, passage, offences=offences)
    return FoundSheet(ruleset, passage, Document(ruleset, passage.name, sheet, ruleset.house()))
