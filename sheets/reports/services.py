"""Shared sheets and their pictures: reported by whoever read them, taken down by an admin, and told to the owner."""

import logging
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from sheets.faces.services import remove_portrait
from sheets.models import PARTY, PRIVATE, PUBLIC, Notification, Report, Sheet
from sheets.notifications.services import notification_text

MOST = 20
"""Reports of one sheet that wait; what more of them would say an admin sees by then."""
TOLD = timedelta(days=30)
"""How long a guest's sheet says on its page what was taken down of it."""
log = logging.getLogger(__name__)


def make_report(sheet: Sheet, said: str) -> None:
    """Keep what somebody said of a sheet; the admins are told of the first that waits."""
    with transaction.atomic():
        waiting = sheet.reports.filter(settled=None).count()
        if waiting < MOST:
            Report.objects.create(sheet_id=sheet.pk, said=said)
        if not waiting:
            admins = User.objects.filter(is_superuser=True, is_active=True)
            Notification.objects.bulk_create(
                Notification(user=one, kind="reported", url=reverse("reports")) for one in admins)


def reported() -> QuerySet[Sheet]:
    """The sheets of which reports wait."""
    return Sheet.objects.not_deleted().filter(reports__settled=None, reports__isnull=False).distinct()


def take_down(admin: User, sheet: Sheet, word: str) -> None:
    """Remove the picture, end the sharing, both or nothing, which settles the reports; the sheet is held.

    It is logged, and told to the owner where something was done.
    """
    if word in (Report.PICTURE, Report.BOTH):
        remove_portrait(sheet)
    if word in (Report.SHARE, Report.BOTH):
        sheet.share = None
        if sheet.seen_by == PUBLIC:
            sheet.seen_by = PARTY if sheet.party_id else PRIVATE
        sheet.save(update_fields=["share", "seen_by"])
    settled = sheet.reports.filter(settled=None).update(settled=timezone.now(), admin=admin, done=word)
    log.warning("%s settled %d reports of sheet %s: %s", admin.username, settled, sheet.pk, word)
    if word != Report.NOTHING and sheet.owner_id:
        told = _told(sheet, word)
        told.user_id = sheet.owner_id
        told.save()


def taken_down(sheet: Sheet) -> str:
    """What an admin took down of a guest's sheet lately, in words: a guest has no notifications; "" where nothing."""
    if sheet.owner_id:
        return ""
    lately = sheet.reports.filter(settled__gt=timezone.now() - TOLD).exclude(done=Report.NOTHING)
    word = lately.order_by("-settled").values_list("done", flat=True).first()
    return notification_text(_told(sheet, word)) if word else ""


def _told(sheet: Sheet, word: str) -> Notification:
    """What the owner is told of it, as nobody's yet."""
    return Notification(kind=f"taken-down-{word}", data={"sheet": sheet.name}, url=reverse("sheet", args=[sheet.pk]),
                        sheet_key=sheet.pk)
