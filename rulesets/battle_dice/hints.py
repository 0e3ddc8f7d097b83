"""Hints on the benefit of one more copy of a card (BD-06) and of one more die (BD-14, BD-15)."""

from collections.abc import Iterator
from math import comb
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice.rolls import BASE_DICE, HAND_SIZE, Battle
from rulesets.kit import cached_text, decimal, join, percent

if TYPE_CHECKING:
    from rulesets.battle_dice.house import BattleDiceHouse
    from rulesets.battle_dice.sheet import BattleDice

SEEN_BY_TURN = 2
"""The turn for which the hints give the chance to have seen a card."""
_DICE_TEXT = _("1 AD against 1 DD does {now} damage on average; one more AD {attack}, one more DD {defence}, "
               "Flink 1 {flink}.")
_CHANCES_TEXT = _("In the opening hand: {opens}. Drawn by turn {turn}: {seen}.")
_ONE_MORE_TEXT = _("With one more: {opens} and {seen}.")


def deck_hints(sheet: "BattleDice", house: "BattleDiceHouse") -> Iterator[tuple[str, str]]:
    """Yield (path, text) for the dice and for each card."""
    yield "cards", _dice()
    for row, card in sheet.distinct_cards:
        size = house.deck_size
        yield join("cards", row), _copies(card.copies, size, card.copies < min(house.same_card, size))


@cached_text
def _dice() -> str:
    """Return the effect of one more die, and of Flink 1, on the average damage (BD-14, BD-15)."""
    return str(_DICE_TEXT.format(now=_mean_damage(), attack=_mean_damage(attack_dice=BASE_DICE + 1),
                                 defence=_mean_damage(defence_dice=BASE_DICE + 1), flink=_mean_damage(flink=1)))


def _mean_damage(**more: int) -> str:
    return decimal(Battle(**{"attack_dice": BASE_DICE, "defence_dice": BASE_DICE} | more).odds().mean or 0)


@cached_text
def _copies(copies: int, size: int, more: bool) -> str:  # noqa: FBT001 - remembered functions take positional arguments
    """Return the chances of a number of copies, and of one more where that is allowed."""
    text = _CHANCES_TEXT.format(turn=SEEN_BY_TURN, **_chances(copies, size))
    return f"{text} {_ONE_MORE_TEXT.format(**_chances(copies + 1, size))}" if more else text


def _chances(copies: int, size: int) -> dict[str, str]:
    return {"opens": percent(chance(copies, size, HAND_SIZE)),
            "seen": percent(chance(copies, size, HAND_SIZE + SEEN_BY_TURN))}


def chance(copies: int, size: int, drawn: int) -> float:
    """Return the chance of at least one of `copies` among `drawn` cards from a whole deck of `size` cards."""
    size, copies = max(size, copies), max(0, copies)
    drawn = min(drawn, size)
    return 1 - comb(size - copies, drawn) / comb(size, drawn)
