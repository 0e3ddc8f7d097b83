"""The rolls of Dämmersturm, by topic."""

from rulesets.daemmersturm.rolls.attack import Attack, FriendlyFire
from rulesets.daemmersturm.rolls.body import Climbing, Exhaustion, Perception, Stealth
from rulesets.daemmersturm.rolls.damage import (
    SOURCES,
    CounterAttack,
    Critical,
    CriticalHeal,
    Damage,
    Escalation,
    Healing,
    Source,
    StrikeBack,
    Targets,
)
from rulesets.daemmersturm.rolls.magic import Channelling, Elements, Light
from rulesets.daemmersturm.rolls.protection import Armour, Cover, Shield
from rulesets.daemmersturm.rolls.special import Poison, Potion, WRoll
from rulesets.daemmersturm.rolls.two_weapons import PairedAttack, TwoWeapons

__all__ = [
    "SOURCES", "Armour", "Attack", "Channelling", "Climbing", "CounterAttack", "Cover", "Critical", "CriticalHeal",
    "Damage", "Elements", "Escalation", "Exhaustion", "FriendlyFire", "Healing", "Light", "PairedAttack",
    "Perception", "Poison", "Potion", "Shield", "Source", "Stealth", "StrikeBack", "Targets", "TwoWeapons", "WRoll",
]
