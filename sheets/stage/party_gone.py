"""The page shown instead of a party that has ended or that removed the user."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from sheets.models import Notification
from sheets.notifications.services import notification_text


def party_gone(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Tell users that a party has ended or removed them, if they have a notification of it (else Http404)."""
    told = Notification.objects.filter(kind__in=("ended", "removed"), data__key=str(pk)).select_related("who")
    found = told.filter(user=request.user).order_by("-pk").first() if request.user.is_authenticated else None
    if found is None:
        raise Http404
    return render(request, "parties/gone.html", {"name": found.data["party"], "text": notification_text(found)},
                  status=404)
