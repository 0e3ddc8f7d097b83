"""The rolls of a system without a sheet, for NPCs and the table."""

from functools import partial

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sheets.access import PageRequest
from sheets.models import system_or_404
from sheets.pages.dice_log import answer_logged
from sheets.rolls.dice_responses import show_dice


@require_http_methods(["GET", "HEAD", "POST"])
def dicebox(request: PageRequest, slug: str) -> HttpResponse:
    """Show all rolls of a system."""
    ruleset = system_or_404(slug)
    show = partial(show_dice, template="rolls/dice_page.html")
    return answer_logged(request, ruleset, None, reverse("dicebox", args=[slug]), show)
