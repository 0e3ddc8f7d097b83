"""The open scenes of a party as lists show them, and who may be seated in one."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from sheets.models import Member, Scene
from sheets.scenes.titles import scene_title
from sheets.stage.table import PartyTable
from sheets.stage.turn_words import whose_turn


@dataclass(frozen=True)
class SeatOffered:
    """A sheet that may be seated in a scene."""

    key: UUID
    name: str
    where: str
    """The title of the other open scene in which it sits, "" for none."""
    wanted: bool


def seats_offered(me: Member, wanted: Collection[str] = (), into: Scene | None = None) -> list[SeatOffered]:
    """Return the sheets that a GM may seat in the scene `into`, None for a new one; `wanted` are the ticked keys.

    Sheets that sit in that scene are ticked, too.
    """
    table = PartyTable(me, everywhere=True)
    if not table.open_scenes:
        return []
    found = []
    for one in table.participants:
        scene = next((each for each in table.open_scenes if each.seats(one.sheet)), None)
        there = scene is not None and scene == into
        found.append(SeatOffered(one.sheet.pk, one.name, scene_title(scene) if scene and not there else "",
                                 there or str(one.sheet.pk) in wanted))
    return found


@dataclass(frozen=True)
class OpenScene:
    """An open scene as a list of them shows it."""

    scene: Scene
    title: str
    whose_turn: str
    """A heading that says whose turn it is, as far as the reader sees that; "" for nobody's."""
    mine: bool
    """True if a sheet of the reader sits in it."""


def open_scenes(table: PartyTable) -> list[OpenScene]:
    """Return the open scenes of a party, newest first; whose turn it is is only filled in if there are several."""
    there = PartyTable(table.me, everywhere=True).participants if table.several else []
    return [OpenScene(scene, scene_title(scene),
                      whose_turn([one for one in there if str(one.sheet.pk) in scene.on]) if scene.round else "",
                      any(one.mine and scene.seats(one.sheet) for one in there)) for scene in table.open_scenes]
