"""Dice written as a text: their faces, separated by commas ("6,3,3")."""

import re
from typing import Annotated

from django.utils.translation import gettext_lazy as _
from pydantic import AfterValidator, Field

SHOWN = _("What they show, such as “5,3” for a 5 and a 3.")
_LIST = re.compile(r"\s*(?:[0-9]\s*(?:,\s*[0-9]\s*)*)?", re.ASCII)
"""The pattern of `Faces`, which limits the text to 80 characters."""


def faces(text: str) -> tuple[int, ...]:
    """Return the faces in a comma-separated list. Raise ValueError if it is malformed or a face is not 1 to 6."""
    if not _LIST.fullmatch(text):
        message = _("“{text}” is not a list of dice; write what they show, separated by commas, such as “5,3” for a "
                    "5 and a 3.")
        raise ValueError(message.format(text=text[:40]))
    found = tuple(map(int, re.findall(r"[0-9]", text)))
    if wrong := [face for face in found if not 1 <= face <= 6]:
        raise ValueError(_("{n} is not on the die; it has 1 to 6.").format(n=wrong[0]))
    return found


def listed(found: list[int] | tuple[int, ...]) -> str:
    """Return the faces as a comma-separated list."""
    return ",".join(map(str, found))


def _checked(text: str) -> str:
    faces(text)
    return text


Faces = Annotated[str, Field(max_length=80), AfterValidator(_checked)]
"""Faces of six-sided dice, such as "5,3"; may be empty."""
