"""The sheet document: its envelope, its canonical JSON, and its seal."""

import hashlib
import json
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated, Any, Literal, TypeVar
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from pydantic import Field, ValidationError, create_model
from pydantic_core import ErrorDetails

from rulesets import systems
from rulesets.kit import (
    Data,
    House,
    Name,
    Part,
    Play,
    Ruleset,
    Sheet,
    Text,
    Verdict,
    join,
    path,
    shape_message,
    stated,
)
from rulesets.parsing import BYTES, DEPTH, DIGITS, Offence, Unreadable, parse
from rulesets.tidying import LABEL, Cleaned, clean_line, clean_part

__all__ = [
    "BYTES", "DEPTH", "DIGITS", "Document", "Envelope", "Offence", "Unreadable", "canonical", "house_data",
    "house_rules", "parse", "read", "read_tree", "sealed", "shaped", "unread", "verdict",
]

_Shape = TypeVar("_Shape", bound=Part)


class Envelope(Part):
    """The document around a sheet; the ruleset's own shapes read its contents."""

    format: Literal["bogenschmiede.sheet"]
    version: Annotated[int, Field(ge=1, le=1)]  # a Literal would take 1.0 and true for 1
    ruleset: str
    name: Name
    data: dict[str, Any]
    house: dict[str, Any] = Field(default_factory=dict)
    origin: Annotated[str, Field(max_length=36)] | None = None
    play: dict[str, Any] | None = None
    notes: Text | None = None
    approval: Any = None


@dataclass(frozen=True)
class Document:
    """A document that was read: ruleset, name, sheet, house rules, and optional further parts."""

    ruleset: Ruleset
    name: str
    sheet: Sheet
    house: House
    play: Play | None = None
    notes: str = ""
    origin: str | None = None

    def check(self, house: House | None = None, *, mends: bool = True) -> Verdict:
        """Return the findings and derived values, under the document's own house rules by default."""
        return self.ruleset.check(self.sheet, house or self.house, self.name, mends=mends)

    def asdict(self) -> Data:
        """Return the document as JSON data, with every field of the sheet but only those house rules that differ."""
        whole = self.ruleset.document(self.name, self.sheet.model_dump())
        extra = {"house": house_data(self.house), "play": self.play and self.play.model_dump(),
                 "notes": self.notes, "origin": self.origin}
        return whole | {key: value for key, value in extra.items() if value}

    def cleaned(self) -> tuple["Document", list[Cleaned]]:
        """Return the document with its single-line texts cleaned for storage, and the changes."""
        changes: list[Cleaned] = []
        name = clean_line(self.name, LABEL, "name", changes)
        sheet, house = clean_part(self.sheet, "data", changes), clean_part(self.house, "house", changes)
        play = self.play and clean_part(self.play, "play", changes)
        return (replace(self, name=name, sheet=sheet, house=house, play=play) if changes else self), changes

    def seal(self) -> str:
        """Return the seal of the ruleset, rules version, house rules, name and data."""
        return sealed(self.ruleset.slug, self.ruleset.version, house_data(self.house), self.name,
                      self.sheet.model_dump())


def sealed(ruleset: str, rules: int, house: Data, name: str, data: Data) -> str:
    """Return the SHA-256 of these parts as 64 hexadecimal digits; `house` has only the rules that differ."""
    counts = canonical({"ruleset": ruleset, "rules": rules, "house": house, "name": name, "data": data})
    return hashlib.sha256(counts).hexdigest()


def house_data(house: House) -> Data:
    """Return the house rules that differ from the book."""
    return house.model_dump(exclude_defaults=True)


