"""Hints on the worth of a bonus: chances against usual defences, and the points that it gives."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import rolls
from rulesets.daemmersturm.catalogue import ACTION_POINTS, MAGIC_POINTS
from rulesets.daemmersturm.texts import bounded
from rulesets.kit import cached_text, percent

if TYPE_CHECKING:
    from rulesets.daemmersturm.sheet import Daemmersturm

DEFENCE = 12
"""The defence that hints assume."""
ATTACKER = 0
"""The attacker's bonus that hints assume."""

_SKILL = _("You hit defence {target} {chance} of the time ({more} with one more point). An attacker without a bonus "
           "hits you {hurt} of the time.")
_POINTS = {"melee": _("This bonus gives {n} action points ({more} with one more point)."),
           "magic": _("This bonus gives {n} magic points ({more} with one more point).")}


def for_sheet(sheet: "Daemmersturm") -> Iterator[tuple[str, str]]:
    """Yield (path, text) for each skill."""
    for key, table in (("melee", ACTION_POINTS), ("ranged", None), ("magic", MAGIC_POINTS)):
        skill = getattr(sheet, key)
        text = _skill(skill.attack, skill.defence)
        if table and (key != "magic" or sheet.resource != "none"):
            now, more = (table[min(5, max(-5, bonus))] for bonus in (skill.attack, skill.attack + 1))
            text += " " + str(_POINTS[key].format(n=now, more=more))
        yield key, text


@cached_text
def _skill(attack: int, defence: int) -> str:
    """Return the chances of a skill's attack bonus and defence in words."""
    return _SKILL.format(target=DEFENCE, chance=percent(_hits(attack, DEFENCE)),
                         more=percent(_hits(attack + 1, DEFENCE)), hurt=percent(_hits(ATTACKER, defence)))


# Cached: the chance with one point more is the current chance once that point is bought.
@lru_cache(256)
def _hits(bonus: int, defence: int) -> Fraction | int:
    chances = rolls.Attack(bonus=bounded(bonus), defence=defence).odds().chances
    return chances.get("hit", 0) + chances.get("critical", 0)
