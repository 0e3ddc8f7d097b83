"""A sheet's picture: the page on which its owner uploads, crops or removes it, and the picture itself."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID
from zlib import crc32

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access import PageRequest, lock_sheet, own_sheet, readable, shared
from sheets.buttons import no_such_button, pressed
from sheets.faces.pictures import MOST_BYTES, BadPicture, size_of
from sheets.faces.served import served
from sheets.faces.services import bring_portrait, move_focus, remove_portrait
from sheets.forms.seen import overtaken
from sheets.models import Portrait, Sheet


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def picture(request: PageRequest, pk: UUID) -> HttpResponse:
    """Show the page for a sheet's picture to its owner; on POST perform an action, and answer htmx with a fragment."""
    sheet = own_sheet(request, pk)
    if request.method != "POST":
        return _picture_page(request, sheet)
    action = pressed(request.POST, DOING)
    lock = partial(lock_sheet, request, pk, party=False)
    try:
        DOING[action](request, sheet, lock)
    except BadPicture as fault:
        return _picture_page(request, sheet, fault=str(fault))
    return _picture_page(request, own_sheet(request, pk)) if request.htmx else redirect("picture", pk)


def _picture_page(request: PageRequest, sheet: Sheet, fault: str = "") -> HttpResponse:
    found: Any = sheet.portrait_id and Portrait.objects.filter(pk=sheet.portrait_id).defer("large", "small").first()
    whole = bytes(found.whole) if found else b""
    width, height = size_of(whole) if found else (0, 0)
    context = {"sheet": sheet, "ruleset": sheet.system, "fault": fault, "portrait": found, "square": width == height,
               "lies": width > height, "saw": crc32(whole)}
    template = "faces/_cropped.html" if request.htmx else "faces/picture.html"
    return render(request, template, context, status=422 if fault else 200)


def _bring(request: HttpRequest, _sheet: Sheet, lock: Callable[..., Any]) -> None:
    file = request.FILES.get("file")
    # One byte more than allowed suffices to detect a file that is too large.
    content = file.read(MOST_BYTES + 1) if file else b""
    if not content:
        raise BadPicture(_("There is no picture yet; choose a file."))
    bring_portrait(lock, content)
    messages.success(request, _("The picture has been saved."))


def _move(request: HttpRequest, sheet: Sheet, lock: Callable[..., Any]) -> None:
    focus = request.POST.get("focus", "")
    if not (focus.isascii() and focus.isdigit() and len(focus) <= 3 and int(focus) <= 100):
        raise no_such_button()
    move_focus(sheet, lock, int(focus))


def _remove(request: HttpRequest, _sheet: Sheet, lock: Callable[..., Any]) -> None:
    with transaction.atomic():
        held = lock()
        there = Portrait.objects.filter(pk=held.portrait_id).values_list("whole", flat=True).first()
        if overtaken(request.POST, crc32(bytes(there or b""))):
            messages.warning(request, _("The picture has been changed elsewhere in the meantime; this is how it is "
                                        "now."))
            return
        remove_portrait(held)
    messages.success(request, _("The picture has been removed."))


DOING = {"bring": _bring, "move": _move, "remove": _remove}
"""{action of a button: function that performs it}."""


@require_safe
def portrait(request: HttpRequest, pk: UUID, size: int) -> HttpResponse:
    """Return the square picture of a readable sheet, `size` pixels wide; raise Http404 if there is none."""
    return served(request, get_object_or_404(readable(request).only("portrait"), pk=pk).portrait_id, size)


@require_safe
def shared_portrait(request: HttpRequest, token: str, size: int) -> HttpResponse:
    """Return the same for holders of the sheet's link."""
    return served(request, shared(token).portrait_id, size)
