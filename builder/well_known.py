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
"""Programs that ask for a page only because somebody has posted its link; they draw its preview."""
PRIVATE = ("account", "build", "done", "drafts", "i18n", "import", "invitations", "invited", "join", "live", "metrics",
           "notifications", "onlookers", "opponents", "parties", "paste", "reports", "reviews", "rolls", "shared",
           "sheets", "verify")
"""The first parts of the addresses that are somebody's own, secret, or of no use in a search."""
SECURITY_DAYS = 180
"""The days for which security.txt says that it holds; RFC 9116 wants fewer than a year."""


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
    """Answer what crawlers may read: public pages, and no question that costs time to answer."""
    lines = [*(f"User-agent: {name}" for name in PREVIEWS), "Disallow:", "",
             "User-agent: *", f"Allow: {reverse('api')}", "Disallow: /api/", "Disallow: /*?",
             *(f"Disallow: /{part}/" for part in PRIVATE), "",
             f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}"]
    return _text(lines)


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """Answer the addresses of all public pages."""
    return sitemap_of(request, {"pages": PublicPages})


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Answer to whom security problems are reported (RFC 9116); 404 if `SECURITY_CONTACT` is not set."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = datetime.combine(datetime.now(UTC).date() + timedelta(days=SECURITY_DAYS), time(), UTC)
    return _text([*(f"Contact: {contact}" for contact in settings.SECURITY_CONTACT),
                  f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
                  f"Preferred-Languages: {', '.join(code for code, _title in settings.LANGUAGES)}",
                  f"Canonical: {request.build_absolute_uri(reverse('security-txt'))}"])


@require_safe
def change_password(_request: HttpRequest) -> HttpResponse:
    """Lead password managers to the page where the password is changed."""
    return redirect("account_change_password")


def _text(lines: list[str]) -> HttpResponse:
    return HttpResponse("\n".join(lines) + "\n", content_type=PLAIN)
