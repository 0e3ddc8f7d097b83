"""The page of a sheet: read, rolled on, played; and the same page for those who hold its link."""

import secrets
import uuid
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import reselect, retarget

from rulesets.kit.row_marks import named
from sheets.access import PageRequest, editable, lock_sheet, memberships, own_sheet, owns, readable, readable_sheet
from sheets.character import Character
from sheets.documents import overlong
from sheets.export.views import TITLES
from sheets.forms.buttons import pressed
from sheets.forms.notes import SentNotes
from sheets.models import GMS, Member, Remark, Sheet
from sheets.news import known, link_word, own_word, watched, with_newest, word_for
from sheets.play.landings import landings_shown
from sheets.play.queries import fingerprint, promised, sheet_page
from sheets.play.readers import house_of, party_and_readers
from sheets.reports.services import taken_down
from sheets.rolls.rows import standing
from sheets.status.outward import outward


def _character(request, sheet: Sheet, me: Member | None) -> Character:
    """A sheet as the request may see it, who in its party is `me`: what is secret is its owner's alone."""
    mine = owns(request, sheet)
    character = Character(sheet, None if mine or (me and me.gm) else outward(sheet), others=not mine)
    character.reader = request.user.pk
    return character


def _part(request, sheet: Sheet) -> Member | None:
    """Return the membership of whoever asks in the party of a sheet."""
    return memberships(request).filter(party=sheet.party_id).first() if sheet.party_id else None


@require_safe
def page(request: PageRequest, pk) -> HttpResponse:
    """The sheet; `?w=` names the widget whose odds the other parameters are for, without it they are for all rolls.

    htmx asks for those odds alone, or with `?known=`, the last word for it, for what is otherwise by now (else 204).
    """
    if seen := known(request, lambda: with_newest(readable(request).filter(pk=pk), request.user.pk), word_for(request)):
        return seen
    sheet = readable_sheet(request, pk)
    me = None if owns(request, sheet) else _part(request, sheet)
    character = _character(request, sheet, me)
    answers, which = dict(request.GET.lists()), named(request.GET.get("w", ""))[0]
    if request.htmx and "known" not in request.GET:
        return render(request, "play/_promises.html", promised(character, answers, which))
    return show(request, sheet_page(character, answers, which), me=me)


def show(request: PageRequest, said: dict, status: int = 200, *, me: Member | None = None, **more) -> HttpResponse:
    """The page, or for htmx the part that rolls and acts change; `me` is who asks in the sheet's party, if known."""
    mine = owns(request, said["sheet"])
    plays, pk = mine and not said["character"].barred, said["sheet"].pk
    news = landings_shown(said["character"]) | own_news(said["character"]) if plays else watched(
        said["sheet"], said["character"].review_status, request, said["sheet_url"], reverse("live", args=["sheet", pk]),
        word_for(request))
    me = me or _part(request, said["sheet"])
    said = party_and_readers(said["character"], me, request.user.pk) | said | {
        "mine": mine, "plays": plays, **news, "ref": pk,
        "done": request.GET.get("done", ""), "taken_down": partial(taken_down, said["sheet"]), **more}
    return render(request, "play/_sheet.html" if request.htmx else "play/sheet.html", said, status=status)


def own_news(character: Character) -> dict[str, str]:
    """Return the word and the addresses by which the page of whoever plays hears of news."""
    pk = character.sheet.pk
    return {"word": own_word(character), "look_url": reverse("landed", args=[pk]),
            "live_url": reverse("live", args=["sheet", pk]), "shown": fingerprint(character), "looks_with": "not _seen"}


@require_safe
def landed(request: PageRequest, pk) -> HttpResponse:
    """Return what has changed on the page of whoever plays: nothing (204), what waits there, or all of it.

    The page tells of what it shows: `?seen=` its fingerprint, `?landings=` its word for what waits.
    """
    character = Character(own_sheet(request, pk))
    if request.GET.get("seen", now := fingerprint(character)) != now:
        page = sheet_page(character, standing(dict(request.GET.lists())))
        return show(request, page | {"fresh": False}, looked=True)
    said = landings_shown(character)
    if request.GET.get("landings") == said["known"]:
        return HttpResponse(status=204)
    answer = render(request, "play/_landed.html", said | {
        "play_url": reverse("play", args=[pk]), "press": uuid.uuid4, "sheet": character.sheet})
    return reselect(retarget(answer, "#landings"), "#landings")