def canonical(tree: Any) -> bytes:
    """Return JSON data in its canonical form: keys sorted, no spaces, UTF-8."""
    return json.dumps(tree, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def shaped(shape: type[_Shape], tree: Any, place: str) -> _Shape:
    """Return a part from JSON data. Raise Unreadable with each error and its place below `place`."""
    try:
        return shape.model_validate(tree)
    except ValidationError as error:
        raise Unreadable(_offences(error, shape, place)) from None


def _offences(error: ValidationError, shape: type[Part], place: str) -> list[Offence]:
    return [(join(place, path(one["loc"], shape), *_inner_place(one)), shape_message(one))
            for one in error.errors(include_url=False)]


def _inner_place(error: ErrorDetails) -> tuple[str, ...]:
    """Return what pydantic's location lacks: the tag of a row with a wrong tag, or the place that a validator names."""
    context = error.get("ctx", {})
    if error["type"].startswith("union_tag"):
        return (context["discriminator"].strip("'"),)
    return (getattr(context.get("error"), "place", ""),)


def read(raw: bytes) -> Document:
    """Return a document from untrusted bytes. Raise Unreadable with every offence and its place."""
    return _read_plainly(raw) or read_tree(parse(raw))


_SYSTEM = re.compile(rb'"ruleset":\s*"([a-z-]+)"')
_SPACED = re.compile(rb'"\s+:')
"""Both patterns are only applied to documents of at most `BYTES` bytes."""


@cache
def _plain_envelope(ruleset: Ruleset) -> type[Envelope]:
    """Return a shape of the envelope whose data is the system's sheet; play and approval must be null or missing."""
    fields: dict[str, Any] = {"ruleset": Literal[ruleset.slug], "data": ruleset.sheet, "play": (None, None),
                              "approval": (None, None)}
    return create_model("Plain", __base__=Envelope, **fields)


def _read_plainly(raw: bytes) -> Document | None:
    """Return a valid document without house rules, state of play and Unicode escapes; None for any other.

    Nearly all documents are like this, and are read in half the time. pydantic accepts a repeated key and takes one of
    its values; such a document is recognized because it has more keys than fields.
    """
    named = _SYSTEM.match(raw, raw.rfind(b'"ruleset"')) if len(raw) <= BYTES else None
    ruleset = systems().get(named[1].decode()) if named else None
    # Searching for one byte is ten times as fast as searching for two.
    if ruleset is None or (b"\\" in raw and b"\\u" in raw):
        return None
    try:
        plain: Any = _plain_envelope(ruleset).model_validate_json(raw)
    except ValidationError:
        return None
    odd = plain.house or not _has_distinct_keys(raw, len(plain.model_fields_set) + stated(plain.data))
    if odd or (plain.origin is not None and not _is_uuid(plain.origin)):
        return None
    return Document(ruleset, plain.name, plain.data, ruleset.book, None, plain.notes or "", plain.origin)


def _has_distinct_keys(raw: bytes, fields: int) -> bool:
    """Return True if a document certainly has no more keys than this number of fields.

    Colons are counted. If no key has a space before its colon, colons in texts can be left out of the count.
    """
    return raw.count(b":") == fields or (raw.count(b'":') == fields and not _SPACED.search(raw))


def read_tree(tree: Any) -> Document:
    """Return a document from JSON data. Raise Unreadable with every offence and its place."""
    slug = tree.get("ruleset") if isinstance(tree, dict) else None
    ruleset = systems().get(slug) if isinstance(slug, str) else None
    offences: list[Offence] = []
    envelope = _try_shape(Envelope, tree, "", offences)
    if isinstance(slug, str) and ruleset is None:
        message = _("“{slug}” is not a system here; there are: {slugs}.")
        offences.append(("ruleset", message.format(slug=slug[:40], slugs=", ".join(systems()))))
    if isinstance(tree, dict) and isinstance(tree.get("origin"), str) and not _is_uuid(tree["origin"]):
        offences.append(("origin", str(_("This is not a UUID."))))
    if ruleset is None:
        raise Unreadable(offences)
    sheet = _read_part(ruleset.sheet, tree, "data", offences)
    house, play = _read_part(ruleset.house, tree, "house", offences), _read_part(ruleset.play, tree, "play", offences)
    if house:
        offences += _unknown_rules(ruleset, house)
    if offences or not (envelope and sheet):
        raise Unreadable(offences, ruleset.slug)
    return Document(ruleset, envelope.name, sheet, house or ruleset.book, play, envelope.notes or "", envelope.origin)


def _try_shape(shape: type[_Shape], part: Any, place: str, offences: list[Offence]) -> _Shape | None:
    """Return the part, or None after adding its errors to the offences."""
    try:
        return shaped(shape, part, place)
    except Unreadable as error:
        offences += error.offences
        return None


def _read_part(shape: type[_Shape], tree: Data, part: str, offences: list[Offence]) -> _Shape | None:
    """Return a part of the document if it is a valid object, else None; the envelope reports any other type."""
    return _try_shape(shape, tree[part], part, offences) if isinstance(tree.get(part), dict) else None


def unread(offences: list[Offence]) -> list[Data]:
    """Return offences as findings in JSON form."""
    return [{"severity": "error", "rule": None, "path": place, "message": message, "fixes": []}
            for place, message in offences]


def house_rules(ruleset: Ruleset, tree: Any) -> House:
    """Return house rules from JSON data. Raise Unreadable with each error and its place below `house`."""
    house = shaped(ruleset.house, tree, "house")
    if offences := _unknown_rules(ruleset, house):
        raise Unreadable(offences, ruleset.slug)
    return house


def _unknown_rules(ruleset: Ruleset, house: House) -> list[Offence]:
    """Return an offence for each policy of a rule that does not exist."""
    unknown = [rule for rule in house.policy if rule not in ruleset.rules("en")]
    return [(join("house.policy", rule), _("There is no rule “{rule}”.").format(rule=rule)) for rule in unknown]


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


def verdict(raw: bytes, house: Any = None) -> Data:
    """Return the answer of `validate` to a document, readable or not: ruleset, verdict, findings, derived.

    `house` is JSON data of house rules that apply instead of the document's own.
    """
    document = None
    try:
        document = read(raw)
        rules = None if house is None else house_rules(document.ruleset, house)
    except Unreadable as error:
        slug = document.ruleset.slug if document else error.ruleset
        return {"ruleset": slug, "verdict": "unreadable", "findings": unread(error.offences), "derived": None}
    checked = document.check(rules)
    return {"ruleset": document.ruleset.slug, "verdict": checked.verdict,
            "findings": [finding.asdict() for finding in checked.findings], "derived": checked.derived}
