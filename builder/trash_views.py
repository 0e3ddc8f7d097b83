"""The page of the trash: thrown away sheets, which can be brought back for a while or deleted for good."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from builder import drafts
from builder.wizard.steps import FIGURE
from rulesets import systems
from rulesets.names import isolated
from sheets.access import key_or_404
from sheets.buttons import pressed_about
from sheets.models import Sheet
from sheets.paging import page_of


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def trash(request: HttpRequest) -> HttpResponse:
    """Show the thrown away sheets, latest first; `?burn=` asks for confirmation to delete one for good.

    On POST, bring a sheet back or delete it for good.
    """
    if request.method == "POST":
        return _do(request)
    if "burn" in request.GET:
        sheet = get_object_or_404(drafts.trash(request).select_related("party"), pk=key_or_404(request.GET["burn"]))
        return render(request, "trash/delete_for_good.html", {
            "sheet": sheet, "name": _name(sheet), "revisions": sheet.revisions.count(), "events": sheet.events.count(),
            "reviewed": sheet.reviews.exists()})
    found = drafts.trash(request).select_related("party").defer("data", "typed", "play", "house")
    page, more = page_of(found, "deleted", request.GET.get("before", ""), request.GET.get("last", ""))
    return render(request, "trash/list.html", {
        "sheets": [(sheet, systems()[sheet.ruleset].title, drafts.days_left(sheet)) for sheet in page],
        "more": more, "days": drafts.DELETED_DAYS})


def _do(request: HttpRequest) -> HttpResponse:
    action, which = pressed_about(request.POST, ("burn", "restore"))
    if action == "burn":
        name = _name(drafts.burn(request, key_or_404(which)))
        messages.success(request, _("“{name}” has been deleted for good.").format(name=isolated(name)))
        return redirect("trash")
    try:
        sheet, full = drafts.bring_back(request, key_or_404(which))
    except drafts.TooMany as error:
        messages.error(request, str(error))
        return redirect("trash")
    if full:
        messages.warning(request, f"{full} " + _("The sheet is back, but not in any party."))
    return redirect("step", sheet.pk, FIGURE.slug)


def _name(sheet: Sheet) -> str:
    return sheet.name or str(sheet.system.title)
