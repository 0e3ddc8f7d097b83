"""The page that imports a sheet's document: first a report on it, then a new draft."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from builder import drafts
from builder.wizard.steps import FIGURE
from rulesets.document import BYTES, canonical
from rulesets.kit import size
from sheets.access import editable
from sheets.validator.pdf import NoDocument
from sheets.validator.report import DocumentReport
from sheets.validator.views import posted


@require_http_methods(["GET", "HEAD", "POST"])
def import_document(request: HttpRequest) -> HttpResponse:
    """Show the form; on POST, report on the document, and with `do=import` make a new draft of it.

    No existing sheet is replaced.
    """
    if request.method != "POST":
        return _import_page(request, None)
    try:
        look = DocumentReport(posted(request))
    except NoDocument as error:
        return _import_page(request, None, str(error))
    if (action := request.POST.get("do", "")).startswith("read:"):
        look = look.after_action(action) or look
    if not look.raw.strip():
        return _import_page(request, None, _("This is empty; paste a document or choose a file."))
    if look.document is None:
        return _import_page(request, look, _("This cannot be imported until it can be read."))
    document = look.document.asdict()
    document.pop("origin", None)
    if len(canonical(document)) > BYTES:
        fault = _("Written out in full, with every field, the document is too large; shorten it.")
        return _import_page(request, look, fault)
    if request.POST.get("do") != "import":
        return _import_page(request, look)
    if look.document.play:
        document["play"] = look.document.play.model_dump(exclude_defaults=True)
    try:
        sheet = drafts.create(request, look.document.ruleset, document)
    except drafts.TooMany as error:
        return _import_page(request, look, str(error))
    messages.success(request, _("A new draft has been made from the document."))
    return redirect("step", sheet.pk, FIGURE.slug)


def _import_page(request: HttpRequest, look: DocumentReport | None, fault: str = "") -> HttpResponse:
    context: dict[str, Any] = {"report": look, "fault": fault, "most": size(BYTES)}
    if look and look.document and look.document.origin:
        context["origin"] = editable(request).filter(pk=look.document.origin).first()
    return render(request, "validator/import.html", context, status=422 if fault else 200)
