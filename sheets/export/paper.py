"""What stands on a sheet's paper, filled or to be played on with a pencil; how it looks is in `templates/export`."""

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from rulesets.kit import Face, Ruleset, slots
from sheets.character import Character
from sheets.faces.printed import printed_face
from sheets.models import Sheet
from sheets.outline import Fact, Outline, OutlineEntry, Value, outline
from sheets.status.stamp import Stamp, marks, stamp_of

SHORT = 48
"""Characters of the name at the foot of each page."""
MARKS = 8
"""Combining marks on one letter."""
WORDS = 12
"""Characters of a derived value that still is a figure on a tile."""


def paper(sheet: Sheet, taken: Stamp | None = None) -> dict[str, Any]:
    """All that stands on the paper, in the language of the moment, as JSON data."""
    taken = taken or stamp_of(sheet)
    character = Character(sheet, taken.taken)
    ruleset = character.ruleset
    name = " ".join(character.name.split()) or _("Without a name")
    figures = _figures(character)
    read = outline(character.written, character.house, character.name)
    verdict = ruleset.check(character.written, character.house, character.name, mends=False)
    noted = taken.noted(verdict.findings)
    at = partial(marks, noted)
    return {
        "lang": (get_language() or "en").split("-")[0],
        "name": name,
        "short": name if len(name) <= SHORT else f"{name[:SHORT].rstrip()}…",
        "document": _("{name}, a character for {system}").format(name=name, system=ruleset.title),
        "system": str(ruleset.title),
        "accent": (colour := accent(ruleset.stylesheet)),
        "face": printed_face(sheet, character.name, colour),
        "date": date_format(localtime(character.review_status.revision.made if taken.in_force else sheet.updated)),
        **_status(verdict.verdict, taken),
        **_values(read, at),
        "cards": [_card(face) for section in read.sections for face in section.laid_out],
        "charts": [_told(one.title, one.line) for one in read.charts],
        "sections": [{"title": str(one.title),
                      "entries": [_entry(entry, figures, one.title, at) for entry in one.entries]}
                     for one in read.sections],
        "ledger": _ledger(read.ledger),
        "findings": [{"text": str(one.message), "rule": one.rule, "marks": mark} for one, mark in noted],
        "notes": sheet.notes,
        "gauges": [{"title": str(one.title), "most": one.most} for one in ruleset.play().gauges(character.written)],
        **_table(ruleset, character),
        "words": {
            "page": _("Page {n} of {m}"), "points": _("Points"), "notes": _("Notes"), "findings": _("Findings"),
            "none": _("None."), "now": pgettext("value on paper", "now"),
            "uses": _("Uses"), "cards": _("Cards to cut out"), "approval": _("Approval"), "code": _("Check code"),
        },
    }


def _status(verdict: str, taken: Stamp) -> dict[str, Any]:
    """The badge, and what is said of the approval: on a draft beside what is played, that it is one."""
    status = {"legal": _("legal"), "illegal": _("not legal")}.get(verdict, _("needs approval"))
    if taken.settles(verdict):
        verdict, status = "legal", _("approved")
    return {
        "verdict": verdict, "status": status, "stamp": taken.line, "draft": _("Draft") if taken.draft else "",
        "code": taken.code, "url": taken.url, "qr": taken.qr,
        "alt": _("QR code of the address {url}").format(url=taken.url),
        "footnotes": [{"mark": str(one.number), "head": one.head, "reason": one.said} for one in taken.footnotes],
    }


def _told(title, value, how="", marked="") -> dict[str, str]:
    return {"title": str(title), "value": str(value), "how": str(how), "marks": marked}


def _values(read: Outline, at: Callable[[str], str]) -> dict[str, list]:
    """Figures, with how they come about, as tiles; the other facts each in a line."""
    figures: list[Fact | Value] = [one for one in read.facts if one.value.isdecimal()]
    short = [one for one in sorted(read.values, key=lambda one: not one.how) if len(str(one.value)) <= WORDS]
    both: list[Fact | Value] = [*read.facts, *read.values]
    rest = [one for one in both if one not in figures and one not in short]
    return {
        "tiles": [*(_told(one.title, one.value, marked=at(one.key)) for one in figures),
                  *(_told(one.title, one.value, one.how, at(one.key)) for one in short)],
        "facts": [_told(one.title, one.value, marked=at(one.key)) for one in (*rest, *read.copies)],
    }


def _entry(entry: OutlineEntry, figures: dict[str, list], section, at: Callable[[str], str]) -> dict[str, Any]:
    facts = [_told(one.title, one.value) for one in entry.facts if not one.long]
    name = entry.label.strip()
    if not name:
        # A row without a name of its own is called by the first thing that it says.
        name = facts.pop(0)["value"] if facts else str(section)
    rolled = [found for key, found in figures.items() if f"{key}.".startswith(f"{entry.path}.")]
    return {
        "name": name, "marks": at(entry.path), "text": entry.text, "facts": facts, "rolled": bool(rolled),
        "die": entry.die,
        "points": "" if entry.points is None else
        ngettext("{n} point", "{n} points", entry.points).format(n=entry.points),
        "prose": [one.value for one in entry.facts if one.long],
        "figures": rolled[0] if rolled else [],
    }


def _card(face: Face) -> dict[str, Any]:
    return {"title": face.title, "corner": face.corner, "line": face.line, "copies": face.copies,
             "texts": [list(one) for one in face.texts]}


def _figures(character: Character) -> dict[str, list]:
    """The figures that rows bring into their rolls, by the roll's key, a path: at the table they change."""
    return {offer.key: [_told(slots(offer.cls)[key].ask.title, value) for key, value in offer.filled.items()
                        if type(value) is int]
            for offer in character.written.widgets(character.play) if offer.key}


def _ledger(ledger) -> dict[str, Any] | None:
    if ledger is None or ledger.itemised:
        return None
    return {
        "title": ledger.words["title"], "budget": ledger.budget, "spent": ledger.spent,
        "lines": [{"title": str(line.title), "points": line.points} for line in ledger.lines],
        "total": ledger.words["spent"],
        "left": {"title": ledger.words["unspent"], "points": ledger.left},
    }


def _table(ruleset: Ruleset, character: Character) -> dict[str, Any]:
    """What the state of play keeps, as blanks: lists, ticks, and figures where no gauge shows them."""
    fields = slots(ruleset.play).values()
    gauged = any(ruleset.play().gauges(character.written))
    return {
        "tables": [{"title": str(one.ask.title), "columns": [
            {"title": str(column.ask.title), "kind": column.kind} for column in slots(one.parts[0]).values()]}
            for one in fields if one.kind == "rows"],
        "ticks": [str(one.ask.title) for one in fields if one.kind == "check"],
        "blanks": [str(one.ask.title) for one in fields if one.kind == "number" and not gauged],
    }


@cache
def accent(stylesheet: str) -> str:
    """The accent that a system's stylesheet states for light pages, else the program's own."""
    for name in (stylesheet, "base.css"):
        found = finders.find(name) if name else None
        match = found and re.search(r"--accent:\s*(?:light-dark\()?(#[0-9a-fA-F]{6})\b", Path(found).read_text("utf-8"))
        if match:
            return match[1]
    return "#000000"
