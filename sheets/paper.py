"""A sheet on paper: a PDF set by typst, filled or to be played on with a pencil, and a page for the browser to print.

Texts reach typst as data, never as its markup. What is on the page is decided here, how it looks in `templates/paper`.
"""

import json
import logging
import re
import threading
import unicodedata
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import typst
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.timezone import localtime
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from rulesets.kit import Face, Ruleset, slots
from sheets.access import shared, system_of, taken_along
from sheets.models import Sheet
from sheets.outline import Entry, Outline, outline
from sheets.reviews.proving import Standing, asked, marks, standing
from sheets.table import Seat

HOME = Path(settings.BASE_DIR, "templates", "paper")
LAYOUTS = ("sheet", "pencil")
STANDARD = "ua-1"
UNBROKEN, NAME = 38, 22
"""Widths, in narrow letters, of a word that fits a text's line and the name's; a longer one is given places to break.

Words of a language are hyphenated long before; this is for what no language has.
"""
SHORT = 48
"""Characters of the name at the foot of each page."""
MARKS = 8
"""Combining marks on one letter."""
WORDS = 12
"""Characters of a derived value that still is a figure on a tile."""

log = logging.getLogger(__name__)
_kept = threading.local()


@require_safe
@cache_control(private=True, no_store=True)
def pdf(request: HttpRequest, pk) -> HttpResponse:
    """The sheet as a PDF; `?layout=pencil` is the one to play on, `?of=draft` the draft beside what is played."""
    return _pdf(request, taken_along(request, pk))


@require_safe
@cache_control(private=True, no_store=True)
def shared_pdf(request: HttpRequest, token: str) -> HttpResponse:
    """The same for whoever holds the link."""
    return _pdf(request, shared(token))