@require_safe
def shared(request: PageRequest, token: str) -> HttpResponse:
    """The sheet for whoever holds its link: to be read, its odds to be asked for, not to be played on.

    What happened at the table is there only where the owner shares that, too.
    """
    held = Sheet.objects.not_deleted().filter(share=token)
    if seen := known(request, lambda: with_newest(held), link_word):
        return seen
    sheet = get_object_or_404(held)
    character = Character(sheet, outward(sheet), others=True, unplayed=not sheet.share_play)
    said = sheet_page(character, dict(request.GET.lists()), named(request.GET.get("w", ""))[0])
    said |= {"sheet_url": request.path, "mine": False, "ref": token, "forms": TITLES,
             "differences": house_of(character),
             **watched(sheet, character.review_status, request, request.path, reverse("live-link", args=[token]),
                       link_word)}
    return render(request, "play/_sheet.html" if request.htmx else "play/sheet.html", said)


def back(request: HttpRequest, pk) -> HttpResponse:
    """To the sheet: a page that answered a press stands at the press's address, and may be asked for anew there."""
    return redirect("sheet", get_object_or_404(editable(request), pk=pk).pk)


@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: PageRequest, pk) -> HttpResponse:
    """What is kept beside a sheet: notes; and its link: made, renewed or revoked, and what it shows."""
    if request.method != "POST":
        return back(request, pk)
    with transaction.atomic():
        sheet = lock_sheet(request, pk)
        word = pressed(request.POST, ("notes", "share", "show", "revoke"))
        if word == "notes":
            sent = _keep_notes(sheet, SentNotes.of(request.POST, "notes", sheet.notes))
        else:
            sheet.share_play = word != "revoke" and request.POST.get("share_play") == "on"
            sheet.share = None if word == "revoke" else secrets.token_urlsafe(24) if word == "share" else sheet.share
            sheet.save(update_fields=["share", "share_play"])
    if word == "notes":
        return _noted(request, sent, "notes", f"{reverse('sheet', args=[pk])}?done=notes#notes", lambda: show(
            request, sheet_page(Character(sheet)), sent.status, typed=sent.text, sent_notes=sent))
    if request.htmx:
        return render(request, "play/_share.html", {"sheet": sheet, "done": word})
    return redirect(f"{reverse('sheet', args=[pk])}?done={word}#share")


def _keep_notes(sheet: Sheet, sent: SentNotes) -> SentNotes:
    """Keep the notes on a held sheet, as far as its document has room for them."""
    if not sent.kept:
        return sent
    longer, sheet.notes = len(sent.text) > len(sent.stored), sent.text
    if longer and (fault := overlong(sheet)):
        sheet.notes = sent.stored
        return replace(sent, fault=fault)
    sheet.save(update_fields=["notes"])
    return sent


def _noted(request: PageRequest, sent: SentNotes, ref: str, url: str, page: Callable[[], HttpResponse]) -> HttpResponse:
    """Answer notes that were sent: beside their field for htmx, else where they are kept, or the page with both."""
    if request.htmx:
        return render(request, "components/_notes_state.html", {"sent_notes": sent, "ref": ref})
    if sent.kept:
        return redirect(url)
    if sent.fault:
        messages.error(request, sent.fault)
    return page()


@require_POST
def remark(request: PageRequest, pk) -> HttpResponse:
    """What a GM notes on a sheet of the party, kept for this GM alone; an empty note is none."""
    run = memberships(request).filter(role__in=GMS).values("party")
    sheet = get_object_or_404(Sheet.objects.not_deleted().filter(party__in=run).select_related("party", "owner"), pk=pk)
    mine = sheet.remarks.filter(author=request.user.pk)
    with transaction.atomic():
        stored = mine.select_for_update().values_list("text", flat=True).first() or ""
        sent = SentNotes.of(request.POST, "text", stored)
        if sent.kept and sent.text.strip():
            Remark.objects.update_or_create(sheet=sheet, author_id=request.user.pk, defaults={"text": sent.text})
        elif sent.kept:
            mine.delete()
    me = _part(request, sheet)
    return _noted(request, sent, "remark", f"{reverse('sheet', args=[pk])}#remark", lambda: show(
        request, sheet_page(_character(request, sheet, me)), sent.status, me=me, remark=sent.text, sent_remark=sent))

