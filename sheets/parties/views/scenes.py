"""The scenes of a party: the page on which GMs begin and end them, and the page of each."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from rulesets.names import isolated, one_line
from sheets.access import key_or_404, lock_rows, membership
from sheets.buttons import pressed_about
from sheets.export.filenames import disposition
from sheets.export.long_files import file_response, write_json
from sheets.models import Member, Scene
from sheets.optimistic_lock import prepare_then_lock
from sheets.parties.handouts import of_scene
from sheets.parties.recap import recap
from sheets.parties.scene_text import scene_markdown, scene_time, scene_title, scene_tree
from sheets.parties.scenes import (
    LISTED,
    PreparedScene,
    begin_scene,
    call_off_scene,
    end_scene,
    go_on,
    offered_then,
    scene_log,
)
from sheets.parties.services import LONGEST
from sheets.press.undo import what_stays
from sheets.signed_in import signed_in_user
from sheets.stage.rounds import StoredTable
from sheets.stage.table import PartyTable

MEDIA = {"md": "text/markdown", "json": "application/json"}
"""The file formats of a scene's log."""
PICTURES = 4
"""Handouts that are read at a time with their pictures."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def scenes(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the scenes of a party; on POST a GM begins one, ends it, or undoes either."""
    if request.method != "POST":
        return _scenes_page(request, membership(request, pk))
    action, which = pressed_about(request.POST, {**DOING, **TOGETHER})
    me, fault = _together(request, pk, action, which) if action in TOGETHER else _taken_back(request, pk, action, which)
    return _scenes_page(request, me, fault) if fault else redirect("scenes", pk)


@transaction.atomic
def _taken_back(request: HttpRequest, pk: UUID, action: str, which: str) -> tuple[Member, str]:
    me = membership(request, pk, gm=True, lock=True)
    # Held, so that nobody plays on a sheet meanwhile.
    lock_rows(me.party.sheets.order_by("pk"))
    return me, DOING[action](request, me, which)


def _scenes_page(request: HttpRequest, me: Member, fault: str = "") -> HttpResponse:
    table, lasts = PartyTable(me), me.party.scenes.filter(ended=None, by_itself=False).first()
    found = list(me.party.scenes.order_by("-begun", "-pk")[:LISTED])
    return render(request, "parties/scenes/list.html", {
        "me": me, "party": me.party, "ruleset": table.ruleset, "lasts": lasts,
        "time": scene_time(lasts) if lasts else "", "name": request.POST.get("name", "")[:LONGEST], "fault": fault,
        "offered": offered_then(table, dict(request.POST.lists()), ends=lasts is not None) if me.gm else (),
        "scenes": [(one, scene_title(one), scene_time(one)) for one in found],
        "last": found[0] if found and found[0].ended and not found[0].before else None}, status=422 if fault else 200)


def _together(request: HttpRequest, pk: UUID, action: str, which: str) -> tuple[Member, str]:
    """Begin or end a scene, with what is to be done for all; return the member and the error, "" if there is none."""
    prepare = partial(PreparedScene.of, answers=dict(request.POST.lists()), ends=action == "end")

    def do(held: StoredTable, ready: PreparedScene) -> tuple[Member, str]:
        return held.me, TOGETHER[action](request, held.me, which, ready)

    read = partial(StoredTable.of, request, pk)
    return prepare_then_lock(read, partial(read, lock=True), prepare, do)


def _begin(request: HttpRequest, me: Member, _which: str, ready: PreparedScene) -> str:
    name = one_line(request.POST.get("name", ""))
    if len(name) > LONGEST:
        return _("A name has at most {most} characters; this one has {n}.").format(most=LONGEST, n=len(name))
    if me.party.scenes.filter(ended=None, by_itself=False).first():
        messages.warning(request, _("A scene is open already."))
        return ""
    return _refusing(request, ready, partial(begin_scene, me.party, name))


def _end(request: HttpRequest, me: Member, which: str, ready: PreparedScene) -> str:
    scene = _one(me, which)
    if scene.ended:
        messages.warning(request, _("This scene has ended already."))
        return ""
    return _refusing(request, ready, partial(end_scene, me.party, scene))


