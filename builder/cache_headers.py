"""Caching headers for responses whose views set none."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

PUBLIC = ("rulesets", "schema", "odds", "openapi", "robots", "sitemap", "security-txt")
"""Names of the URLs whose answers depend only on the language."""
MINUTES = 5
"""The minutes for which any cache may store those answers."""
NO_STORE = "/account/"
"""The prefix of the paths whose pages show codes, e-mail addresses and keys."""
SIGNED_OUT_BY = ("account_logout", "account_delete")
"""Names of the URLs that sign a user out."""
HTMX_HEADERS = ["HX-Request", "HX-Target"]
"""The request headers from htmx that decide whether a URL answers with a page or with a part of it."""


def cache_headers_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Set `Cache-Control` and `Vary` of answers: pages are private and revalidated, secret ones are never stored.

    All HTML varies by htmx's headers. Pages other than secret ones may stay in the browser, because otherwise its back
    button would lose typed text; they are cleared when somebody signs out.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        name = request.resolver_match.url_name if request.resolver_match else ""
        if request.method == "POST" and name in SIGNED_OUT_BY and response.status_code == 302:
            response.headers["Clear-Site-Data"] = '"cache"'
        if response.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, HTMX_HEADERS)
        if response.has_header("Cache-Control"):
            return response
        if name in PUBLIC and request.method in ("GET", "HEAD") and response.status_code == 200:
            response.headers["Cache-Control"] = f"public, max-age={MINUTES * 60}"
            patch_vary_headers(response, ["Accept-Language", "Cookie"])
        elif request.path.startswith(NO_STORE):
            response.headers["Cache-Control"] = "private, no-store"
        else:
            response.headers["Cache-Control"] = "private, no-cache"
        return response

    return middleware
