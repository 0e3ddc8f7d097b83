"""Ending the turn and the game of two of a sheet that leaves the table; the end of a game cannot be undone."""

from uuid import uuid4

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from rulesets import systems
from rulesets.kit import Wording
from sheets.character import Character, paired_with
from sheets.models import Event, Party, Sheet
from sheets.models.event_kinds import Pressed
from sheets.models.store import store
from sheets.press.log import announce
from sheets.press.record_events import in_each_language, record_act
from sheets.press.turns import pass_turn_of
from sheets.rolls.widgets import Widget
from sheets.scenes.log import record

LEFT = _("Left the table; the game is over")
LEFT_ALONE = _("Your opponent has left the table; the game is over")


def part(party: Party, leaving: QuerySet[Sheet], user: User | None) -> None:
    """Pass on the turn of sheets leaving a party, and end their games of two for both; the party is locked."""
    pass_turn_of(party, list(leaving.values_list("pk", flat=True)), user)
    if (ruleset := systems().get(party.ruleset)) is None or ruleset.crossing.pairs is None:
        return
    left = {one.pk: one for one in leaving.order_by("pk").select_for_update(of=("self",))}
    ended = False
    for sheet in left.values():
        sheet.party = party
        there = paired_with(sheet, gone=True)
        if _end(sheet, LEFT, user):
            ended = True
            other = there and (left.get(there.pk) or Sheet.objects.select_for_update(of=("self",)).get(pk=there.pk))
            if other:
                other.party = party
                _end(other, LEFT if other.pk in left else LEFT_ALONE, user)
    if ended:
        announce(party)


def _end(sheet: Sheet, title: Wording, user: User | None) -> bool:
    """End the game of a paired sheet; return True if that was done."""
    try:
        character = Character(sheet)
    except ValidationError:
        # The rules cannot read the sheet, so it cannot be in a game.
        return False
    crossing = character.ruleset.crossing
    if not crossing.paired(character.play):
        return False
    offer = next(crossing.offers_without_partner(character.written, character.play), None)
    widget = Widget(offer) if offer else None
    if widget is None or widget.complete is None:
        return False
    pressed = Pressed(user, uuid4(), widget.key, str(title), in_each_language(lambda: str(title)))
    event = Event.of(pressed, sheet=sheet, party=sheet.party)
    record_act(character, event, widget.complete, widget.complete.apply(character.written, character.play))
    # An act without `before` cannot be undone, and neither can those before it.
    event.before = None
    store(sheet, "play", played=timezone.now())
    record(event, opens=False)
    return True
