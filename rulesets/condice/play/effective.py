"""Attacks and abilities after losses and effects (CD-36, CD-46, CD-50)."""

from typing import TYPE_CHECKING

from rulesets.condice.ability import Ability
from rulesets.condice.house import ConDiceHouse
from rulesets.kit import HIGHEST, slots

if TYPE_CHECKING:
    from rulesets.condice.sheet import Attack


def clamped(value: int) -> int:
    """Return a figure limited to 0 and the highest that a sheet can store."""
    return min(HIGHEST, max(0, value))


def changed_attack(attack: "Attack", points: int, more: int) -> "Attack":
    """Return an attack with `points` lost, dice before range (CD-46), and `more` dice from effects (CD-50)."""
    dice = max(0, attack.dice - points)
    left = points - (attack.dice - dice)
    return attack.model_copy(update={"dice": clamped(dice + more), "range": max(0, attack.range - left)})


def boosted_ability(ability: Ability, more: int) -> Ability:
    """Return an ability with `more` dice, which may be negative; unchanged if it rolls none (CD-36)."""
    return ability.model_copy(update={"dice": clamped(ability.dice + more)}) if more and hasattr(ability, "dice") \
        else ability


def weaker_ability(ability: Ability, points: int, house: ConDiceHouse) -> Ability | None:
    """Return an ability with `points` lost at the house's prices, or None if they use it up (CD-46).

    Its figures are lowered first, then its extra range.
    """
    if not points:
        return ability
    prices = ability.prices(house)
    # The base price buys no units, and figures without a price cannot lose points.
    figures = [key for key in prices if key not in ("base", "range") and prices[key]]
    for key in [*figures, *(["range"] if prices["range"] else [])]:
        price = prices[key]
        if points <= 0:
            break
        ask = slots(type(ability))[key].ask
        # A custom ability has no base price, so 1 point of its cost has to remain.
        floor = max(ask.included, ask.least or 0, key == "cost")
        taken = min(max(0, getattr(ability, key) - floor), -(-points // price))
        ability = ability.model_copy(update={key: getattr(ability, key) - taken})
        points -= taken * price
    return ability if points <= 0 else None
