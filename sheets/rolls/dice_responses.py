"""Responses of pages with rolls that are not stored: the page, odds, and thrown dice."""

from collections.abc import Callable
from typing import Any, TypeAlias
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django_htmx.http import replace_url, reswap

from rulesets.kit.row_marks import named
from sheets.access import PageRequest
from sheets.forms.addresses import fields_query_string, with_fragment
from sheets.forms.inputs import Answers
from sheets.rolls.dice_page import DicePage, ThrowInAddress, read_signed_chain, signed_chain
from sheets.rolls.rows import odds_context

MakePage: TypeAlias = Callable[[Answers, str, list[ThrowInAddress]], DicePage]
"""A function (answers, key of their widget, chain of throws) that returns a page."""


def respond_with_dice(request: PageRequest, make_page: MakePage, url: str,
                      show_page: Callable[..., HttpResponse]) -> HttpResponse:
    """Respond to a request for a page of rolls.

    A roll is made by POST and shown at a signed address, so that reloading the page throws no dice. The address also
    contains the answers for which odds are shown. htmx gets only what has changed: the odds, or the roll with its tray.
    """
    form = request.POST or request.GET
    answers, widget_key = dict(form.lists()), named(form.get("w", ""))[0]
    if form.get("do") == "odds" and request.method == "POST":
        return redirect(with_fragment(f"{url}?{fields_query_string(answers)}", f"w-{widget_key}"))
    page = make_page(answers, widget_key, read_signed_chain(form.get("fell", "")))
    if request.method == "POST":
        return _respond_to_roll(request, make_page, page, url, show_page)
    if request.htmx:
        return render(request, "play/_odds.html", odds_context(page.offers, page.against, answers, widget_key, url))
    return show_page(request, page, url)


def _respond_to_roll(request: PageRequest, make_page: MakePage, page: DicePage, url: str,
                     show_page: Callable[..., HttpResponse]) -> HttpResponse:
    if (widget := page.widget) is None or not widget.complete:
        if request.htmx:
            return reswap(show_dice(request, page, url, "rolls/_dice_response.html", faulty=True), "none")
        return show_page(request, page, url, status=422)
    chain = page.throw(widget)
    next_page = make_page(page.against.answers, "", chain)
    if request.htmx and request.htmx.target == "tray":
        return show_dice(request, next_page, url, "rolls/_tray.html", mine=False)
    address = f"{url}?{urlencode({'fell': signed_chain(chain)})}"
    if not request.htmx:
        return redirect(f"{address}#tray")
    return reswap(replace_url(show_dice(request, next_page, url, "rolls/_dice_response.html"), address), "none")


def show_dice(request: HttpRequest, page: DicePage, url: str, template: str, status: int = 200,
              **more: Any) -> HttpResponse:
    """Render the page, or a part of it with the part's own template."""
    return render(request, template, dice_context(page, url) | more, status=status)


def dice_context(page: DicePage, url: str) -> dict[str, Any]:
    """Return the template context of a page of rolls at this address."""
    target_answers = urlencode(page.against.answers, doseq=True)
    return page.shown() | {"sheet_url": url, "play_url": f"{url}?{target_answers}" if target_answers else url}
