"""Views of the forms for a sheet's notes, its link and a GM's remark."""

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
    """Save notes of a sheet, or create, renew or revoke its link, or set what the link shows."""
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
        return _answer_notes(request, sent, "notes", f"{reverse('sheet', args=[pk])}?done=notes#notes", lambda: show(
            request, sheet_page(Character(sheet)), sent.error_status, typed=sent.text, sent_notes=sent))
    if request.htmx:
        return render(request, "pages/_share.html", {"sheet": sheet, "done": action})
    return redirect(f"{reverse('sheet', args=[pk])}?done={action}#share")


def _answer_notes(request: PageRequest, sent: SentNotes, ref: str, url: str,
                  page: Callable[[], HttpResponse]) -> HttpResponse:
    """Answer sent notes: with a fragment for htmx, with a redirect to `url` if they were saved, else with `page()`."""
    if request.htmx:
        return render(request, "components/_notes_state.html", {"sent_notes": sent, "ref": ref})
    if sent.can_save:
        return redirect(url)
    if sent.fault:
        messages.error(request, sent.fault)
    return page()


@require_POST
def remark(request: PageRequest, pk: UUID) -> HttpResponse:
    """Save a GM's remark on a sheet of the party, which only this GM sees; delete it if it is empty."""
    run_parties = memberships(request).filter(role__in=GMS).values("party")
    sheets = Sheet.objects.not_deleted().filter(party__in=run_parties)
    sheet = get_object_or_404(sheets.select_related("party", "owner"), pk=pk)
    own_remarks = sheet.remarks.filter(author=request.user.pk)
    with transaction.atomic():
        stored = own_remarks.select_for_update().values_list("text", flat=True).first() or ""
        sent = SentNotes.of(request.POST, "text", stored)
        if sent.can_save and sent.text.strip():
            Remark.objects.update_or_create(sheet=sheet, author_id=request.user.pk, defaults={"text": sent.text})
        elif sent.can_save:
            own_remarks.delete()
    me = part_in(request, sheet)
    return _answer_notes(request, sent, "remark", f"{reverse('sheet', args=[pk])}#remark", lambda: show(
        request, sheet_page(character_for(request, sheet, me)), sent.error_status,
        me=me, remark=sent.text, sent_remark=sent))
