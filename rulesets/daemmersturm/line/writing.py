"""Writing the profile line exactly as the source has it (DS-07)."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm.line.points import SHORT

if TYPE_CHECKING:
    from rulesets.daemmersturm.sheet import Daemmersturm, Skill

SPLITTING = re.compile(r"[:,|\r\n\u2028\u2029\v\f\x85]")
"""A character that would split the profile line; the names searched have at most 200 characters."""


def skill_text(one: "Skill") -> str:
    """Return a skill as the profile writes it: 20+3|15."""
    return f"20{one.attack:+d}|{one.defence}"


def profile_text(sheet: "Daemmersturm", name: str, left: Mapping[str, int] | None = None) -> str:
    """Return both lines of the profile, with the points that follow from the rules.

    `left` is {"life" or pool: amount left}; with it, figures are written as LP 17/20, AP: 4/6.
    """
    def figure(key: str, most: int) -> str:
        return str(most) if left is None else f"{left[key]}/{most}"

    abilities = ", ".join(" ".join(one.name.split()) for one in sheet.abilities if one.name.strip())
    skills = f"N={skill_text(sheet.melee)}, F={skill_text(sheet.ranged)}, Z={skill_text(sheet.magic)}"
    points = " | ".join(f"{short}: {figure(key, getattr(sheet, key)())}" for key, short in SHORT.items())
    life = f"LP {figure('life', sheet.life)}"
    # Without a name there is no colon either; the rest can still be read back.
    named = " ".join(name.split())
    first = f"{named}: ({skills}) {life}" if named else f"({skills}) {life}"
    if abilities:
        first += f", Besondere Fähigkeiten: {abilities}"
    return f"{first}\n[{points}]"


def splitting_characters(text: str) -> str:
    """Return the characters in a name that would split the line, in words; "" if there are none."""
    if not SPLITTING.search(text):
        return ""
    found = dict.fromkeys(sign if sign in ":,|" else str(_("a line break")) for sign in SPLITTING.findall(text.strip()))
    return " ".join(_("“{sign}”").format(sign=sign) if len(sign) == 1 else sign for sign in found)


def without_splitting_characters(text: str) -> str:
    """Return the name without characters that would split the line, "?" if nothing remains."""
    return " ".join(SPLITTING.sub(" ", text).split()) or "?"
