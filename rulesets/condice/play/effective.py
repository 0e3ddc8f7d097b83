"""Attacks and abilities as losses and effects leave them (CD-36, CD-46, CD-50)."""

from typing import TYPE_CHECKING

from rulesets.condice.ability import Ability
from rulesets.condice.house import ConDiceHouse
from rulesets.kit import HIGHEST, slots

if TYPE_CHECKING:
    from rulesets.condice.sheet import Attack


def bounded(value: int) -> int:
    """Return a figure as a sheet can hold it."""
    return min(HIGHEST, max(0, value))


def changed_attack(attack: "Attack", points: int, more: int) -> "Attack":
    """Of what is lost dice go first, then range (CD-46); effects change dice (CD-50)."""
    dice = max(0, attack.dice - points)
    left = points - (attack.dice - dice)
    return attack.model_copy(update={"dice": bounded(dice + more), "range": max(0, attack.range - left)})


def boosted_ability(ability: Ability, more: int) -> Ability:
    """One that rolls dice of its own rolls so many more or fewer; all others stay as they are (CD-36)."""
    return ability.model_copy(update={"dice": bounded(ability.dice + more)}) if more and hasattr(ability, "dice") \
        else ability


def weaker_ability(ability: Ability, points: int, house: ConDiceHouse) -> Ability | None:
    """Its own figures go first, then bought range, at the house's prices; None once it cannot be paid (CD-46)."""
    if not points:
        return ability
    prices = ability.prices(house)
    # The base is not bought by the piece, and what costs nothing holds no points to lose.
    own = [key for key in prices if key not in ("base", "range") and prices[key]]
    for key in [*own, *(["range"] if prices["range"] else [])]:
        price = prices[key]
        if points <= 0:
            break
        ask = slots(type(ability))[key].ask
        # An own ability has no base price; its last point is what pays for it.
        floor = max(ask.included, ask.least or 0, key == "cost")
        taken = min(max(0, getattr(ability, key) - floor), -(-points // price))
        ability = ability.model_copy(update={key: getattr(ability, key) - taken})
        points -= taken * price
    return ability if points <= 0 else None
