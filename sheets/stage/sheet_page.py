"""The response with a sheet's page, for all views that show it."""

from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from sheets.access import PageRequest, editable, member_of, owns
from sheets.character import Character
from sheets.models import Encounter, Member, Sheet
from sheets.models.called import by_name
from sheets.news import fingerprint, own_token, token_for, watched
from sheets.reports.services import takedown_text
from sheets.stage import by_hand
from sheets.stage.known_rolls import last_roll_of
from sheets.stage.press_form import knowing
from sheets.stage.readers import party_and_readers
from sheets.stage.waiting import waiting_at
from sheets.status.outward import outward
from sheets.verdicts import findings_for_others

FEW = 5
"""The most encounters that an opponent's page links to."""


def character_for(request: HttpRequest, sheet: Sheet, me: Member | None) -> Character:
    """Return a sheet as the user, `me` in its party, may see it; only its owner sees what is secret."""
    mine = owns(request, sheet)
    character = Character(sheet, None if mine or (me and me.gm) else outward(sheet), others=not mine)
    character.reader = request.user.pk
    return character


def part_in(request: HttpRequest, sheet: Sheet) -> Member | None:
    """Return the user's membership of a sheet's party, or None."""
    return member_of(request, sheet.party_id)


def show(request: PageRequest, context: dict, status: int = 200, *, me: Member | None = None,
         **more: Any) -> HttpResponse:
    """Return the page, or for htmx the part that rolls and acts change; `me` is the member of its party, if known."""
    mine = owns(request, context["sheet"])
    plays, pk = mine and not context["character"].barred, context["sheet"].pk
    news = waiting_at(context["character"]) | own_news(context["character"]) if plays else watched(
        context["sheet"], context["character"].review_status, request, context["sheet_url"],
        reverse("live", args=["sheet", pk]), token_for(request))
    me = me or part_in(request, context["sheet"])
    if not (mine or (me and me.gm)):
        context |= findings_for_others(context["verdict"])
    context = party_and_readers(context["character"], me, request.user.pk) | context | {
        "mine": mine, "plays": plays, **news, "ref": pk,
        "done": request.GET.get("done", ""), "takedown_text": partial(takedown_text, context["sheet"]),
        "stands_in": partial(stands_in, context["sheet"]), **more}
    if plays:
        context |= by_hand.mode_context(request, context["sheet"].party, context["play_url"])
        context |= knowing(last_roll_of(context["sheet"]))
    return render(request, "play/_sheet.html" if request.htmx else "play/sheet.html", context, status=status)


def stands_in(sheet: Sheet) -> list[Encounter]:
    """Return the encounters that contain an opponent of the library, at most `FEW`."""
    return by_name(Encounter.objects.filter(placed__sheet=sheet).only("name"))[:FEW]


def own_news(character: Character) -> dict[str, str]:
    """Return the change token and the addresses by which the player's page learns of news."""
    pk = character.sheet.pk
    return {"change_token": own_token(character), "look_url": reverse("landed", args=[pk]),
            "live_url": reverse("live", args=["sheet", pk]), "shown": fingerprint(character), "looks_with": "not _seen"}


def back(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Redirect to the sheet: a page that answered a press has the address of the press, and may be reloaded."""
    return redirect("sheet", get_object_or_404(editable(request), pk=pk).pk)
