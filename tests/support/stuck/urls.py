"""The project's addresses and some that are stuck, for the tests of what ends them."""

import os
import re
import sys
import time
from pathlib import Path

from django.http import HttpResponse, StreamingHttpResponse
from django.urls import path

from builder import urls


def say(what):
    """Say in the log which worker is at it."""
    sys.stderr.write(f"{what} in {os.getpid()}\n")


def held(request, what):
    """Hold the interpreter's lock for hours, as a sum of huge numbers would."""
    say("busy")
    return HttpResponse(re.match(r"(a+)+$", "a" * 60 + "b"))


def slow(request):
    """Take until a file is there."""
    say("busy")
    while not Path(request.GET.get("until", "/nowhere")).exists():
        time.sleep(0.02)
    return HttpResponse("done")


def endless(request):
    """Begin an answer and never end it.

    Between two pieces nobody is in here: it is stuck after the first ones, so that its traceback leads here for sure.
    """
    def pieces():
        yield from (b"x", b"x")
        say("busy")
        while True:
            time.sleep(60)
    return StreamingHttpResponse(pieces())


def who(request):
    """Tell which worker answers."""
    return HttpResponse(str(os.getpid()))


handler500 = urls.handler500
urlpatterns = [*urls.urlpatterns, path("held/<str:what>/", held), path("slow/", slow), path("endless/", endless),
               path("who/", who)]
say("all pages are there")
