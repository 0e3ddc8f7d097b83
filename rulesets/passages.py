"""Sheets in a text of a system's own form: read by whichever system knows the form, judged like any document."""

from dataclasses import dataclass, field, replace
from typing import Any

from rulesets import systems
from rulesets.document import BYTES, Document, Offence, Unreadable, house_rules, shaped, unread
from rulesets.kit import Data, Passage, Ruleset


@dataclass(frozen=True)
class Found:
    """A sheet that stands in a text: where, of which system, and the document or why there is none."""

    ruleset: Ruleset
    passage: Passage
    document: Document | None = None
    offences: list[Offence] = field(default_factory=list)

    def place(self, path: str) -> str:
        """Return the place of a path of the data in the text, or of what is nearest to it; "" where that is unknown."""
        while path and path not in self.passage.places:
            path = path.rpartition(".")[0]
        return self.passage.places.get(path, "")

    def text(self) -> str:
        """The sheet written to the letter; "" where it could not be read."""
        document = self.document
        return document.sheet.to_text(document.name, document.house) if document else ""

    def verdict(self, house: Any = None) -> Data:
        """Return the answer of `validate`, with the places in the text."""
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


def passages(raw: bytes) -> list[Found]:
    """The sheets of a text; none where it is a JSON document, is no text, or has nothing that a system knows."""
    if len(raw) > BYTES:
        return []
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return []
    if text.lstrip().startswith("{"):
        return []
    return [_found(ruleset, passage) for ruleset in systems().values() for passage in ruleset.sheet.from_text(text)]


def _found(ruleset: Ruleset, passage: Passage) -> Found:
    if passage.offences or passage.data is None:
        return Found(ruleset, passage, offences=list(passage.offences))
    try:
        sheet = shaped(ruleset.sheet, passage.data, "data")
    except Unreadable as error:
        places = Found(ruleset, passage)
        offences = [(places.place(path.removeprefix("data.")) or passage.place, message)
                    for path, message in error.offences]
        return Found(ruleset, passage, offences=offences)
    return Found(ruleset, passage, Document(ruleset, passage.name, sheet, ruleset.house()))
