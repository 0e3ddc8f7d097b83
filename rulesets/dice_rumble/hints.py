"""Hints on the benefit of a point: thresholds and chances, now and with one more point."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.dice_rumble import rolls
from rulesets.dice_rumble.talents import ATTRIBUTES, BASE, CONSTITUTION, KNOWN_TALENTS, WILLPOWER, normalized_name
from rulesets.kit import HIGHEST, cached_text, decimal, join, percent

if TYPE_CHECKING:
    from rulesets.dice_rumble.house import DiceRumbleHouse
    from rulesets.dice_rumble.sheet import DiceRumble

_NOW = _("Threshold {n}: succeeds {chance} of the time.")
_MORE = _("One more point: {more}.")
_CAPPED = _("No more than {cap} points are allowed.")
_NO_BETTER = _("One more point: no better, because a 10 always fails.")
_BONUS = {normalized_name(CONSTITUTION): _("It also gives 1 life point."),
          normalized_name(WILLPOWER): _("It also gives 1 mental health.")}
_UNTRAINED = _("Without a talent: {chances}. A point in a talent counts as much as a point in its attribute.")
_WITH = _("{n} with {value}")
_LIFE = _("Life points before Konstitution: {figures}.")
_HEALTH = _("Mental health before Willenskraft: {figures}.")
_USED = _("Usual for {talents}.")
_EXPRESSIVE = _("Usual for anything that wins people over.")
_ATTACK = _("Without a reaction it hits {chance} of the time and does {mean} damage on average.")


def for_sheet(sheet: "DiceRumble", house: "DiceRumbleHouse") -> Iterator[tuple[str, str]]:
    """Yield (path, text) for attributes, talents and weapons."""
    values = tuple(dict.fromkeys(house.attributes))
    yield "attributes", _untrained_chances(values)
    for key in ATTRIBUTES:
        yield join("attributes", key), _attribute(key, values)
    for index, one in enumerate(sheet.talents):
        if (threshold := sheet.threshold(one)) is not None:
            cap, name = house.talent_cap, normalized_name(one.name)
            yield join("talents", index), _talent(threshold, cap if one.points >= cap else None,
                                                  name if name in _BONUS else "")
    for index, one in enumerate(sheet.weapons):
        talent = sheet.talent(one.talent)
        threshold = sheet.threshold(talent) if talent else None
        if threshold is not None:
            yield join("weapons", index), _weapon(min(threshold, HIGHEST), one.damage)


@cached_text
def _untrained_chances(values: tuple[int, ...]) -> str:
    """Return the chances of tests with each attribute value, without a talent (DR-07)."""
    chances = ", ".join(_WITH.format(n=percent(chance(value)), value=value) for value in values)
    return str(_UNTRAINED.format(chances=chances))


@cached_text
def _attribute(key: str, values: tuple[int, ...]) -> str:
    """Return the effect of each value of an attribute (DR-04, DR-05), and the talents that use it (DR-03)."""
    figures = ", ".join(_WITH.format(n=value + BASE, value=value) for value in values)
    talents = ", ".join(name for name, usual in KNOWN_TALENTS.items() if usual == key)
    said = {"strength": _LIFE, "mind": _HEALTH}
    texts = [said[key].format(figures=figures)] if key in said else []
    return " ".join(map(str, [*texts, _USED.format(talents=talents) if talents else _EXPRESSIVE]))


@cached_text
def _talent(threshold: int, cap: int | None, name: str) -> str:
    """Return the threshold and chance, now and with one more point; `cap` is stated if it is reached."""
    now, more = chance(threshold), chance(threshold + 1)
    said = [_NOW.format(n=threshold, chance=percent(now))]
    if cap is not None:
        return " ".join([*said, _CAPPED.format(cap=cap)])
    said.append(str(_NO_BETTER) if more == now else _MORE.format(more=percent(more)))
    if name:
        said.append(str(_BONUS[name]))
    return " ".join(said)


@cached_text
def _weapon(threshold: int, weapon: int) -> str:
    """Return the chance to hit, and the mean damage, misses included."""
    odds = rolls.Attack(threshold=threshold, weapon=weapon).odds()
    hits = {value: odds.chances[value] for value in odds.numbers}
    mean = sum(value * chance for value, chance in hits.items())
    return _ATTACK.format(chance=percent(sum(hits.values())), mean=decimal(mean))


# Cached, because the chance with one more point is asked for again once the point is bought.
@lru_cache(256)
def chance(threshold: int) -> Fraction:
    """Return the chance to meet a threshold, criticals included."""
    chances = rolls.Test(threshold=min(threshold, HIGHEST)).odds().chances
    return chances["critical-success"] + chances.get("success", 0)
