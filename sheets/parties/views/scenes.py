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
from sheets.export.text import Markdown, bbcode_of
from sheets.models import Member, Scene
from sheets.optimistic_lock import prepare_then_lock
from sheets.parties.handouts import handouts_of_scene
from sheets.parties.recap import recap
from sheets.parties.scene_text import scene_bbcode, scene_told, scene_tree
from sheets.parties.scenes import (
    PreparedScene,
    begin_scene,
    call_off_scene,
    end_scene,
    group_acts,
    page_of_scenes,
    resume_scene,
    scene_log,
)
from sheets.parties.seating import MOST_OPEN, keys_in, open_another
from sheets.parties.services import LONGEST, too_long
from sheets.press.undo import undo_failures
from sheets.scenes.titles import scene_time, scene_title
from sheets.signed_in import signed_in_user
from sheets.stage.open_scenes import open_scenes, seats_offered
from sheets.stage.rounds import StoredTable
from sheets.stage.table import PartyTable

MEDIA = {"md": "text/markdown", "json": "application/json", "bbcode": "text/plain", "lines": "text/plain"}
"""The file formats of a scene's log."""
HANDOUTS_AT_ONCE = 4
"""The number of handouts that are loaded at a time with their pictures."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def scenes(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the scenes of a party; on POST begin or end one, or undo either, for a GM."""
    if request.method != "POST":
        return _scenes_page(request, membership(request, pk))
    action, which = pressed_about(request.POST, {**ACTIONS, **GROUP_ACTIONS})
    perform = _perform_group_action if action in GROUP_ACTIONS else _perform
    me, fault = perform(request, pk, action, which)
    return _scenes_page(request, me, fault) if fault else redirect("scenes", pk)


@transaction.atomic
def _perform(request: HttpRequest, pk: UUID, action: str, which: str) -> tuple[Member, str]:
    me = membership(request, pk, gm=True, lock=True)
    # Locked, so that nobody plays a sheet meanwhile.
    lock_rows(me.party.sheets.order_by("pk"))
    return me, ACTIONS[action](request, me, which)


def _scenes_page(request: HttpRequest, me: Member, fault: str = "") -> HttpResponse:
    table = PartyTable(me)
    scene_to_end, (shown, more) = _ending(me, table), page_of_scenes(me.party, request.GET.get("before", ""))
    newest = me.party.scenes.order_by("-begun", "-pk").first() if me.gm else None
    return render(request, "parties/scenes/list.html", {
        "me": me, "party": me.party, "ruleset": table.ruleset, "scene_to_end": scene_to_end,
        "time": scene_time(scene_to_end) if scene_to_end else "",
        "scene_to_end_title": scene_title(scene_to_end) if scene_to_end else "",
        "name": request.POST.get("name", "")[:LONGEST], "fault": fault,
        "open": open_scenes(table),
        "several": table.several, "seats": seats_offered(me, request.POST.getlist("seat")) if me.gm else (),
        "another": request.POST.get("do") == "another", "apart": any(not one.by_itself for one in table.open_scenes),
        "offered": group_acts(table, dict(request.POST.lists()), ends=scene_to_end is not None) if me.gm else (),
        "scenes": [(one, scene_title(one), scene_time(one)) for one in shown], "more": more,
        "last": newest if newest and newest.ended and not newest.before else None}, status=422 if fault else 200)


def _ending(me: Member, table: PartyTable) -> Scene | None:
    """Return the open scene that the page offers to end; if several are open, the one that its address names."""
    if table.several:
        return next((one for one in table.open_scenes if str(one.uuid) == me.party.asked[0]), None)
    return next((one for one in table.open_scenes if not one.by_itself), None)


def _perform_group_action(request: HttpRequest, pk: UUID, action: str, which: str) -> tuple[Member, str]:
    """Begin or end a scene with its acts for everybody; return the member and the error, "" if there is none."""
    prepare = partial(PreparedScene.of, answers=dict(request.POST.lists()), ends=action == "end")

    def do(held: StoredTable, ready: PreparedScene) -> tuple[Member, str]:
        return held.me, GROUP_ACTIONS[action](request, held.me, which, ready)

    read = partial(StoredTable.of, request, pk)
    return prepare_then_lock(read, partial(read, lock=True), prepare, do)


def _begin(request: HttpRequest, me: Member, _which: str, ready: PreparedScene) -> str:
    name = one_line(request.POST.get("name", ""))
    if len(name) > LONGEST:
        return too_long(name)
    if any(not one.by_itself for one in me.party.open_scenes):
        messages.warning(request, _("A scene is already running."))
        return ""
    return _unless_unanswered(request, ready, partial(begin_scene, me.party, name))


def _another(request: HttpRequest, me: Member, _which: str) -> str:
    """Open one more scene, for the ticked sheets."""
    name = one_line(request.POST.get("name", ""))
    if len(name) > LONGEST:
        return too_long(name)
    if len(me.party.open_scenes) >= MOST_OPEN:
        return _("A party may have at most {n} open scenes; end one of them first.").format(n=MOST_OPEN)
    open_another(me.party, name, keys_in(request.POST.getlist("seat")), signed_in_user(request))
    return ""


