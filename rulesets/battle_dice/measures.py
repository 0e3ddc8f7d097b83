"""Figures to compare a deck with a party: best attacker, best defender, opening hand (BD-06, BD-14, BD-15)."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice import battles, rolls
from rulesets.kit import MEAN_DAMAGE, Measure, best, mean_of

if TYPE_CHECKING:
    from rulesets.battle_dice.card import Card
    from rulesets.battle_dice.sheet import BattleDice

ENEMY_DICE = 3
"""The attack dice of a typical enemy."""
CHEAP_MANA = 2
"""The highest cost of a card that is useful at once."""
_ATTACK = _("Damage with the best attacker against {n} DD")
_STANDS = _("With the best defender {n} AD do no damage")
_BEGINS = _("A card for {n} mana or less in the opening hand")


def deck_measures(sheet: "BattleDice") -> Iterator[Measure]:
    """Yield the measures; that of the opening hand is only yielded for a full deck."""
    cards = [(row, card) for row, card in sheet.distinct_cards if card.copies]
    damage, attacker = best((_mean_damage(_dice(card, "angriff")), (row, card)) for row, card in cards)
    yield Measure("attack", _ATTACK.format(n=rolls.BASE_DICE), damage, short=MEAN_DAMAGE, **_source(attacker))
    chance, defender = best((_chance_of_no_damage(_dice(card, "verteidigung"), card.keyword_sum("flink")), (row, card))
                            for row, card in cards)
    yield Measure("stands", _STANDS.format(n=ENEMY_DICE), chance, chance=True, **_source(defender))
    if sheet.size() == rolls.DECK_SIZE:
        cheap = sum(card.copies for _row, card in cards
                    if isinstance(card.mana_cost, int) and card.mana_cost <= CHEAP_MANA)
        yield Measure("begins", _BEGINS.format(n=CHEAP_MANA), _chance_in_hand(cheap), chance=True)


def _dice(card: "Card", keyword: str) -> int:
    """Return the dice of a card that is alone in play."""
    return min(rolls.MAX_DICE, rolls.BASE_DICE + card.keyword_sum(keyword))


def _source(at: "tuple[int, Card] | None") -> dict[str, Any]:
    """Return the arguments of a Measure that name the card (row, card) it comes from."""
    return {"path": f"cards.{at[0]}", "source": at[1].label} if at else {}


@lru_cache(128)
def _mean_damage(dice: int) -> Fraction:
    return mean_of(rolls.Battle(attack_dice=dice, defence_dice=rolls.BASE_DICE).odds())


@lru_cache(512)
def _chance_of_no_damage(dice: int, flink: int) -> Fraction:
    useful = battles.useful_flink(ENEMY_DICE, dice, flink)
    if rolls.exceeds_limits(ENEMY_DICE, dice, flink=useful):
        useful = rolls.MAX_FLINK
    return rolls.Battle(attack_dice=ENEMY_DICE, defence_dice=dice, flink=useful).odds().chances.get(0, Fraction(0))


@lru_cache(16)
def _chance_in_hand(copies: int) -> Fraction:
    return rolls.OpeningHand(copies=copies).odds().at_least(1)
