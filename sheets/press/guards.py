"""The rolls by which somebody may still stop what landed: each is thrown once."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone

from sheets.character import Character
from sheets.models import Event, Landing, Question
from sheets.models.events import DISMISSED
from sheets.press.effects import Landed
from sheets.press.events import make_event
from sheets.press.log import LANDED, announce
from sheets.rolls.widgets import Widget
from sheets.scenes.log import record


def guarded(found: Iterable[Landed]) -> list[Landed]:
    """The same, each with the rolls by which somebody may still stop it; each of these is thrown once."""
    offered = [(one, list(_guards(one))) for one in found]
    names = [widget.key for _one, widgets in offered for widget in widgets]
    there = {one.character.sheet.pk for one, widgets in offered if widgets}
    gone = set(Event.objects.filter(sheet__in=there, widget__in=names).values_list("widget", flat=True)) \
        if names else ()
    return [replace(one, guards=tuple(widget for widget in widgets if widget.key not in gone))
            for one, widgets in offered]


def _guards(landed: Landed) -> Iterator[Widget]:
    character, act = landed.character, landed.widget.made if landed.decides else None
    if act is None:
        return
    event, party = landed.landing.event, character.sheet.party
    asked = bool(party and party.waits and Question.objects.filter(sheet=event.sheet_id, key=event.key).exists())
    for offer in character.ruleset.crossing.guards(character.written, character.play, act, asked=asked):
        yield Widget(replace(offer, key=f"{LANDED[1:]}{landed.landing.pk}"))


def guard(landing: Landing, widget: Widget, key: UUID, who: User) -> Event:
    """Throws such a roll at a sheet that is held with its party; where it stops what landed, nothing comes of that."""
    sheet = landing.sheet
    character = Character(sheet)
    event = make_event(character, widget, key, who=who)
    sheet.played = timezone.now()
    sheet.save(update_fields=["played"])
    record(event, opens=False)
    if event.outcome in character.ruleset.crossing.stopping:
        landing.state = DISMISSED
        landing.save(update_fields=["state"])
    announce(sheet.party, told=True)
    return event
