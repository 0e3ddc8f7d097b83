"""The cookie that tells a page that the file it waits for has arrived (static/components/waiting.js)."""

import re

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

MAX_AGE = 60
"""The seconds until the cookie expires."""


def set_download_cookie(request: HttpRequest, file: HttpResponseBase) -> None:
    """Set the cookie on the response with a file, if the page has sent a name for it."""
    if token := re.fullmatch(r"[\w-]{8,40}", request.GET.get("wait", ""), re.ASCII):
        file.set_cookie("there", token[0], max_age=MAX_AGE, samesite="Strict", secure=settings.SESSION_COOKIE_SECURE)
