"""The luck of a sheet: those of its rolls that count, as its reader sees them."""

from django.db.models import QuerySet

from sheets.character import Character
from sheets.models import Event, Receipt
from sheets.press.log import as_seen, superseded
from sheets.rolls.luck import MAX_ROLLS_COUNTED, Luck, luck_of_events

UNREAD = ("before", "before_data")
"""The long columns of an event that are not needed here."""


def luck_of(character: Character) -> Luck:
    """Return the luck in the newest rolls of a character that its reader may see."""
    standing = standing_rolls(character.sheet.events.all())
    for event in standing:
        event.sheet = character.sheet
    return luck_of_events(character.ruleset, ((seen, "") for seen in as_seen(character, standing)))


def standing_rolls(events: QuerySet[Event]) -> list[Event]:
    """Return the newest rolls among some events that are signed and open, and whose outcome stands, newest first."""
    newest = events.filter(undone=False, hidden=False).exclude(roll="").defer(*UNREAD).order_by("-pk")
    read = [*newest[:MAX_ROLLS_COUNTED]]
    signed = Receipt.objects.filter(event__in=read, key__isnull=False).values_list("event_id", "rolled")
    # Rolls that kept dice of an earlier roll are no new luck.
    new, gone = {key for key, rolled in signed if not {"again", "kept"} <= {*(rolled or {})}}, superseded(read)
    return [one for one in read if one.pk in new and one.pk not in gone]
