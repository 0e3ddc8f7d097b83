"""The note that a file is there, for the page that waits for it (static/components/waiting.js)."""

import re

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

LASTS = 60
"""Seconds that the word lasts."""


def tell(request: HttpRequest, file: HttpResponseBase) -> None:
    """Tell the page that asked for a file that it is coming, by a cookie with the name that the page has given."""
    if token := re.fullmatch(r"[\w-]{8,40}", request.GET.get("wait", ""), re.ASCII):
        file.set_cookie("there", token[0], max_age=LASTS, samesite="Strict", secure=settings.SESSION_COOKIE_SECURE)