def _refusing(request: HttpRequest, ready: PreparedScene, do: Callable[..., list[tuple[str, str]]]) -> str:
    """Return the error if something is not answered sensibly; else do it, and tell who cannot."""
    if not ready.answered:
        return _("What is to be done for all is not answered yet; nothing has happened.")
    for name, why in do(ready, request.user):
        messages.warning(request, f"{isolated(name)}: {why}")
    return ""


def _tell(request: HttpRequest, names: list[str]) -> None:
    for why in what_stays(names):
        messages.warning(request, why)


def _go_on(request: HttpRequest, me: Member, which: str) -> str:
    scene = _one(me, which)
    if me.party.scenes.filter(begun__gt=scene.begun).exists() or scene.ended is None:
        messages.warning(request, _("Another scene has begun since, or this one is open; nothing has happened."))
    else:
        _tell(request, go_on(me.party, scene, signed_in_user(request)))
    return ""


def _call_off(request: HttpRequest, me: Member, which: str) -> str:
    scene = _one(me, which)
    if scene.ended is None:
        _tell(request, call_off_scene(me.party, scene, signed_in_user(request)))
    else:
        messages.warning(request, _("This scene has ended already."))
    return ""


def _one(me: Member, which: str) -> Scene:
    return get_object_or_404(me.party.scenes, uuid=key_or_404(which))


DOING: dict[str, Callable] = {"go-on": _go_on, "call-off": _call_off}
"""The actions of the buttons, {word: function that returns the error}."""
TOGETHER: dict[str, Callable] = {"begin": _begin, "end": _end}
"""The same with what is done for all, which takes a while and is worked out before the party is held."""


@require_safe
@never_cache
def now(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Redirect to the scene that is open, else to the last one; if there is none yet, to the page of scenes."""
    found = membership(request, pk).party.scenes.order_by("-begun", "-pk").first()
    return redirect("scene", pk, found.uuid) if found else redirect("scenes", pk)


@require_safe
@never_cache
def scene(request: HttpRequest, pk: UUID, uuid: UUID) -> HttpResponse:
    """Show a scene told round by round, as the member may read it."""
    me = membership(request, pk)
    table, found = PartyTable(me), get_object_or_404(me.party.scenes, uuid=uuid)
    return render(request, "parties/scenes/scene.html", {
        "me": me, "party": me.party, "ruleset": table.ruleset, "scene": found, "title": scene_title(found),
        "time": scene_time(found), "told": recap(table, found, of_scene(me, found).select_related("by"))})


@require_safe
@never_cache
def scene_file(request: HttpRequest, pk: UUID, uuid: UUID, form: str) -> HttpResponseBase:
    """Return the scene as a file; JSON has the log as it is, with what was taken back."""
    if form not in MEDIA:
        raise Http404
    me = membership(request, pk)
    table, found = PartyTable(me), get_object_or_404(me.party.scenes, uuid=uuid)
    given = of_scene(me, found).select_related("by")
    name, media = f"{me.party.name}-{scene_title(found)}", f"{MEDIA[form]}; charset=utf-8"
    if form == "json":
        tree = scene_tree(table, found, scene_log(table, found), given.defer(None).iterator(PICTURES))
        return file_response(partial(write_json, tree), media, name, form)
    response = HttpResponse(scene_markdown(table, found, recap(table, found, given), given), content_type=media)
    response["Content-Disposition"] = disposition(name, form)
    return response


@require_safe
def evening(request: HttpRequest, pk: UUID, number: int | None = None, form: str = "") -> HttpResponse:
    """Redirect from an address of when scenes were called evenings to the scene (Http404 as there)."""
    me = membership(request, pk)
    if number is None:
        return redirect("scenes", pk, permanent=True)
    found = get_object_or_404(me.party.scenes, pk=number)
    return redirect("scene-file" if form else "scene", pk, found.uuid, *filter(None, [form]), permanent=True)
