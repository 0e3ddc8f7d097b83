"""Drafts: made, within a guest's limits, thrown away, and gone for good when nobody comes back for them."""

from contextlib import nullcontext
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import ngettext

from builder import rate_limit
from rulesets import systems
from rulesets.kit import Data, Ruleset, blank, slots
from sheets.access import belonging, editable, lock_sheet, membership, user_of
from sheets.models import DICE, Sheet
from sheets.models.store import store
from sheets.parties import services as parties
from sheets.parties.services import Full
from sheets.removal import remove_sheets
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status

GUEST_DRAFTS = 30
"""Drafts that one browser may keep without an account."""
GUEST_DAYS, DELETED_DAYS = 60, 30
"""Days after which a guest's drafts that nobody changes or plays, and thrown away ones, are gone for good."""
AT_ONCE = 20
"""Sheets of each kind, and sessions, that are removed in passing, so that nobody waits for others' to go."""


class TooMany(Exception):
    """A guest has as many drafts as a browser may keep; the message says the way out."""


def create(request: HttpRequest, ruleset: Ruleset, document: Data | None = None, *, party: UUID | None = None,
           rolled: bool = False) -> Sheet:
    """Make a new draft of the request's own (`TooMany` for a guest with too many); its concept is what the dice made.

    It can be made in a party that the request is in (`Full` where that has no room); `rolled` is whether the dice made
    the document just now.
    """
    tidy()
    room(request)
    rate_limit.take(request, rate_limit.DRAFTS)
    document = document or ruleset.document(data=begun(ruleset))
    with transaction.atomic() if party else nullcontext():
        where = membership(request, party, lock=True).party if party else None
        made = Sheet.objects.create(
            ruleset=ruleset.slug, name=document["name"], data=document["data"], house=document.get("house", {}),
            typed=document.get("typed", {}), play=document.get("play", {}), notes=document.get("notes", ""),
            concept=document.get("concept", ""), page=f"{DICE} 1" if rolled else "", **belonging(request),
        )
        if where and made.owner:
            parties.bring_sheet(where, made, made.owner)
    return made


def begun(ruleset: Ruleset) -> Data:
    """The data of an empty sheet, with the rows that the builder begins with."""
    begun = {key: [blank(slot.parts[0]) for _row in range(slot.ask.ready)] for key, slot in slots(ruleset.sheet).items()
             if slot.ask.ready}
    return blank(ruleset.sheet, **begun)


def room(request: HttpRequest) -> None:
    """Raise `TooMany` for a guest who has as many drafts as a browser may keep."""
    if not request.user.is_authenticated and editable(request).count() >= GUEST_DRAFTS:
        raise TooMany(ngettext(
            "This browser keeps {n} draft already; delete one, or sign in.",
            "This browser keeps {n} drafts already; delete some, or sign in.", GUEST_DRAFTS,
        ).format(n=GUEST_DRAFTS))


def trash(request: HttpRequest) -> QuerySet[Sheet]:
    """Return the sheets that the requester threw away and can still have back."""
    return editable(request, deleted=True).filter(deleted__gt=_since(DELETED_DAYS), ruleset__in=list(systems()))


def days_left(sheet: Sheet) -> int:
    """Return for how many days, the running one included, a thrown away sheet can still be brought back."""
    return ((sheet.deleted or timezone.now()) - _since(DELETED_DAYS)).days + 1


def throw_away(request: HttpRequest, pk: UUID) -> Sheet:
    """Throw a sheet of the request's own into the trash (Http404); what waits for the GMs waits no longer."""
    tidy()
    with transaction.atomic():
        sheet = lock_sheet(request, pk)
        if (user := user_of(request)) and review_status(sheet).waiting:
            reviews.recall(sheet, user)
        store(sheet, deleted=timezone.now())
    return sheet


def bring_back(request: HttpRequest, pk: UUID) -> tuple[Sheet, str]:
    """Take a sheet out of the trash (Http404, `TooMany`), back to its party; return it and why it is not there, if so.

    Whoever has left that party took the sheet out of it.
    """
    full = ""
    with transaction.atomic():
        sheet = lock_sheet(request, pk, trash)
        room(request)
        if sheet.party:
            try:
                parties.room_for(sheet.party, 1)
            except Full as error:
                full = str(error)
                parties.release_sheets(sheet.party, Sheet.objects.filter(pk=pk), sheet.owner)
        store(sheet, deleted=None)
    return sheet, full


def burn(request: HttpRequest, pk: UUID) -> Sheet:
    """Delete a sheet in the trash for good (Http404), with all that was kept of it; the chain of reviews says so."""
    with transaction.atomic():
        sheet = lock_sheet(request, pk, trash)
        remove_sheets([sheet.pk])
    return sheet


def tidy() -> int:
    """Remove some of what nobody came back for, the oldest first; return how many sheets went.

    Sessions that have run out go with them.
    """
    since = _since(GUEST_DAYS)
    unplayed = Q(played=None) | Q(played__lt=since)
    old = Sheet.objects.filter(unplayed, owner=None, updated__lt=since).order_by("updated")
    over = Session.objects.filter(expire_date__lt=timezone.now()).values_list("pk", flat=True)[:AT_ONCE]
    Session.objects.filter(pk__in=list(over)).delete()
    return _removed(old) + _removed(Sheet.objects.filter(deleted__lt=_since(DELETED_DAYS)).order_by("deleted"))


@transaction.atomic
def _removed(sheets: QuerySet[Sheet]) -> int:
    # Held before the chain of reviews is, as everywhere; what somebody else removes just now is left to them.
    some = list(sheets.select_for_update(skip_locked=True).values_list("pk", flat=True)[:AT_ONCE])
    return remove_sheets(some) if some else 0


def _since(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)
