"""Refusals of those who have used up their share, and what they are told; the buckets: `builder.rate_limit`."""

import math

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from builder.sent import fields
from sheets.api.problems import Problem, document, framed

WORK, BYTES, DRAFTS = "work", "bytes", "drafts"
ADDRESS, ACCOUNT, HOUSE = "address", "user", "house"
"""The kinds of owners of buckets: a guest's address, an account, all accounts behind one address."""
SMALL = 64_000
"""Bytes of a form that a refusal reads at most."""
NETWORKS = {"network56": 56, "network48": 48}
"""{whose bucket it is: how many bits of an address of IPv6}, for all in a network that may be somebody's alone."""


class Spent(Exception):
    """Something of somebody's is used up; `wait` is in how many seconds there is some again."""

    def __init__(self, bucket: str, kind: str, wait: float) -> None:
        super().__init__(bucket, kind)
        self.bucket, self.kind, self.wait = bucket, kind, max(1, math.ceil(wait))


def sort(bucket: str) -> str:
    """Return whether it is a guest's address, an account or a house."""
    return bucket.partition(" ")[0]


def busy(request: HttpRequest, sentence: str = "", *, reading: bool = False) -> HttpResponse:
    """Say what others from the same address are at: a file is being read or made, or something costly is answered."""
    if not sentence and not reading:
        sentence = _("What you or others at your network address have asked for takes a while; ask again in a moment.")
    elif not sentence and request.method == "POST":
        sentence = _("Another file from your network address is being read; send yours again in a moment.")
    elif not sentence:
        sentence = _("Another file is being made or sent; ask for yours again in a moment.")
    return _too_many(request, sentence, 2)


def refusal(request: HttpRequest, spent: Spent) -> HttpResponse:
    """Say until when there is nothing."""
    return _too_many(request, sentence(spent), spent.wait)


def _too_many(request: HttpRequest, sentence: str, wait: int) -> HttpResponse:
    """A refusal as a page or, to programs, as a problem document."""
    if request.path.startswith("/api/"):
        response = framed(lambda _request: document(Problem(429, sentence)))(request)
    else:
        response = render(request, "429.html", {
            "sentence": sentence, "sent": _sent(request), "address": request.get_full_path()}, status=429)
    response.headers["Retry-After"] = str(wait)
    return response


def _sent(request: HttpRequest) -> list[tuple[str, str]]:
    """Return (name, value) of a short form; its token is kept, because it has not been checked yet."""
    long = int(request.META.get("CONTENT_LENGTH") or 0) > SMALL
    return [] if long or request.content_type != "application/x-www-form-urlencoded" else fields(request)


def sentence(spent: Spent) -> str:
    """Return the sentence that says what is used up and when there is some again."""
    what = {
        WORK: _("So much was reckoned for your network address lately that others must come first."),
        BYTES: _("So much was stored from your network address lately that it must wait."),
        DRAFTS: _("So many drafts were begun from your network address lately that the next one must wait."),
    } if sort(spent.bucket) != ACCOUNT else {
        WORK: _("So much was reckoned for your account lately that others must come first."),
        BYTES: _("So much was stored by your account lately that it must wait."),
        DRAFTS: _("So many drafts were begun by your account lately that the next one must wait."),
    }
    minutes = math.ceil(spent.wait / 60)
    again = ngettext("Try again in {n} minute.", "Try again in {n} minutes.", minutes).format(n=minutes)
    more = _("Whoever signs in may use more.") if sort(spent.bucket) == ADDRESS else ""
    return " ".join(filter(None, (what[spent.kind], again, more)))
