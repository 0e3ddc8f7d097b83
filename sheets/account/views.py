"""Views of a user's account: the overview, notifications by e-mail, and its deletion."""


from typing import cast

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sheets.account.services import delete_account
from sheets.models import GM, Event, Mailing, Sheet
from sheets.notifications import mail as notification_mail
from sheets.parties.services import heirs
from sheets.signed_in import signed_in, signed_in_user

DELETION_SHARE = 4
"""A deletion starts no batch after 1 / 4 of a request's time limit, so that the last one can finish."""


@login_required
@require_safe
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """Show the overview of the account."""
    user = signed_in_user(request)
    factor = Authenticator.objects.filter(user=user).exclude(type=Authenticator.Type.RECOVERY_CODES).exists()
    mail = EmailAddress.objects.filter(user=user, primary=True).first()
    mailing = Mailing.objects.filter(user=user.pk).select_related("receiver").first()
    return render(request, "account/overview.html", {
        "factor": factor, "mail": mail, "mailing": mailing,
        "lost": mailing and mailing.receiver.lost,
        "sheets": Sheet.objects.filter(owner=user).count(),
    })


@signed_in
@require_POST
@never_cache
def mail(request: HttpRequest) -> HttpResponse:
    """Turn notifications by e-mail on, in a language, or off."""
    if request.POST.get("wanted") != "on":
        Mailing.objects.filter(user=request.user.pk).delete()
        messages.success(request, _("From now on notifications appear only on this site; you get no e-mails."))
        return redirect("account")
    if (language := request.POST.get("language", get_language())) not in dict(settings.LANGUAGES):
        raise BadRequest("no such language")
    user = signed_in_user(request)
    if notification_mail.address_of(user):
        notification_mail.ask(user, language)
        messages.success(request, _("From now on notifications are sent to you by e-mail."))
    else:
        messages.error(request, _("Nothing has been changed: you need a confirmed e-mail address first."))
    return redirect("account")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@reauthentication_required(allow_get=True)
def delete(request: HttpRequest) -> HttpResponse:
    """Show what will be deleted; on POST delete the account for good. POST needs a recent login.

    If there is too much for one request, the user is asked to continue.
    """
    if request.method != "POST":
        return render(request, "account/delete.html", _counts(signed_in_user(request)))
    user = cast("User", request.user)
    address = notification_mail.address_of(user)
    if not delete_account(user, settings.REQUEST_SECONDS / DELETION_SHARE):
        messages.warning(request, _(
            "There was a lot to delete, and some of it is still left. Press again to delete the rest."))
        return redirect("account_delete")
    if address:
        get_adapter().send_notification_mail("account/email/account_deleted", user, email=address)
    logout(request)
    messages.success(request, _("Your account and everything in it have been deleted."))
    return redirect("home")


def _counts(user: User) -> dict:
    """Return the numbers of rows that would be deleted, and the user's parties with the member who inherits each."""
    sheets, heirs_by_party = Sheet.objects.filter(owner=user), heirs(user)
    return {"sheets": sheets.count(), "shared": sheets.exclude(share=None).count(),
            "events": Event.objects.filter(sheet__owner=user).count(),
            "parties": [(member.party, member.role == GM, heirs_by_party.get(member.party_id)) for member in
                        user.memberships.select_related("party").order_by("party__called")]}
