"""Effects of avatars on damage and dice: Steel Guardian, and Flink after the roll (BD-15, BD-24)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice.house import BattleDiceHouse
from rulesets.battle_dice.play.avatars import avatar_names
from rulesets.kit import Refused, Wording

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice

STEEL_GUARDIAN, ALLEIN_IM_NORDEN = "Steel Guardian", "Allein im Norden"


def frost_surcharge(sheet: "BattleDice", play: "BattleDicePlay", index: int | None) -> int:
    """Return the mana that frost adds to an effect's cost, however many tokens there are (BD-25); 0 for the mage."""
    frosted = index is not None and play.avatars[index].is_frosted
    return sheet.house_or(BattleDiceHouse).frost_mana if frosted else 0


def can_add_flink(sheet: "BattleDice", play: "BattleDicePlay") -> bool:
    """Return True if an avatar can still add Flink to the rolled dice, which costs 1 time mana or more."""
    return bool(play.defenders) and any(
        one.name == ALLEIN_IM_NORDEN and 1 + frost_surcharge(sheet, play, index) <= play.mana
        for index, avatar in enumerate(play.avatars) if play.life_left(sheet, avatar)
        for one in play.avatar_card(sheet, avatar).card_effects if one.kind == "active")


def guardian_cost(sheet: "BattleDice", play: "BattleDicePlay", index: int) -> int | None:
    """Return the cost of an avatar's Steel Guardian; None if it has none or no life left."""
    if index >= len(play.avatars) or not play.life_left(sheet, play.avatars[index]):
        return None
    effects = (one for one in play.avatar_card(sheet, play.avatars[index]).card_effects if one.name == STEEL_GUARDIAN)
    if (effect := next(effects, None)) is None or not isinstance(effect.cost, int):
        return None
    return effect.cost + frost_surcharge(sheet, play, index)


def guardian_titles(sheet: "BattleDice", play: "BattleDicePlay", title: Wording) -> Iterator[tuple[int, str]]:
    """Yield (index of the avatar, title of the act) of each affordable Steel Guardian."""
    if not play.is_playing or play.is_crowded:
        return
    for index, name in enumerate(avatar_names(play)):
        if (cost := guardian_cost(sheet, play, index)) is not None and cost <= play.mana:
            yield index, _("{act}, 1 less with {card}").format(act=title, card=name)


def apply_guardian(sheet: "BattleDice", play: "BattleDicePlay", index: int | None,
                   points: int) -> "tuple[BattleDicePlay, int]":
    """Return (state, damage left) after an avatar has taken 1 damage; both unchanged if `index` is None."""
    if index is None:
        return play, points
    cost = guardian_cost(sheet, play, index)
    if not points or cost is None or cost > play.mana:
        raise Refused(_("{effect} cannot be used now.").format(effect=STEEL_GUARDIAN))
    return play.add_mana(-cost).damage_avatar(index, 1).count_suffered(1), points - 1
