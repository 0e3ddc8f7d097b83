"""Caching headers for responses whose view sets none: what may be kept, and by whom."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

PUBLIC = ("rulesets", "schema", "odds", "openapi")
"""Addresses that answer everybody alike, in each language."""
MINUTES = 5
NEVER = "/account/"
"""The beginning of the addresses that show codes, addresses and keys."""
ENDS = ("account_logout", "account_delete")
ASKED_BY = ["HX-Request", "HX-Target"]
"""Headers that say that htmx asks, and for which part of the page: pages and parts of them share one address."""


def stated(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: pages are for one person and asked for anew each time; of what is secret no browser keeps a copy.

    Whatever is HTML may be otherwise for htmx, and says so: no view need remember it.
    Other pages may stay in the browser that shows them: without that its back button would lose what was typed. They
    are wiped out of it when somebody signs out.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        name = request.resolver_match.url_name if request.resolver_match else ""
        if request.method == "POST" and name in ENDS and response.status_code == 302:
            response.headers["Clear-Site-Data"] = '"cache"'
        if response.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ASKED_BY)
        if response.has_header("Cache-Control"):
            return response
        if name in PUBLIC and request.method in ("GET", "HEAD") and response.status_code == 200:
            response.headers["Cache-Control"] = f"public, max-age={MINUTES * 60}"
            patch_vary_headers(response, ["Accept-Language", "Cookie"])
        else:
            response.headers["Cache-Control"] = f"private, no-{'store' if request.path.startswith(NEVER) else 'cache'}"
        return response

    return middleware
