"""What a point does: thresholds and chances, now and with one more."""

from collections.abc import Iterator
from functools import lru_cache

from django.utils.translation import gettext_lazy as _

from rulesets.dice_rumble import rolls
from rulesets.dice_rumble.talents import ATTRIBUTES, CONSTITUTION, WILLPOWER, same
from rulesets.kit import HIGHEST, decimal, join, percent

_NOW = _("Threshold {n}: succeeds in {chance}.")
_MORE = _("One more point: {more}.")
_CAPPED = _("No more than {cap} points are allowed.")
_NO_BETTER = _("One more point: no better, for a 10 always fails.")
_LIFE, _HEALTH = _("It also is 1 more life point."), _("It also is 1 more mental health.")
_UNTRAINED = _("Without a talent: {chances}.")
_ATTACK = _("Without a reaction it hits in {chance} and does {mean} damage on average.")


def of(sheet, house) -> Iterator[tuple[str, str]]:
    """(path, text) for attributes, talents and weapons."""
    chances = [f"{title} {percent(_chance(sheet.value(key)))}" for key, title in ATTRIBUTES.items()
               if sheet.value(key) is not None]
    if chances:
        yield "attributes", str(_UNTRAINED.format(chances=", ".join(chances)))
    for index, one in enumerate(sheet.talents):
        threshold = sheet.threshold(one)
        if threshold is not None:
            yield join("talents", index), " ".join(map(str, _told(one, threshold, house)))
    for index, one in enumerate(sheet.weapons):
        talent = sheet.talent(one.talent)
        threshold = talent and sheet.threshold(talent)
        if threshold is not None:
            chance, mean = _attack(min(threshold, HIGHEST), one.damage)
            yield join("weapons", index), str(_ATTACK.format(chance=percent(chance), mean=decimal(mean)))


def _told(talent, threshold: int, house) -> Iterator:
    """Threshold and chance, and what one more point does."""
    now, more = _chance(threshold), _chance(threshold + 1)
    yield _NOW.format(n=threshold, chance=percent(now))
    if talent.points >= house.talent_cap:
        yield _CAPPED.format(cap=house.talent_cap)
        return
    yield _NO_BETTER if more == now else _MORE.format(more=percent(more))
    bonus = {same(CONSTITUTION): _LIFE, same(WILLPOWER): _HEALTH}.get(same(talent.name))
    if bonus:
        yield bonus


# Every change of a sheet asks for nearly the same chances again.
@lru_cache(256)
def _attack(threshold: int, weapon: int):
    """(chance to hit, mean damage, misses included)."""
    odds = rolls.Attack(threshold=threshold, weapon=weapon).odds().chances
    hits = {value: chance for value, chance in odds.items() if value != "miss"}
    return sum(hits.values()), sum(value * chance for value, chance in hits.items())


@lru_cache(256)
def _chance(threshold: int):
    """The chance to meet a threshold, criticals included."""
    chances = rolls.Test(threshold=min(threshold, HIGHEST)).odds().chances
    return chances["critical-success"] + chances.get("success", 0)
