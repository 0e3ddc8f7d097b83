"""The answers of pages of rolls that nobody keeps: the odds that are asked for, and the dice that fell."""

from collections.abc import Callable
from typing import Any, TypeAlias
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django_htmx.http import replace_url, reswap

from rulesets.kit.row_marks import named
from sheets.access import PageRequest
from sheets.forms.addresses import at_place, query
from sheets.forms.inputs import Answers
from sheets.rolls.dice_page import DicePage, Throw, sealed, unsealed
from sheets.rolls.rows import promises

PageOf: TypeAlias = Callable[[Answers, str, list[Throw]], DicePage]
"""A page of rolls from (answers, the widget that they belong to, what fell)."""


def answer_dice(request: PageRequest, page_of: PageOf, url: str, show: Callable[..., HttpResponse]) -> HttpResponse:
    """Answer with the page; a roll is made by POST and shown at a signed address, so that reload and back roll nothing.

    The odds that are asked for are in the address, too; htmx gets those alone, and of a roll only what it has changed:
    on the page itself, or elsewhere its tray.
    """
    form = request.POST or request.GET
    answers, which = dict(form.lists()), named(form.get("w", ""))[0]
    if form.get("do") == "odds" and request.method == "POST":
        return redirect(at_place(f"{url}?{query(answers)}", f"w-{which}"))
    page = page_of(answers, which, unsealed(form.get("fell", "")))
    if request.method == "POST":
        return _rolled(request, page_of, page, url, show)
    if request.htmx:
        return render(request, "play/_promises.html", promises(page.offers, page.against, answers, which, url))
    return show(request, page, url)


def _rolled(request: PageRequest, page_of: PageOf, page: DicePage, url: str,
            show: Callable[..., HttpResponse]) -> HttpResponse:
    if (widget := page.widget) is None or not widget.made:
        if request.htmx:
            return reswap(show_dice(request, page, url, "rolls/_dice_answer.html", faulty=True), "none")
        return show(request, page, url, status=422)
    chain = page.throw(widget)
    after = page_of(page.against.answers, "", chain)
    if request.htmx and request.htmx.target == "tray":
        return show_dice(request, after, url, "rolls/_tray.html", mine=False)
    address = f"{url}?{urlencode({'fell': sealed(chain)})}"
    if not request.htmx:
        return redirect(f"{address}#tray")
    return reswap(replace_url(show_dice(request, after, url, "rolls/_dice_answer.html"), address), "none")


def show_dice(request: HttpRequest, page: DicePage, url: str, template: str, status: int = 200,
          **more: Any) -> HttpResponse:
    """Draw the page, or a part of it by its own template."""
    return render(request, template, dice_context(page, url) | more, status=status)


def dice_context(page: DicePage, url: str) -> dict[str, Any]:
    """Return the context for a page of rolls at this address."""
    aimed = urlencode(page.against.answers, doseq=True)
    return page.shown() | {"sheet_url": url, "play_url": f"{url}?{aimed}" if aimed else url}
