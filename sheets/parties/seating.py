"""The seats of the open scenes of a party, which is locked with its sheets.

One open scene is the main one: whoever sits in none of the others sits there.
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
from sheets.models.webhooks import happened
from sheets.press.log import announce
from sheets.press.turns import pass_turn_of
from sheets.scenes.log import open_scene

MOST_OPEN = 20
"""The most scenes of a party that are open at once."""


def open_another(party: Party, name: str, keys: Collection[UUID], user: User) -> Scene:
    """Open a scene beside the open ones, in which the sheets with these keys sit; they leave their scenes."""
    scene = open_scene(party, user, name, apart=bool(party.open_scenes))
    seat_in(party, scene, keys, user)
    return scene


def seat_in(party: Party, scene: Scene, keys: Collection[UUID], user: User | None) -> None:
    """Seat the sheets with these keys in an open scene; whoever else sat there goes to the main one.

    Nobody leaves the main scene but for another one. Two who play each other stay together.
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
            # Keep the state that a step of the turn has just written.
            Sheet.objects.filter(pk__in=moved).update(scene=seat)
    announce(party)


def keys_in(texts: Iterable[str]) -> set[UUID]:
    """Return the keys in a form; texts that are not keys are ignored."""
    return {UUID(one) for one in texts if is_key(one)}


def _with_their_foes(party: Party, sheets: Iterable[Sheet], keys: Collection[UUID]) -> set[Any]:
    """Return the keys of those sheets that are wanted, with those whom they play."""
    wanted = {one.pk for one in sheets if one.pk in keys}
    for sheet in sheets:
        sheet.party = party
        if sheet.pk in keys and (foe := paired_with(sheet)):
            wanted.add(foe.pk)
    return wanted


def close(party: Party, scene: Scene) -> None:
    """Close an open scene; its sheets go to the main one.

    If it was the main one, the oldest of those that are left becomes that, and everybody sits there who sits in none.
    """
    others = [one for one in party.open_scenes if one.pk != scene.pk]
    seated = party.sheets.filter(scene=scene.seat)
    store(scene, ended=timezone.now(), left=[str(key) for key in seated.values_list("pk", flat=True)] if others else [])
    leave(party, scene, others)
    happened(party, "scene.closed", scene=scene.pk)


def leave(party: Party, scene: Scene, others: list[Scene]) -> None:
    """Take the seats out of a scene that is not open any more, while these `others` are, the newest first."""
    if scene.apart:
        party.sheets.filter(scene=scene).update(scene=None)
    elif others:
        party.sheets.filter(scene=others[-1]).update(scene=None)
        store(others[-1], apart=False)


def reopen(party: Party, scene: Scene) -> None:
    """Open an ended scene again; beside other open ones those sit there who sat there last, and sit in no other now."""
    store(scene, "left", ended=None, closed=[], apart=bool(party.open_scenes))
    if scene.apart:
        party.sheets.filter(pk__in=scene.left, scene=None).update(scene=scene)
    store(scene, left=[])
    happened(party, "scene.opened", scene=scene.pk)
