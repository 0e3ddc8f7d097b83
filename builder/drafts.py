"""Drafts: create them within a guest's limits, throw them away, bring them back, and delete abandoned ones."""

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
"""The most drafts of a browser without an account."""
GUEST_DAYS, DELETED_DAYS = 60, 30
"""Days after which a guest's unused drafts are deleted for good, and days after which thrown away sheets are."""
AT_ONCE = 20
"""The most guests' drafts, thrown away sheets and sessions that one call of `tidy` deletes, so that it stays short."""


class TooMany(Exception):
    """Raised if a guest has the most drafts that are allowed; the message says what to do."""


def create(request: HttpRequest, ruleset: Ruleset, document: Data | None = None, *, party: UUID | None = None,
           rolled: bool = False) -> Sheet:
    """Create a draft for the requester and return it; raise `TooMany` if a guest has too many.

    `party` is the key of the party to bring it into (`Full` if that has no room). `rolled` is True if the document
    was generated just now; its `concept` names the concept that it was generated from.
    """
    tidy()
    require_room(request)
    rate_limit.take(request, rate_limit.DRAFTS)
    document = document or ruleset.document(data=empty_data(ruleset))
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


def empty_data(ruleset: Ruleset) -> Data:
    """Return the data of an empty sheet, with the blank rows that its lists start with."""
    rows = {key: [blank(slot.parts[0]) for _row in range(slot.ask.initial_rows)]
            for key, slot in slots(ruleset.sheet).items() if slot.ask.initial_rows}
    return blank(ruleset.sheet, **rows)


def require_room(request: HttpRequest) -> None:
    """Raise `TooMany` if the requester is a guest with the most drafts that are allowed."""
    if not request.user.is_authenticated and editable(request).count() >= GUEST_DRAFTS:
        raise TooMany(ngettext(
            "This browser already has {n} draft; delete it, or sign in.",
            "This browser already has {n} drafts; delete some, or sign in.", GUEST_DRAFTS,
        ).format(n=GUEST_DRAFTS))


def trash(request: HttpRequest) -> QuerySet[Sheet]:
    """Return the thrown away sheets that the requester can still bring back."""
    return editable(request, deleted=True).filter(deleted__gt=_since(DELETED_DAYS), ruleset__in=list(systems()))


def days_left(sheet: Sheet) -> int:
    """Return the number of days, today included, for which a thrown away sheet can still be brought back."""
    return ((sheet.deleted or timezone.now()) - _since(DELETED_DAYS)).days + 1


def throw_away(request: HttpRequest, pk: UUID) -> Sheet:
    """Move a sheet of the requester's to the trash (Http404), and withdraw it from review if it is waiting for one."""
    tidy()
    with transaction.atomic():
        sheet = lock_sheet(request, pk)
        if (user := user_of(request)) and review_status(sheet).waiting:
            reviews.recall(sheet, user)
        store(sheet, deleted=timezone.now())
    return sheet


def bring_back(request: HttpRequest, pk: UUID) -> tuple[Sheet, str]:
    """Take a sheet out of the trash (Http404, `TooMany`), back into its party if that has room.

    Return (sheet, reason why it could not return to its party); the reason is "" if it could or had no party.
    """
    full = ""
    with transaction.atomic():
        sheet = lock_sheet(request, pk, trash)
        require_room(request)
        if sheet.party:
            try:
                parties.require_room(sheet.party, 1)
            except Full as error:
                full = str(error)
                parties.release_sheets(sheet.party, Sheet.objects.filter(pk=pk), sheet.owner)
        store(sheet, deleted=None)
    return sheet, full


def burn(request: HttpRequest, pk: UUID) -> Sheet:
    """Delete a sheet in the trash for good (Http404), with everything about it; the chain of reviews records it."""
    with transaction.atomic():
        sheet = lock_sheet(request, pk, trash)
        remove_sheets([sheet.pk])
    return sheet


def tidy() -> int:
    """Delete some abandoned and thrown away sheets, oldest first, and expired sessions; return the number of sheets."""
    since = _since(GUEST_DAYS)
    unplayed = Q(played=None) | Q(played__lt=since)
    old = Sheet.objects.filter(unplayed, owner=None, updated__lt=since).order_by("updated")
    over = Session.objects.filter(expire_date__lt=timezone.now()).values_list("pk", flat=True)[:AT_ONCE]
    Session.objects.filter(pk__in=list(over)).delete()
    return _removed(old) + _removed(Sheet.objects.filter(deleted__lt=_since(DELETED_DAYS)).order_by("deleted"))


@transaction.atomic
def _removed(sheets: QuerySet[Sheet]) -> int:
    # Sheets are locked before the chain of reviews, as everywhere. Sheets that another request locks are skipped.
    some = list(sheets.select_for_update(skip_locked=True).values_list("pk", flat=True)[:AT_ONCE])
    return remove_sheets(some) if some else 0


def _since(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)
