"""The page of a sample sheet, which anybody can read and roll on; no roll changes it."""

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from rulesets import systems
from sheets.access import PageRequest
from sheets.character import Character
from sheets.pages.dice_log import answer_logged
from sheets.pages.samples import sample, sample_shown
from sheets.rolls.dice_page import DicePage
from sheets.rolls.dice_responses import dice_context


@require_http_methods(["GET", "HEAD", "POST"])
def sample_page(request: PageRequest, slug: str, which: str) -> HttpResponse:
    """Show the page of an example of a system; on POST roll its dice."""
    if (ruleset := systems().get(slug)) is None or which not in ruleset.examples:
        raise Http404
    character = sample(ruleset, which)
    return answer_logged(request, ruleset, list(character.rolls()), reverse("sample", args=[slug, which]),
                         partial(_show, character=character))


def _show(request: HttpRequest, page: DicePage, url: str, *, character: Character, status: int = 200,
          **extra: Any) -> HttpResponse:
    context = sample_shown(character) | dice_context(page, url) | extra
    return render(request, "pages/samples/page.html", context, status=status)
