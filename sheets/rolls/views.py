"""A system's own dice: every roll of it without a sheet, for NPCs and the table."""

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods
from django_htmx.http import replace_url, reswap

from rulesets import systems
from sheets.access import PageRequest
from sheets.forms.inputs import query
from sheets.rolls.dice_page import DicePage, sealed, unsealed
from sheets.rolls.rows import promises


@require_http_methods(["GET", "HEAD", "POST"])
def dicebox(request: PageRequest, slug: str) -> HttpResponse:
    """The page; a roll is made by POST and shown by its signed address, so that reload and back roll nothing.

    What odds are asked for stands in the address too; htmx is shown those alone, and of a roll what it has changed.
    """
    ruleset = systems().get(slug)
    if ruleset is None:
        raise Http404
    url, form = reverse("dicebox", args=[slug]), request.POST or request.GET
    answers, which = dict(form.lists()), form.get("w", "")
    if form.get("do") == "odds" and request.method == "POST":
        return redirect(f"{url}?{query(answers)}#w-{which}")
    page = DicePage(ruleset, answers, which, unsealed(form.get("fell", "")))
    if request.method == "POST":
        return _rolled(request, page, url)
    if request.htmx:
        return render(request, "play/_promises.html", promises(page.offers, page.against, answers, which, url))
    return _show(request, page, url)


def _rolled(request: PageRequest, page: DicePage, url: str) -> HttpResponse:
    widget = page.widget
    if widget is None or not widget.made:
        if request.htmx:
            return reswap(_show(request, page, url, "rolls/_dice_answer.html", faulty=True), "none")
        return _show(request, page, url, status=422)
    chain = page.throw(widget)
    address = f"{url}?{urlencode({'fell': sealed(chain)})}"
    if not request.htmx:
        return redirect(f"{address}#tray")
    after = DicePage(page.ruleset, page.against.answers, "", chain)
    return reswap(replace_url(_show(request, after, url, "rolls/_dice_answer.html"), address), "none")


def _show(request: HttpRequest, page: DicePage, url: str, template: str = "rolls/dice_page.html", status: int = 200,
          **more: Any) -> HttpResponse:
    aimed = urlencode(page.against.answers, doseq=True)
    said = page.shown() | {"sheet_url": url, "play_url": f"{url}?{aimed}" if aimed else url, **more}
    return render(request, template, said, status=status)
