"""The sheet document: reading hostile bytes, canonical JSON, the seal."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from pydantic import Field, ValidationError

from rulesets import systems
from rulesets.kit import House, Name, Part, Play, Ruleset, Sheet, Text, Verdict, join, path, shape_message, size
from rulesets.reasons import reason

BYTES = 64 * 1024
"""The largest document."""
DEPTH = 32
"""The deepest nesting of lists and objects."""
DIGITS = 18
"""The longest number; every figure of a sheet is far shorter."""
_SUSPECT = re.compile(r"\\u(?:0000|d[89a-f])", re.I)
"""Escapes that may be a NUL or half of a surrogate pair; written out, JSON and UTF-8 allow neither."""
TOO_LONG = _("The number is too long.")


class Unreadable(ValueError):
    """Bytes that are no sheet document: `offences` as (path from the root, message), `ruleset` where it is known."""

    def __init__(self, offences: list[tuple[str, str]], ruleset: str | None = None):
        super().__init__("; ".join(f"{place}: {message}" for place, message in offences))
        self.offences, self.ruleset = offences, ruleset


@dataclass(frozen=True)
class _Odd:
    """Stands in a parsed tree for something that JSON or a sheet does not allow."""

    message: Any


class _Twice(dict):
    """An object that names a key twice."""

    twice: list[str]


def parse(raw: bytes) -> Any:
    """JSON from bytes that nobody vouches for (`Unreadable` with the place of each offence)."""
    text = _text(raw)
    _refuse_depth(text)
    odd = []

    def refuse(message):
        odd.append(message)
        return _Odd(message)

    def pairs(items):
        found = dict(items)
        if len(found) == len(items):
            return found
        twice = _Twice(found)
        twice.twice = [key for key, times in Counter(key for key, _value in items).items() if times > 1]
        odd.append(twice)
        return twice

    def number(digits):
        return int(digits) if len(digits) <= DIGITS else refuse(TOO_LONG)

    def fraction(digits):
        return float(digits) if len(digits) <= DIGITS and abs(float(digits)) < 10**DIGITS else refuse(TOO_LONG)

    try:
        tree = json.loads(text, object_pairs_hook=pairs, parse_int=number, parse_float=fraction,
                          parse_constant=lambda name: refuse(_("NaN and Infinity are no numbers of JSON.")))
    except json.JSONDecodeError as error:
        message = _("This is not JSON: {reason}.").format(reason=reason(error))
        raise Unreadable([(f"{error.lineno}:{error.colno}", message)]) from None
    if odd or _SUSPECT.search(text):
        offences = list(_offences(tree, ""))
        if offences:
            slug = tree.get("ruleset") if isinstance(tree, dict) else None
            raise Unreadable(offences, slug if isinstance(slug, str) and slug in systems() else None)
    return tree


def _text(raw: bytes) -> str:
    if len(raw) > BYTES:
        raise Unreadable([("", str(_("A document has at most {most}; this is longer.").format(most=size(BYTES))))])
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = _place(raw.decode("utf-8", "replace"), len(raw[: error.start].decode()))
        raise Unreadable([(place, str(_("The document is not UTF-8 here.")))]) from None


def _refuse_depth(text: str) -> None:
    """JSON's own parser recurses; a count of brackets outside of strings spares it the dive."""
    if text.count("[") + text.count("{") <= DEPTH:
        return
    depth = 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', text, re.S):
        mark = match[0]
        depth += (mark in "[{") - (mark in "]}")
        if depth > DEPTH:
            message = _("Lists and objects nest deeper than {depth}.").format(depth=DEPTH)
            raise Unreadable([(_place(text, match.start()), message)])


def _place(text: str, index: int) -> str:
    """line:column of a character, both from 1."""
    return f"{text.count(chr(10), 0, index) + 1}:{index - text.rfind(chr(10), 0, index)}"


def _offences(node, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, _Odd):
        yield place, str(node.message)
    elif isinstance(node, str):
        yield from ((place, message) for message in _bad_text(node))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from _offences(value, join(place, index))
    elif isinstance(node, dict):
        for key in getattr(node, "twice", ()):
            yield join(place, _safe(key)), str(_("This key stands twice in one object; keep one of the two."))
        for key, value in node.items():
            yield from ((join(place, _safe(key)), message) for message in _bad_text(key))
            yield from _offences(value, join(place, _safe(key)))


def _bad_text(text: str) -> Iterator[str]:
    if "\0" in text:
        yield str(_("The text holds a NUL, which no sheet can keep; remove it."))
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        yield str(_("The text holds half of a surrogate pair, which is no character; remove it."))


def _safe(key: str) -> str:
    """A key that can be printed and stored."""
    return key.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


