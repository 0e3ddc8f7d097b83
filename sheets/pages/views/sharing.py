"""The page of a sheet for anybody who has its link."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from rulesets.kit.row_marks import named
from sheets.access import PageRequest
from sheets.character import Character
from sheets.export.options import TITLES
from sheets.models import Sheet
from sheets.news import link_token, unchanged_response, watched, with_newest
from sheets.stage.panel import sheet_page
from sheets.stage.readers import house_of
from sheets.status.outward import outward
from sheets.verdicts import findings_for_others


@require_safe
def shared(request: PageRequest, token: str) -> HttpResponse:
    """Show the sheet and its odds to anybody who has its link; they cannot play it.

    The state of play is included only if the owner shares it, too.
    """
    sheets = Sheet.objects.not_deleted().filter(share=token)
    if unchanged := unchanged_response(request, lambda: with_newest(sheets), link_token):
        return unchanged
    sheet = get_object_or_404(sheets)
    character = Character(sheet, outward(sheet), others=True, unplayed=not sheet.share_play)
    context = sheet_page(character, dict(request.GET.lists()), named(request.GET.get("w", ""))[0])
    context |= {"sheet_url": request.path, "mine": False, "ref": token, "forms": TITLES,
                "differences": house_of(character), **findings_for_others(context["verdict"]),
                **watched(sheet, character.review_status, request, request.path, reverse("live-link", args=[token]),
                          link_token)}
    return render(request, "play/_sheet.html" if request.htmx else "play/sheet.html", context)
