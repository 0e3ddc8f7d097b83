"""Reading profile lines from forum posts, in any form that forums give them (DS-07)."""

import re
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm.catalogue import ACTION_POINTS, FOCUS, MAGIC_POINTS, normalized_name
from rulesets.daemmersturm.line.abilities import HEAD, read_abilities
from rulesets.daemmersturm.line.cleaning import Post
from rulesets.daemmersturm.line.life import read_life
from rulesets.daemmersturm.line.names import name_in
from rulesets.daemmersturm.line.notes import OFFENCES, Notes
from rulesets.daemmersturm.line.points import LABELS, SHORT, Points, find_points, read_points
from rulesets.kit import MINUS, ParsedSheet

SKILLS = {"n": "melee", "na": "melee", "nahkampf": "melee", "f": "ranged", "fa": "ranged", "fernkampf": "ranged",
          "z": "magic", "za": "magic", "zauberei": "magic"}
LETTERS = {"melee": "N", "ranged": "F", "magic": "Z"}
DEFENCES = {"nv": "melee", "fv": "ranged", "zw": "magic", "zv": "magic"}
"""The names of defences that are written separately, as in NA=20+3|NV=15."""
# These patterns see at most 64 KiB (`rulesets.passages`); none has two loops that can match the same characters.
_DIE = r"(?:1?[WD])?20"
_START = re.compile(
    rf"\(\s*(?!{LABELS}\b)\w{{1,12}}\s*[=:][^)(\n]{{0,20}}[|/¦│]"
    rf"|\(\s*(?:NA|N|Nahkampf)\s*(?:[=:]\s*)?(?:{_DIE}|[+±{MINUS}]\s*\d)"
    rf"|(?<!\w)(?:NA|N|Nahkampf)\s*[=:]\s*(?:{_DIE}\s*)?[+±{MINUS}]\s*\d"
    rf"|(?<!\w)(?:NA|N|Nahkampf)\s*(?:[=:]\s*)?{_DIE}(?:\s*[+±{MINUS}]\s*\d{{1,3}})?\s*[|/¦│]", re.I)
_LIFE = re.compile(r"(?<!\d)\d{1,3}\s*(?:/\s*\d{1,3}\s*)?(?:LP|Lebenspunkte)\b(?!\s*(?:[:=]\s*)?\d)"
                   r"|\b(?:LP|Lebenspunkte)\b|\bLP(?=\d)", re.I)
_LIKELY = re.compile(r"\[\s*AP\b|\bLP\s*(?:[:=]\s*)?\d")
_VALUE = re.compile(rf"(?:{_DIE})?\s*([+{MINUS}])\s*(\d{{1,3}})|(?:{_DIE})?\s*±\s*0|{_DIE}|0", re.I)
_NAMES = "|".join(sorted((*SKILLS, *DEFENCES), key=len, reverse=True))
_NEXT = re.compile(rf"(?:[|/¦│]|(?<=\d)\s+(?:und\s+)?)(?=\s?(?:{_NAMES})\s*(?:[=:]|{_DIE}))", re.I)
"""Signs other than commas that separate two named figures."""
_LINK = re.compile(r"(?:(?<=[\s\d])(?:und|sowie|mit|hat)\s{1,9})?\Z", re.I)
_SKILL = re.compile(rf"([^\W\d_]+)\s*[=:]\s*|({_NAMES})(?=\s*(?:{_DIE}|[+±{MINUS}]))\s*", re.I)
_ARROW = re.compile(r"→|⇒|-{1,3}>|=>")
NEAR = 60
"""The number of characters after the end of the skills up to which life points that begin before it may go on."""


def read(text: str) -> list[ParsedSheet]:
    """Return every profile in a text with its place; one that cannot be read, with its offences and their places."""
    post = Post(text)
    starts = list(_starts(post.text))
    found: list[ParsedSheet] = []
    end = offences = 0
    for number, (at, body) in enumerate(starts):
        before = at
        while before > end and post.text[before - 1].isspace():
            before -= 1
        name_at = max(end, post.text.rfind("\n", 0, before) + 1)
        last = starts[number + 1][0] if number + 1 < len(starts) else len(post.text)
        if offences > OFFENCES:
            message = _("So much before this cannot be read that the rest is left out; fix that first.")
            found.append(ParsedSheet(post.place(at), offences=((post.place(at), str(message)),)))
            break
        profile = _Profile(post, name_at, at, body, last)
        found.append(profile.passage())
        end, offences = profile.end, offences + len(profile.offences)
    if not found:
        message = _("There are no skills here; a profile starts with a name and (N=20+0|10, F=20+0|10, Z=20+0|10).")
        lines = {post.text.rfind("\n", 0, likely.start()) + 1 for likely in _LIKELY.finditer(post.text)}
        found = [ParsedSheet(post.place(at), offences=((post.place(at), str(message)),)) for at in sorted(lines)]
    return found


