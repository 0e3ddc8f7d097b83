"""The order of turns in a scene: whose turn it is, and whose is next."""

from collections.abc import Sequence
from dataclasses import dataclass

from rulesets.kit import Turns
from sheets.models import Scene
from sheets.models.event_kinds import TurnOrder

TURN = ("order", "round", "on", "done", "held")
"""The fields of a scene that describe the turn."""
CLOCK = ("turn_began", "turn_until", "reminded")
"""The fields of a scene that describe the time that the turn has."""


@dataclass(frozen=True)
class OrderedSeat:
    """A seat in the order of turns: its sheet's key, if it is an opponent's, and if it takes turns."""

    key: str
    opponent: bool
    due: bool


def turn_of(scene: Scene) -> TurnOrder:
    """Return the state of a scene's turn."""
    return TurnOrder(order=scene.order, round=scene.round, on=scene.on, done=scene.done, held=scene.held)


def turn_token(scene: Scene) -> str:
    """Return a token that changes with every turn."""
    return f"{scene.round}.{','.join(scene.on)}"


def keys_done(scene: Scene, seats: Sequence[OrderedSeat]) -> list[str]:
    """Return the keys of the seats that have had their turn in this round."""
    if scene.done is not None:
        return list(scene.done)
    # Scenes of older versions store only whose turn it is.
    keys = [one.key for one in seats]
    last = max((keys.index(one) for one in scene.on if one in keys), default=-1)
    return keys[:last + 1]


def together(scene: Scene, turns: Turns) -> bool:
    """Return True if several seats are on at once, in any order."""
    return scene.free or turns.together == "all" or (turns.together == "side" and not scene.order)


def next_on(scene: Scene, turns: Turns, seats: Sequence[OrderedSeat]) -> list[str]:
    """Return the keys of the seats, given in order, that are on next in this round; none if it is over."""
    done_keys = keys_done(scene, seats)
    left = [one for one in seats if one.due and one.key not in done_keys]
    if not left:
        return []
    if not together(scene, turns):
        return [left[0].key]
    left = [one for one in left if one.key not in scene.held] or left
    if scene.free or turns.together == "all":
        return [one.key for one in left]
    return [one.key for one in left if one.opponent == left[0].opponent]
