"""The legal pages (imprint, privacy and accessibility), and the template context for the footer of all pages."""

from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from builder.drafts import DELETED_DAYS, GUEST_DAYS
from builder.version import VERSION


def links(_request: HttpRequest) -> dict:
    """Context processor: `imprint` is True if there is an imprint to link to; `version` is the program's."""
    return {"imprint": bool(settings.IMPRINT), "version": VERSION}


@require_safe
def imprint(request: HttpRequest) -> HttpResponse:
    """Show the imprint from the operator's file; 404 if `IMPRINT` is not set."""
    if (text := _text_of(settings.IMPRINT)) is None:
        raise Http404
    return render(request, "site/imprint.html", {"text": text})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show the privacy page: the operator's own text, if there is one, and what the program stores."""
    context = {"guest_days": GUEST_DAYS, "deleted_days": DELETED_DAYS, "text": _text_of(settings.PRIVACY),
               "session_days": settings.SESSION_COOKIE_AGE // 86_400}
    return render(request, "site/privacy.html", context)


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    """Show the accessibility statement."""
    return render(request, "site/accessibility.html")


def _text_of(path: str) -> str | None:
    """Return the content of a file in the reader's language (`{lang}` in its path); None if the path is empty."""
    return Path(path.replace("{lang}", get_language())).read_text(encoding="utf-8") if path else None
