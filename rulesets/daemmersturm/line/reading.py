"""Reading profile lines out of whatever a forum made of them (DS-07)."""

import re
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm.catalogue import ACTION_POINTS, FOCUS, MAGIC_POINTS, plain
from rulesets.daemmersturm.line.cleaning import Post
from rulesets.kit import HIGHEST, MINUS, ROWS, Passage, Wording

SKILLS = {"n": "melee", "na": "melee", "nahkampf": "melee", "f": "ranged", "fa": "ranged", "fernkampf": "ranged",
          "z": "magic", "za": "magic", "zauberei": "magic"}
LETTERS = {"melee": "N", "ranged": "F", "magic": "Z"}
DEFENCES = {"nv": "melee", "fv": "ranged", "zw": "magic", "zv": "magic"}
"""A defence that is named apart: NA=20+3|NV=15."""
POINTS = {"ap": "action_points", "aktionspunkte": "action_points", "fp": "focus_points", "fokuspunkte": "focus_points",
          "mp": "magic_points"}
SHORT = {"action_points": "AP", "focus_points": "FP", "magic_points": "MP"}
RESOURCES = {"mana": "mana", "licht": "light", "schatten": "shadow", "element": "elements", "elemente": "elements"}
NONE = ("", "-", "–", "—", "keine", "none", "/")

# All of these see at most 64 KiB of a post (`rulesets.passages`); none has two loops that may share a run of letters.
_START = re.compile(
    r"\(\s*\w{1,12}\s*[=:][^)(\n]{0,20}[|/¦│]"
    rf"|\(\s*(?:NA|N|Nahkampf)\s*(?:[=:]\s*)?(?:20|[+±{MINUS}]\s*\d)"
    rf"|(?<!\w)(?:NA|N|Nahkampf)\s*[=:]\s*(?:20\s*)?[+±{MINUS}]\s*\d", re.I)
_LIFE = re.compile(r"\b(?:LP|Lebenspunkte)\b|\bLP(?=\d)", re.I)
_POINTS_OF_LIFE = re.compile(r"[\s,;]*(?:(?:LP|Lebenspunkte)\s*(?:[:=]\s*)?(\S*?)(?=[\s,;\[.]|$)"
                             r"|(\d+)\s*(?:LP|Lebenspunkte)\b)", re.I)
_LIKELY = re.compile(r"\[\s*AP\b|\bLP\s*(?:[:=]\s*)?\d")
_VALUE = re.compile(rf"(?:20)?\s*([+{MINUS}])\s*(\d{{1,3}})|(?:20)?\s*±\s*0|20|0")
_NEXT = re.compile(rf"[|/¦│](?=\s*(?:{'|'.join((*SKILLS, *DEFENCES))})\s*[=:])", re.I)
"""A stroke that parts two figures that are both named."""
_HEAD = re.compile(r"[\s,;.]*(?:besondere|bes\.?)\s*f(?:ä|ae|a\u0308)higkeit(?:en)?\s*[:=]?", re.I)
_BULLET = re.compile(r"(?:[-–•*#]+|\d{1,2}[.)])\s+")
OFFENCES = 500
"""With more of them a text is no post of profiles, and what follows is left unread."""
NEAR = 60
"""Letters behind the end of the skills that may belong to life points that begin before it."""


def read(text: str) -> list[Passage]:
    """Return every profile of a text with its place; those that cannot be read with each offence and its place."""
    post = Post(text)
    starts = list(_starts(post.text))
    found: list[Passage] = []
    end = offences = 0
    for number, (at, body) in enumerate(starts):
        before = at
        while before > end and post.text[before - 1].isspace():
            before -= 1
        name_at = max(end, post.text.rfind("\n", 0, before) + 1)
        last = starts[number + 1][0] if number + 1 < len(starts) else len(post.text)
        if offences > OFFENCES:
            message = _("So much before this cannot be read that the rest is left out; fix that first.")
            found.append(Passage(post.place(at), offences=((post.place(at), str(message)),)))
            break
        profile = _Profile(post, name_at, at, body, last)
        found.append(profile.passage())
        end, offences = profile.end, offences + len(profile.offences)
    if not found:
        message = _("There are no skills here; a profile starts with a name and (N=20+0|10, F=20+0|10, Z=20+0|10).")
        lines = {post.text.rfind("\n", 0, likely.start()) + 1 for likely in _LIKELY.finditer(post.text)}
        found = [Passage(post.place(at), offences=((post.place(at), str(message)),)) for at in sorted(lines)]
    return found


