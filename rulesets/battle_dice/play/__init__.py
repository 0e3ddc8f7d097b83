"""The state of play of Battle Dice, and its acts."""

from rulesets.battle_dice.play.anytime_acts import ChangeMana, EndGame, Frost, Lose, Melt, Strike, Win
from rulesets.battle_dice.play.card_acts import Cure, DrawByCard, Sacrifice, SwapCard
from rulesets.battle_dice.play.duel_battle import AimAt, Attacked, Declare, LetAim, LetBlock, TakeAim, Targeted
from rulesets.battle_dice.play.duel_effects import Deal, Freeze, Hit, Snowball, TakeHit, Thaw, Thawing
from rulesets.battle_dice.play.duel_start import AcceptGame, Beaten, Challenge, TakeSeat
from rulesets.battle_dice.play.effects import React, UseActive
from rulesets.battle_dice.play.enemy_turn import Aimed, AimedAtMage, Block, Damage, Defend, NextTurn, NoAttack, TakeRest
from rulesets.battle_dice.play.healing import RemoveMark, RollHeilung, Settle
from rulesets.battle_dice.play.own_turn import Attack, Focus, PutAway, SkipBattle, StartGame, ToBattle
from rulesets.battle_dice.play.state import BattleDicePlay
from rulesets.battle_dice.play.summoning import Destroy, Summon, SummonMinion

__all__ = [
    "AcceptGame", "AimAt", "Aimed", "AimedAtMage", "Attack", "Attacked", "BattleDicePlay", "Beaten", "Block",
    "Challenge", "ChangeMana", "Cure", "Damage", "Deal", "Declare", "Defend", "Destroy", "DrawByCard", "EndGame",
    "Focus", "Freeze", "Frost", "Hit", "LetAim", "LetBlock", "Lose", "Melt", "NextTurn", "NoAttack",
    "PutAway", "React", "RemoveMark", "RollHeilung", "Sacrifice", "Settle", "SkipBattle", "Snowball", "StartGame",
    "Strike", "Summon", "SummonMinion", "SwapCard", "TakeAim", "TakeHit", "TakeRest", "TakeSeat", "Targeted", "Thaw",
    "Thawing", "ToBattle", "UseActive", "Win",
]