class Envelope(Part):
    """The document around a sheet; what lies inside is read by the ruleset's own shapes."""

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
    """A document that was read: its ruleset, name, sheet and house rules, and what it says beside them."""

    ruleset: Ruleset
    name: str
    sheet: Sheet
    house: House
    play: Play | None = None
    notes: str = ""
    origin: str | None = None

    def check(self, house: House | None = None, *, mends: bool = True) -> Verdict:
        """Findings and derived values, under other house rules than the document's own if given."""
        return self.ruleset.check(self.sheet, house or self.house, self.name, mends=mends)

    def asdict(self) -> dict:
        """The whole document as JSON data: every field of the sheet, house rules only where they differ."""
        whole = self.ruleset.document(self.name, self.sheet.model_dump())
        extra = {"house": house_data(self.house), "play": self.play and self.play.model_dump(),
                 "notes": self.notes, "origin": self.origin}
        return whole | {key: value for key, value in extra.items() if value}

    def seal(self) -> str:
        """SHA-256 of what counts: ruleset, rules version, house rules, name and data; 64 hexadecimal digits."""
        return sealed(self.ruleset.slug, self.ruleset.version, house_data(self.house), self.name,
                      self.sheet.model_dump())


def sealed(ruleset: str, rules: int, house: dict, name: str, data: dict) -> str:
    """The seal of what counts; house rules as far as they differ from the book, data whole."""
    counts = canonical({"ruleset": ruleset, "rules": rules, "house": house, "name": name, "data": data})
    return hashlib.sha256(counts).hexdigest()


def house_data(house: House) -> dict:
    """House rules as far as they differ from the book."""
    return house.model_dump(exclude_defaults=True)


def canonical(tree) -> bytes:
    """The one way to write a document: keys sorted, no spaces, UTF-8."""
    return json.dumps(tree, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def shaped(shape: type[Part], tree, place: str) -> Part:
    """A part from JSON data (`Unreadable` with each offence below `place`)."""
    try:
        return shape.model_validate(tree)
    except ValidationError as error:
        raise Unreadable(_worded(error, shape, place)) from None


def _worded(error: ValidationError, shape, place: str) -> list[tuple[str, str]]:
    return [(join(place, path(one["loc"], shape), *_deeper(one)), shape_message(one))
            for one in error.errors(include_url=False)]


def _deeper(error: dict) -> tuple[str, ...]:
    """What pydantic's own place lacks: the tag that a row of a catalogue has wrong, the place a validator names."""
    context = error.get("ctx", {})
    if error["type"].startswith("union_tag"):
        return (context["discriminator"].strip("'"),)
    return (getattr(context.get("error"), "place", ""),)


def read(raw: bytes) -> Document:
    """A document from bytes that nobody vouches for (`Unreadable` with every offence and its place)."""
    return read_tree(parse(raw))


def read_tree(tree) -> Document:
    """A document from JSON data (`Unreadable` with every offence and its place)."""
    slug = tree.get("ruleset") if isinstance(tree, dict) else None
    ruleset = systems().get(slug) if isinstance(slug, str) else None
    offences = []

    def attempt(shape, part, place):
        try:
            return shaped(shape, part, place)
        except Unreadable as error:
            offences.extend(error.offences)

    envelope = attempt(Envelope, tree, "")
    if isinstance(slug, str) and ruleset is None:
        message = _("“{slug}” is no system here; there are: {slugs}.")
        offences.append(("ruleset", message.format(slug=slug[:40], slugs=", ".join(systems()))))
    if isinstance(tree, dict) and isinstance(tree.get("origin"), str) and not _is_uuid(tree["origin"]):
        offences.append(("origin", str(_("This is no UUID."))))
    inner = tree if isinstance(tree, dict) and ruleset else {}
    sheet, house, play = (
        attempt(getattr(ruleset, key), inner[part], part) if isinstance(inner.get(part), dict) else None
        for key, part in (("sheet", "data"), ("house", "house"), ("play", "play"))
    )
    if house:
        offences += _unknown_rules(ruleset, house)
    if offences:
        raise Unreadable(offences, ruleset and ruleset.slug)
    house = house or ruleset.house()
    return Document(ruleset, envelope.name, sheet, house, play, envelope.notes or "", envelope.origin)


def house_rules(ruleset: Ruleset, tree) -> House:
    """House rules from JSON data (`Unreadable` with each offence and its place below `house`)."""
    house = shaped(ruleset.house, tree, "house")
    if offences := _unknown_rules(ruleset, house):
        raise Unreadable(offences, ruleset.slug)
    return house


def _unknown_rules(ruleset: Ruleset, house: House) -> list[tuple[str, str]]:
    """A policy for a rule that there is not."""
    unknown = [rule for rule in house.policy if rule not in ruleset.rules("en")]
    return [(join("house.policy", rule), _("There is no rule “{rule}”.").format(rule=rule)) for rule in unknown]


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


def verdict(raw: bytes, house: Any = None) -> dict:
    """What `validate` answers for a document, readable or not: ruleset, verdict, findings, derived.

    `house` is JSON data of house rules that count instead of the document's own.
    """
    document = None
    try:
        document = read(raw)
        rules = None if house is None else house_rules(document.ruleset, house)
    except Unreadable as error:
        findings = [{"severity": "error", "rule": None, "path": place, "message": message, "fixes": []}
                    for place, message in error.offences]
        slug = document.ruleset.slug if document else error.ruleset
        return {"ruleset": slug, "verdict": "unreadable", "findings": findings, "derived": None}
    checked = document.check(rules)
    return {"ruleset": document.ruleset.slug, "verdict": checked.verdict,
            "findings": [finding.asdict() for finding in checked.findings], "derived": checked.derived}
