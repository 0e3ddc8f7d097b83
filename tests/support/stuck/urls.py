"""The project's addresses and some that are stuck, for the tests of what ends them."""

import os
import re
import sys
import time

from django.http import HttpResponse, StreamingHttpResponse
from django.urls import path

from builder import urls


def held(request, what):
    """Hold the interpreter's lock for hours, as a sum of huge numbers would."""
    return HttpResponse(re.match(r"(a+)+$", "a" * 60 + "b"))


def slow(request):
    """Say in the log who is at it, and take so many seconds."""
    sys.stderr.write(f"slow in {os.getpid()}\n")
    sys.stderr.flush()
    time.sleep(float(request.GET["seconds"]))
    return HttpResponse("done")


def endless(request):
    """Begin an answer and never end it."""
    def pieces():
        while True:
            yield b"x"
            time.sleep(0.1)
    return StreamingHttpResponse(pieces())


handler500 = urls.handler500
urlpatterns = [*urls.urlpatterns, path("held/<str:what>/", held), path("slow/", slow), path("endless/", endless)]
