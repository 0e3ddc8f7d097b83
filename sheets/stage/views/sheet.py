"""The page of a sheet: for reading, rolling and playing."""


from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.http import reselect, retarget

from rulesets.kit.row_marks import named
from sheets.access import PageRequest, own_sheet, owns, readable, readable_sheet
from sheets.character import Character
from sheets.news import fingerprint, own_watched, owner_token, token_for, unchanged_response, with_newest
from sheets.rolls.rows import page_wide_only
from sheets.stage.panel import promised, sheet_page
from sheets.stage.press_form import press_keys
from sheets.stage.sheet_page import character_for, part_in, show
from sheets.stage.waiting import waiting_at


@require_safe
def page(request: PageRequest, pk: UUID) -> HttpResponse:
    """Show the sheet; the parameters are answers for the odds of the widget `?w=`, without it of all rolls.

    htmx asks for these odds only or, with its last change token as `?known=`, for the page if changed (else 204).
    """
    if seen := unchanged_response(request, lambda: with_newest(readable(request).filter(pk=pk), request.user.pk),
                                  token_for(request)):
        return seen
    sheet = readable_sheet(request, pk)
    me = None if owns(request, sheet) else part_in(request, sheet)
    character = character_for(request, sheet, me)
    answers, which = dict(request.GET.lists()), named(request.GET.get("w", ""))[0]
    if request.htmx and "known" not in request.GET:
        return render(request, "play/_odds.html", promised(character, answers, which))
    return show(request, sheet_page(character, answers, which), me=me)


@require_safe
def pending_effects(request: PageRequest, pk: UUID) -> HttpResponse:
    """Return the changed part of the player's page: nothing (204), the pending effects, or the whole page.

    The request contains the page's fingerprint, `?seen=`, and the change token of its pending effects, `?landings=`.
    If its last change token, `?known=`, is still current, the character need not be built to answer it.
    """
    if seen := unchanged_response(request, lambda: own_watched(pk, request.user.pk) if request.user.pk else (),
                                  owner_token):
        return seen
    character = Character(own_sheet(request, pk))
    if request.GET.get("seen", now := fingerprint(character)) != now:
        page = sheet_page(character, page_wide_only(dict(request.GET.lists())))
        return show(request, page | {"fresh": False}, looked=True)
    context = waiting_at(character)
    if request.GET.get("landings") == context["known"]:
        return HttpResponse(status=204)
    answer = render(request, "play/_pending_effects.html", context | {
        "play_url": reverse("play", args=[pk]), "press": press_keys(), "sheet": character.sheet})
    return reselect(retarget(answer, "#landings"), "#landings")
