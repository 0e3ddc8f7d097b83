"""The list of special abilities after the life points, with all separators that people use (DS-07)."""

import re
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm.catalogue import ACTIONS, FOCUS, normalized_name
from rulesets.daemmersturm.line.notes import Notes
from rulesets.kit import ROWS

HEAD = re.compile(
    r"[\s,;.|/¦│–—-]*(?:(?:und|sowie|mit)\s+)?(?:(?:seine|ihre|meine|die)\s+)?"
    r"(?:(?:(?:besonderen?|bes\.?|spezial|sonder)[\s-]*)?f(?:ä|ae|a\u0308)higkeit(?:en)?|BF)\b\s*"
    r"(?:[:=]|sind\b|–|—)?", re.I)
KNOWN = {*FOCUS, *map(normalized_name, ACTIONS)}
NONE = ("", "-", "–", "—", "keine", "none", "/")
WORDS = 6
"""The most words of an ability's name; more are taken for a sentence, unless they are quoted."""

_BULLET = re.compile(r"\n\s*(?:(?:[-–•*·+]|\d{1,2}[.)])\s+|\[\*\]\s*)")
_WEAK = re.compile(r"(?<!\s)\s+(?:und|&|\+|sowie|[-–—])\s+|(?<!\s)\s*/\s*", re.I)
"""Words and signs that may separate two abilities, or belong to the name of one."""
_SENTENCE = re.compile(r"[.!?]\s+(?=\S)")
_ASIDE = re.compile(r"(?<!\s)\s*[(\[]([^()\[\]]*)[)\]]$")
"""Brackets at the end of an ability."""
_QUOTES = {"„": "“”", "“": "”", '"': '"', "»": "«", "«": "»"}
_CLOSING = {"(": ")", "[": "]"}


def read_abilities(notes: Notes, start: int, stop: int) -> list[dict[str, Any]]:
    """Return the abilities named between `start`, after the heading, and `stop`."""
    text = notes.post.text
    stop = _end_of_list(notes, start, stop)
    pieces = [(at, end) for at, end in _pieces(text, start, stop) if text[at:end].casefold().rstrip(".") not in NONE]
    found: list[dict[str, Any]] = []
    for place, (at, end) in enumerate(pieces):
        last = place == len(pieces) - 1
        for first, piece in _named(notes, at, end, last=last):
            row = _row(piece)
            notes.place(f"abilities.{len(found)}.name", first)
            if len(row["name"]) > 200:
                notes.add_offence(first, _("The name is longer than 200 characters."))
            found.append(row)
    if len(found) > ROWS:
        notes.add_offence(start, _("There are {n} special abilities; the maximum is {most}."), n=len(found), most=ROWS)
    return found


def _end_of_list(notes: Notes, start: int, stop: int) -> int:
    """Return where the list ends: with its line, unless that ends in a comma or the next one begins with a bullet.

    Text between the list and the bracket of points is noted as an ambiguity, because it may belong to the list.
    """
    text = notes.post.text
    bracketed = text[stop:stop + 1] == "["
    end = start + len(text[start:stop]) - len(text[start:stop].lstrip(" \n"))
    while end < stop:
        line_end = text.find("\n", end, stop)
        if line_end < 0:
            return stop
        bullet = _BULLET.match(text, line_end, stop)
        if not bullet and not text[end:line_end].rstrip().endswith((",", ";")):
            rest = text[line_end:stop].strip()
            if bracketed and rest:
                notes.add_ambiguity(line_end, stop, [
                    (_("It belongs to the special abilities"), f" {' '.join(rest.split())}\n"),
                    (_("It does not belong to the profile"), "\n")],
                    _("“{piece}” stands between the special abilities and the points."))
            return line_end
        end = bullet.end() if bullet else line_end + 1
    return stop


def _pieces(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each piece between commas, semicolons, bars and bullets outside brackets and quotes."""
    at = begun = start
    while at < stop:
        sign = text[at]
        if sign in _CLOSING:
            closed = text.find(_CLOSING[sign], at, min(stop, at + 300))
            at = closed if closed >= 0 else at
        elif sign in _QUOTES and not text[begun:at].strip():
            ends = [found for one in _QUOTES[sign] if (found := text.find(one, at + 1, min(stop, at + 300))) >= 0]
            at = min(ends, default=at)
        elif sign in ",;|¦│•·":
            yield _trimmed(text, begun, at)
            begun = at + 1
        elif sign == "\n" and (bullet := _BULLET.match(text, at, stop)):
            yield _trimmed(text, begun, at)
            begun, at = bullet.end(), bullet.end() - 1
        at += 1
    yield _trimmed(text, begun, stop)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    first = re.match(r"\s*(?:[-–*+]\s+|\[\*\]\s*)?", piece)
    return start + (first.end() if first else 0), start + len(piece.rstrip())


def _named(notes: Notes, at: int, end: int, *, last: bool) -> Iterator[tuple[int, str]]:
    """Yield (place, name) of the abilities in a piece, usually one; note an ambiguity if it may be several or none."""
    piece = notes.post.text[at:end]
    if piece[:1] in _QUOTES and piece[-1:] in _QUOTES[piece[0]] and len(piece) > 2:
        yield at + 1, piece[1:-1]
        return
    bare = piece[:found.start()] if (found := _aside(piece)) else piece
    if last and bare.endswith(".") and not bare.endswith(".."):
        bare = piece = bare[:-1]
    parts = [one for one in _WEAK.split(bare) if one.strip()]
    if normalized_name(bare) in KNOWN:
        yield at, piece
    elif sentence := _SENTENCE.search(bare):
        notes.add_ambiguity(at, end, [(_("The special abilities end before it"), f"{bare[:sentence.start()]}\n"),
                                      (_("All of it is one special ability"), f"„{_plainly(bare)}“")])
    elif len(bare.split()) > WORDS:
        notes.add_ambiguity(at, end, [(_("It is no special ability"), "-"),
                                      (_("All of it is one special ability"), f"„{_plainly(bare)}“")])
    elif len(parts) < 2:
        yield at, piece
    elif all(normalized_name(one) in KNOWN for one in parts):
        for one in parts:
            yield at + piece.index(one), one
    else:
        notes.add_ambiguity(at, end, [(_("These are {n} special abilities").format(n=len(parts)),
                                       ", ".join(map(_quoted, parts))),
                                      (_("It is one special ability"), _quoted(bare))])


def _aside(piece: str) -> re.Match | None:
    """Return the brackets at the end of an ability, if what they say could not be part of its name."""
    found = _ASIDE.search(piece)
    return found if found and any(sign in found[1] for sign in ":,;|") else None


def _row(piece: str) -> dict[str, Any]:
    aside = _aside(piece)
    if not aside:
        return {"name": " ".join(piece.split())}
    return {"name": " ".join(piece[:aside.start()].split()), "text": " ".join(aside[1].split())}


def _plainly(text: str) -> str:
    """Return a text on one line, without quotation marks."""
    return " ".join(re.sub('[„“”"»«]', "", text).split())


def _quoted(text: str) -> str:
    """Return a name, in quotation marks if it could otherwise be read as several."""
    return f"„{_plainly(text)}“" if _WEAK.search(text) else _plainly(text)
