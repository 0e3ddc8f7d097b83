"""The settings of an open scene, for the GMs of its party."""

from collections.abc import Callable
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets.names import one_line
from sheets.access import lock_rows, membership
from sheets.buttons import pressed_about
from sheets.models import Member, Scene
from sheets.models.store import store
from sheets.parties.seating import keys_in, seat_in
from sheets.parties.services import LONGEST, too_long
from sheets.press.log import announce
from sheets.scenes.titles import scene_time, scene_title
from sheets.signed_in import signed_in_user
from sheets.stage.open_scenes import seats_offered
from sheets.stage.table import PartyTable


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def scene_settings(request: HttpRequest, pk: UUID, uuid: UUID) -> HttpResponse:
    """Show the settings of an open scene (Http404 for players); on POST change them, or who sits in it."""
    if request.method != "POST":
        me = membership(request, pk, gm=True)
        return _page(request, me, _open_scene(me, uuid))
    action, _about = pressed_about(request.POST, ACTIONS)
    with transaction.atomic():
        me = membership(request, pk, gm=True, lock=True)
        lock_rows(me.party.sheets.order_by("pk"))
        scene = _open_scene(me, uuid)
        fault = ACTIONS[action](request, me, scene)
    return _page(request, me, scene, fault) if fault else redirect("scene-settings", pk, uuid)


def _open_scene(me: Member, uuid: UUID) -> Scene:
    return get_object_or_404(me.party.scenes, uuid=uuid, ended=None)


def _page(request: HttpRequest, me: Member, scene: Scene, fault: str = "") -> HttpResponse:
    table = PartyTable(me)
    return render(request, "parties/scenes/settings.html", {
        "me": me, "party": me.party, "ruleset": table.ruleset, "scene": scene, "title": scene_title(scene),
        "time": scene_time(scene), "fault": fault, "form": request.POST if fault else {"name": scene.name},
        "several": table.several, "seats": seats_offered(me, into=scene) if table.several else ()},
        status=422 if fault else 200)


def _save(request: HttpRequest, me: Member, scene: Scene) -> str:
    name = one_line(request.POST.get("name", ""))
    if len(name) > LONGEST:
        return too_long(name)
    # Whoever names a scene that the table opened by itself has begun it.
    store(scene, name=name, by_itself=scene.by_itself and not name)
    announce(me.party)
    return ""


def _seat(request: HttpRequest, me: Member, scene: Scene) -> str:
    seat_in(me.party, scene, keys_in(request.POST.getlist("seat")), signed_in_user(request))
    return ""


ACTIONS: dict[str, Callable[[HttpRequest, Member, Scene], str]] = {"save": _save, "seat": _seat}
"""{action of a button: function that performs it and returns the error, "" for none}."""
