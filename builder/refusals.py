"""The answers (429) to requests that are refused because a limit of `builder.rate_limit` is used up."""

import math

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from builder.sent import fields
from sheets.api.problems import Problem, document, with_problem_responses

WORK, BYTES, DRAFTS = "work", "bytes", "drafts"
"""The kinds of use: processor seconds, stored bytes, new drafts."""
ADDRESS, ACCOUNT, HOUSE = "address", "user", "house"
"""The kinds of owners of buckets: a guest's address, an account, all accounts behind one address."""
SMALL = 64_000
"""The most bytes of a form that a refusal's page repeats."""
NETWORKS = {"network56": 56, "network48": 48}
"""{kind of owner: prefix length of an IPv6 network}, for networks that one customer may own whole."""


class Spent(Exception):
    """Raised if a bucket is full for a kind of use; it can be used again in `wait` seconds."""

    def __init__(self, bucket: str, kind: str, wait: float) -> None:
        super().__init__(bucket, kind)
        self.bucket, self.kind, self.wait = bucket, kind, max(1, math.ceil(wait))


def owner_kind(bucket: str) -> str:
    """Return the kind of a bucket's owner, the first word of its name."""
    return bucket.partition(" ")[0]


def busy(request: HttpRequest, sentence: str = "", *, reading: bool = False) -> HttpResponse:
    """Return the answer to a request that must wait for others; `reading` is True if these read or send files."""
    if not sentence and not reading:
        sentence = _("You or others at your network address have slow requests running; try again in a moment.")
    elif not sentence and request.method == "POST":
        sentence = _("Another file from your network address is being read; try again in a moment.")
    elif not sentence:
        sentence = _("Another file is being made or sent; try again in a moment.")
    return _too_many(request, sentence, 2)


def refusal(request: HttpRequest, spent: Spent) -> HttpResponse:
    """Return the answer to a request whose bucket is full."""
    return _too_many(request, sentence(spent), spent.wait)


def _too_many(request: HttpRequest, sentence: str, wait: int) -> HttpResponse:
    """Return a 429 as a page or, from the API, as a problem document."""
    if request.path.startswith("/api/"):
        response = with_problem_responses(lambda _request: document(Problem(429, sentence)))(request)
    else:
        response = render(request, "429.html", {
            "sentence": sentence, "sent": _sent(request), "address": request.get_full_path()}, status=429)
    response.headers["Retry-After"] = str(wait)
    return response


def _sent(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the (name, value) pairs of a short form, with its CSRF token, which has not been checked yet."""
    long = int(request.META.get("CONTENT_LENGTH") or 0) > SMALL
    return [] if long or request.content_type != "application/x-www-form-urlencoded" else fields(request)


def sentence(spent: Spent) -> str:
    """Return the sentences that say what is used up and when to try again."""
    what = {
        WORK: _("Your network address has used too much computing time lately and has to wait."),
        BYTES: _("Your network address has stored too much lately and has to wait."),
        DRAFTS: _("Too many drafts have been started from your network address lately; the next one has to wait."),
    } if owner_kind(spent.bucket) != ACCOUNT else {
        WORK: _("Your account has used too much computing time lately and has to wait."),
        BYTES: _("Your account has stored too much lately and has to wait."),
        DRAFTS: _("Your account has started too many drafts lately; the next one has to wait."),
    }
    minutes = math.ceil(spent.wait / 60)
    again = ngettext("Try again in {n} minute.", "Try again in {n} minutes.", minutes).format(n=minutes)
    more = _("Sign in to get a higher limit.") if owner_kind(spent.bucket) == ADDRESS else ""
    return " ".join(filter(None, (what[spent.kind], again, more)))
