"""The pages that a site owes its visitors: who runs it, what it keeps about them, and how everybody can use it."""

from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from builder.drafts import DELETED_DAYS, GUEST_DAYS


def links(_request: HttpRequest) -> dict:
    """Tell every page whether there is an imprint to link to."""
    return {"imprint": bool(settings.IMPRINT)}


@require_safe
def imprint(request: HttpRequest) -> HttpResponse:
    """Show who runs the site, from the file that they wrote; nothing where they wrote none."""
    if (text := _written(settings.IMPRINT)) is None:
        raise Http404
    return render(request, "site/imprint.html", {"text": text})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show what is kept: what the program does, and before it what whoever runs the site adds or says instead."""
    context = {"guest_days": GUEST_DAYS, "deleted_days": DELETED_DAYS, "text": _written(settings.PRIVACY),
               "session_days": settings.SESSION_COOKIE_AGE // 86_400}
    return render(request, "site/privacy.html", context)


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    """Show how the site is used without a mouse, without seeing it, enlarged; and what is not so yet."""
    return render(request, "site/accessibility.html")


def _written(path: str) -> str | None:
    """The text of a file in the reader's language; None where none is set."""
    return Path(path.replace("{lang}", get_language())).read_text(encoding="utf-8") if path else None
