"""In which forms a sheet is taken along, and the state of it that a request asks for."""

from django.http import HttpRequest

from sheets.export.text import FORMS
from sheets.models import Sheet
from sheets.status.stamp import Stamp, stamp_asked_for

JSON = "json"
TITLES = {JSON: "JSON", **{slug: form.title for slug, form in FORMS.items()}}.items()
"""(slug, title) of each form in which a sheet is taken along."""


def requested_stamp(request: HttpRequest, sheet: Sheet, *, drafts: bool = True) -> Stamp:
    """Return the state of a sheet that a request asks for, `?of=draft` or what is played, with the site's address.

    Without `drafts` it comes by a link that shows none (Http404).
    """
    root = f"{request.scheme}://{request.get_host()}"
    return stamp_asked_for(sheet, request.GET.get("of", ""), root, drafts=drafts)
