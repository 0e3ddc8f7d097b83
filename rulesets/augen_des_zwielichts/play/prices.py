"""Prices in corruption points, and messages if there are too few points, clues or bonus dice."""

from typing import Annotated

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from rulesets.kit import HIGHEST

Danger = Annotated[int, Field(ge=1, le=HIGHEST)]
NO_CLUES = _("Clues needed: {n}, available: {there}.")
NO_BONUS = _("Bonus dice needed: {n}, available: {there}.")
NO_POINTS = _("Corruption points needed: {n}, available: {there}.")
SPENT = {
    "difficulty": _("Raise the adventure's difficulty (1 each)"), "event": _("A dangerous event (2)"),
    "level-8": _("A danger level of 8 (2)"), "level-10": _("A danger level of 10 (3)"),
    "level-12": _("A danger level of 12 (4)"),
}
COSTS = {"event": (2, None), "level-8": (2, 8), "level-10": (3, 10), "level-12": (4, 12)}
"""{purchase: (corruption points, danger level that they buy, if any)} (SZ-09d)."""
