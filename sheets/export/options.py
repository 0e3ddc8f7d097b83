"""The forms in which a sheet is exported, and the state of it that a request asks for."""

from django.http import HttpRequest

from sheets.export.text import FORMS
from sheets.models import Sheet
from sheets.status.stamp import Stamp, stamp_asked_for

JSON = "json"
TITLES = {JSON: "JSON", **{slug: form.title for slug, form in FORMS.items()}}.items()
"""(slug, title) of each form."""


def requested_stamp(request: HttpRequest, sheet: Sheet, *, drafts: bool = True) -> Stamp:
    """Return the requested state of a sheet: `?of=draft`, or by default what is played.

    Raise Http404 for a draft unless `drafts` are allowed.
    """
    root = f"{request.scheme}://{request.get_host()}"
    return stamp_asked_for(sheet, request.GET.get("of", ""), root, drafts=drafts)
