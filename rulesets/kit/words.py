"""Formats values, numbers and sizes for people."""

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, TypeVarTuple

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from rulesets.names import one_line

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

    Wording = _StrOrPromise
else:
    Wording = str
"""A text for people, or a lazy translation of one."""

MAX_NUMBER_LENGTH = 64 * 1024
"""The most characters of a text that is read as a number."""
LIST_LENGTH, MESSAGE_LENGTH = 60, 100
"""The most characters of a text in a list, and in a message."""

MINUS = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u207b\ufe58\ufe63\uff0d-"
"""The dashes that count as a minus, as pages, phones and word processors write them; "-" is the last."""
_MINUS = str.maketrans(dict.fromkeys(MINUS, "-"))

UNNAMED = _("The sheet has no name yet; give it one so you can tell it apart.")

_NUMBER = _("{whole}.{part}")
_PERCENT, _ALMOST_NONE, _ALMOST_ALL = _("{n}%"), _("<{n}%"), _(">{n}%")


def shown(value: Any) -> str:
    """Return a value as it is written in the document, shortened for a message."""
    if value is None or isinstance(value, bool):
        text = {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, dict | list):
        return str(_("An object") if isinstance(value, dict) else _("A list"))
    else:
        text = str(value) if len(str(value)) <= 40 else f"{str(value)[:39]}…"
        return _("“{text}”").format(text=text) if isinstance(value, str) else text
    return text


def short(text: Any, most: int = LIST_LENGTH) -> str:
    """Return a text as one line of at most `most` characters, which ends in "…" if it was longer."""
    line = " ".join(str(text).split())
    return line if len(line) <= most else f"{line[:most - 1].rstrip()}…"


def parse_whole_number(text: str) -> int | None:
    """Return the whole number in a text, with any dash as minus and spaces around it; None if it is not one.

    A very long number is cut short, but remains larger than any figure may be.
    """
    plain = one_line(text).translate(_MINUS) if len(text) <= MAX_NUMBER_LENGTH else ""
    written = re.fullmatch(r"([+-]?) ?(\d+)", plain, re.ASCII)
    return int(f"{written[1]}0{written[2].lstrip('0')[:60]}") if written else None


def decimal(number: float | Fraction, digits: int = 2) -> str:
    """Return a number in the current language's format: 2.67 or 2,67."""
    whole, _point, part = f"{float(number):.{digits}f}".partition(".")
    return _NUMBER.format(whole=whole, part=part) if part else whole


def size(count: int) -> str:
    """Return a size in bytes as text: 64 KiB (65,536 bytes)."""
    return _("{kib} KiB ({n} bytes)").format(kib=grouped(count // 1024), n=grouped(count))


def grouped(count: int) -> str:
    """Return a number with its digits in groups of three: 65,536 or 65.536."""
    head, tail = divmod(count, 1000)
    return _("{thousands},{rest}").format(thousands=grouped(head), rest=f"{tail:03}") if head else str(tail)


def percent(chance: float | Fraction, digits: int = 1) -> str:
    """Return a chance of 0 to 1 as a percentage, such as 28.0%; only 0 is shown as 0 and only 1 as 100."""
    part, whole = chance.as_integer_ratio()
    percentage = 100 * part / whole
    least = 10**-digits
    if part > 0 and round(percentage, digits) == 0:
        return _ALMOST_NONE.format(n=decimal(least, digits))
    if part < whole and round(percentage, digits) == 100:
        return _ALMOST_ALL.format(n=decimal(100 - least, digits))
    return _PERCENT.format(n=decimal(percentage, digits))


def numeral(number: int) -> str:
    """Return a whole number with a minus sign that does not break the line: −3."""
    return f"{number}".replace("-", "−")


def signed(number: int) -> str:
    """Return a number with its sign: +3, −2."""
    return f"{number:+d}".replace("-", "−")


_Given = TypeVarTuple("_Given")


def cached_text(say: Callable[[*_Given], Wording]) -> Callable[[*_Given], str]:
    """Cache a function's texts by arguments and language, because every change of a sheet asks for most of them."""

    @lru_cache(1024)
    def cached(_language: str | None, *given: *_Given) -> str:
        return str(say(*given))

    @wraps(say)
    def saying(*given: *_Given) -> str:
        return cached(get_language(), *given)

    return saying
