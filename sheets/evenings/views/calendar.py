"""A user's time zone, and the secret link by which calendar programs read the evenings of their parties."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from sheets.buttons import no_such_button, pressed
from sheets.evenings import feeds, ics
from sheets.models import Feed, UserZone
from sheets.signed_in import signed_in, signed_in_user
from sheets.zones import zone_names, zone_of


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def calendar(request: HttpRequest) -> HttpResponse:
    """Show the user's time zone and whether there is a link; on POST choose the zone, make a link or end it."""
    user, link = signed_in_user(request), ""
    if request.method == "POST":
        action = pressed(request.POST, ("zone", "link", "end"))
        if action == "zone":
            if (name := request.POST.get("zone", "")) not in zone_names():
                raise no_such_button()
            UserZone.objects.update_or_create(user=user, defaults={"name": name})
            messages.success(request, _("Your time zone has been saved."))
        elif action == "end":
            feeds.end(user)
            messages.success(request, _("The link no longer works."))
        else:
            feed, token = feeds.renew(user)
            link = request.build_absolute_uri(reverse("feed", args=[feed.pk, token]))
        if not link:
            return redirect("account_calendar")
    return render(request, "evenings/calendar.html", {
        "zones": zone_names(), "zone": zone_of(user), "chosen": UserZone.objects.filter(user=user).exists(),
        "feed": Feed.objects.filter(user=user).first(), "link": link})


@require_safe
@never_cache
def feed(request: HttpRequest, number: int, token: str) -> HttpResponse:
    """Return the evenings of all parties of the user whose secret link this is (Http404 for any other)."""
    if (found := feeds.found(number, token)) is None:
        raise Http404
    answer = ics.calendar_answer(request, ics.in_calendars(party__members__user=found.user_id))
    answer["X-Robots-Tag"] = "noindex"
    return answer
