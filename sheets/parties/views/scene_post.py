"""A scene by post: whose turn it is and until when, the member's own posts for the thread, and who is away."""

from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from sheets.access import membership
from sheets.buttons import pressed_about
from sheets.models import Member
from sheets.models.store import store
from sheets.parties.scene_post import post_of
from sheets.press.log import announce
from sheets.scenes.titles import scene_time, scene_title
from sheets.stage.actor import TargetPicker
from sheets.stage.table import PartyTable

LAST_DAY = 366
"""The most days for which a member may be noted as away."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def scene_post(request: HttpRequest, pk: UUID, uuid: UUID) -> HttpResponse:
    """Show an open scene by post to a member (Http404 otherwise); on POST note until when the member is away."""
    me = membership(request, pk)
    scene = get_object_or_404(me.party.scenes, uuid=uuid, ended=None)
    fault = ""
    if request.method == "POST":
        pressed_about(request.POST, ("away",))
        if not (fault := _note_away(me, request.POST.get("until", ""))):
            return redirect(f"{request.path}#away")
    me.party.asked = (str(scene.uuid), "")
    table = PartyTable(me)
    picker = TargetPicker.of(request, table)
    by = picker.by if picker.by and picker.by.character else None
    query = scene.query + (f"&_by={by.sheet.pk}" if by else "")
    return render(request, "parties/scenes/post.html", {
        "me": me, "party": me.party, "ruleset": table.ruleset, "scene": scene, "title": scene_title(scene),
        "time": scene_time(scene), "party_table": table, "by": by, "chips": picker.seats, "press": uuid4(),
        "others": [one for one in picker.actors if one is not by], "fault": fault,
        "until": request.POST.get("until", "") if fault else me.away_until,
        "on": bool(by and str(by.sheet.pk) in scene.on),
        "post": post_of(request, by.character, scene) if by and by.character else None,
        "lines": table.log.newest[:10], "table_url": f"{reverse('table', args=[pk])}?{query}",
        "play_url": f"{reverse('table-play', args=[pk])}?{query}"}, status=422 if fault else 200)


def _note_away(me: Member, text: str) -> str:
    """Note until when a member is away, "" for not at all; return the error in it, "" if there is none."""
    day, today = None, timezone.localdate()
    if text:
        try:
            day = parse_date(text.strip())
        except ValueError:
            day = None
        if day is None or not 0 <= (day - today).days <= LAST_DAY:
            return _("That is no day from today on, within a year.")
    store(me, away_until=day)
    announce(me.party)
    return ""
