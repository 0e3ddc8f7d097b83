"""A character's seat in the order of turns, including if it has used the action of its turn."""

from dataclasses import replace

from rulesets.kit import Seated, Turns
from sheets.character import Character
from sheets.models import Event, Scene, Sheet


def current_seat(character: Character, scene: Scene, turns: Turns) -> Seated:
    """Return a character's current seat in the turns of a scene."""
    return replace(character.as_seated, acted=acted(scene, character.sheet, turns))


def acted(scene: Scene, sheet: Sheet, turns: Turns) -> bool:
    """Return True if a sheet that is on has made a roll that counts as an action since the last turn event."""
    if not turns.actions or str(sheet.pk) not in scene.on:
        return False
    there = Event.objects.filter(scene=scene, undone=False)
    began = there.filter(turn__isnull=False).order_by("-pk").values_list("pk", flat=True)[:1]
    made = there.filter(sheet=sheet, act="", roll__in=[one.slug for one in turns.actions])
    return made.filter(pk__gt=next(iter(began), 0)).exists()
