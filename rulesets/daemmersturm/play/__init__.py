"""Dämmersturm at the table: the state, and the acts that change it."""

from rulesets.daemmersturm.play.fight import (
    AddCondition,
    BeginTurn,
    Damage,
    DamageOverTime,
    EndCondition,
    EndProtection,
    Heal,
    NewFight,
    NewSection,
    ProtectionRoll,
    RollExhaustion,
    SeekProtection,
)
from rulesets.daemmersturm.play.magic import (
    CallLight,
    Channel,
    ChooseElement,
    ChooseResource,
    DealDamage,
    EndChannelling,
    HoldOn,
    UseElement,
    UseShadow,
)
from rulesets.daemmersturm.play.party import DaemmersturmTable
from rulesets.daemmersturm.play.points import GetBack, Spend, UseAction
from rulesets.daemmersturm.play.state import DaemmersturmPlay
from rulesets.daemmersturm.play.things import ApplyPoison, MakeReady, NotReady, RollPoison, TakePotion

__all__ = [
    "AddCondition",
    "ApplyPoison",
    "BeginTurn",
    "CallLight",
    "Channel",
    "ChooseElement",
    "ChooseResource",
    "DaemmersturmPlay",
    "DaemmersturmTable",
    "Damage",
    "DamageOverTime",
    "DealDamage",
    "EndChannelling",
    "EndCondition",
    "EndProtection",
    "GetBack",
    "Heal",
    "HoldOn",
    "MakeReady",
    "NewFight",
    "NewSection",
    "NotReady",
    "ProtectionRoll",
    "RollExhaustion",
    "RollPoison",
    "SeekProtection",
    "Spend",
    "TakePotion",
    "UseAction",
    "UseElement",
    "UseShadow",
]