def _starts(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start of the skills, start of the first skill) of each profile."""
    end = 0
    for match in _START.finditer(text):
        if match.start() >= end:
            body = match.start() + (match[0][0] == "(")
            ends = [found for found in (text.find(sign, match.end()) for sign in ")[") if found >= 0]
            # Life points that begin later do not matter, and a search through the rest of a long text is slow.
            life = _LIFE.search(text, match.end(), min(ends, default=len(text)) + NEAR)
            end = min([*ends, *([life.start()] if life else [])], default=len(text))
            yield match.start(), body


class _Profile(Notes):
    """A profile in a post, with the errors and ambiguities noted while its parts are read."""

    def __init__(self, post: Post, name_at: int, at: int, body: int, last: int) -> None:
        super().__init__(post)
        self.text, self.at, self.body = post.text, at, body
        self.undefended: dict[str, int] = {}
        self.left: dict[str, int] = {}
        self.name, self.name_at = self._name(name_at)
        self.data: dict[str, Any] = {"resource": "none"}
        opened, closed = find_points(self.text, body, last)
        self.stop = opened if opened >= 0 else self._line_of(last)
        self.end = closed + 1 if closed >= 0 else self.stop
        life = read_life(self, self._skills(), self.stop)
        self.data["life"] = life.most
        self.left |= {} if life.left is None else {"life": life.left}
        self._abilities(life.end)
        points = self._points(opened, closed, last)
        if points is not None and not self.offences:
            self._claim(points)

    def passage(self) -> ParsedSheet:
        """Return the profile as a `ParsedSheet`."""
        place = self.post.place(self.name_at)
        if self.offences or self.ambiguities:
            return ParsedSheet(place, self.name, None, tuple(self.offences), self.places, tuple(self.ambiguities))
        return ParsedSheet(place, self.name, self.data, (), self.places, left=self.left)

    def _line_of(self, last: int) -> int:
        """Return the start of the line with the next profile's name, or the end of the text."""
        return last if last == len(self.text) else max(self.body, self.text.rfind("\n", 0, last) + 1)

    def _name(self, start: int) -> tuple[str, int]:
        raw = self.text[start:self.at]
        skipped, name, others = name_in(raw)
        if len(name) > 200:
            self.add_offence(start + skipped, _("The name is longer than 200 characters."))
        self.place("", start + skipped)
        if others:
            self.add_ambiguity(
                start, self.at, [(one or _("It has no name here"), f"„{one}“: " if one else "\n\n")
                                 for one in (name, *others)], _("“{piece}” holds a name; choose which it is."))
        return name, start + skipped

    def _skills(self) -> int:
        """Read the skills; return where they end."""
        ends = [at for at in (self.text.find(sign, self.body, self.stop) for sign in ")") if at >= 0]
        life = _LIFE.search(self.text, self.body, self.stop)
        close = min([*ends, life.start() if life else self.stop])
        opened, closed = self.text[self.body - 1:self.body] == "(", self.text[close:close + 1] == ")"
        if opened and not closed:
            self.add_offence(close, _("The skills' bracket is not closed; a “)” belongs here."))
        if closed and not opened:
            self.add_offence(self.body, _("The skills' bracket is not opened; a “(” belongs here."))
        end = found.start() if (found := _LINK.search(self.text, self.body, close)) else close
        parted = self.text[:self.body] + _NEXT.sub(_comma, self.text[self.body:end])
        for at, piece in _pieces(parted, self.body, close, ",;"):
            if piece or opened or self.text[at - 1:at] == ",":
                self._skill(at, piece)
        for key, letter in LETTERS.items():
            if key not in self.data:
                self.add_offence(close, _("{letter} is missing; write it as {letter}=20+0|10."), letter=letter)
            elif key in self.undefended:
                self.add_offence(self.undefended[key], _("The defence of {letter} is missing; it comes after a “|”."),
                                 letter=letter)
        return close + closed

    def _skill(self, at: int, piece: str) -> None:
        found = _SKILL.match(piece)
        called = (found[1] or found[2]).casefold() if found else ""
        key = SKILLS.get(called)
        if found and (named := DEFENCES.get(called)):
            self._defence(named, at, piece, found.end())
            return
        if found is None or key is None:
            self.add_offence(at, _("“{piece}” is not a skill; a skill is written N=20+0|10, with N, F or Z."),
                             piece=piece[:40])
            return
        if key in self.data:
            self.add_offence(at, _("{letter} appears twice here."), letter=LETTERS[key])
            return
        value, bar, defence = [*re.split(r"([|/¦│])", piece[found.end():], maxsplit=1), "", ""][:3]
        value_at, defence_at = at + found.end(), at + found.end() + len(value) + len(bar)
        self.data[key] = {"attack": 0, "defence": 0}
        self.place(f"{key}.attack", value_at)
        self.place(f"{key}.defence", defence_at)
        bonus = _VALUE.fullmatch(_newest(value))
        if bonus:
            self.data[key]["attack"] = int(bonus[2] or 0) * (-1 if bonus[1] and bonus[1] in MINUS else 1)
        else:
            self.add_offence(value_at, _("“{value}” is not an attack bonus; write it as 20+X or "
                                         "20-X."), value=value.strip()[:40])
        if not bar:
            self.undefended[key] = defence_at
        else:
            self.data[key]["defence"] = self._defence_number(defence_at, defence)

    def _defence(self, key: str, at: int, piece: str, named: int) -> None:
        """Read a defence with a name of its own, which must follow the attack of the same skill."""
        if self.undefended.pop(key, None) is None:
            self.add_offence(at, _("“{piece}” appears here without the {letter} that it belongs to."), piece=piece[:40],
                             letter=LETTERS[key])
            return
        self.place(f"{key}.defence", at + named)
        self.data[key]["defence"] = self._defence_number(at + named, piece[named:])

    def _defence_number(self, at: int, written: str) -> int:
        return self.number(at, _newest(written), _("“{value}” is not a defence; it must be a whole number.")) or 0

    def _abilities(self, at: int) -> None:
        rest = self.text[at:self.stop]
        self.data["abilities"] = []
        if head := HEAD.match(rest):
            self.data["abilities"] = read_abilities(self, at + head.end(), self.stop)
            return
        lost = rest.strip(" ,;.|/–-\n")
        bracketed = self.text[self.stop:self.stop + 1] == "["
        if lost and not self.offences and (bracketed or rest.lstrip(" ").startswith(",")):
            self.add_offence(at + rest.index(lost[0]),
                             _("“{piece}” appears where “Besondere Fähigkeiten:” belongs."), piece=lost[:40])

    def _points(self, opened: int, closed: int, last: int) -> Points | None:
        """Return the points in the points' brackets; None if there are no brackets."""
        if opened < 0:
            stray = re.compile(r"\bAP\s*[:=]", re.I).search(self.text, self.body, last)
            if stray:
                self.add_offence(stray.start(), _("The points' bracket is not opened; a “[” belongs here."))
            return None
        if self.text[opened] != "[" and "]" in self.text[opened:closed]:
            self.add_offence(opened, _("The points' bracket is not opened; a “[” belongs here."))
            closed = self.text.index("]", opened)
        if closed < 0:
            line_end = self.text.find("\n", opened, last)
            closed = line_end if line_end >= 0 else len(self.text[:last].rstrip())
            self.add_offence(closed, _("The points' bracket is not closed; a “]” belongs here."))
        points = read_points(self, opened, closed)
        self.data["resource"] = points.resource
        # Many people leave out the focus points if they have none.
        for key, short in SHORT.items():
            if key not in points.most and key != "focus_points":
                self.add_offence(closed, _("{short} is missing; write the points as [AP: 2 | FP: 0 | MP: 0]."),
                                 short=short)
        return points

    def _claim(self, points: Points) -> None:
        """Store the points that the line states, if they differ from those that follow from its other figures."""
        bonus = {key: min(5, max(-5, self.data[key]["attack"])) for key in LETTERS}
        right = {
            "action_points": ACTION_POINTS[bonus["melee"]],
            "focus_points": sum(FOCUS.get(normalized_name(one["name"]), 0) for one in self.data["abilities"]),
            "magic_points": 0 if self.data["resource"] == "none" else MAGIC_POINTS[bonus["magic"]],
        }
        claimed = right | points.most
        self.left |= points.left
        for key, (start, end) in points.spans.items():
            said, most = claimed[key], right[key]
            if said < most:
                self.add_ambiguity(
                    start, end, [(_("{left} of {most} are left").format(left=said, most=most), f"{said}/{most}"),
                                 (_("It is all of them"), f"{said}/{said}")],
                    _("{short} {left}: the rules give {most}. Some of them may be spent."), short=SHORT[key],
                    left=said, most=most)
        if claimed != right:
            self.data["claimed"] = claimed


def _comma(found: re.Match) -> str:
    """Return a comma, padded with spaces to the length of the match."""
    return f",{' ' * (len(found[0]) - 1)}"


def _newest(written: str) -> str:
    """Return the last of several values separated by arrows: 20+2 → 20+3."""
    return _ARROW.split(written)[-1].strip()


def _pieces(text: str, start: int, end: int, signs: str) -> Iterator[tuple[int, str]]:
    """Yield (place, piece) for each piece between the separators, without surrounding space."""
    if not text[start:end].strip():
        return
    for piece in re.split(f"[{re.escape(signs)}]", text[start:end]):
        yield start + len(piece) - len(piece.lstrip()), piece.strip()
        start += len(piece) + 1
