"""Reminders of evenings, a day before."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from sheets.evenings.services import tell
from sheets.models import Evening, Party
from sheets.models.evenings import BEFORE, FIXED, NO
from sheets.models.store import store

AT_ONCE = 100
"""The most evenings that one call checks."""


def remind_of_evenings() -> int:
    """Notify members, except those who cannot come, once of each evening within a day; return how many evenings."""
    due = Evening.objects.filter(remind__lte=timezone.now()).order_by("remind", "pk")
    number = 0
    for pk, party in due.values_list("pk", "party")[:AT_ONCE]:
        with transaction.atomic():
            number += _remind(pk, party)
    return number


def _remind(pk: int, party_pk: UUID) -> bool:
    party, now = Party.objects.select_for_update().filter(pk=party_pk).first(), timezone.now()
    evening = Evening.objects.filter(pk=pk, state=FIXED, remind__lte=now).first()
    if party is None or evening is None:
        # Another process was faster, or the evening has been moved or called off.
        return False
    store(evening, remind=evening.next_reminder(now))
    start = evening.next_start(now)
    if start is None or not now < start <= now + BEFORE:
        # The worker has not run for a long time.
        return False
    cannot = evening.answers.filter(starts=start, answer=NO).values_list("member", flat=True)
    tell([one.user for one in party.members.select_related("user").exclude(pk__in=cannot)],
         party, "evening-reminder", None, start)
    return True