def _pdf(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    layout = request.GET.get("layout", LAYOUTS[0])
    if layout not in LAYOUTS:
        raise BadRequest(_("There is no such layout; there are: {layouts}.").format(layouts=", ".join(LAYOUTS)))
    taken = asked(request, sheet)
    try:
        raw = typeset(layout, paper(sheet, taken))
    except typst.TypstError:
        log.exception("sheet %s cannot be set as %s", sheet.pk, layout)
        return render(request, "unprinted.html", {"sheet": sheet}, status=500)
    response = HttpResponse(raw, content_type="application/pdf")
    response["Content-Disposition"] = content_disposition_header(as_attachment=False, filename=_filename(taken, layout))
    return response


@require_safe
@cache_control(private=True, no_store=True)
def print_page(request: HttpRequest, pk) -> HttpResponse:
    """The sheet as a page for the browser to print; `?of=draft` is the draft beside what is played."""
    sheet = taken_along(request, pk)
    taken = asked(request, sheet)
    return render(request, "print.html", {"sheet": sheet, "standing": taken, "paper": paper(sheet, taken),
                                          "ruleset": system_of(sheet)})


def _filename(taken: Standing, layout: str) -> str:
    """A name that every file system takes."""
    name = slugify(taken.kept.name, allow_unicode=True)[:80] or taken.sheet.ruleset
    return f"{name}.pdf" if layout == LAYOUTS[0] else f"{name}-{layout}.pdf"


def typeset(layout: str, data: dict) -> bytes:
    """The PDF of a sheet's data: PDF/UA-1 where the fonts have every character, else tagged all the same."""
    apart = {"name": breakable(data["name"], NAME), "document": plain(data["document"]), "alt": plain(data["alt"])}
    given = {"sheet": json.dumps(safe(data | {"qr": ""}) | apart), "qr": data["qr"]}
    page = HOME / f"{layout}.typ"
    try:
        return _compiler().compile(input=page, format="pdf", sys_inputs=given, pdf_standards=[STANDARD])
    except typst.TypstError as error:
        # The standard forbids a character without a glyph. The text is worth more than the claim.
        log.info("not set as %s: %s", STANDARD, error)
        return _compiler().compile(input=page, format="pdf", sys_inputs=given, pdf_standards=[])


def _compiler() -> typst.Compiler:
    """This thread's compiler: one that is shared between threads fails. It remembers what it has set before."""
    if not hasattr(_kept, "compiler"):
        _kept.compiler = typst.Compiler(root=HOME)
    return _kept.compiler


def paper(sheet: Sheet, taken: Standing | None = None) -> dict[str, Any]:
    """All that stands on the paper, in the language of the moment, as JSON data."""
    taken = taken or standing(sheet)
    seat = Seat(sheet, taken.taken)
    ruleset = seat.ruleset
    name = " ".join(seat.name.split()) or _("Without a name")
    figures = _figures(seat)
    read = outline(seat.written, seat.house, seat.name)
    verdict = ruleset.check(seat.written, seat.house, seat.name, mends=False)
    noted = taken.noted(verdict.findings)
    at = partial(marks, noted)
    return {
        "lang": (get_language() or "en").split("-")[0],
        "name": name,
        "short": name if len(name) <= SHORT else f"{name[:SHORT].rstrip()}…",
        "document": _("{name}, a character for {system}").format(name=name, system=ruleset.title),
        "system": str(ruleset.title),
        "accent": accent(ruleset.stylesheet),
        "date": date_format(localtime(seat.course.revision.made if taken.in_force else sheet.updated)),
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
        "gauges": [{"title": str(one.title), "most": one.most} for one in ruleset.play().gauges(seat.written)],
        **_table(ruleset, seat),
        "words": {
            "page": _("Page {n} of {m}"), "points": _("Points"), "notes": _("Notes"), "findings": _("Findings"),
            "none": _("None."), "now": pgettext("value on paper", "now"),
            "uses": _("Uses"), "cards": _("Cards to cut out"), "approval": _("Approval"), "code": _("Check code"),
        },
    }


def _status(verdict: str, taken: Standing) -> dict[str, Any]:
    """The badge, and what is said of the approval: on a draft beside what is played, that it is one."""
    status = {"legal": _("legal"), "illegal": _("not legal")}.get(verdict, _("needs approval"))
    if taken.settles(verdict):
        verdict, status = "legal", _("approved")
    return {
        "verdict": verdict, "status": status, "standing": taken.line, "draft": _("Draft") if taken.draft else "",
        "code": taken.code, "url": taken.url, "qr": taken.qr,
        "alt": _("QR code of the address {url}").format(url=taken.url),
        "footnotes": [{"mark": str(one.number), "head": one.head, "reason": one.said} for one in taken.footnotes],
    }


def _told(title, value, how="", marked="") -> dict[str, str]:
    return {"title": str(title), "value": str(value), "how": str(how), "marks": marked}


def _values(read: Outline, at: Callable[[str], str]) -> dict[str, list]:
    """Figures, with how they come about, as tiles; the other facts each in a line."""
    figures = [one for one in read.facts if one.value.isdecimal()]
    short = [one for one in sorted(read.values, key=lambda one: not one.how) if len(str(one.value)) <= WORDS]
    rest = [one for one in (*read.facts, *read.values) if one not in figures and one not in short]
    return {
        "tiles": [*(_told(one.title, one.value, marked=at(one.key)) for one in figures),
                  *(_told(one.title, one.value, one.how, at(one.key)) for one in short)],
        "facts": [_told(one.title, one.value, marked=at(one.key)) for one in (*rest, *read.copies)],
    }


def _entry(entry: Entry, figures: dict[str, list], section, at: Callable[[str], str]) -> dict[str, Any]:
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
    return {"title": face.title, "corner": face.corner, "line": face.line, "texts": [list(one) for one in face.texts]}


def _figures(seat: Seat) -> dict[str, list]:
    """The figures that rows bring into their rolls, by the roll's key, a path: at the table they change."""
    return {offer.key: [_told(slots(offer.cls)[key].ask.title, value) for key, value in offer.filled.items()
                        if type(value) is int]
            for offer in seat.written.widgets(seat.play) if offer.key}


def _ledger(ledger) -> dict[str, Any] | None:
    if ledger is None or ledger.itemised:
        return None
    return {
        "title": ledger.words["title"], "budget": ledger.budget, "spent": ledger.spent,
        "lines": [{"title": str(line.title), "points": line.points} for line in ledger.lines],
        "total": ledger.words["spent"],
        "left": {"title": ledger.words["unspent"], "points": ledger.left},
    }


def _table(ruleset: Ruleset, seat: Seat) -> dict[str, Any]:
    """What the state of play keeps, as blanks: lists, ticks, and figures where no gauge shows them."""
    fields = slots(ruleset.play).values()
    gauged = any(ruleset.play().gauges(seat.written))
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


def safe(data: Any) -> Any:
    """The data with texts that can be set whatever stands in them."""
    if isinstance(data, dict):
        return {key: safe(value) for key, value in data.items()}
    if isinstance(data, list):
        return [safe(value) for value in data]
    return breakable(data, UNBROKEN) if isinstance(data, str) else data


def plain(text: str) -> str:
    """A text without what has no form: control characters, surrogates, noncharacters; line breaks are all the same.

    Of the marks above one letter those are kept that a language may need: setting thousands of them takes seconds.
    """
    text = re.sub(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]", "\n", text).replace("\ufeff", "")
    kept, marks = [], 0
    for one in text:
        category = unicodedata.category(one)
        marks = marks + 1 if category[0] == "M" else 0
        if marks <= MARKS:
            kept.append(" " if one != "\n" and category in ("Cc", "Cs", "Cn") else one)
    return "".join(kept)


def breakable(text: str, width: int) -> str:
    """A text whose words can be broken wherever they are wider than `width` narrow letters."""
    return re.sub(rf"[^\s\u200b]{{{width // 2},}}", lambda word: _broken(word[0], width), plain(text))


def _broken(word: str, width: int) -> str:
    wide = [1 + (one not in "abcdefghijklnopqrstuvxyzäöüß.,:;!'|-") for one in word]
    if sum(wide) < width:
        return word
    parts, run = [], 0
    for before, one, room in zip(" " + word, word, wide, strict=False):
        joined = unicodedata.category(one)[0] == "M" or one in "\u200d\ufe0f" or before == "\u200d"
        if run >= width // 3 and not joined:
            parts.append("\u200b")
            run = 0
        parts.append(one)
        run += room
    return "".join(parts)
