"""Reports of shared sheets and their pictures: readers make them, an admin decides, and the owner is notified."""

import logging
from collections import Counter
from datetime import timedelta
from operator import itemgetter
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from sheets.client_address import client_address
from sheets.faces.services import remove_portrait
from sheets.models import PARTY, PRIVATE, PUBLIC, Notification, Report, Sheet
from sheets.models.store import store
from sheets.notifications.services import notification_text

MAX_PER_REPORTER_AND_SHEET, MAX_PER_REPORTER = 3, 20
"""The most waiting reports from one account or address: about one sheet, and about all sheets."""
MAX_PER_SHEET = 500
"""The most waiting reports about one sheet, from all reporters."""
TAKEDOWN_SHOWN_FOR = timedelta(days=30)
"""The time for which the page of a guest's sheet tells what an admin has taken down from it."""
log = logging.getLogger(__name__)


def reporter_token(request: HttpRequest) -> str:
    """Return an opaque token that is the same for all reports from one account or address."""
    if request.user.is_authenticated:
        return _opaque(f"account {request.user.pk}")
    return _opaque(f"address {client_address(request)}".rstrip())


def _opaque(name: str) -> str:
    return salted_hmac("sheets.reports", name).hexdigest()


def make_report(sheet: Sheet, said: str, token: str) -> bool:
    """Save a report of a sheet; return False if too many reports from the same reporter are waiting.

    A report with the same words as a waiting one is not saved again. The admins are notified, except for those with an
    unread notification about reports.
    """
    with transaction.atomic():
        from_reporter = Report.objects.filter(by=token, settled=None)
        if (from_reporter.count() >= MAX_PER_REPORTER
                or from_reporter.filter(sheet=sheet.pk).count() >= MAX_PER_REPORTER_AND_SHEET):
            return False
        waiting = sheet.reports.filter(settled=None)
        if waiting.count() < MAX_PER_SHEET and not any(
                _normalised(text) == _normalised(said) for text in waiting.values_list("said", flat=True)):
            Report.objects.create(sheet_id=sheet.pk, said=said, by=token)
        already_notified = Notification.objects.filter(kind="reported", read=None).values("user")
        admins = User.objects.filter(is_superuser=True, is_active=True).exclude(pk__in=already_notified)
        Notification.objects.bulk_create(
            Notification(user=admin, kind="reported", url=reverse("reports")) for admin in admins)
    return True


def _normalised(said: str) -> str:
    """Return the text of a report in lower case with single spaces, to compare it with others."""
    return " ".join(said.casefold().split())


def reported_sheets() -> QuerySet[Any]:
    """Return the sheets with waiting reports, the one that has waited longest first."""
    waiting = Report.objects.filter(settled=None)
    since = Subquery(waiting.filter(sheet=OuterRef("pk")).order_by("made").values("made")[:1])
    found = Sheet.objects.not_deleted().filter(pk__in=waiting.values("sheet"))
    return found.annotate(since=since).order_by("since", "pk")


def waiting_reports(sheet: Sheet) -> list[Report]:
    """Return the waiting reports about a sheet: the newest of each reporter, then the second newest, and so on."""
    newer: Counter[str] = Counter()
    found = []
    for report in sheet.reports.filter(settled=None).order_by("-made", "-pk"):
        # Reports by older versions have no token. Each of them counts as the newest of its reporter.
        found.append((newer[report.by] if report.by else 0, report))
        newer[report.by] += 1
    return [report for _newer, report in sorted(found, key=itemgetter(0))]


def take_down(admin: User, sheet: Sheet, decision: str) -> None:
    """Carry out an admin's decision about a locked sheet, and settle its reports.

    The decision is to remove the picture, to stop the sharing, to do both, or to do nothing. It is logged, and the
    owner is told unless nothing was done.
    """
    if decision in (Report.PICTURE, Report.BOTH):
        remove_portrait(sheet)
    if decision in (Report.SHARE, Report.BOTH):
        visibility = PARTY if sheet.party_id else PRIVATE
        store(sheet, share=None, seen_by=visibility if sheet.seen_by == PUBLIC else sheet.seen_by)
    settled = sheet.reports.filter(settled=None).update(
        settled=timezone.now(), admin=admin, done=decision, by="")
    log.warning("%s settled %d reports of sheet %s: %s", admin.username, settled, sheet.pk, decision)
    if decision != Report.NOTHING and sheet.owner_id:
        notification = _takedown_notification(sheet, decision)
        notification.user_id = sheet.owner_id
        notification.save()


def takedown_text(sheet: Sheet) -> str:
    """Return a sentence about what an admin recently took down from a guest's sheet; "" if there is nothing to tell.

    Users are notified instead.
    """
    if sheet.owner_id:
        return ""
    recent = sheet.reports.filter(settled__gt=timezone.now() - TAKEDOWN_SHOWN_FOR).exclude(done=Report.NOTHING)
    decision = recent.order_by("-settled").values_list("done", flat=True).first()
    return notification_text(_takedown_notification(sheet, decision)) if decision else ""


def _takedown_notification(sheet: Sheet, decision: str) -> Notification:
    """Return the notification of a decision for the owner of a sheet, whose `user` is not yet set."""
    return Notification(kind=f"taken-down-{decision}", about=sheet, data={"sheet": sheet.name},
                        url=reverse("sheet", args=[sheet.pk]))
