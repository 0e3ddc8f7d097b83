"""The pages on which shared sheets are reported, and on which an admin sees the reports and takes things down."""

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
from sheets.reports.services import MOST as FULL
from sheets.reports.services import make_report, reported, reporter, take_down, waiting_reports
from sheets.status.reviews import shown_names, shown_state

MOST = 1000
"""Characters of a report."""
SHOWN, SAID = 50, 20
"""Sheets with waiting reports, and settled reports, on one page; reports of each sheet there."""
TITLES = {
    Report.NOTHING: gettext_lazy("left as it is"), Report.PICTURE: gettext_lazy("picture removed"),
    Report.SHARE: gettext_lazy("sharing stopped"),
    Report.BOTH: gettext_lazy("picture removed and sharing stopped"),
}
"""The words for what was done."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def report(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Report a sheet that everybody reads to the admins."""
    sheet = get_object_or_404(readable(request), pk=pk, seen_by=PUBLIC)
    return _report(request, sheet, reverse("sheet", args=[pk]))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def shared_report(request: HttpRequest, token: str) -> HttpResponse:
    """Report a sheet that is read by its link."""
    return _report(request, shared(token), reverse("shared", args=[token]))


def _report(request: HttpRequest, sheet: Sheet, back: str) -> HttpResponse:
    said, fault = request.POST.get("said", "").replace("\r\n", "\n").strip(), ""
    if request.method == "POST":
        if said and len(said) <= MOST and "\0" not in said:
            if make_report(sheet, said, reporter(request)):
                messages.success(request, _("Thank you. The people who run this site have been told and will look at "
                                            "it."))
            else:
                messages.warning(request, _("Your earlier reports are still waiting to be looked at; report more "
                                            "after that."))
            return redirect(back)
        fault = _("Say briefly what is wrong, in at most {most} characters.").format(most=MOST)
    return render(request, "reports/report.html", {
        "name": shown_state(sheet).name, "back": back, "said": said, "fault": fault, "most": MOST,
    }, status=422 if fault else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def reports(request: HttpRequest) -> HttpResponse:
    """Show an admin the reported pictures and shares; on POST take one of them down, or leave it."""
    if (admin := user_of(request)) is None or not admin.is_superuser:
        raise Http404
    if request.method == "POST":
        action, which = pressed_about(request.POST, Report.WORDS)
        with transaction.atomic():
            sheet = get_object_or_404(Sheet.objects.select_for_update(), pk__in=reported().values("pk"),
                                      pk=key_or_404(which))
            take_down(admin, sheet, action)
        messages.success(request, _("Settled: {what}.").format(what=TITLES[action]))
        return redirect("reports")
    about = request.GET.get("sheet", "")
    found = reported().filter(pk=key_or_404(about)) if about else reported()
    page = Paginator(found.select_related("owner", "party"), SHOWN).get_page(request.GET.get("page"))
    names = shown_names(page)
    shown = [(sheet, names[sheet.pk], waiting_reports(sheet)) for sheet in page]
    settled = Report.objects.exclude(settled=None).select_related("admin").order_by("-settled")[:SHOWN]
    return render(request, "reports/list.html", {
        "page": page, "settled": [(one, TITLES[one.done]) for one in settled],
        "found": [(sheet, name, every if about else every[:SAID], 0 if about else max(len(every) - SAID, 0),
                   len(every) >= FULL) for sheet, name, every in shown]})


@require_safe
@never_cache
def reported_portrait(request: HttpRequest, pk: UUID, size: int) -> HttpResponse:
    """Return the picture of a sheet with a waiting report, for admins."""
    if not request.user.is_superuser:
        raise Http404
    return served(request, get_object_or_404(reported(), pk=pk).portrait_id, size)
