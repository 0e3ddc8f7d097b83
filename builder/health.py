"""For whoever watches the program: whether it answers, and its database."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def health(_request: HttpRequest) -> HttpResponse:
    """Answer 200 where the database can be read, else 503; nobody's session is touched."""
    try:
        with connection.cursor() as cursor:
            # A table, because SQLite answers questions without one from nowhere.
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
    except DatabaseError:
        return HttpResponse("no database", status=503, content_type="text/plain")
    return HttpResponse("ok", content_type="text/plain")
