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
from sheets.notifications.services import named_now, notification_text
from sheets.signed_in import signed_in

SHOWN, KEPT = 50, 200
"""The number of notifications on the page, and the number kept once they are read."""
MOST = 99
"""The largest count that the head of a page shows."""


def unread(request: HttpRequest) -> dict[str, Callable[[], str]]:
    """Add the number of unread notifications to templates, counted only if a page shows it.

    Those that lead to the very page are read with it.
    """
    return {"unread": cache(lambda: _count(request))}


def _count(request: HttpRequest) -> str:
    if not request.user.is_authenticated:
        return ""
    found = _unread_of(request.user.pk)
    here = [pk for pk, url in found if url.partition("#")[0] == request.path] if request.method == "GET" else []
    if here:
        Notification.objects.filter(pk__in=here, read=None).update(read=timezone.now())
    n = len(found) - len(here)
    return f"{MOST}+" if n > MOST else str(n or "")


@compiled
def _unread_of(user: Any) -> QuerySet[Notification, tuple[int, str]]:
    return Notification.objects.filter(user=user, read=None).values_list("pk", "url")[: MOST + 1]


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def notifications(request: PageRequest) -> HttpResponse:
    """Show the newest notifications; on POST mark all as read, or mark one and go to its page.

    With scripts the page says by itself that it was opened, and nothing on it is new the next time.
    """
    mine = Notification.objects.filter(user=request.user.pk)
    if request.method != "POST":
        shown = named_now(mine.select_related("who").order_by("-pk")[:SHOWN], reviewable(request))
        found = [(one, notification_text(one)) for one in shown]
        return render(request, "notifications/list.html", {"found": found})
    action, which = pressed_about(request.POST, ("open", "read"))
    if action == "open":
        one = get_object_or_404(mine, pk=row_key(which))
        mine.filter(pk=one.pk, read=None).update(read=timezone.now())
        return redirect(one.url or "notifications")
    # News that came after the page was drawn stays unread.
    mine.filter(read=None, **({"pk__lte": row_key(which)} if which else {})).update(read=timezone.now())
    if old := mine.order_by("-pk")[KEPT: KEPT + 1].first():
        mine.filter(pk__lte=old.pk).delete()
    return HttpResponse(status=204) if request.htmx else redirect("notifications")

