"""The forms of a sheet's notes, its owner's and a GM's, and of its link."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from sheets.access import PageRequest, lock_sheet, memberships
from sheets.buttons import pressed
from sheets.character import Character
from sheets.forms.notes import SentNotes
from sheets.forms.seen import overtaken
from sheets.models import GMS, Remark, Sheet
from sheets.pages.services import save_notes, share
from sheets.stage.panel import sheet_page
from sheets.stage.sheet_page import back, character_for, part_in, show


@require_http_methods(["GET", "HEAD", "POST"])
def save_or_share(request: PageRequest, pk: UUID) -> HttpResponse:
    """Save the notes of a sheet; or make, renew or revoke its link, and set what that shows."""
    if request.method != "POST":
        return back(request, pk)
    with transaction.atomic():
        sheet = lock_sheet(request, pk)
        action = pressed(request.POST, ("notes", "share", "show", "revoke"))
        if action == "notes":
            sent = save_notes(sheet, SentNotes.of(request.POST, "notes", sheet.notes))
        elif overtaken(request.POST, sheet.share or ""):
            action = "overtaken"
        else:
            share(sheet, action, play=request.POST.get("share_play") == "on")
    if action == "notes":
        return _noted(request, sent, "notes", f"{reverse('sheet', args=[pk])}?done=notes#notes", lambda: show(
            request, sheet_page(Character(sheet)), sent.status, typed=sent.text, sent_notes=sent))
    if request.htmx:
        return render(request, "pages/_share.html", {"sheet": sheet, "done": action})
    return redirect(f"{reverse('sheet', args=[pk])}?done={action}#share")


def _noted(request: PageRequest, sent: SentNotes, ref: str, url: str, page: Callable[[], HttpResponse]) -> HttpResponse:
    """Answer notes that were sent: beside their field for htmx, else where they are kept, or the page with both."""
    if request.htmx:
        return render(request, "components/_notes_state.html", {"sent_notes": sent, "ref": ref})
    if sent.saved:
        return redirect(url)
    if sent.fault:
        messages.error(request, sent.fault)
    return page()


@require_POST
def remark(request: PageRequest, pk: UUID) -> HttpResponse:
    """Save a GM's note on a sheet of the party for this GM alone; an empty one is deleted."""
    run = memberships(request).filter(role__in=GMS).values("party")
    sheet = get_object_or_404(Sheet.objects.not_deleted().filter(party__in=run).select_related("party", "owner"), pk=pk)
    mine = sheet.remarks.filter(author=request.user.pk)
    with transaction.atomic():
        stored = mine.select_for_update().values_list("text", flat=True).first() or ""
        sent = SentNotes.of(request.POST, "text", stored)
        if sent.saved and sent.text.strip():
            Remark.objects.update_or_create(sheet=sheet, author_id=request.user.pk, defaults={"text": sent.text})
        elif sent.saved:
            mine.delete()
    me = part_in(request, sheet)
    return _noted(request, sent, "remark", f"{reverse('sheet', args=[pk])}#remark", lambda: show(
        request, sheet_page(character_for(request, sheet, me)), sent.status, me=me, remark=sent.text, sent_remark=sent))
