"""Compares a deck with a party: its best attacker, its best defender, how it begins (BD-06, BD-14, BD-15)."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import flink as flinks
from rulesets.battle_dice import rolls
from rulesets.kit import MEAN_DAMAGE, Measure, best, mean_of

if TYPE_CHECKING:
    from rulesets.battle_dice.card import Card
    from rulesets.battle_dice.sheet import BattleDice

ENEMY = 3
"""The attack dice of a usual enemy."""
CHEAP = 2
"""The time mana that a card may cost to be of use at once."""
_ATTACK = _("Damage with the best attacker against {n} DD")
_STANDS = _("With the best defender {n} AD do no damage")
_BEGINS = _("A card for {n} mana or less in the opening hand")


def of(sheet: "BattleDice") -> Iterator[Measure]:
    """Yield them; of a deck that is not full yet it cannot be said how it begins."""
    cards = [(row, card) for row, card in sheet.kinds if card.copies]
    mean, at = best((_damage(min(rolls.MOST, rolls.STANDARD + card.sum("angriff"))), (row, card))
                    for row, card in cards)
    yield Measure("attack", _ATTACK.format(n=rolls.STANDARD), mean, short=MEAN_DAMAGE, **_from(at))
    safe, at = best((_safe(min(rolls.MOST, rolls.STANDARD + card.sum("verteidigung")), card.sum("flink")), (row, card))
                    for row, card in cards)
    yield Measure("stands", _STANDS.format(n=ENEMY), safe, chance=True, **_from(at))
    if sheet.size() == rolls.DECK:
        cheap = sum(card.copies for _row, card in cards
                    if isinstance(card.price_in_mana, int) and card.price_in_mana <= CHEAP)
        yield Measure("begins", _BEGINS.format(n=CHEAP), _opens(cheap), chance=True)


def _from(at: "tuple[int, Card] | None") -> dict[str, Any]:
    return {"path": f"cards.{at[0]}", "source": at[1].label} if at else {}


@lru_cache(128)
def _damage(dice: int) -> Fraction:
    return mean_of(rolls.Battle(attack_dice=dice, defence_dice=rolls.STANDARD).odds())


@lru_cache(512)
def _safe(dice: int, flink: int) -> Fraction:
    helps = flinks.helping(ENEMY, dice, flink)
    if rolls.too_many(ENEMY, dice, flink=helps):
        helps = rolls.SWIFT
    return rolls.Battle(attack_dice=ENEMY, defence_dice=dice, flink=helps).odds().chances.get(0, Fraction(0))


@lru_cache(16)
def _opens(copies: int) -> Fraction:
    return rolls.OpeningHand(copies=copies).odds().at_least(1)
