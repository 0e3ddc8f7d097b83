"""Drafts: made, within a guest's limits, and cleared away when nobody comes back for them."""

from datetime import timedelta

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import ngettext

from rulesets.document import BYTES
from rulesets.kit import Ruleset
from sheets.access import belonging, editable
from sheets.exchange import length
from sheets.models import Sheet

GUEST_DRAFTS = 30
"""Drafts that one browser may keep without an account."""
GUEST_DAYS, DELETED_DAYS = 60, 30
"""Days after which a guest's untouched drafts, and thrown away ones, are gone for good."""


class TooMany(Exception):
    """A guest has as many drafts as a browser may keep; the message says the way out."""


def create(request: HttpRequest, ruleset: Ruleset, document: dict | None = None) -> Sheet:
    """A new draft of the request's own (`TooMany` for a guest with too many)."""
    tidy()
    room(request)
    document = document or ruleset.document()
    return Sheet.objects.create(
        ruleset=ruleset.slug, name=document["name"], data=document["data"], house=document.get("house", {}),
        typed=document.get("typed", {}), play=document.get("play", {}), notes=document.get("notes", ""),
        **belonging(request),
    )


def room(request: HttpRequest) -> None:
    """`TooMany` for a guest who has as many drafts as a browser may keep."""
    if not request.user.is_authenticated and editable(request).count() >= GUEST_DRAFTS:
        raise TooMany(ngettext(
            "This browser keeps {n} draft already; delete one, or sign in.",
            "This browser keeps {n} drafts already; delete some, or sign in.", GUEST_DRAFTS,
        ).format(n=GUEST_DRAFTS))


def tidy() -> int:
    """Removes what nobody came back for; answers how many sheets went."""
    now = timezone.now()
    old = Sheet.objects.filter(owner=None, updated__lt=now - timedelta(days=GUEST_DAYS))
    gone = Sheet.objects.filter(deleted__lt=now - timedelta(days=DELETED_DAYS))
    return old.delete()[0] + gone.delete()[0]


def too_large(sheet: Sheet, name: str, data: dict) -> bool:
    """Whether the sheet's document, play and notes included, would be larger than one may be and than it is."""
    count = length(sheet, name, data)
    return count > BYTES and count > length(sheet)
