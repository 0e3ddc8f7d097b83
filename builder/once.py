"""A form that makes something makes it once, however often it arrives: by the key that it carries.

The key is spent with the first row that is written, in the transaction of that row. So it is not spent where nothing
was done, and nothing is done without it: a second arrival waits for the first one and finds its key there.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.contrib.messages import get_messages
from django.db import IntegrityError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from builder.models import SpentKey
from builder.sent import fields

FIELD, TWICE = "_once", "_twice"
"""The field of a form that has its key, and the one that says that a page has sent it before."""
DONE = ('INSERT INTO "sheets_', 'UPDATE "sheets_', 'INSERT INTO "builder_invitation"', 'INSERT INTO "auth_user"',
        'UPDATE "auth_user" SET "password"', 'DELETE FROM "auth_user"',
        *(f'{verb} "{table}"' for verb in ("INSERT INTO", "UPDATE", "DELETE FROM")
          for table in ("account_emailaddress", "mfa_authenticator")))
"""The beginnings of statements that write something a person has made, or changed about their account."""
KEPT = timedelta(days=7)
"""For how long a key is known; a form that is older makes something anew."""


class DoneAlready(Exception):
    """The key of a form is spent."""


class Spending:
    """A wrapper of a connection's statements that spends the key of a form with the first row that it writes."""

    key: UUID | None = None
    spent = False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: Any, context: Any) -> Any:
        """Execute a statement, after the key is spent; raise `DoneAlready` where it was spent before."""
        if sql.startswith(DONE):
            self.spend()
        return execute(sql, params, many, context)

    def spend(self) -> None:
        """Spend the key, if there is one that is not spent by this request (`DoneAlready` where it was before)."""
        if self.key is None or self.spent:
            return
        self.spent = True
        try:
            with transaction.atomic():
                SpentKey.objects.create(key=self.key)
        except IntegrityError:
            self.spent = False
            raise DoneAlready from None

    @contextmanager
    def on_mail(self) -> Iterator[None]:
        """Spend the key with a mail, which is no row; it is as it was if that could not be sent."""
        self.spend()
        try:
            yield
        except Exception:
            if self.key:
                SpentKey.objects.filter(key=self.key).delete()
            self.spent = False
            raise


class KeyedRequest(HttpRequest):
    """A request that may spend the key of a form."""

    spending: Spending


def once_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[KeyedRequest], HttpResponse]:
    """Middleware: what was made by a form is made by no second arrival of it, which is told so."""

    def middleware(request: KeyedRequest) -> HttpResponse:
        if request.method != "POST":
            return get_response(request)
        spending = request.spending = Spending()
        with connection.execute_wrapper(spending):
            response = get_response(request)
        if spending.key and spending.spent:
            SpentKey.objects.filter(key=spending.key).update(place=_place(request, response))
            SpentKey.objects.filter(made__lt=timezone.now() - KEPT).delete()
        elif spending.key and SpentKey.objects.filter(key=spending.key).exists():
            # Another request with the same key has made it meanwhile: that is all the page has to say.
            list(get_messages(request))
            return told(request, spending.key)
        return response

    def looked_up(request: KeyedRequest, _view: Any, _args: tuple[Any, ...],
                  _kwargs: dict[str, UUID]) -> HttpResponse | None:
        """Answer a form whose key is spent; by now it is known that the form is one of ours."""
        if (key := _key(request)) is None:
            return None
        if SpentKey.objects.filter(key=key).exists():
            return told(request, key)
        request.spending.key = key
        return None

    vars(middleware)["process_view"] = looked_up
    vars(middleware)["process_exception"] = \
        lambda request, error: _late(request) if isinstance(error, DoneAlready) else None
    return middleware


def _place(request: HttpRequest, response: HttpResponse) -> str:
    """Return where an answer leads; whoever has made an account and not seen that answer signs in on the way."""
    place: str = response.headers.get("Location", "")
    if place and request.path == reverse("account_signup"):
        return f"{reverse('account_login')}?{urlencode({'next': place})}"
    return place


def _late(request: KeyedRequest) -> HttpResponse:
    key, request.spending.key = request.spending.key, None
    return told(request, key) if key else redirect(request.path)


def _key(request: HttpRequest) -> UUID | None:
    """Return the key that a form carries; None for one that is no key."""
    if request.method != "POST" or FIELD not in request.POST:
        return None
    try:
        return UUID(request.POST[FIELD])
    except ValueError:
        return None


def told(request: HttpRequest, key: UUID) -> HttpResponse:
    """Say when it was done, lead to what was made, and offer to do it anew; who only pressed twice is led there."""
    if TWICE in request.POST:
        return redirect("done", key)
    sent = [one for one in fields(request) if one[0] not in (FIELD, "csrfmiddlewaretoken")]
    return _page(request, key, sent=sent and [*sent, (FIELD, str(uuid4()))], address=request.get_full_path())


@require_safe
@never_cache
def done(request: HttpRequest, key: UUID) -> HttpResponse:
    """To what was made by a form with this key."""
    place = get_object_or_404(SpentKey, pk=key).place
    return redirect(place) if place else _page(request, key)


def _page(request: HttpRequest, key: UUID, **more: Any) -> HttpResponse:
    spent = get_object_or_404(SpentKey, pk=key)
    return render(request, "errors/done_already.html", {
        "made": spent.made, "made_url": reverse("done", args=[key]), "page_url": request.path, **more})