def _end(request: HttpRequest, me: Member, which: str, ready: PreparedScene) -> str:
    scene = _scene(me, which)
    if scene.ended:
        messages.warning(request, _("This scene has already ended."))
        return ""
    return _unless_unanswered(request, ready, partial(end_scene, me.party, scene))


def _unless_unanswered(request: HttpRequest, ready: PreparedScene, do: Callable[..., list[tuple[str, str]]]) -> str:
    """Return the error if the acts are not answered; else call `do`, and add a message for each refused act."""
    if not ready.answered:
        return _("“For everyone at once” has not been filled in yet; nothing has happened.")
    for name, why in do(ready, request.user):
        messages.warning(request, f"{isolated(name)}: {why}")
    return ""


def _warn_of_acts_that_stay(request: HttpRequest, names: list[str]) -> None:
    for why in undo_failures(names):
        messages.warning(request, why)


def _resume(request: HttpRequest, me: Member, which: str) -> str:
    scene = _scene(me, which)
    if me.party.scenes.filter(begun__gt=scene.begun).exists() or scene.ended is None:
        messages.warning(request, _("Another scene has started since, or this one is running; nothing has happened."))
    else:
        _warn_of_acts_that_stay(request, resume_scene(me.party, scene, signed_in_user(request)))
    return ""


def _call_off(request: HttpRequest, me: Member, which: str) -> str:
    scene = _scene(me, which)
    if scene.ended is None:
        _warn_of_acts_that_stay(request, call_off_scene(me.party, scene, signed_in_user(request)))
    else:
        messages.warning(request, _("This scene has already ended."))
    return ""


def _scene(me: Member, which: str) -> Scene:
    return get_object_or_404(me.party.scenes, uuid=key_or_404(which))


ACTIONS: dict[str, Callable] = {"go-on": _resume, "call-off": _call_off, "another": _another}
"""{action of a button: function that performs it and returns the error}."""
GROUP_ACTIONS: dict[str, Callable] = {"begin": _begin, "end": _end}
"""The actions with acts for everybody, which are computed before the party is locked because that takes a while."""


@require_safe
@never_cache
def now(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Redirect to the open scene, else to the newest, or to the page of scenes if there is none yet."""
    party = membership(request, pk).party
    found = party.scene or party.scenes.order_by("-begun", "-pk").first()
    return redirect("scene", pk, found.uuid) if found else redirect("scenes", pk)


@require_safe
@never_cache
def scene(request: HttpRequest, pk: UUID, uuid: UUID) -> HttpResponse:
    """Show the recap of a scene as the member may read it."""
    me = membership(request, pk)
    table, shown = PartyTable(me, everywhere=True), get_object_or_404(me.party.scenes, uuid=uuid)
    return render(request, "parties/scenes/scene.html", {
        "me": me, "party": me.party, "ruleset": table.ruleset, "scene": shown, "title": scene_title(shown),
        "time": scene_time(shown), "told": recap(table, shown, handouts_of_scene(me, shown).select_related("by"))})


@require_safe
@never_cache
def scene_file(request: HttpRequest, pk: UUID, uuid: UUID, form: str) -> HttpResponseBase:
    """Return a scene as a file: the recap as Markdown or BBCode, or the log as BBCode or JSON with undone events."""
    if form not in MEDIA:
        raise Http404
    me = membership(request, pk)
    table, shown = PartyTable(me, everywhere=True), get_object_or_404(me.party.scenes, uuid=uuid)
    handouts = handouts_of_scene(me, shown).select_related("by")
    name, media = f"{me.party.name}-{scene_title(shown)}", f"{MEDIA[form]}; charset=utf-8"
    if form == "json":
        tree = scene_tree(table, shown, scene_log(table, shown), handouts.defer(None).iterator(HANDOUTS_AT_ONCE))
        return file_response(partial(write_json, tree), media, name, form)
    bbcode = bbcode_of(me.party)
    text = scene_bbcode(bbcode, table, shown, scene_log(table, shown), f"{request.scheme}://{request.get_host()}") \
        if form == "lines" else scene_told(bbcode if form == "bbcode" else Markdown(), table, shown,
                                           recap(table, shown, handouts), handouts)
    response = HttpResponse(text, content_type=media)
    response["Content-Disposition"] = disposition(name, {"md": "md", "lines": "log.txt"}.get(form, "bbcode.txt"))
    return response


@require_safe
def evening(request: HttpRequest, pk: UUID, number: int | None = None, form: str = "") -> HttpResponse:
    """Redirect an old address, from when scenes were called evenings, to the scene."""
    me = membership(request, pk)
    if number is None:
        return redirect("scenes", pk, permanent=True)
    shown = get_object_or_404(me.party.scenes, pk=number)
    return redirect("scene-file" if form else "scene", pk, shown.uuid, *filter(None, [form]), permanent=True)
