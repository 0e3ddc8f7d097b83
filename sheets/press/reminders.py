"""Reminders of turns whose time has passed; the turns do not end by that."""

from uuid import UUID

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from sheets.models import GMS, Member, Party, Scene, Sheet
from sheets.models.store import store
from sheets.notifications.services import notify

AT_ONCE = 100
"""The most scenes that one call checks."""


def remind_of_turns() -> int:
    """Notify those whose turn has taken longer than it should, once; return the number of scenes."""
    late = Scene.objects.filter(turn_until__lte=timezone.now(), reminded=False, ended=None).order_by("turn_until")
    number = 0
    for pk, party in late.values_list("pk", "party")[:AT_ONCE]:
        with transaction.atomic():
            number += _remind(pk, party)
    return number


def _remind(pk: int, party_pk: UUID) -> bool:
    party = Party.objects.select_for_update().get(pk=party_pk)
    scene = Scene.objects.filter(pk=pk, reminded=False, ended=None).first()
    if scene is None or not scene.overdue:
        # Another process was faster, or the turn has passed on.
        return False
    store(scene, reminded=True)
    there = {one.user_id: one for one in party.members.select_related("user")}
    on = Sheet.objects.not_deleted().filter(pk__in=scene.on, party=party).order_by("pk")
    url = f"{reverse('table', args=[party.pk])}?{scene.query}"
    told = set()
    for sheet in on:
        whose = [one for one in there.values() if one.role in GMS] if sheet.opponent else [
            one for key, one in there.items() if key == sheet.owner_id]
        users = [one.user for one in whose if not is_away(one) and one.user_id not in told]
        told |= {one.pk for one in users}
        notify(users, "turn-late", party, None, url=url, about=sheet)
    return True


def is_away(member: Member) -> bool:
    """Return True if a member has said that they are away today."""
    return member.away_until is not None and member.away_until >= timezone.localdate()
