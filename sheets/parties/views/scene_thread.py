"""The page on which GMs paste posts of a scene's thread, have them checked, and note them as read."""

from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rulesets.kit import size
from rulesets.names import one_line
from rulesets.parsing import BYTES
from sheets.access import lock_rows, membership
from sheets.buttons import pressed_about, row_key
from sheets.forms.seen import overtaken
from sheets.models import Member, Scene, ThreadReading
from sheets.parties.thread_check import ThreadCheck, ThreadReader
from sheets.scenes.titles import scene_time, scene_title
from sheets.stage.table import PartyTable

ACTIONS = ("check", "read", "remove")
READINGS = 500
"""The most notes of read posts in a scene."""
LONGEST = 100
"""The most characters of a note's title."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def scene_thread(request: HttpRequest, pk: UUID, uuid: UUID) -> HttpResponse:
    """Show the page to a GM (Http404 for others); on POST check a text, note it as read, or delete such a note."""
    me = membership(request, pk, gm=True)
    scene = get_object_or_404(me.party.scenes, uuid=uuid)
    if request.method != "POST":
        return _page(request, me, scene)
    action, which = pressed_about(request.POST, ACTIONS)
    text, by = request.POST.get("text", ""), request.POST.get("by", "")
    if action == "remove":
        with transaction.atomic():
            membership(request, pk, gm=True, lock=True)
            scene.thread_readings.filter(pk=row_key(which)).delete()
        return redirect(f"{request.path}#read")
    if fault := _fault(text):
        return _page(request, me, scene, fault=fault, text=text[:BYTES], by=by)
    reader = ThreadReader(request, PartyTable(me, everywhere=True), scene)
    by = by if by in reader.titles else ""
    check = reader.check(text, by)
    if action == "check":
        return _page(request, me, scene, text=text, by=by, check=check)
    if request.POST.get("_checked") != _mark(text, by):
        return _page(request, me, scene, text=text, by=by, check=check, fault=_(
            "The text is not the one that was checked; here is its check. Nothing has been noted."))
    if fault := _note_as_read(request, pk, scene, check):
        return _page(request, me, scene, text=text, by=by, check=check, fault=fault)
    return redirect(f"{request.path}#read")


def _fault(text: str) -> str:
    """Return the error in a pasted text, "" if there is none."""
    if not text.strip():
        return _("This is empty; paste a text.")
    if len(text) > BYTES or len(text.encode("utf-8", "replace")) > BYTES:
        return _("A text may have at most {most}; paste the posts in several parts.").format(most=size(BYTES))
    return ""


@transaction.atomic
def _note_as_read(request: HttpRequest, pk: UUID, scene: Scene, check: ThreadCheck) -> str:
    """Note the posts of a checked text as read; return the error, "" if there is none."""
    me = membership(request, pk, gm=True, lock=True)
    lock_rows(me.party.scenes.filter(pk=scene.pk))
    if overtaken(request.POST, _seen(scene)):
        return _("Posts have been noted as read elsewhere in the meantime, so nothing has been noted. This is the "
                 "check as it is now.")
    title = one_line(request.POST.get("title", ""))
    if len(title) > LONGEST:
        return _("What these posts are called may have at most {n} characters.").format(n=LONGEST)
    if not check.numbers:
        return _("No roll of this scene is quoted in it, so there is nothing to note.")
    if scene.thread_readings.count() >= READINGS:
        return _("Posts have been noted {n} times, which is the maximum; remove some first.").format(n=READINGS)
    ThreadReading.objects.create(scene=scene, title=title, numbers=check.numbers)
    return ""


def _seen(scene: Scene) -> str:
    """Return the notes of a scene as a short text, by which a form is recognized as outdated."""
    keys = list(scene.thread_readings.order_by("pk").values_list("pk", flat=True))
    return f"{len(keys)} {keys[-1] if keys else 0}"


def _mark(text: str, by: str) -> str:
    return sha256(f"{by}\n{text}".replace("\r\n", "\n").encode("utf-8", "replace")).hexdigest()[:32]


def _page(request: HttpRequest, me: Member, scene: Scene, *, fault: str = "", text: str = "", by: str = "",
          check: ThreadCheck | None = None) -> HttpResponse:
    table = PartyTable(me, everywhere=True)
    context: dict[str, Any] = {
        "me": me, "party": me.party, "ruleset": table.ruleset, "scene": scene, "title": scene_title(scene),
        "time": scene_time(scene), "fault": fault, "text": text, "by": by, "check": check,
        "seats": [(str(one.sheet.pk), one.name) for one in table.participants], "seen": _seen(scene),
        "mark": _mark(text, by), "named": request.POST.get("title", "")[:LONGEST],
        "readings": scene.thread_readings.order_by("-pk")}
    if check:
        context |= {"differs": check.count("differs"), "unknown": check.count("unknown"),
                    "holds": check.count("holds")}
    return render(request, "parties/scenes/thread.html", context, status=422 if fault else 200)
