"""The seats in a party's open scenes. Callers must have locked the party and its sheets.

One open scene is the main one; sheets that sit in no other scene sit there.
"""

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from sheets.character import paired_with
from sheets.models import Party, Scene, Sheet, is_key
from sheets.models.store import store
from sheets.models.webhooks import record_happening
from sheets.press.log import announce
from sheets.press.turns import pass_turn_of
from sheets.scenes.log import open_scene

MOST_OPEN = 20
"""The most open scenes of a party."""


def open_another(party: Party, name: str, keys: Collection[UUID], user: User) -> Scene:
    """Open one more scene and move the sheets with these keys into it."""
    scene = open_scene(party, user, name, apart=bool(party.open_scenes))
    seat_in(party, scene, keys, user)
    return scene


def seat_in(party: Party, scene: Scene, keys: Collection[UUID], user: User | None) -> None:
    """Seat the sheets with these keys in an open scene; all others leave it for the main one.

    Sheets leave the main scene only if they are moved to another. Two that play each other stay together.
    """
    sheets = list(party.sheets.not_deleted().filter(offered=False).order_by("pk"))
    wanted = _with_their_foes(party, sheets, keys)
    there = {one.pk for one in sheets if scene.seats(one)}
    come, go = wanted - there, there - wanted if scene.apart else set()
    main = next((one for one in party.open_scenes if not one.apart), None)
    for moved, seat in ((come, scene.seat), (go, main.seat if main else None)):
        if moved:
            pass_turn_of(party, moved, user)
            party.questions.filter(Q(sheet__in=moved) | Q(target__in=moved), response__isnull=True).delete()
            # Write this column only, because a step of the turn may just have written the sheets' state of play.
            Sheet.objects.filter(pk__in=moved).update(scene=seat)
    announce(party)


def keys_in(texts: Iterable[str]) -> set[UUID]:
    """Return the keys in a form; texts that are not keys are ignored."""
    return {UUID(one) for one in texts if is_key(one)}


def _with_their_foes(party: Party, sheets: Iterable[Sheet], keys: Collection[UUID]) -> set[Any]:
    """Return the keys of the wanted sheets and of the sheets that they are paired with."""
    wanted = {one.pk for one in sheets if one.pk in keys}
    for sheet in sheets:
        sheet.party = party
        if sheet.pk in keys and (foe := paired_with(sheet)):
            wanted.add(foe.pk)
    return wanted


def close(party: Party, scene: Scene) -> None:
    """Close an open scene and move its sheets to the main one.

    If it was the main one, the oldest scene that is still open becomes the main one.
    """
    others = [one for one in party.open_scenes if one.pk != scene.pk]
    seated = party.sheets.filter(scene=scene.seat)
    store(scene, ended=timezone.now(), left=[str(key) for key in seated.values_list("pk", flat=True)] if others else [])
    leave(party, scene, others)
    record_happening(party, "scene.closed", scene=scene.pk)


def leave(party: Party, scene: Scene, others: list[Scene]) -> None:
    """Empty the seats of a scene that is no longer open; `others` are the open scenes, the newest first."""
    if scene.apart:
        party.sheets.filter(scene=scene).update(scene=None)
    elif others:
        party.sheets.filter(scene=others[-1]).update(scene=None)
        store(others[-1], apart=False)


def reopen(party: Party, scene: Scene) -> None:
    """Reopen an ended scene; if others are open, the sheets that it had at its end return from the main one."""
    store(scene, "left", ended=None, closed=[], apart=bool(party.open_scenes))
    if scene.apart:
        party.sheets.filter(pk__in=scene.left, scene=None).update(scene=scene)
    store(scene, left=[])
    record_happening(party, "scene.opened", scene=scene.pk)
