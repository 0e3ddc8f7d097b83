"""Links that let people sign up where `SIGNUP` is "invitation", and the page on which admins make and revoke them."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from builder.accounts import LINK_PREFIX
from builder.models import Invitation
from sheets.guests import JOINING, allow_signup

USES, DAYS = (1, 100), (1, 90)
"""(least, most) people that one link lets in, and (least, most) days that it is valid."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation; on POST, allow the signup in the session and redirect to its form.

    A GET makes no session. One use is spent when the account is made, not before.
    """
    if request.user.is_authenticated:
        return redirect("home")
    if not Invitation.usable().filter(token=token).exists():
        return render(request, "account/signup_closed.html", {"spent": True}, status=410)
    if settings.SIGNUP == "invitation":
        if request.method != "POST":
            return render(request, "account/invited.html")
        allow_signup(request, LINK_PREFIX + token)
    return redirect("account_signup")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invitations(request: HttpRequest) -> HttpResponse:
    """Show the usable links to admins; on POST, make a new one or revoke one (404 for everybody else)."""
    if not request.user.is_superuser:
        raise Http404
    typed = {"uses": "1", "days": "14"}
    if request.method == "POST":
        if request.POST.get("do") == "revoke":
            Invitation.objects.filter(token=request.POST.get("token", "")).delete()
            messages.success(request, _("The invitation no longer works."))
            return redirect("invitations")
        typed = {name: request.POST.get(name, "") for name in typed}
        uses, days = _whole(typed["uses"], *USES), _whole(typed["days"], *DAYS)
        if uses and days:
            Invitation.make(uses, days)
            messages.success(request, _("Your new invitation is ready; send its link."))
            return redirect("invitations")
    links = [(one, request.build_absolute_uri(reverse("invited", args=[one.token])))
             for one in Invitation.usable().exclude(token__startswith=JOINING).order_by("-pk")]
    context = {"links": links, "typed": typed, "most": {"uses": USES[1], "days": DAYS[1]},
               "fault": request.method == "POST", "mode": settings.SIGNUP}
    return render(request, "account/invitations.html", context, status=422 if request.method == "POST" else 200)


def _whole(text: str, fewest: int, most: int) -> int | None:
    """Return the whole number in a text; None if it is not one from `fewest` to `most`."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 and fewest <= int(text) <= most else None
