"""The life points of a profile line: the maximum, and what is left (DS-07)."""

import re
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm.line.notes import Notes
from rulesets.daemmersturm.line.points import AMOUNT

_AHEAD = re.compile(r"[\s,;.|/¦│–—-]*(?:(?:und|sowie|mit|hat)\s+)?", re.I)
_NAMED = re.compile(r"(?:LP|Lebenspunkte)\s*(?:[:=]\s*)?", re.I)
_BEHIND = re.compile(r"(\S{1,20}?(?:\s*/\s*\d{1,3})?)\s*(?:LP|Lebenspunkte)\b", re.I)
_BRACKETED = re.compile(r"\s*\(([^()\n]{0,60})\)")
_UNREAD = re.compile(r"\S*?(?=[\s,;\[.]|$)")
_SUM = re.compile(r"\d{1,3}(?:\s*[+-]\s*\d{1,3})+")


@dataclass
class Life:
    """The life points of a line: maximum, points left if the line states them, and where they end in the text."""

    most: int = 0
    left: int | None = None
    end: int = 0


def read_life(notes: Notes, at: int, stop: int) -> Life:
    """Return the life points read between `at` and `stop`."""
    text = notes.post.text
    ahead = _AHEAD.match(text, at, stop)
    start = ahead.end() if ahead else at
    if found := _NAMED.match(text, start, stop):
        start = found.end()
        unread = _UNREAD.match(text, start, stop)
        life = _number(notes, start, stop, unread[0] if unread else "")
    elif found := _BEHIND.match(text, start, stop):
        life = _number(notes, start, stop, found[1])
        life.end = found.end()
    else:
        here = at + len(text[at:stop]) - len(text[at:stop].lstrip(" ,;"))
        notes.add_offence(min(here, stop), _("The life points are missing; write them as LP 20."))
        return Life(end=at)
    notes.place("life", start)
    if aside := _BRACKETED.match(text, life.end, stop):
        _read_aside(notes, life, aside, start)
        life.end = aside.end()
    return life


def _number(notes: Notes, start: int, stop: int, written: str) -> Life:
    """Read a number of life points, or points left of a maximum; `written` is the text that an error quotes."""
    text = notes.post.text
    amount = AMOUNT.match(text, start, stop)
    if not amount or text[amount.end():amount.end() + 1].isalnum() or "(" in amount[0]:
        number = notes.number(start, written, _("“{value}” is not a number of life points."))
        return Life(number or 0, end=start + len(written))
    first, second = int(amount["first"]), int(amount["second"] or amount["first"])
    if amount["between"] and amount["between"][-1] in "→⇒>":
        notes.add_ambiguity(start, amount.end(), [
            (_("{left} of {most} are left").format(left=second, most=first), f"{second}/{first}"),
            (_("There are {most} now").format(most=second), f"{second}")])
    return Life(second, first if amount["second"] else None, amount.end())


def _read_aside(notes: Notes, life: Life, aside: re.Match, start: int) -> None:
    """Read the brackets after the life points: the parts of their sum, the points left, or the maximum."""
    said = aside[1].strip()
    numbers = [int(one) for one in re.findall(r"\d{1,3}", said)]
    if not numbers or (_SUM.fullmatch(said) and _total(said) == life.most):
        return
    number = numbers[0]
    if len(numbers) > 1:
        notes.add_offence(aside.start(1), _("“{value}” is not a number of life points."), value=said[:40])
    elif re.match(r"max|von|/|gesamt|voll", said, re.I):
        life.most, life.left = number, life.most
    elif re.match(r"noch|jetzt|aktuell|momentan|derzeit|übrig", said, re.I) and number <= life.most:
        life.left = number
    elif said.startswith("+"):
        notes.add_ambiguity(start, aside.end(), [
            (f"LP {one}", str(one)) for one in (life.most, life.most + number)])
    else:
        now, most = sorted((life.most, number))
        notes.add_ambiguity(start, aside.end(), [
            (_("{left} of {most} are left").format(left=now, most=most), f"{now}/{most}"),
            (f"LP {life.most}", str(life.most))])


def _total(written: str) -> int:
    """Return the value of a sum such as 15+5-2."""
    return sum(int(one) for one in re.findall(r"[+-]?\d{1,3}", written.replace(" ", "")))
