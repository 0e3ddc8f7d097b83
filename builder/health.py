"""Health checks for monitoring: whether the process is alive, and whether it is ready."""

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from builder.readiness import missing
from builder.version import VERSION


@require_safe
@never_cache
def health(_request: HttpRequest) -> HttpResponse:
    """Answer 200 while the process is alive, without the database or a session."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def ready(_request: HttpRequest) -> HttpResponse:
    """Answer 200 if a save would succeed, otherwise 503 with a line for each fault; a header has the version."""
    try:
        faults = list(missing())
    except DatabaseError as error:
        faults = [f"the database does not answer: {' '.join(str(error).split())}"]
    status = 503 if faults else 200
    return HttpResponse("\n".join(faults) or "ok", status=status, content_type="text/plain; charset=utf-8",
                        headers={"Bogenschmiede-Version": VERSION})
