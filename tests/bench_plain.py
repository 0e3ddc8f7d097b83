"""The yardstick: what a plain Django site takes that saves a row; nothing in this project makes it cheaper or dearer.

Its model, middleware and template engine are Django's own, so that a ratio of today compares with one of years ago.
"""

from functools import cache
from urllib.parse import urlencode
from uuid import uuid4

from django.contrib.auth.models import Group
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.template import Engine, RequestContext, Template
from django.test import Client
from django.test.utils import override_settings
from django.urls import path

MIDDLEWARE = [f"django.{name}" for name in (
    "contrib.sessions.middleware.SessionMiddleware", "middleware.common.CommonMiddleware",
    "middleware.csrf.CsrfViewMiddleware",
    "contrib.auth.middleware.AuthenticationMiddleware", "middleware.clickjacking.XFrameOptionsMiddleware")]
LINKS = 46
"""How long the page is: with so many the view made as many calls, 5,290, as one of this site's did at 50aac23."""
PAGE = """<!DOCTYPE html><html lang="en"><head><title>{{ group.name }}</title></head><body>
<nav>{% for link in links %}<a href="/{{ link }}/"{% if link == 1 %} aria-current="page"{% endif %}>{{ link }}</a>
{% endfor %}</nav>
<main><h1>{{ group.name|title }}</h1><form method="post">{% csrf_token %}<button>{{ group.pk }}</button></form></main>
{% if user.is_authenticated %}<p>{{ user.username }}</p>{% endif %}</body></html>"""


def _saved(request) -> Group:
    """One row read and written in a transaction, and a session that is looked at."""
    request.session.get("guest")
    with transaction.atomic():
        group = get_object_or_404(Group.objects.select_for_update(), pk=request.POST["pk"])
        group.name = request.POST["name"]
        group.save(update_fields=["name"])
    return group


def _word(request) -> HttpResponse:
    _saved(request)
    return HttpResponse("saved")


def _page(request) -> HttpResponse:
    said = {"group": _saved(request), "links": range(LINKS), "user": request.user}
    return HttpResponse(_compiled().render(RequestContext(request, said)))


@cache
def _compiled() -> Template:
    return Engine().from_string(PAGE)


urlpatterns = [path("plain/word/", _word), path("plain/page/", _page)]


class Plain:
    """Somebody who saves one row over and over, in the database that is at hand."""

    def __init__(self):
        self.key = Group.objects.create(name=uuid4().hex).pk
        self.client = Client()
        # What a client's requests go through is settled by the first of them.
        with override_settings(MIDDLEWARE=MIDDLEWARE, SESSION_ENGINE="django.contrib.sessions.backends.db"):
            self.client.session.save()
            self.word(1)

    def word(self, number: int) -> HttpResponse:
        """Saves and says a word."""
        return self._posted("/plain/word/", number)

    def page(self, number: int) -> HttpResponse:
        """Saves and shows a page."""
        return self._posted("/plain/page/", number)

    def _posted(self, address: str, number: int) -> HttpResponse:
        answer = self.client.post(address, urlencode({"pk": self.key, "name": f"{self.key}.{number}"}),
                                  content_type="application/x-www-form-urlencoded")
        if answer.status_code != 200:
            raise AssertionError(answer.status_code)
        return answer
