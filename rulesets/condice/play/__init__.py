"""ConDice at the table: the state, and the acts that change it."""

from rulesets.condice.play.acts import (
    Damage,
    Explode,
    Heal,
    HealYourself,
    PickLoss,
    RepeatRoll,
    RollAttribute,
    RollLoss,
)
from rulesets.condice.play.bonds import BeHeld, BreakLoose, EndBond, Released
from rulesets.condice.play.holds import Escaped, GiveUp, HoldTarget, LetGo, TryFree
from rulesets.condice.play.others import AreaAttack, BoostOther, ResizeOther
from rulesets.condice.play.party import ConDiceTable
from rulesets.condice.play.state import ConDicePlay
from rulesets.condice.play.table import (
    AddItem,
    ChangeAttributes,
    ChangeSize,
    EndAdventure,
    EndEffect,
    EndRound,
    NewFight,
    UseItem,
)
from rulesets.condice.play.transfer import DrawLife, GiveLife, LoseLife, PayLife, ReceiveLife, TakeLife
from rulesets.condice.play.turn import BeginTurn, EndTurn, Move, TakeAction

__all__ = [
    "AddItem", "AreaAttack", "BeHeld", "BeginTurn", "BoostOther", "BreakLoose", "ChangeAttributes", "ChangeSize",
    "ConDicePlay", "ConDiceTable", "Damage", "DrawLife", "EndAdventure", "EndBond", "EndEffect", "EndRound",
    "EndTurn", "Escaped", "Explode", "GiveLife", "GiveUp", "Heal", "HealYourself", "HoldTarget", "LetGo", "LoseLife",
    "Move", "NewFight", "PayLife", "PickLoss", "ReceiveLife", "Released", "RepeatRoll", "ResizeOther", "RollAttribute",
    "RollLoss", "TakeAction", "TakeLife", "TryFree", "UseItem",
]
