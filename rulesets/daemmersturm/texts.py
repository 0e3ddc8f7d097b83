"""Figures that are written as text: ranges ("1-10") and lists of faces ("19,20")."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any

from django.utils.translation import gettext_lazy as _
from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo

from rulesets.kit import FROM_FORM, HIGHEST, MINUS, signed

_RANGE = re.compile(r"(\d{1,3})-(\d{1,3})", re.ASCII)
"""A range; it is matched against at most `MAX_RANGE_LENGTH` characters."""
_DIE = re.compile(r"1?\s*[wdWD]\s*(\d{1,3})", re.ASCII)
MAX_RANGE_LENGTH = 40
"""The maximum length of a range or of one die, such as "1 W 10", without surrounding space."""
_FACES = re.compile(r"\s*(?:\d{1,2}\s*(?:,\s*\d{1,2}\s*)*)?", re.ASCII)
"""The pattern of `Faces`, which has 80 characters at most."""


def bounded(number: int) -> int:
    """Return a bonus within the limits of a roll's field, which additions to it may have exceeded."""
    return min(HIGHEST, max(-HIGHEST, number))


def summand(bonus: int) -> str:
    """Return a bonus as a term of a sum: "+ 3", "− 2"."""
    return f"{signed(bonus)[0]} {signed(bonus)[1:]}"


@lru_cache(1024)
def span(text: str) -> range:
    """Return the numbers of a range, both ends included; raise ValueError if the text is not a range."""
    found = _RANGE.fullmatch(text)
    if not found:
        message = _(
            "“{text}” is not a range; write the lowest and the highest number, such as 1-10, or one die, such as 1d10.")
        raise ValueError(message.format(text=text[:40]))
    low, high = map(int, found.groups())
    if low > high:
        raise ValueError(_("{low} is above {high}; the lower end comes first.").format(low=low, high=high))
    return range(low, high + 1)


def faces(text: str) -> frozenset[int]:
    """Return the faces in a comma-separated list, which may be empty; raise ValueError if an entry is not a face."""
    if not _FACES.fullmatch(text):
        message = _("“{text}” is not a list of numbers; separate them with commas, such as 19,20.")
        raise ValueError(message.format(text=text[:40]))
    found = frozenset(map(int, re.findall(r"\d+", text)))
    if wrong := [face for face in sorted(found) if not 1 <= face <= 20]:
        raise ValueError(_("{n} is not on the die; it has 1 to 20.").format(n=wrong[0]))
    return found


def _checked(read: Callable[[str], Any]) -> AfterValidator:
    def check(text: str) -> str:
        read(text)
        return text

    return AfterValidator(check)


def _open(text: str) -> str:
    if text:
        span(text)
    return text


def _ranged(text: object, info: ValidationInfo) -> object:
    """Return the range that a typed text means: "1W8" and "1–8" become "1-8". Values of documents stay unchanged."""
    if info.context != FROM_FORM or not isinstance(text, str):
        return text
    text = re.sub(f"[{MINUS}]", "-", text.strip())
    if len(text) > MAX_RANGE_LENGTH:
        return text  # The length of the field refuses it.
    if found := _DIE.fullmatch(text):
        return f"1-{found[1]}"
    return _open(text)


Repeats = Annotated[int, Field(ge=0, le=5)]
"""A number of further rerolls; with more than 5, every climber would reach the top."""
Range = Annotated[str, Field(max_length=7), _checked(span), BeforeValidator(_ranged)]
"""The lowest and the highest number, such as "1-10"."""
OpenRange = Annotated[str, Field(max_length=7, pattern=r"^(?:[0-9]{1,3}-[0-9]{1,3})?$"), AfterValidator(_open),
                      BeforeValidator(_ranged)]
"""A range, or "" while it is not known yet."""
Faces = Annotated[str, Field(max_length=80), _checked(faces)]
"""Faces of a die with twenty sides, such as "19,20"; may be empty."""
Bonus = Annotated[int, Field(ge=-HIGHEST, le=HIGHEST)]
"""A figure that is added to a die and may be below 0."""
