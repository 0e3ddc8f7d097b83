"""What a player submits in each system: a sheet with two findings that only ask."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    """A first example, changed so that it asks for approval in two places; one is mended, one is granted."""

    patch: dict[str, Any]
    mended: str
    """The rule that is mended by one click, ..."""
    granted: str
    """... and the one to which the GM makes an exception."""
    at: str
    """The field at which the GM comments."""
    edit: tuple[str, str]
    """A field and what the player writes there once the sheet is approved; "" is one fewer, by its button."""
    widget: str
    """A roll of the sheet, ..."""
    says: str
    """... what it says as long as what was approved is played, ..."""
    given: dict[str, Any]
    """... and what it then throws with."""
    house: dict[str, Any] = field(default_factory=dict)


CASES = {
    "condice": Case(
        {"movement": 0, "abilities.0": {"ability": "custom", "name": "Zeit anhalten", "cost": 3}},
        "CD-10", "CD-08", "movement", ("attacks.0.dice", "3"),
        "roll-attack-attacks-0", "4 dice", {"dice": 4}, {"policy": {"CD-10": "ask"}}),
    "dice-rumble": Case(
        {"attributes.dexterity": 2, "talents.7.points": 3}, "DR-01", "DR-02", "attributes.dexterity",
        ("weapons.0.damage", "2"), "roll-attack-weapons-0", "damage +3", {"weapon": 3},
        {"policy": {"DR-01": "ask", "DR-02": "ask"}}),
    "daemmersturm": Case(
        {"melee.attack": 6, "life": 0}, "DS-02", "DS-01", "life", ("melee.attack", "2"),
        "roll-attack-melee", "20+6", {"bonus": 6}, {"policy": {"DS-01": "ask", "DS-02": "ask"}}),
    "augen-des-zwielichts": Case(
        {"shade": "light", "fears": ["Feuer"]}, "SZ-08", "SZ-04", "shade", ("fields.item.word", "Anker"),
        "roll-move-investigate", "Bootshaken", {"move": "investigate"}, {"policy": {"SZ-04": "ask", "SZ-08": "ask"}}),
    "battle-dice": Case(
        {"cards.2": {"card": "custom", "name": "Katzenklappe", "cost": 2, "copies": 3}}, "BD-01", "BD-04",
        "cards.0.copies", ("cards.1.copies", ""), "roll-opening-hand-3",
        "Snowbuddies, Katzenklappe", {"copies": 3}, {"policy": {"BD-01": "ask"}}),
}
