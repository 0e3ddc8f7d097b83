"""Avatars help the mage as damage comes: a Steel Guardian, and Flink on dice that lie there (BD-15, BD-24)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.battle_dice.house import BattleDiceHouse
from rulesets.battle_dice.play.avatars import named
from rulesets.kit import Refused, Wording

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay
    from rulesets.battle_dice.sheet import BattleDice

GUARDIAN, NORTH = "Steel Guardian", "Allein im Norden"


def frozen(sheet: "BattleDice", play: "BattleDicePlay", index: int | None) -> int:
    """Return what frost adds to the cost of an avatar's actives, however many tokens there are (BD-25)."""
    frosted = index is not None and play.avatars[index].frosted
    return sheet.house_or(BattleDiceHouse).frost_mana if frosted else 0


def quickens(sheet: "BattleDice", play: "BattleDicePlay") -> bool:
    """Tell whether an avatar can still give Flink to the dice that lie there, for one time mana and what frost adds."""
    return bool(play.defenders) and any(
        one.name == NORTH and 1 + frozen(sheet, play, index) <= play.mana
        for index, avatar in enumerate(play.avatars) if play.left(sheet, avatar)
        for one in play.face_of(sheet, avatar).effects_on_it if one.kind == "active")


def cost_of(sheet: "BattleDice", play: "BattleDicePlay", index: int) -> int | None:
    """Return what the effect costs the avatar now; None if it has none or no life."""
    if index >= len(play.avatars) or not play.left(sheet, play.avatars[index]):
        return None
    found = (one for one in play.face_of(sheet, play.avatars[index]).effects_on_it if one.name == GUARDIAN)
    if (effect := next(found, None)) is None or not isinstance(effect.cost, int):
        return None
    return effect.cost + frozen(sheet, play, index)


def guardians(sheet: "BattleDice", play: "BattleDicePlay", title: Wording) -> Iterator[tuple[int, str]]:
    """Yield (avatar's index, title of the act with it) of each that can reduce an effect's damage now."""
    if not play.playing or play.crowded:
        return
    for index, name in enumerate(named(play)):
        if (cost := cost_of(sheet, play, index)) is not None and cost <= play.mana:
            yield index, _("{act}, 1 less by {card}").format(act=title, card=name)


def guarded(sheet: "BattleDice", play: "BattleDicePlay", index: int | None,
            points: int) -> "tuple[BattleDicePlay, int]":
    """Return (state, damage that is left) once an avatar has taken 1 of it upon itself; the same without one."""
    if index is None:
        return play, points
    cost = cost_of(sheet, play, index)
    if not points or cost is None or cost > play.mana:
        raise Refused(_("{effect} cannot be used now.").format(effect=GUARDIAN))
    return play.richer(-cost).struck(index, 1).suffering(1), points - 1
