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
from sheets.rolls.dice_page import DiceOnPage, DicePage, read_signed_chain, signed_chain
from sheets.rolls.rows import promises

PageOf: TypeAlias = Callable[[Answers, str, list[DiceOnPage]], DicePage]
"""A function (answers, name of their widget, chain of throws) that returns a page."""


def answer_dice(request: PageRequest, page_of: PageOf, url: str, show: Callable[..., HttpResponse]) -> HttpResponse:
    """Respond to a request for a page of rolls.

    A roll is made by POST and shown at a signed address, so that reloading the page throws no dice. The address also
    contains the answers for which odds are shown. htmx gets only what has changed: the odds, or the roll with its tray.
    """
    form = request.POST or request.GET
    answers, which = dict(form.lists()), named(form.get("w", ""))[0]
    if form.get("do") == "odds" and request.method == "POST":
        return redirect(with_fragment(f"{url}?{fields_query_string(answers)}", f"w-{which}"))
    page = page_of(answers, which, read_signed_chain(form.get("fell", "")))
    if request.method == "POST":
        return _answer_roll(request, page_of, page, url, show)
    if request.htmx:
        return render(request, "play/_promises.html", promises(page.offers, page.against, answers, which, url))
    return show(request, page, url)


def _answer_roll(request: PageRequest, page_of: PageOf, page: DicePage, url: str,
            show: Callable[..., HttpResponse]) -> HttpResponse:
    if (widget := page.widget) is None or not widget.made:
        if request.htmx:
            return reswap(show_dice(request, page, url, "rolls/_dice_answer.html", faulty=True), "none")
        return show(request, page, url, status=422)
    chain = page.throw(widget)
    after = page_of(page.against.answers, "", chain)
    if request.htmx and request.htmx.target == "tray":
        return show_dice(request, after, url, "rolls/_tray.html", mine=False)
    address = f"{url}?{urlencode({'fell': signed_chain(chain)})}"
    if not request.htmx:
        return redirect(f"{address}#tray")
    return reswap(replace_url(show_dice(request, after, url, "rolls/_dice_answer.html"), address), "none")


def show_dice(request: HttpRequest, page: DicePage, url: str, template: str, status: int = 200,
          **more: Any) -> HttpResponse:
    """Render the page, or a part of it with the part's own template."""
    return render(request, template, dice_context(page, url) | more, status=status)


def dice_context(page: DicePage, url: str) -> dict[str, Any]:
    """Return the template context of a page of rolls at this address."""
    aimed = urlencode(page.against.answers, doseq=True)
    return page.shown() | {"sheet_url": url, "play_url": f"{url}?{aimed}" if aimed else url}
