"""The settings of a scene, for the GMs of its party."""

from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets.kit import parse_whole_number
from rulesets.names import one_line
from sheets.access import lock_rows, membership
from sheets.buttons import pressed_about
from sheets.forms.seen import overtaken
from sheets.models import Member, Scene
from sheets.models.scenes import host_of
from sheets.models.store import store
from sheets.parties.seating import keys_in, seat_in
from sheets.parties.services import LONGEST, new_token, too_long
from sheets.press.log import announce
from sheets.scenes.order import CLOCK
from sheets.scenes.titles import scene_time, scene_title
from sheets.signed_in import signed_in_user
from sheets.stage.open_scenes import seats_offered
from sheets.stage.table import PartyTable

MOST_HOURS = 24 * 60
"""The longest time limit for a turn, in hours."""
LONGEST_ADDRESS = 500
"""The most characters of the address of a thread."""
WEB = URLValidator(schemes=["http", "https"])


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def scene_settings(request: HttpRequest, pk: UUID, uuid: UUID) -> HttpResponse:
    """Show the settings of a scene (Http404 for players); on POST change them, or who sits in it while it is open."""
    if request.method != "POST":
        me = membership(request, pk, gm=True)
        return _page(request, me, get_object_or_404(me.party.scenes, uuid=uuid))
    action, _which = pressed_about(request.POST, ACTIONS)
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        lock_rows(me.party.sheets.order_by("pk"))
        scene = get_object_or_404(me.party.scenes, uuid=uuid)
        fault = ACTIONS[action](request, me, scene)
    return _page(request, me, scene, fault) if fault else redirect("scene-settings", pk, uuid)


def _page(request: HttpRequest, me: Member, scene: Scene, fault: str = "") -> HttpResponse:
    table = PartyTable(me)
    seated = table.several and scene.ended is None
    return render(request, "parties/scenes/settings.html", {
        "me": me, "party": me.party, "ruleset": table.ruleset, "scene": scene, "title": scene_title(scene),
        "time": scene_time(scene), "fault": fault, "form": request.POST if fault and "name" in request.POST else {
            "name": scene.name, "thread": scene.thread, "hours": scene.turn_hours or ""},
        "link": request.build_absolute_uri(reverse("onlookers", args=[scene.share])) if scene.share else "",
        "several": seated, "seats": seats_offered(me, into=scene) if seated else ()},
        status=422 if fault else 200)


def _save(request: HttpRequest, me: Member, scene: Scene) -> str:
    name, thread, hours = (one_line(request.POST.get(one, "")) for one in ("name", "thread", "hours"))
    if len(name) > LONGEST:
        return too_long(name)
    if thread and (fault := _thread_fault(thread)):
        return fault
    limit = parse_whole_number(hours) if hours else None
    if hours and (limit is None or not 1 <= limit <= MOST_HOURS):
        return _("The hours for a turn are a whole number from 1 to {n}.").format(n=MOST_HOURS)
    # Naming a scene that was opened automatically counts as beginning it.
    new = {"name": name, "thread": thread, "turn_hours": limit, "by_itself": scene.by_itself and not name}
    if limit != scene.turn_hours:
        scene.turn_hours = limit
        scene.start_clock()
    store(scene, *CLOCK, **new)
    announce(me.party)
    return ""


def _thread_fault(address: str) -> str:
    """Return the error in the address of a thread, "" if there is none."""
    try:
        WEB(address)
    except ValidationError:
        return _("The address of the thread has to begin with https:// or http:// and name a page.")
    if len(address) > LONGEST_ADDRESS or "@" in urlsplit(address).netloc or not host_of(address):
        return _("The address of the thread may have at most {n} characters, and no name or password in it.").format(
            n=LONGEST_ADDRESS)
    return ""


def _seat(request: HttpRequest, me: Member, scene: Scene) -> str:
    if scene.ended:
        return _("This scene has already ended.")
    seat_in(me.party, scene, keys_in(request.POST.getlist("seat")), signed_in_user(request))
    return ""


def _share(request: HttpRequest, _me: Member, scene: Scene, *, shared: bool) -> str:
    """Make a new link for onlookers, or revoke it."""
    if overtaken(request.POST, scene.share or ""):
        return _("The link has been changed elsewhere in the meantime, so nothing has been done. This is how it is "
                 "now.")
    store(scene, share=new_token() if shared else None)
    return ""


ACTIONS: dict[str, Callable[[HttpRequest, Member, Scene], str]] = {
    "save": _save, "seat": _seat, "share": partial(_share, shared=True), "unshare": partial(_share, shared=False)}
"""{action of a button: function that performs it and returns the error, "" for none}."""
