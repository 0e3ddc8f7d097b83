"""The luck of a sheet, for those who may read its log: as a page, or as the part that the sheet's page unfolds."""

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from sheets.access import PageRequest, owns, readable_sheet
from sheets.stage.luck import luck_of
from sheets.stage.sheet_page import character_for, part_in


@require_safe
@never_cache
def luck(request: PageRequest, pk: UUID) -> HttpResponse:
    """Show how lucky the rolls of a sheet were, to its owner or to a member of its party."""
    sheet = readable_sheet(request, pk)
    me = None if owns(request, sheet) else part_in(request, sheet)
    if me is None and not owns(request, sheet):
        raise Http404
    character = character_for(request, sheet, me)
    return render(request, "rolls/_luck.html" if request.htmx else "play/luck.html", {
        "sheet": sheet, "character": character, "ruleset": character.ruleset, "luck": luck_of(character)})
