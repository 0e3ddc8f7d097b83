"""The page where users choose what they are sent, and the browsers that are told by web push."""

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from sheets.models import Mailing, Muted, PushDevice
from sheets.models.outbox import MAIL, PUSH
from sheets.notifications import push
from sheets.notifications.topics import TOPICS
from sheets.signed_in import signed_in, signed_in_user

SUBSCRIPTION = ("endpoint", "p256dh", "auth")


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def choices(request: HttpRequest) -> HttpResponse:
    """Show what the user is sent by which channel, and their devices; on POST save the choice."""
    user = signed_in_user(request)
    if request.method == "POST":
        ticked = set(request.POST.getlist("wanted"))
        shown = [one for one in (MAIL, PUSH) if one in request.POST.getlist("channel")]
        with transaction.atomic():
            Muted.objects.filter(user=user, channel__in=shown).delete()
            Muted.objects.bulk_create(Muted(user=user, channel=channel, topic=topic) for channel in shown
                                      for topic in TOPICS if f"{channel}:{topic}" not in ticked)
        messages.success(request, _("Your choice has been saved."))
        return redirect("account_notifications")
    devices = [one for one in user.push_devices.select_related("user").order_by("-pk") if push.session_is_valid(one)]
    channels = [(channel, title) for channel, title, there in (
        (MAIL, _("By e-mail"), Mailing.objects.filter(user=user).exists()),
        (PUSH, _("On your devices"), bool(settings.VAPID_KEY and devices))) if there]
    muted = {(one.channel, one.topic) for one in Muted.objects.filter(user=user)}
    return render(request, "notifications/settings.html", {
        "topics": [(title, [(channel, f"{channel}:{topic}", label, (channel, topic) not in muted)
                            for channel, label in channels]) for topic, (title, _kinds) in TOPICS.items()],
        "channels": channels, "key": push.public_key(), "devices": devices,
        "here": request.session.get(push.SESSION), "most": push.MOST,
    })


@signed_in
@require_POST
@never_cache
def add_device(request: HttpRequest) -> HttpResponse:
    """Tell the browser that asks of news from now on."""
    subscription = {one: request.POST.get(one, "") for one in SUBSCRIPTION}
    try:
        push.add(signed_in_user(request), request.session, subscription, request.headers.get("User-Agent", ""),
                 get_language() or settings.LANGUAGE_CODE)
        messages.success(request, _("From now on this device shows you what is new, until you sign out here."))
    except push.UnusableDevice as error:
        messages.error(request, str(error))
    return redirect("account_notifications")


@signed_in
@require_POST
@never_cache
def end_device(request: HttpRequest, number: int) -> HttpResponse:
    """End one of the user's devices."""
    get_object_or_404(PushDevice, pk=number, user=request.user.pk).delete()
    messages.success(request, _("This device shows you nothing any more."))
    return redirect("account_notifications")


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Answer the script that shows pushes; without a key one that takes itself out of browsers."""
    name = "push_worker" if settings.VAPID_KEY else "no_push_worker"
    answer = render(request, f"notifications/{name}.js", content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "private, no-cache"
    return answer
