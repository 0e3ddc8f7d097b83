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
from rulesets.condice.play.bonds import BeHeld, BreakBond, EndBond, Released
from rulesets.condice.play.holds import Escaped, GiveUpTurnPart, HoldTarget, LetGo, TargetBreaksFree
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
    NewFightForAll,
    UseItem,
)
from rulesets.condice.play.transfer import GainDrainedLife, GiveLife, LoseLife, PayLife, ReceiveLife, TakeLife
from rulesets.condice.play.turn import BeginTurn, EndTurn, Move, TakeAction

__all__ = [
    "AddItem", "AreaAttack", "BeHeld", "BeginTurn", "BoostOther", "BreakBond", "ChangeAttributes", "ChangeSize",
    "ConDicePlay", "ConDiceTable", "Damage", "EndAdventure", "EndBond", "EndEffect", "EndRound", "EndTurn", "Escaped",
    "Explode", "GainDrainedLife", "GiveLife", "GiveUpTurnPart", "Heal", "HealYourself", "HoldTarget", "LetGo",
    "LoseLife", "Move", "NewFight", "NewFightForAll", "PayLife", "PickLoss", "ReceiveLife", "Released", "RepeatRoll",
    "ResizeOther",
    "RollAttribute", "RollLoss", "TakeAction", "TakeLife", "TargetBreaksFree", "UseItem",
]
