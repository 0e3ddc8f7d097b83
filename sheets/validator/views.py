"""The validator page: a document is pasted, dropped or edited, and judged; nothing is kept."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from rulesets import systems
from rulesets.document import BYTES
from rulesets.kit import size
from sheets.access import PageRequest
from sheets.documents import written
from sheets.validator.pdf import HEAD, LARGEST, NoDocument, document_in_pdf
from sheets.validator.report import DocumentReport


def posted(request: HttpRequest) -> bytes:
    """Return the document that a form contains: its file, which may be a PDF, else its text.

    Raise NoDocument if the PDF contains none. No more of a file is read than is needed to find it too large.
    """
    if file := request.FILES.get("file"):
        raw = file.read(BYTES + 1)
        return document_in_pdf(raw + file.read(LARGEST)) if raw.startswith(HEAD) else raw
    return request.POST.get("document", "").replace("\r\n", "\n").encode("utf-8", "replace")


@require_http_methods(["GET", "HEAD", "POST"])
def validator(request: PageRequest) -> HttpResponse:
    """Show the page, on POST with the findings; for htmx, return only the findings."""
    if request.method != "POST":
        return _validator_page(request, _example(request.GET.get("example", "")))
    try:
        report, stale_action = DocumentReport(posted(request)), False
    except NoDocument as error:
        return _validator_page(request, None, fault=str(error))
    action = request.POST.get("do", "")
    if action.startswith(("mend:", "read:")):
        mended = report.after_action(action)
        report, stale_action = mended or report, mended is None
    return _validator_page(request, report, stale_action=stale_action)


def _validator_page(request: PageRequest, report: DocumentReport | None, *, stale_action: bool = False,
                    fault: str = "") -> HttpResponse:
    if report and not report.raw.strip():
        report = None
    context = {"report": report, "stale_action": stale_action, "fault": fault, "systems": systems().values(),
               "most": size(BYTES)}
    return render(request, "validator/_answer.html" if request.htmx else "validator/page.html", context)


def _example(slug: str) -> DocumentReport | None:
    ruleset = systems().get(slug)
    return DocumentReport(written(next(iter(ruleset.examples.values())))) if ruleset else None

