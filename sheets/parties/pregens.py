"""Ready-made characters: laid out by a GM, one by one or by the dice, and taken by whoever comes first."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from sheets.models import PRIVATE, Member, Party, Sheet
from sheets.notifications.services import notify
from sheets.parties import services as parties
from sheets.play.event_log import announce

SHARES = 4
"""How much more work than any other request the making of so many may take, which only GMs ask for."""


def lay_out(me: Member, documents: list[dict[str, Any]]) -> None:
    """Copies that wait for whoever takes them; what they were made of stays with the GM (`Full` without room)."""
    parties.room_for(me.party, len(documents))
    Sheet.objects.bulk_create(
        Sheet(owner=me.user, party=me.party, house=me.party.house, ruleset=me.party.ruleset, offered=True,
              finished=timezone.now(), name=one["name"], data=one["data"], typed=one.get("typed", {}),
              concept=one.get("concept", ""))
        for one in documents)


def take_pregen(me: Member, pk: UUID) -> Sheet | None:
    """The character becomes the member's own; None where it is laid out no more. The party is held: one comes first."""
    sheet = laid_out(me.party).filter(pk=pk).first()
    if sheet is None:
        return None
    if sheet.owner and sheet.owner != me.user:
        notify([sheet.owner], "taken", me.party, me.user, url=reverse("sheet", args=[pk]))
    sheet.owner, sheet.offered, sheet.seen_by, sheet.share = me.user, False, PRIVATE, None
    sheet.save(update_fields=["owner", "offered", "seen_by", "share"])
    announce(me.party)
    return sheet


def laid_out(party: Party) -> QuerySet[Sheet]:
    """The characters that wait in a party."""
    return party.sheets.not_deleted().filter(offered=True).select_related("owner")


def withdraw(sheets: QuerySet[Sheet]) -> None:
    """Copies that nobody took go to their makers' thrown away sheets."""
    sheets.update(party=None, offered=False, deleted=timezone.now())
