"""The response with a portrait, for all views that return one."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from sheets.faces.pictures import LARGE, SMALL
from sheets.models import Portrait

SHOWN = {LARGE: "large", SMALL: "small"}
"""{width and height in pixels: field of the portrait}."""


def served(request: HttpRequest, key: UUID | None, size: int) -> HttpResponse:
    """Return a response with a portrait, or 304 if the browser has it; raise Http404 if there is none."""
    if key is None or size not in SHOWN:
        raise Http404
    # A portrait never changes but is replaced, so the key suffices for the ETag.
    tag = f'"{key.hex}-{size}"'
    if (answer := get_conditional_response(request, etag=tag)) is None:
        content = Portrait.objects.filter(pk=key).values_list(SHOWN[size], flat=True).first()
        if content is None:
            raise Http404
        answer = HttpResponse(bytes(content), content_type="image/webp")
    answer["ETag"] = tag
    return answer
