"""Battle Dice at the table: a game from one player's side, and the acts that lead through it."""

from rulesets.battle_dice.play.assault import AimAt, Attacked, Declare, LetAim, LetBlock, TakeAim, Targeted
from rulesets.battle_dice.play.blows import Deal, Freeze, Hit, Snowball, TakeHit, Thaw, Thawing
from rulesets.battle_dice.play.by_cards import Cure, DrawByCard, Hold, Sacrifice
from rulesets.battle_dice.play.effects import React, UseActive
from rulesets.battle_dice.play.fight import Aimed, AimedAtMage, Block, Damage, Defend, NextTurn, NoAttack, TakeRest
from rulesets.battle_dice.play.healing import RemoveMark, RollHeilung, Settle
from rulesets.battle_dice.play.state import BattleDicePlay
from rulesets.battle_dice.play.summoning import Destroy, Summon, SummonMinion
from rulesets.battle_dice.play.turn import Attack, Focus, PutAway, SkipBattle, StartGame, ToBattle
from rulesets.battle_dice.play.upkeep import ChangeMana, EndGame, Frost, Lose, Melt, Strike, Win
from rulesets.battle_dice.play.versus import AcceptGame, Beaten, Challenge, TakeSeat

__all__ = [
    "AcceptGame", "AimAt", "Aimed", "AimedAtMage", "Attack", "Attacked", "BattleDicePlay", "Beaten", "Block",
    "Challenge", "ChangeMana", "Cure", "Damage", "Deal", "Declare", "Defend", "Destroy", "DrawByCard", "EndGame",
    "Focus", "Freeze", "Frost", "Hit", "Hold", "LetAim", "LetBlock", "Lose", "Melt", "NextTurn", "NoAttack",
    "PutAway", "React", "RemoveMark", "RollHeilung", "Sacrifice", "Settle", "SkipBattle", "Snowball", "StartGame",
    "Strike", "Summon", "SummonMinion", "TakeAim", "TakeHit", "TakeRest", "TakeSeat", "Targeted", "Thaw", "Thawing",
    "ToBattle", "UseActive", "Win",
]
