"""Rolls that a GM asks for: what waits at a sheet for whoever plays it, and what has answered it."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, QuerySet

from sheets.character import Character
from sheets.models import AskedRoll, Event
from sheets.rolls.widgets import Widget, key_of


@dataclass(frozen=True)
class Asked:
    """A roll that somebody is asked for and has not made yet."""

    roll: AskedRoll
    character: Character
    widget: Widget

    @property
    def at_once(self) -> bool:
        """Whether one press makes it: it asks nothing that has no answer yet."""
        return bool(self.widget.made)


def asked_rolls(party: UUID) -> QuerySet[AskedRoll]:
    """What the GMs of a party ask of its sheets, the oldest first."""
    return AskedRoll.objects.filter(party=party, sheet__party=F("party"), sheet__deleted=None).order_by("pk")


def answers(rolls: Iterable[AskedRoll]) -> dict[int, Event]:
    """{key of what is asked: the event that answers it}, of those that are answered."""
    asked = list(rolls)
    if not asked:
        return {}
    events = list(Event.objects.filter(sheet__in={one.sheet_id for one in asked}, made__gte=min(
        one.made for one in asked), widget__in={one.widget for one in asked}).exclude(roll="").order_by("pk"))
    found = {one.pk: next((event for event in events if (event.sheet_id, event.widget) == (one.sheet_id, one.widget)
                           and event.made >= one.made), None) for one in asked}
    return {key: event for key, event in found.items() if event}


def asked_of(rolls: Iterable[AskedRoll], characters: Iterable[Character]) -> list[Asked]:
    """What of those rolls is asked of characters that whoever looks plays, and is still to be made."""
    there = {one.sheet.pk: one for one in characters if not (one.others or one.barred)}
    waiting = [one for one in rolls if one.sheet_id in there]
    done, found = answers(waiting), []
    for roll in waiting:
        character = there[roll.sheet_id]
        offer = next((one for one in character.rolls() if key_of(one) == roll.widget), None)
        if offer and roll.pk not in done:
            found.append(Asked(roll, character, Widget(offer)))
    return found
