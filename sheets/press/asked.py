"""Rolls that a GM asks of a sheet, and the events that answer them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import CharField, ExpressionWrapper, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from rulesets.kit import Offer
from sheets.character import Character
from sheets.models import AskedRoll, Event
from sheets.models.compiled_queries import compiled
from sheets.rolls.widgets import Widget, find_row_again, key_of

# Events of a sheet are stored in order of time, so only those after the last one before the request are searched.
BEFORE = Event.objects.filter(sheet=OuterRef(OuterRef("sheet")), made__lt=OuterRef(OuterRef("made")))
FIRST = Subquery(Event.objects.annotate(asked=ExpressionWrapper(OuterRef("row"), CharField())).filter(
    Q(asked="", widget=OuterRef("widget")) | ~Q(asked="") & Q(row=F("asked")), sheet=OuterRef("sheet"),
    pk__gt=Coalesce(Subquery(BEFORE.order_by("-pk").values("pk")[:1]), 0),
).exclude(roll="").order_by("pk").values("pk")[:1])
"""Subquery for the primary key of the event that answers an asked roll."""


@dataclass(frozen=True)
class Asked:
    """An asked roll that has not been made yet, with its character and its widget."""

    roll: AskedRoll
    character: Character
    widget: Widget

    @property
    def at_once(self) -> bool:
        """True if a single press makes the roll, because no input is missing."""
        return bool(self.widget.complete)


def asked_rolls(party: UUID) -> QuerySet[AskedRoll]:
    """Return the rolls that the GMs of a party ask of its sheets, the oldest first."""
    return AskedRoll.objects.filter(party=party, sheet__party=F("party"), sheet__deleted=None).order_by("pk")


@compiled
def asked_at(party: Any) -> QuerySet[AskedRoll]:
    """Return `asked_rolls` by a compiled query."""
    return asked_rolls(party)


def answering_events(rolls: Iterable[AskedRoll]) -> dict[int, Event]:
    """Return {key of the request: the event that answers it} for the requests that are answered."""
    if not (asked := list(rolls)):
        return {}
    first = AskedRoll.objects.filter(pk__in=[one.pk for one in asked]).values(first=FIRST)
    events = list(Event.objects.filter(pk__in=first).order_by("pk"))
    found = {one.pk: next((event for event in events if _is_of(event, one) and event.made >= one.made), None)
             for one in asked}
    return {key: event for key, event in found.items() if event}


def _is_of(event: Event, roll: AskedRoll) -> bool:
    """Return True if an event answers an asked roll; requests without a row are matched by the widget's name."""
    same = event.row == roll.row if roll.row else event.widget == roll.widget
    return same and event.sheet_id == roll.sheet_id


def _meant(character: Character, roll: AskedRoll) -> Offer | None:
    """Return the character's current offer of an asked roll, even if its row has moved; None if it has none."""
    which, mark = roll.widget, roll.row.rpartition("~")[2]
    if mark:
        which = find_row_again(character.rolls(), which, mark)
    return next((one for one in character.rolls() if key_of(one) == which), None)


def asked_of(rolls: Iterable[AskedRoll], characters: Iterable[Character]) -> list[Asked]:
    """Return the unanswered ones of these rolls for characters that the reader plays and that are not barred."""
    there = {one.sheet.pk: one for one in characters if not (one.others or one.barred)}
    waiting = [one for one in rolls if one.sheet_id in there]
    done = answering_events(waiting)
    return [Asked(roll, there[roll.sheet_id], Widget(offer)) for roll in waiting
            if roll.pk not in done and (offer := _meant(there[roll.sheet_id], roll))]
