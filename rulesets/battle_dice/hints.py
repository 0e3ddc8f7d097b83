"""The worth of a copy, in time or to open with (BD-06), and of one more die (BD-14, BD-15)."""

from collections.abc import Iterator
from math import comb
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice.rolls import HAND, STANDARD, Battle
from rulesets.kit import decimal, join, percent, remembered

if TYPE_CHECKING:
    from rulesets.battle_dice.house import BattleDiceHouse
    from rulesets.battle_dice.sheet import BattleDice

TURN = 2
"""The own turn that hints speak of."""
_DICE = _("1 AD against 1 DD does {now} damage on average; one more AD {attack}, one more DD {defence}, "
          "Flink 1 {flink}.")
_NOW = _("Opens in {opens}, seen by turn {turn} in {seen}.")
_MORE = _("One more: {opens} and {seen}.")


def of(sheet: "BattleDice", house: "BattleDiceHouse") -> Iterator[tuple[str, str]]:
    """Yield (path, text) for the dice and for each card."""
    yield "cards", _dice()
    for row, card in sheet.kinds:
        size = house.deck_size
        yield join("cards", row), _card(card.copies, size, card.copies < min(house.same_card, size))


@remembered
def _dice() -> str:
    """Return what one more of each die, and of Flink, does to the usual battle (BD-14, BD-15)."""
    return str(_DICE.format(now=_mean(), attack=_mean(attack_dice=STANDARD + 1),
                            defence=_mean(defence_dice=STANDARD + 1), flink=_mean(flink=1)))


def _mean(**more: int) -> str:
    return decimal(Battle(**{"attack_dice": STANDARD, "defence_dice": STANDARD} | more).odds().mean or 0)


@remembered
def _card(copies: int, size: int, more: bool) -> str:  # noqa: FBT001 - what is remembered goes by position
    """Return the chances of so many copies in a deck, and of one more where that is allowed."""
    text = _NOW.format(turn=TURN, **_chances(copies, size))
    return f"{text} {_MORE.format(**_chances(copies + 1, size))}" if more else text


def _chances(copies: int, size: int) -> dict[str, str]:
    return {"opens": percent(chance(copies, size, HAND)), "seen": percent(chance(copies, size, HAND + TURN))}


def chance(copies: int, size: int, drawn: int) -> float:
    """Return the chance of at least one of these copies among so many cards drawn from a whole deck."""
    size, copies = max(size, copies), max(0, copies)
    drawn = min(drawn, size)
    return 1 - comb(size - copies, drawn) / comb(size, drawn)
