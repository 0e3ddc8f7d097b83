"""The action, focus and magic points of a profile line: the maximum, and what is left (DS-07)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm.line.notes import Notes

POINTS = {"ap": "action_points", "aktionspunkte": "action_points", "fp": "focus_points", "fokuspunkte": "focus_points",
          "mp": "magic_points", "magiepunkte": "magic_points"}
SHORT = {"action_points": "AP", "focus_points": "FP", "magic_points": "MP"}
RESOURCES = {"mana": "mana", "licht": "light", "lip": "light", "lp": "light", "schatten": "shadow", "sp": "shadow",
             "element": "elements", "elemente": "elements", "ep": "elements"}
"""{name of magic points, to which “punkte” may be added: resource}; LP in this bracket are light points."""
LABELS = rf"(?:{'|'.join(POINTS)}|(?:{'|'.join(RESOURCES)})(?:punkte)?)"
AMOUNT = re.compile(
    r"(?P<first>\d{1,3})\s*(?:(?P<between>/|von|→|⇒|-{1,3}>|=>)\s*(?P<second>\d{1,3})"
    r"|\((?:max\.?|von|/)?\s*(?P<most>\d{1,3})\))?", re.I)
"""A number, or points left of a maximum: 4/6, 4 von 6, 4 (6); after an arrow, what is left or a new maximum."""

_BRACKET = re.compile(rf"\[\s*{LABELS}\b|\[(?=[^\[\]\n]{{0,80}}[|:=])", re.I)
_BARE = re.compile(
    rf"(?:\(|(?<![\w(]))(?:AP|Aktionspunkte)\s*(?:[:=]\s*)?\d{{1,3}}(?:[^\n\d]{{1,3}}\d{{1,3}}\)?)?"
    rf"\s{{0,3}}[|¦│,;/]?\s{{0,3}}(?={LABELS}\b)", re.I)
_PARTS = re.compile(rf"[|¦│,;]|/(?!\s*\d)|(?<!\s)\s+(?={LABELS}\s*(?:[:=]\s*)?\d)", re.I)
_PART = re.compile(r"([^\W\d_]*)\s*(?:[:=]\s*)?")


@dataclass
class Points:
    """The points of a line: {pool: maximum}, {pool: points left}, and the resource of magic points."""

    most: dict[str, int] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    """{pool: (start, end)} of a single number, which may be the maximum or the points left."""
    resource: str = "none"


def find_points(text: str, start: int, last: int) -> tuple[int, int]:
    """Return (start, end) of the points; (-1, -1) if there are none, an end of -1 if the bracket is not closed."""
    if found := _BRACKET.search(text, start, last):
        return found.start(), text.find("]", found.start(), last)
    if found := _BARE.search(text, start, last):
        end = text.find("\n", found.end(), last)
        end = last if end < 0 else end
        closed = text.find(")", found.end(), end) if found[0][0] == "(" else -1
        return found.start(), closed if closed >= 0 else end
    return -1, -1


def read_points(notes: Notes, opened: int, closed: int) -> Points:
    """Return the points named in a part of the text, which begins with its bracket if there is one."""
    text, points = notes.post.text, Points()
    for at, piece in _pieces(text, opened + (text[opened] in "[("), closed):
        found = _PART.match(piece)
        resource = _resource(found[1]) if found else None
        key = "magic_points" if resource else POINTS.get(found[1].casefold()) if found else None
        if found is None or key is None:
            notes.add_offence(at, _("“{piece}” is not AP, FP or MP."), piece=piece[:40])
        elif key in points.most and key != "magic_points":
            notes.add_offence(at, _("{short} appears twice here."), short=SHORT[key])
        else:
            number = _amount(notes, points, key, at + found.end(), piece[found.end():])
            earlier = points.most.get(key)
            if number and earlier:
                notes.add_offence(at, _("{short} appears twice here."), short=SHORT[key])
            elif number or not earlier:
                # Some people list all four kinds of magic points, of which a character has only one.
                notes.place(f"claimed.{key}", at + found.end())
                points.most[key] = number
                if key == "magic_points":
                    points.resource = _kind(resource, number, several=earlier is not None)
    return points


def _amount(notes: Notes, points: Points, key: str, at: int, written: str) -> int:
    """Return the maximum of a pool, and store in `points` how many points are left if the line states that."""
    found = AMOUNT.fullmatch(written.strip())
    second = found and (found["second"] or found["most"])
    end = at + len(written.rstrip())
    if not found or not second:
        points.spans[key] = at, end
        return notes.number(at, written, _("“{value}” is not a number of points.")) or 0
    now, most = int(found["first"]), int(second)
    if found["between"] and found["between"][-1] in "→⇒>":
        notes.add_ambiguity(at, end, [(_("{left} of {most} are left").format(left=most, most=now), f"{most}/{now}"),
                                      (_("There are {most} now").format(most=most), f"{most}/{most}")])
        return now
    points.left[key] = now
    return most


def _kind(resource: str | None, number: int, *, several: bool) -> str:
    """Return the resource of magic points, which is mana if the line has points but names no resource."""
    if number:
        return resource or "mana"
    return "none" if several or not resource else resource


def _resource(word: str) -> str | None:
    """Return the resource that a word names (Mana, Licht, Schattenpunkte, EP), None if it names none."""
    return RESOURCES.get(word.casefold().removesuffix("punkte"))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield (place, piece) for each piece between the separators, without surrounding space."""
    for match in [*_PARTS.finditer(text, start, end), None]:
        stop = match.start() if match else end
        piece = text[start:stop]
        if piece.strip() or match is None or match[0].strip():
            yield start + len(piece) - len(piece.lstrip()), piece.strip()
        start = match.end() if match else end
