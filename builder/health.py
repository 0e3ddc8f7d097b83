"""For whoever watches the program: whether it lives, and whether it can do its work."""

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from builder.readiness import missing


@require_safe
@never_cache
def health(_request: HttpRequest) -> HttpResponse:
    """Answer that the process is alive; no database is asked, nobody's session touched."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def ready(_request: HttpRequest) -> HttpResponse:
    """Answer 200 where a save would be kept, else 503 with what is missing, a line each."""
    try:
        lacks = list(missing())
    except DatabaseError as error:
        lacks = [f"the database does not answer: {' '.join(str(error).split())}"]
    status = 503 if lacks else 200
    return HttpResponse("\n".join(lacks) or "ok", status=status, content_type="text/plain; charset=utf-8")
