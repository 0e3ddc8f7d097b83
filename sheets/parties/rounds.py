"""What all at a table do at once."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from rulesets.kit import Refused
from sheets.character import Character
from sheets.models import Event, Sheet
from sheets.parties.table import PartyTable
from sheets.play.event_log import announce
from sheets.play.services import Fallen, make_event
from sheets.rolls.widgets import Widget
from sheets.secrets import refusal


def act_for_all(party_table: PartyTable, widget: Widget, characters: Iterable[Character], key: UUID, who: User,
                fallen: Mapping[Any, Fallen | None] | None = None) -> list[tuple[str, str]]:
    """All roll, or act, at once: an event each; answers (name, why not) of those who cannot.

    The party is held with its sheets; `fallen` are dice that fell before, {key of the sheet: dice}.
    """
    party, table = party_table.party, party_table.table
    characters = list(characters)
    places = {participant.sheet.pk: participant.place for participant in party_table.participants}
    events, refused = [], []
    for character in characters:
        try:
            # Read anew: what the party counts in common has changed with whoever came before.
            now = Character(character.sheet, character.review_status)
            events.append(make_event(now, widget, key, who=who, fallen=(fallen or {}).get(character.sheet.pk)))
            character.sheet.played = timezone.now()
        except Refused as error:
            why = refusal(character.ruleset, error, others=character.others)
            refused.append((character.name or _("Without a name"), why))
    Event.objects.bulk_create(events)
    Sheet.objects.bulk_update([event.sheet for event in events], ["play", "played"])
    if any(table.place(Character(one.sheet, one.review_status, others=one.others).seated) != places[one.sheet.pk]
           for one in characters):
        # Whom the GM let go first went first in the last round.
        party.order = []
    announce(party, table=True)
    return refused
