"""The order of turns in a scene: who stands where, who is on, who comes next."""

from collections.abc import Sequence
from dataclasses import dataclass

from rulesets.kit import Turns
from sheets.models import Scene
from sheets.models.event_kinds import TurnOrder

TURN = ("order", "round", "on", "done", "held")
"""The fields of a scene that say whose turn it is."""


@dataclass(frozen=True)
class OrderedSeat:
    """A seat in the order of turns: the key of its sheet, whether an opponent's, whether a turn may be due to it."""

    key: str
    opponent: bool
    due: bool


def turn_of(scene: Scene) -> TurnOrder:
    """Return what of a scene says whose turn it is."""
    return TurnOrder(order=scene.order, round=scene.round, on=scene.on, done=scene.done, held=scene.held)


def turn_token(scene: Scene) -> str:
    """Return the change token of the turn, another one as soon as it is somebody else's."""
    return f"{scene.round}.{','.join(scene.on)}"


def done(scene: Scene, seats: Sequence[OrderedSeat]) -> list[str]:
    """Return the keys of those who have had their turn in this round."""
    if scene.done is not None:
        return list(scene.done)
    # The order of an older version knew only whose turn it was.
    keys = [one.key for one in seats]
    last = max((keys.index(one) for one in scene.on if one in keys), default=-1)
    return keys[:last + 1]


def together(scene: Scene, turns: Turns) -> bool:
    """Return True if several are on at once, who go in any order."""
    return scene.free or turns.together == "all" or (turns.together == "side" and not scene.order)


def next_on(scene: Scene, turns: Turns, seats: Sequence[OrderedSeat]) -> list[str]:
    """Return the keys of those who are on next in this round, of seats in their order; none if it is over."""
    had = done(scene, seats)
    left = [one for one in seats if one.due and one.key not in had]
    if not left:
        return []
    if not together(scene, turns):
        return [left[0].key]
    left = [one for one in left if one.key not in scene.held] or left
    if scene.free or turns.together == "all":
        return [one.key for one in left]
    return [one.key for one in left if one.opponent == left[0].opponent]
