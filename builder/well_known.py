"""The files that other programs look for at agreed addresses: robots.txt, the sitemap and those in /.well-known/."""

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap as sitemap_of
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from rulesets import systems

PLAIN = "text/plain; charset=utf-8"
PREVIEWS = ("Discordbot", "facebookexternalhit", "LinkedInBot", "Slackbot", "Twitterbot")
"""Crawlers that request a page only to draw a preview where somebody has posted its link."""
PRIVATE = ("account", "build", "done", "drafts", "i18n", "import", "invitations", "invited", "join", "live", "metrics",
           "notifications", "onlookers", "opponents", "parties", "paste", "reports", "reviews", "rolls", "shared",
           "sheets", "verify")
"""The first parts of the paths that are private, secret or of no use in search results."""
SECURITY_DAYS = 180
"""The days until security.txt expires; RFC 9116 recommends less than a year."""


class PublicPages(Sitemap):
    """The pages that are the same for everybody; each has one address in all languages."""

    def items(self) -> list[str]:
        found = [reverse(name) for name in ("home", "validator", "api", "privacy", "accessibility")]
        for slug, system in systems().items():
            found += [reverse(name, args=[slug]) for name in ("rules", "dicebox", "compare")]
            found += [reverse("sample", args=[slug, which]) for which in system.examples]
        return found

    def location(self, item: str) -> str:
        return item


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt: crawlers may read public pages, but neither the API nor URLs with a query, which cost time."""
    lines = [*(f"User-agent: {name}" for name in PREVIEWS), "Disallow:", "",
             "User-agent: *", f"Allow: {reverse('api')}", "Disallow: /api/", "Disallow: /*?",
             *(f"Disallow: /{part}/" for part in PRIVATE), "",
             f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}"]
    return _text(lines)


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """Return the sitemap with the addresses of all public pages."""
    return sitemap_of(request, {"pages": PublicPages})


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Return security.txt (RFC 9116) with the contacts for security problems; 404 if `SECURITY_CONTACT` is not set."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = datetime.combine(datetime.now(UTC).date() + timedelta(days=SECURITY_DAYS), time(), UTC)
    return _text([*(f"Contact: {contact}" for contact in settings.SECURITY_CONTACT),
                  f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
                  f"Preferred-Languages: {', '.join(code for code, _title in settings.LANGUAGES)}",
                  f"Canonical: {request.build_absolute_uri(reverse('security-txt'))}"])


@require_safe
def change_password(_request: HttpRequest) -> HttpResponse:
    """Redirect password managers to the page that changes the password."""
    return redirect("account_change_password")


def _text(lines: list[str]) -> HttpResponse:
    return HttpResponse("\n".join(lines) + "\n", content_type=PLAIN)
