"""What a copy does: the chance to open with a card, and to see it in time (BD-06)."""

from collections.abc import Iterator
from math import comb

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice.rolls import HAND
from rulesets.kit import join, percent

TURN = 2
"""The own turn that hints speak of."""
_NOW = _("Opens in {opens}, seen by turn {turn} in {seen}.")
_MORE = _("One more: {opens} and {seen}.")


def of(sheet, house) -> Iterator[tuple[str, str]]:
    """(path, text) for each card."""
    for row, card in sheet.kinds:
        text = str(_NOW.format(turn=TURN, **_chances(card.copies, house.deck_size)))
        if card.copies < min(house.same_card, house.deck_size):
            text += " " + str(_MORE.format(**_chances(card.copies + 1, house.deck_size)))
        yield join("cards", row), text


def _chances(copies: int, size: int) -> dict[str, str]:
    return {"opens": percent(chance(copies, size, HAND)), "seen": percent(chance(copies, size, HAND + TURN))}


def chance(copies: int, size: int, drawn: int) -> float:
    """The chance of at least one of these copies among so many cards drawn from a whole deck."""
    size, copies = max(size, copies), max(0, copies)
    drawn = min(drawn, size)
    return 1 - comb(size - copies, drawn) / comb(size, drawn)
