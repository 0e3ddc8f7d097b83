"""The page for sheets pasted as text in a system's own notation: it reports on each and imports them as drafts."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from builder import drafts
from builder.wizard.steps import FIGURE
from rulesets import systems
from rulesets.document import BYTES
from rulesets.kit import Sheet
from rulesets.passages import FoundSheet, answered, passages
from sheets.validator.pdf import NoDocument
from sheets.validator.report import NOTES, DocumentReport
from sheets.validator.views import posted

SHEETS = 40
"""The most sheets that are read from one text."""


@require_http_methods(["GET", "HEAD", "POST"])
def paste(request: HttpRequest) -> HttpResponse:
    """Show the form; on POST, report on each sheet of the text; with `do=import`, make drafts of the readable ones."""
    if request.method != "POST":
        return _paste_page(request, b"")
    try:
        raw = posted(request)
    except NoDocument as error:
        return _paste_page(request, b"", fault=str(error))
    raw = answered(raw, request.POST.get("do", "")) or raw
    found = passages(raw)
    looks = _looks(raw, found)
    if len(looks) < len(found):
        message = _("The text contains {n} sheets; these are the first {m}. Paste the others separately.")
        messages.warning(request, message.format(n=len(found), m=len(looks)))
    if not found:
        known = ", ".join(str(one.title) for one in systems().values() if one.sheet.from_text is not Sheet.from_text)
        fault = _("No sheet was found in the text. Texts can be read for: {systems}.").format(systems=known)
        return _paste_page(request, raw, fault=fault if raw.strip() else _("This is empty; paste a text."))
    if request.POST.get("do") != "import":
        return _paste_page(request, raw, looks)
    made = []
    try:
        made.extend(drafts.create(request, look.document.ruleset, look.document.asdict())
                    for look in looks if look.document)
    except drafts.TooMany as error:
        messages.error(request, str(error))
    if not made:
        return _paste_page(request, raw, looks, _("None of them can be read; fix the places listed."))
    n = len(made)
    messages.success(request, ngettext("{n} draft has been made.", "{n} drafts have been made.", n).format(n=n))
    return redirect("step", made[0].pk, FIGURE.slug) if len(looks) == 1 else redirect("home")


def _looks(raw: bytes, found: list[FoundSheet]) -> list[DocumentReport]:
    """Return reports on the first sheets: at most `SHEETS`, and none after `NOTES` notes have been reached."""
    looks, notes = [], 0
    for one in found[:SHEETS]:
        if notes < NOTES:
            looks.append(DocumentReport(raw, one))
            notes += len(looks[-1].notes)
    return looks


def _paste_page(
    request: HttpRequest, raw: bytes, looks: Sequence[DocumentReport] = (), fault: str = "",
) -> HttpResponse:
    text = raw[: BYTES + 1].decode("utf-8-sig", "replace").replace("\0", "\ufffd")
    readable = sum(look.document is not None for look in looks)
    context = {"text": text, "reports": looks, "fault": fault, "readable": readable}
    return render(request, "validator/paste.html", context, status=422 if fault else 200)
