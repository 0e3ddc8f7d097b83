"""The page for reporting a shared sheet, and the page of all reports for admins."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access import key_or_404, readable, shared, user_of
from sheets.buttons import pressed_about
from sheets.faces.served import served
from sheets.models import PUBLIC, Report, Sheet
from sheets.reports.services import (
    MAX_PER_SHEET,
    make_report,
    reported_sheets,
    reporter_token,
    take_down,
    waiting_reports,
)
from sheets.status.reviews import shown_names, shown_state

MAX_CHARACTERS = 1000
"""The most characters of a report."""
PER_PAGE = 50
"""The most sheets with waiting reports, and the most settled reports, on one page."""
REPORTS_PER_SHEET = 20
"""The most reports about one sheet on the page of all reports."""
DECISION_TEXTS = {
    Report.NOTHING: gettext_lazy("left as it is"), Report.PICTURE: gettext_lazy("picture removed"),
    Report.SHARE: gettext_lazy("sharing stopped"),
    Report.BOTH: gettext_lazy("picture removed and sharing stopped"),
}
"""{decision: its text, for admins}."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def report(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Report a public sheet to the admins."""
    sheet = get_object_or_404(readable(request), pk=pk, seen_by=PUBLIC)
    return _report(request, sheet, reverse("sheet", args=[pk]))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def shared_report(request: HttpRequest, token: str) -> HttpResponse:
    """Report a sheet that is shared by link."""
    return _report(request, shared(token), reverse("shared", args=[token]))


def _report(request: HttpRequest, sheet: Sheet, back: str) -> HttpResponse:
    said, fault = request.POST.get("said", "").replace("\r\n", "\n").strip(), ""
    if request.method == "POST":
        if said and len(said) <= MAX_CHARACTERS and "\0" not in said:
            if make_report(sheet, said, reporter_token(request)):
                messages.success(request, _("Thank you. The people who run this site have been told and will look at "
                                            "it."))
            else:
                messages.warning(request, _("Your earlier reports are still waiting to be looked at; report more "
                                            "after that."))
            return redirect(back)
        fault = _("Say briefly what is wrong, in at most {most} characters.").format(most=MAX_CHARACTERS)
    return render(request, "reports/report.html", {
        "name": shown_state(sheet).name, "back": back, "said": said, "fault": fault, "most": MAX_CHARACTERS,
    }, status=422 if fault else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def reports(request: HttpRequest) -> HttpResponse:
    """Show an admin the reported sheets; on POST carry out the decision about one of them."""
    if (admin := user_of(request)) is None or not admin.is_superuser:
        raise Http404
    if request.method == "POST":
        action, sheet_key = pressed_about(request.POST, Report.WORDS)
        with transaction.atomic():
            sheet = get_object_or_404(Sheet.objects.select_for_update(), pk__in=reported_sheets().values("pk"),
                                      pk=key_or_404(sheet_key))
            take_down(admin, sheet, action)
        messages.success(request, _("Settled: {what}.").format(what=DECISION_TEXTS[action]))
        return redirect("reports")
    chosen = request.GET.get("sheet", "")
    sheets = reported_sheets().filter(pk=key_or_404(chosen)) if chosen else reported_sheets()
    page = Paginator(sheets.select_related("owner", "party"), PER_PAGE).get_page(request.GET.get("page"))
    names = shown_names(page)
    found = [(sheet, names[sheet.pk], waiting_reports(sheet)) for sheet in page]
    settled = Report.objects.exclude(settled=None).select_related("admin").order_by("-settled")[:PER_PAGE]
    return render(request, "reports/list.html", {
        "page": page, "settled": [(report, DECISION_TEXTS[report.done]) for report in settled],
        "found": [(sheet, name, waiting if chosen else waiting[:REPORTS_PER_SHEET],
                   0 if chosen else max(len(waiting) - REPORTS_PER_SHEET, 0), len(waiting) >= MAX_PER_SHEET)
                  for sheet, name, waiting in found]})


@require_safe
@never_cache
def reported_portrait(request: HttpRequest, pk: UUID, size: int) -> HttpResponse:
    """Show an admin the picture of a reported sheet."""
    if not request.user.is_superuser:
        raise Http404
    return served(request, get_object_or_404(reported_sheets(), pk=pk).portrait_id, size)
