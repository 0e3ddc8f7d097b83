"""A system's own dice: every roll of it without a sheet, for NPCs and the table."""

from functools import partial

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from rulesets import systems
from sheets.access import PageRequest
from sheets.rolls.dice_answers import answer_dice, show_dice
from sheets.rolls.dice_page import DicePage


@require_http_methods(["GET", "HEAD", "POST"])
def dicebox(request: PageRequest, slug: str) -> HttpResponse:
    """Every roll of a system."""
    ruleset = systems().get(slug)
    if ruleset is None:
        raise Http404
    show = partial(show_dice, template="rolls/dice_page.html")
    return answer_dice(request, partial(DicePage, ruleset), reverse("dicebox", args=[slug]), show)
