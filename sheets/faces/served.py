"""A picture as an answer, for all views that show one."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from sheets.faces.pictures import LARGE, SMALL
from sheets.models import Portrait

SHOWN = {LARGE: "large", SMALL: "small"}
"""{width and height: field} of the pictures that are shown."""


def served(request: HttpRequest, key: UUID | None, size: int) -> HttpResponse:
    """Return a picture as it is, or that the browser has it already (Http404 if there is none)."""
    if key is None or size not in SHOWN:
        raise Http404
    # A picture is never changed but replaced: its key says all.
    tag = f'"{key.hex}-{size}"'
    if (answer := get_conditional_response(request, etag=tag)) is None:
        content = Portrait.objects.filter(pk=key).values_list(SHOWN[size], flat=True).first()
        if content is None:
            raise Http404
        answer = HttpResponse(bytes(content), content_type="image/webp")
    answer["ETag"] = tag
    return answer
