"""The page of notifications, and the number of unread ones."""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from sheets.access import PageRequest, reviewable
from sheets.buttons import pressed_about, row_key
from sheets.models import Notification
from sheets.models.compiled_queries import compiled
from sheets.notifications.services import notification_text, with_current_names
from sheets.signed_in import signed_in

MAX_SHOWN, MAX_STORED = 50, 200
"""The most notifications on the page, and the most that stay stored when the user marks all as read."""
MAX_COUNT = 99
"""The largest count that the header of a page shows."""


def unread(request: HttpRequest) -> dict[str, Callable[[], str]]:
    """Context processor: add the number of unread notifications, counted only if a page shows it.

    Those that link to the requested page are marked as read.
    """
    return {"unread": cache(lambda: _count(request))}


def _count(request: HttpRequest) -> str:
    if not request.user.is_authenticated:
        return ""
    unread_urls = _unread_notifications(request.user.pk)
    on_page = []
    if request.method == "GET":
        on_page = [pk for pk, url in unread_urls if url.partition("#")[0] == request.path]
    if on_page:
        Notification.objects.filter(pk__in=on_page, read=None).update(read=timezone.now())
    n = len(unread_urls) - len(on_page)
    return f"{MAX_COUNT}+" if n > MAX_COUNT else str(n or "")


@compiled
def _unread_notifications(user: Any) -> QuerySet[Notification, tuple[int, str]]:
    return Notification.objects.filter(user=user, read=None).values_list("pk", "url")[: MAX_COUNT + 1]


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def notifications(request: PageRequest) -> HttpResponse:
    """Show the newest notifications; on POST mark all as read, or mark one and redirect to its link.

    A script posts the page as read when it is opened.
    """
    own = Notification.objects.filter(user=request.user.pk)
    if request.method != "POST":
        shown = with_current_names(own.select_related("who").order_by("-pk")[:MAX_SHOWN], reviewable(request))
        texts = [(notification, notification_text(notification)) for notification in shown]
        return render(request, "notifications/list.html", {"found": texts})
    action, which = pressed_about(request.POST, ("open", "read"))
    if action == "open":
        notification = get_object_or_404(own, pk=row_key(which))
        own.filter(pk=notification.pk, read=None).update(read=timezone.now())
        return redirect(notification.url or "notifications")
    # Notifications that were created after the page was drawn stay unread.
    own.filter(read=None, **({"pk__lte": row_key(which)} if which else {})).update(read=timezone.now())
    if old := own.order_by("-pk")[MAX_STORED: MAX_STORED + 1].first():
        own.filter(pk__lte=old.pk).delete()
    return HttpResponse(status=204) if request.htmx else redirect("notifications")