def _starts(text: str) -> Iterator[tuple[int, int]]:
    """Yield (where the skills begin, where the first of them begins) of each profile."""
    end = 0
    for match in _START.finditer(text):
        if match.start() >= end:
            body = match.start() + (match[0][0] == "(")
            ends = [found for found in (text.find(sign, match.end()) for sign in ")[") if found >= 0]
            # Life that begins behind them matters not: to look for it in all that follows is slow in a long text.
            life = _LIFE.search(text, match.end(), min(ends, default=len(text)) + NEAR)
            end = min([*ends, *([life.start()] if life else [])], default=len(text))
            yield match.start(), body


class _Profile:
    """One profile of a post; each part read notes what is wrong with it."""

    def __init__(self, post: Post, name_at: int, at: int, body: int, last: int) -> None:
        self.post, self.text, self.at, self.body = post, post.text, at, body
        self.offences: list[tuple[str, str]] = []
        self.places: dict[str, str] = {}
        self.undefended: dict[str, int] = {}
        self.name, self.name_at = self._name(name_at)
        self.data: dict[str, Any] = {"resource": "none"}
        opened = self.text.find("[", body, last)
        closed = self.text.find("]", opened, last) if opened >= 0 else -1
        self.stop = opened if opened >= 0 else self._line_of(last)
        self.end = closed + 1 if closed >= 0 else self.stop
        after = self._life(self._skills())
        self._abilities(after)
        claimed = self._points(opened, closed, last)
        if claimed is not None and not self.offences:
            self._claim(claimed)

    def passage(self) -> Passage:
        """Return what came of it."""
        place = self.post.place(self.name_at)
        if self.offences:
            return Passage(place, self.name, None, tuple(self.offences), self.places)
        return Passage(place, self.name, self.data, (), self.places)

    def bad(self, at: int, message: Wording, **figures: Any) -> None:
        """Note an offence at its place, unless there are far too many."""
        if len(self.offences) > OFFENCES:
            return
        self.offences.append((self.post.place(at), str(message.format(**figures))))

    def _line_of(self, last: int) -> int:
        """Return where the line of the next profile's name begins."""
        return last if last == len(self.text) else max(self.body, self.text.rfind("\n", 0, last) + 1)

    def _name(self, start: int) -> tuple[str, int]:
        raw = self.text[start:self.at]
        start += len(raw) - len(raw.lstrip())
        raw = raw.strip()
        if bullet := _BULLET.match(raw):
            raw, start = raw[bullet.end():], start + bullet.end()
        name = " ".join(raw.removesuffix(":").split())
        if len(name) > 200:
            self.bad(start, _("The name is longer than 200 characters."))
        self.places[""] = self.post.place(start)
        return name, start

    def _skills(self) -> int:
        """Read what stands in the parentheses; return where they end."""
        ends = [at for at in (self.text.find(sign, self.body, self.stop) for sign in ")") if at >= 0]
        life = _LIFE.search(self.text, self.body, self.stop)
        close = min([*ends, life.start() if life else self.stop])
        if self.text[close:close + 1] != ")":
            self.bad(close, _("The skills' bracket is not closed; a “)” belongs here."))
        if self.text[self.body - 1:self.body] != "(":
            self.bad(self.body, _("The skills' bracket is not opened; a “(” belongs here."))
        parted = self.text[:self.body] + _NEXT.sub(",", self.text[self.body:close])
        for at, piece in _pieces(parted, self.body, close, ",;"):
            self._skill(at, piece)
        for key, letter in LETTERS.items():
            if key not in self.data:
                self.bad(close, _("{letter} is missing; write it as {letter}=20+0|10."), letter=letter)
            elif key in self.undefended:
                self.bad(self.undefended[key], _("The defence of {letter} is missing; it comes after a “|”."),
                         letter=letter)
        return close + (self.text[close:close + 1] == ")")

    def _skill(self, at: int, piece: str) -> None:
        found = re.match(r"([^\W\d_]+)\s*[=:]\s*", piece)
        key = SKILLS.get(found[1].casefold()) if found else None
        if found and (named := DEFENCES.get(found[1].casefold())):
            self._defence(named, at, piece, found.end())
            return
        if found is None or key is None:
            self.bad(at, _("“{piece}” is not a skill; a skill is written N=20+0|10, with N, F or Z."), piece=piece[:40])
            return
        if key in self.data:
            self.bad(at, _("{letter} appears twice here."), letter=LETTERS[key])
            return
        value, bar, defence = [*re.split(r"([|/¦│])", piece[found.end():], maxsplit=1), "", ""][:3]
        value_at, defence_at = at + found.end(), at + found.end() + len(value) + len(bar)
        self.data[key] = {"attack": 0, "defence": 0}
        self.places |= {f"{key}.attack": self.post.place(value_at), f"{key}.defence": self.post.place(defence_at)}
        bonus = _VALUE.fullmatch(value.strip())
        if bonus:
            self.data[key]["attack"] = int(bonus[2] or 0) * (-1 if bonus[1] and bonus[1] in MINUS else 1)
        else:
            self.bad(value_at, _("“{value}” is not an attack bonus; write it as 20+X or "
                                 "20-X."), value=value.strip()[:40])
        if not bar:
            self.undefended[key] = defence_at
        else:
            number = self._number(defence_at, defence, _("“{value}” is not a defence; it must be a whole number."))
            self.data[key]["defence"] = number or 0

    def _defence(self, key: str, at: int, piece: str, named: int) -> None:
        """A defence under its own name, behind the attack that it belongs to."""
        if self.undefended.pop(key, None) is None:
            self.bad(at, _("“{piece}” appears here without the {letter} that it belongs to."), piece=piece[:40],
                     letter=LETTERS[key])
            return
        self.places[f"{key}.defence"] = self.post.place(at + named)
        number = self._number(at + named, piece[named:], _("“{value}” is not a defence; it must be a whole number."))
        self.data[key]["defence"] = number or 0

    def _number(self, at: int, text: str, message: Wording) -> int | None:
        """A whole number that a sheet may carry."""
        at += len(text) - len(text.lstrip())
        if re.fullmatch(r"\d{1,3}", text.strip(), re.ASCII):
            return int(text)
        if re.fullmatch(r"\d+", text.strip(), re.ASCII):
            message = _("{value} is too large; the maximum is {most}.")
        self.bad(at, message, value=text.strip()[:40], most=HIGHEST)
        return None

    def _life(self, at: int) -> int:
        """Read the life points; return where they end."""
        found = _POINTS_OF_LIFE.match(self.text, at, self.stop)
        if not found:
            here = at + len(self.text[at:self.stop]) - len(self.text[at:self.stop].lstrip(" ,;"))
            self.bad(min(here, self.stop), _("The life points are missing; write them as LP 20."))
            return at
        group = 1 if found[1] is not None else 2
        life = self._number(found.start(group), found[group], _("“{value}” is not a number of life points."))
        self.data["life"] = life or 0
        self.places["life"] = self.post.place(found.start(group))
        return found.end()

    def _abilities(self, at: int) -> None:
        rest = self.text[at:self.stop]
        head = _HEAD.match(rest)
        self.data["abilities"] = found = []
        if not head:
            lost = rest.strip(" ,;.\n")
            bracketed = self.text[self.stop:self.stop + 1] == "["
            if lost and not self.offences and (bracketed or rest.lstrip(" ").startswith(",")):
                self.bad(at + rest.index(lost[0]),
                         _("“{piece}” appears where “Besondere Fähigkeiten:” belongs."), piece=lost[:40])
            return
        stop = self.stop
        if self.text[stop:stop + 1] != "[":
            # Without the bracket the list ends with its line, unless the line ends with a comma.
            end = at + head.end()
            for line in self.text[end:stop].lstrip(" ").split("\n"):
                end += len(line) + 1
                if not line.rstrip(" ").endswith(","):
                    break
            stop = min(stop, end)
        for place, piece in _pieces(self.text, at + head.end(), stop, ","):
            name = " ".join(piece.split())
            if name.casefold().rstrip(".") in NONE:
                continue
            self.places[f"abilities.{len(found)}.name"] = self.post.place(place)
            if len(name) > 200:
                self.bad(place, _("The name is longer than 200 characters."))
            found.append({"name": name})
        if len(found) > ROWS:
            self.bad(at, _("There are {n} special abilities; the maximum is {most}."), n=len(found), most=ROWS)

    def _points(self, opened: int, closed: int, last: int) -> dict[str, int] | None:
        """Return what the brackets say; None if there are none."""
        if opened < 0:
            stray = re.compile(r"\bAP\s*[:=]", re.I).search(self.text, self.body, last)
            if stray:
                self.bad(stray.start(), _("The points' bracket is not opened; a “[” belongs here."))
            return None
        if closed < 0:
            line_end = self.text.find("\n", opened, last)
            closed = line_end if line_end >= 0 else len(self.text[:last].rstrip())
            self.bad(closed, _("The points' bracket is not closed; a “]” belongs here."))
        claimed: dict[str, int] = {}
        for at, piece in _pieces(self.text, opened + 1, closed, "|¦│,;"):
            found = re.match(r"([^\W\d_]*)\s*(?:[:=]\s*)?", piece)
            resource = _resource(found[1]) if found else ""
            key = "magic_points" if resource else POINTS.get(found[1].casefold()) if found else None
            if found is None or key is None:
                self.bad(at, _("“{piece}” is not AP, FP or MP."), piece=piece[:40])
                continue
            if key in claimed:
                self.bad(at, _("{short} appears twice here."), short=SHORT[key])
                continue
            number = self._number(at + found.end(), piece[found.end():], _("“{value}” is not a number of points."))
            claimed[key] = number or 0
            self.places[f"claimed.{key}"] = self.post.place(at + found.end())
            if key == "magic_points":
                self.data["resource"] = resource or ("mana" if number else "none")
        for key, short in SHORT.items():
            if key not in claimed:
                self.bad(closed, _("{short} is missing; write the points as [AP: 2 | FP: 0 | MP: 0]."), short=short)
        return claimed

    def _claim(self, claimed: dict[str, int]) -> None:
        """Keep what the line says of itself, if it is not what follows from the rest."""
        bonus = {key: min(5, max(-5, self.data[key]["attack"])) for key in LETTERS}
        right = {
            "action_points": ACTION_POINTS[bonus["melee"]],
            "focus_points": sum(FOCUS.get(plain(one["name"]), 0) for one in self.data["abilities"]),
            "magic_points": 0 if self.data["resource"] == "none" else MAGIC_POINTS[bonus["magic"]],
        }
        if claimed != right:
            self.data["claimed"] = claimed


def _resource(word: str) -> str | None:
    """A resource that is spelt out: Mana, Licht, Schattenpunkte."""
    word = word.casefold().removesuffix("punkte")
    return RESOURCES.get(word)


def _pieces(text: str, start: int, end: int, signs: str) -> Iterator[tuple[int, str]]:
    """Yield (place, piece) of what the signs part, without the space around it."""
    if not text[start:end].strip():
        return
    for piece in re.split(f"[{re.escape(signs)}]", text[start:end]):
        yield start + len(piece) - len(piece.lstrip()), piece.strip()
        start += len(piece) + 1
