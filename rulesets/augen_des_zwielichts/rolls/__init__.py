"""The rolls of Augen des Zwielichts."""

from rulesets.augen_des_zwielichts.rolls.fight import CombatDie, CombatRound, Draw, Solve, WeakHits, WeakPoint
from rulesets.augen_des_zwielichts.rolls.pool import Condition, Help, Move

__all__ = ["CombatDie", "CombatRound", "Condition", "Draw", "Help", "Move", "Solve", "WeakHits", "WeakPoint"]
