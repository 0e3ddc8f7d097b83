"""The webhooks of a party, for its GMs: the list with the form for a new one, and the page of each."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from sheets.access import membership
from sheets.buttons import no_such_button, pressed
from sheets.forms.seen import overtaken
from sheets.models import Delivery, Member, Webhook
from sheets.models.outbox import GIVEN_UP, SENT, WAITING
from sheets.models.webhooks import DISCORD, FORMS, GONE, KINDS, NEW, OFF, ON, STANDARD
from sheets.parties.webhooks import (
    MAX_SHOWN,
    MOST,
    TEST,
    Unusable,
    change_kinds,
    has_gm,
    kinds_of,
    make,
    remove,
    renew_secret,
    take_over,
    test,
)
from sheets.signed_in import signed_in_user

TITLES = dict(zip(KINDS, (
    gettext_lazy("Rolls"), gettext_lazy("Turns that begin"), gettext_lazy("Hits and effects that wait"),
    gettext_lazy("Rolls that are asked for"), gettext_lazy("Sheets that are submitted"),
    gettext_lazy("Decisions about sheets"), gettext_lazy("Scenes that begin"), gettext_lazy("Scenes that end")),
    strict=True)) | {TEST: gettext_lazy("Test message")}
STATES = {
    NEW: gettext_lazy("Nothing is sent until a test has succeeded."),
    ON: gettext_lazy("It is on."),
    OFF: gettext_lazy("It was switched off, because nothing had arrived there for five days. "
                      "A test that succeeds switches it on again."),
    GONE: gettext_lazy("It has ended: the address does not want it any more, or its GM has left.")}
RESULTS = {SENT: gettext_lazy("answered"), WAITING: gettext_lazy("waiting"), GIVEN_UP: gettext_lazy("given up")}


@dataclass(frozen=True)
class ShownDelivery:
    """A delivery as the page shows it, without its message."""

    delivery: Delivery
    title: Any
    result: Any


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def webhooks(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the webhooks of a party; on POST make one, and show its secret, which is never shown again."""
    if request.method != "POST":
        return _list(request, membership(request, pk, gm=True))
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        form = request.POST.get("form", STANDARD)
        if form not in FORMS:
            raise no_such_button()
        try:
            webhook, secret = make(me.party, signed_in_user(request), request.POST.get("address", "").strip(), form,
                                   kinds_of(request.POST.getlist("kind")), get_language() or "de")
        except Unusable as fault:
            return _list(request, me, str(fault))
    return _page(request, me, webhook, secret=secret) if secret else redirect("webhook", pk, webhook.pk)


def _list(request: HttpRequest, me: Member, fault: str = "") -> HttpResponse:
    found = me.party.webhooks.select_related("keeper").order_by("pk")
    posted = request.POST if fault else {}
    chosen = request.POST.getlist("kind") if fault else KINDS
    return render(request, "parties/webhooks/list.html", {
        "me": me, "party": me.party, "webhooks": [(one, STATES[one.state]) for one in found], "fault": fault,
        "full": len(found) >= MOST, "typed": posted.get("address", ""), "form": posted.get("form", DISCORD),
        "kinds": _choices(chosen)}, status=422 if fault else 200)


def _choices(chosen: Any) -> list[tuple[str, Any, bool]]:
    return [(one, TITLES[one], one in chosen) for one in KINDS]


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def webhook(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show a webhook; on POST perform the button's action."""
    if request.method != "POST":
        me = membership(request, pk, gm=True)
        return _page(request, me, _found(me, number))
    action = pressed(request.POST, ("kinds", "test", "secret", "take", "remove"))
    fault, secret, status = "", "", 422
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        found = _found(me, number)
        if action == "remove":
            remove(found)
            return redirect("webhooks", pk)
        if action == "secret" and found.form == STANDARD:
            secret = renew_secret(found)
        elif action == "test":
            test(found)
        elif action == "take":
            take_over(found, signed_in_user(request))
        elif action == "kinds":
            if overtaken(request.POST, _seen(found)):
                status, fault = 409, _("Another GM has changed this in the meantime; nothing has been saved.")
            else:
                try:
                    change_kinds(found, kinds_of(request.POST.getlist("kind")))
                except Unusable as error:
                    fault = str(error)
    if fault or secret:
        return _page(request, me, found, fault=fault, secret=secret, status=status if fault else 200)
    return redirect("webhook", pk, number)


def _found(me: Member, number: int) -> Webhook:
    return get_object_or_404(Webhook.objects.select_related("keeper", "party", "receiver"), pk=number,
                             party=me.party_id)


def _seen(found: Webhook) -> str:
    return " ".join(found.kinds)


def _page(request: HttpRequest, me: Member, found: Webhook, *, fault: str = "", secret: str = "",
          status: int = 200) -> HttpResponse:
    deliveries = Delivery.objects.filter(receiver__webhook=found).order_by("-pk")[:MAX_SHOWN]
    return render(request, "parties/webhooks/webhook.html", {
        "me": me, "party": me.party, "webhook": found, "state": STATES[found.state], "fault": fault, "secret": secret,
        "kinds": _choices(found.kinds), "seen": _seen(found), "has_gm": has_gm(found), "signed": found.form == STANDARD,
        "others": found.keeper_id != me.user_id, "deliveries": [
            ShownDelivery(one, TITLES.get(one.kind, one.kind), RESULTS.get(one.state, _("not sent")))
            for one in deliveries]}, status=status)
