"""Dämmersturm at the table: the state, and the acts that change it."""

from rulesets.daemmersturm.play.conditions import AddCondition, DamageOverTime, EndCondition, EndLasting
from rulesets.daemmersturm.play.counter import AnswerFumble, AnswerMiss, EndCounter
from rulesets.daemmersturm.play.cover import LeaveCover, ProtectionRoll, TakeCover
from rulesets.daemmersturm.play.fight import (
    BeginRound,
    BeginTurn,
    Damage,
    EndProtection,
    Heal,
    NewFight,
    NewSection,
    RollExhaustion,
    SeekProtection,
)
from rulesets.daemmersturm.play.items import PackItem, TakePotion, UseItem
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
from rulesets.daemmersturm.play.spells import ForgetSpell, NoteSpell
from rulesets.daemmersturm.play.state import DaemmersturmPlay
from rulesets.daemmersturm.play.things import ApplyPoison, MakeReady, NotReady, RollPoison

__all__ = [
    "AddCondition",
    "AnswerFumble",
    "AnswerMiss",
    "ApplyPoison",
    "BeginRound",
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
    "EndCounter",
    "EndLasting",
    "EndProtection",
    "ForgetSpell",
    "GetBack",
    "Heal",
    "HoldOn",
    "LeaveCover",
    "MakeReady",
    "NewFight",
    "NewSection",
    "NotReady",
    "NoteSpell",
    "PackItem",
    "ProtectionRoll",
    "RollExhaustion",
    "RollPoison",
    "SeekProtection",
    "Spend",
    "TakeCover",
    "TakePotion",
    "UseAction",
    "UseElement",
    "UseItem",
    "UseShadow",
]
