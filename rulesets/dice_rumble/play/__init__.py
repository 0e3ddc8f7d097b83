"""Dice Rumble at the table: the state, and the acts that change it."""

from rulesets.dice_rumble.play.acts import (
    Calm,
    Damage,
    DiceRumbleTable,
    FindWeapon,
    Heal,
    LayDownWeapon,
    NewAdventure,
    RepeatRoll,
    RollInitiative,
    Shock,
    SpendDie,
    TurnFate,
    Wait,
)
from rulesets.dice_rumble.play.state import DiceRumblePlay

__all__ = [
    "Calm", "Damage", "DiceRumblePlay", "DiceRumbleTable", "FindWeapon", "Heal", "LayDownWeapon", "NewAdventure",
    "RepeatRoll", "RollInitiative", "Shock", "SpendDie", "TurnFate", "Wait",
]
