"""Augen des Zwielichts at the table: the state, and the acts that change it."""

from rulesets.augen_des_zwielichts.play.change import DarkSection, EndSession, GainLevel, NewAdventure
from rulesets.augen_des_zwielichts.play.conditions import AskQuestion, BringBack, EndCondition, NoteCondition
from rulesets.augen_des_zwielichts.play.fight import (
    BeginFight,
    EndFight,
    LowerDanger,
    SettleForOne,
    SettleRound,
)
from rulesets.augen_des_zwielichts.play.helping import GetHelp, Helped, HelpLapsed
from rulesets.augen_des_zwielichts.play.leaving import LeaveFight, LeaveOthers, TakenOver, TakeOver
from rulesets.augen_des_zwielichts.play.moves import (
    BonusUsed,
    ChangeCounts,
    Settle,
    Solved,
    SpendCorruption,
    TakeCorruption,
    Weakened,
    WeakenedBefore,
)
from rulesets.augen_des_zwielichts.play.party import (
    AugenDesZwielichtsTable,
    HoldSecondDie,
    NextRound,
    SettleTogether,
    ThrowCombatDie,
)
from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
from rulesets.augen_des_zwielichts.play.steps import (
    ChangeField,
    ChangeMark,
    DropFear,
    ExchangeAbility,
    GainAbility,
    LeaveOut,
    NameFears,
    TurnBlack,
    TurnWhite,
)
from rulesets.augen_des_zwielichts.play.words import DrawEntry, DropTable, FillField, PasteTable

__all__ = [
    "AskQuestion",
    "AugenDesZwielichtsPlay",
    "AugenDesZwielichtsTable",
    "BeginFight",
    "BonusUsed",
    "BringBack",
    "ChangeCounts",
    "ChangeField",
    "ChangeMark",
    "DarkSection",
    "DrawEntry",
    "DropFear",
    "DropTable",
    "EndCondition",
    "EndFight",
    "EndSession",
    "ExchangeAbility",
    "FillField",
    "GainAbility",
    "GainLevel",
    "GetHelp",
    "HelpLapsed",
    "Helped",
    "HoldSecondDie",
    "LeaveFight",
    "LeaveOthers",
    "LeaveOut",
    "LowerDanger",
    "NameFears",
    "NewAdventure",
    "NextRound",
    "NoteCondition",
    "PasteTable",
    "Settle",
    "SettleForOne",
    "SettleRound",
    "SettleTogether",
    "Solved",
    "SpendCorruption",
    "TakeCorruption",
    "TakeOver",
    "TakenOver",
    "ThrowCombatDie",
    "TurnBlack",
    "TurnWhite",
    "Weakened",
    "WeakenedBefore",
]
