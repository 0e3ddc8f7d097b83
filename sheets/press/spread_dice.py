"""The reach of the dice of one roll: which further targets they count against, and for how long."""

from uuid import UUID, uuid5

from rulesets.kit import Ruleset
from sheets.models import Event, Sheet
from sheets.models.events import APPLIED, OPEN
from sheets.rolls.stored import roll_of_event


def targets_reached(event: Event) -> set[str]:
    """Return the sheet keys of the targets with an open or applied effect of an event."""
    found = event.pending_effects.filter(state__in=(OPEN, APPLIED)).values_list("sheet_id", flat=True)
    return {str(pk) for pk in found} & {*event.aimed_at}


def is_over(event: Event, target: Sheet) -> bool:
    """Return True once the turn in which the dice of an event fell is over, or the target sits in another scene."""
    scene = target.party.scene_of(target) if target.party else None
    if event.scene_id != (scene.pk if scene else None):
        return True
    turns = Event.objects.filter(scene=event.scene_id, turn__isnull=False, undone=False, pk__gt=event.pk)
    passed = (one.turn_passed for one in turns.only("turn", "scene")) if scene else ()
    return any(one and (one.changes_round or str(event.sheet_id) not in one.after["on"]) for one in passed)


def area_key(event: Event, target: str) -> UUID:
    """Return the event key for an area's dice against one more target; it is fixed, so each target is hit only once."""
    return uuid5(event.key, target)


def meets_all(ruleset: Ruleset, first: Event) -> bool:
    """Return True if the dice of a roll have been compared with as many targets as they may be."""
    roll = roll_of_event(ruleset, first)
    most = ruleset.crossing.most_in_area(roll, first.fell) if roll else None
    if most is None:
        return False
    later = Event.objects.filter(sheet=first.sheet_id, party=first.party_id, roll=first.roll, undone=False,
                                 pk__gt=first.pk).only("key", "aimed_at")
    return 1 + sum(any(one.key == area_key(first, at) for at in one.aimed_at) for one in later) >= most
