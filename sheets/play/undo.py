"""The last act of a sheet, taken back."""

from dataclasses import replace

from django.contrib.auth.models import User
from django.db.models import F
from django.utils import timezone

from sheets.audit_log import chain
from sheets.history import saves
from sheets.models import Event, Party, Sheet
from sheets.models.reviews import PLAYED
from sheets.play.event_log import last_act
from sheets.play.services import announce
from sheets.rolls.repeats import uncounted
from sheets.status.reviews import review_status, since


def _unshare(party: Party, event: Event) -> None:
    """Takes back by as much as the act changed: others may have counted on since."""
    party.table = {**party.table, **uncounted(party.table, event)}


def _as_before(sheet: Sheet, event: Event, who: User | None) -> None:
    """What an act changed for good is played as it was before; an approval that came since stays as it is.

    So what was played before the approval in force, or in another party, is not played again.
    """
    taken = review_status(sheet)
    if event.before_revision and taken.approval and taken.played != taken.approval and (
            event.party_id == sheet.party_id and since(sheet, taken.approval).filter(
                revision_number=event.before_revision).exists()):
        chain.append(PLAYED, who, sheet=sheet, revision=sheet.revisions.get(number=event.before_revision))


def undo_act(sheet: Sheet, pk: int, who: User | None = None) -> bool:
    """Takes the last act of a locked sheet back, if it is the one meant; a roll stays rolled.

    An act that changed the sheet for good stays once the sheet was changed otherwise since.
    """
    event = last_act(sheet)
    if event is None or event.pk != pk or event.version not in (None, sheet.version):
        return False
    if event.before_data is not None:
        _as_before(sheet, event, who)
        saves.save(sheet, replace(sheet.state, data=event.before_data))
        if sheet.version != event.version:
            # The acts before it find the sheet as they left it, though under new numbers.
            sheet.events.filter(undone=False, pk__lt=event.pk, version__isnull=False).update(
                version=F("version") + sheet.version - event.version + 1)
    sheet.play, sheet.played = event.before, timezone.now()
    sheet.save(update_fields=["play", "played"])
    event.undone = True
    event.save(update_fields=["undone"])
    if sheet.party:
        if event.group and event.party_id == sheet.party_id:
            _unshare(sheet.party, event)
        announce(sheet.party, table=bool(event.group))
    return True

