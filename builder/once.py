"""Idempotent forms: a form that carries a key is processed once, however often it is submitted.

The key is spent in the same transaction as the first row that the request writes. If nothing is written, the key stays
unspent; a second submission at the same time waits for the first one's transaction and then finds the key spent.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.contrib.messages import get_messages
from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from builder.models import SpentKey
from builder.sent import fields
from sheets.models.compiled_queries import compiled, insert

FIELD, TWICE = "_once", "_twice"
"""The form field with the key, and the one with which a page's script marks a second submission."""
SPENDING = ('INSERT INTO "sheets_', 'UPDATE "sheets_', 'INSERT INTO "builder_invitation"', 'INSERT INTO "auth_user"',
            'UPDATE "auth_user" SET "password"', 'DELETE FROM "auth_user"',
            *(f'{verb} "{table}"' for verb in ("INSERT INTO", "UPDATE", "DELETE FROM")
              for table in ("account_emailaddress", "mfa_authenticator")))
"""Prefixes of the statements that spend a key: those that write sheets, invitations or accounts."""
KEY_LIFETIME = timedelta(days=7)
"""The time for which a spent key is remembered; after that, the form is processed again."""


class DoneAlready(Exception):
    """Raised if the key of a form is spent already."""


class Spending:
    """A wrapper of the connection's statements that spends the form's key before the first row is written."""

    key: UUID | None = None
    spent = False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: Any, context: Any) -> Any:
        """Execute a statement; spend the key first if it writes (`DoneAlready` if another request has spent it)."""
        if sql.startswith(SPENDING):
            self.spend()
        return execute(sql, params, many, context)

    def spend(self) -> None:
        """Spend the key once for this request; raise `DoneAlready` if another request has spent it."""
        if self.key is None or self.spent:
            return
        self.spent = True
        try:
            with transaction.atomic():
                insert(SpentKey(key=self.key))
        except IntegrityError:
            self.spent = False
            raise DoneAlready from None

    @contextmanager
    def on_mail(self) -> Iterator[None]:
        """Spend the key for a form that only sends a mail; restore it if the mail could not be sent."""
        self.spend()
        try:
            yield
        except Exception:
            if self.key:
                SpentKey.objects.filter(key=self.key).delete()
            self.spent = False
            raise


class KeyedRequest(HttpRequest):
    """A POST request with the state of its form's key."""

    spending: Spending


def once_middleware(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[KeyedRequest], HttpResponse]:
    """Process a form with a key once; answer a second submission with a page that says so."""

    def middleware(request: KeyedRequest) -> HttpResponse:
        if request.method != "POST":
            return get_response(request)
        spending = request.spending = Spending()
        with connection.execute_wrapper(spending):
            response = get_response(request)
        if spending.key and spending.spent:
            _store_redirect(spending.key, _redirect_url(request, response))
        elif spending.key and _is_spent(spending.key):
            # Another request with the same key was faster: drop this one's messages, such as "name taken".
            list(get_messages(request))
            return done_already(request, spending.key)
        return response

    def process_view(request: KeyedRequest, _view: Any, _args: tuple[Any, ...],
                     _kwargs: dict[str, UUID]) -> HttpResponse | None:
        """Answer a form whose key is spent; the CSRF check has passed by now."""
        if (key := _key(request)) is None:
            return None
        if _is_spent(key):
            return done_already(request, key)
        request.spending.key = key
        return None

    vars(middleware)["process_view"] = process_view
    vars(middleware)["process_exception"] = \
        lambda request, error: _overtaken(request) if isinstance(error, DoneAlready) else None
    return middleware


@compiled
def _is_spent(key: Any) -> QuerySet[SpentKey, UUID]:
    return SpentKey.objects.filter(key=key).values_list("key", flat=True)


def _store_redirect(key: UUID, place: str) -> None:
    """Store where the answer to a form led, and delete the keys that are too old."""
    pk, made = SpentKey.key.field, SpentKey.made.field
    with connection.cursor() as cursor:
        cursor.execute('UPDATE "builder_spentkey" SET "place" = %s WHERE "key" = %s',
                       [place, pk.get_db_prep_value(key, connection)])
        cursor.execute('DELETE FROM "builder_spentkey" WHERE "made" < %s',
                       [made.get_db_prep_value(timezone.now() - KEY_LIFETIME, connection)])


def _redirect_url(request: HttpRequest, response: HttpResponse) -> str:
    """Return the URL that an answer redirects to.

    After a signup it leads through the login page, because a user who missed the answer is not signed in.
    """
    place: str = response.headers.get("Location", "")
    if place and request.path == reverse("account_signup"):
        return f"{reverse('account_login')}?{urlencode({'next': place})}"
    return place


def _overtaken(request: KeyedRequest) -> HttpResponse:
    """Return the answer to a request whose key another request spent at the same time."""
    key, request.spending.key = request.spending.key, None
    return done_already(request, key) if key else redirect(request.path)


def _key(request: HttpRequest) -> UUID | None:
    """Return the key in a submitted form; None if there is none or it is not a UUID."""
    if request.method != "POST" or FIELD not in request.POST:
        return None
    try:
        return UUID(request.POST[FIELD])
    except ValueError:
        return None


def done_already(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the page that says when a form was processed, links to the result and offers to submit it anew.

    If the button was only pressed twice, redirect to the result instead.
    """
    if TWICE in request.POST:
        return redirect("done", key)
    sent = [one for one in fields(request) if one[0] not in (FIELD, "csrfmiddlewaretoken")]
    return _page(request, key, sent=sent and [*sent, (FIELD, str(uuid4()))], address=request.get_full_path())


@require_safe
@never_cache
def done(request: HttpRequest, key: UUID) -> HttpResponse:
    """Redirect to the result of the form with this key; show when it was processed if it has none."""
    place = get_object_or_404(SpentKey, pk=key).place
    return redirect(place) if place else _page(request, key)


def _page(request: HttpRequest, key: UUID, **more: Any) -> HttpResponse:
    spent = get_object_or_404(SpentKey, pk=key)
    return render(request, "errors/done_already.html", {
        "made": spent.made, "made_url": reverse("done", args=[key]), "page_url": request.path, **more})
