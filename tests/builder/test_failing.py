"""What people and the log are told where the database is away, and where a request is refused."""

import gzip
import logging
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from allauth.account.auth_backends import AuthenticationBackend
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.exceptions import BadRequest
from django.db import (
    DatabaseError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    connection,
    transaction,
)
from django.http import HttpResponse
from django.test import Client

from builder import error_pages
from builder.logs import MAX_MESSAGE, ShortenRequests
from sheets.api import views as api
from tests.support.builder import urls
from tests.support.builder.held import lacking
from tests.support.server import TOKEN

pytestmark = pytest.mark.django_db


def failing(error):
    def view(*_args, **_kwargs):
        raise error
    return view


@pytest.fixture
def shown(settings, monkeypatch):
    """A browser's answer by a method of a page that has this view."""
    settings.ROOT_URLCONF = "tests.support.builder.urls"
    [one] = [one for one in urls.urlpatterns if str(one.pattern) == "broken/"]

    def answer(view, method="get", **headers):
        monkeypatch.setattr(one, "callback", view)
        return getattr(Client(raise_request_exception=False), method)("/broken/", headers=headers)
    return answer


@pytest.fixture
def broken(shown):
    """What a page answers whose view fails so."""
    return lambda error, **headers: shown(failing(error), **headers)


@pytest.mark.parametrize(("error", "status"), [
    (OperationalError("server closed the connection"), 503), (InterfaceError("already closed"), 503),
    (ProgrammingError("no such column"), 500), (RuntimeError(), 500)])
def test_a_database_that_is_away_is_a_page_that_says_to_try_again_and_our_fault_is_not(error, status, broken):
    answer, english = broken(error), broken(error, **{"Accept-Language": "en"})
    assert (answer.status_code, answer.get("Retry-After")) == (status, "5" if status == 503 else None)
    told = answer.text + english.text.lower()
    assert status == 500 or lacking(told, "gleich noch einmal", "try again in a moment") == []


@pytest.mark.parametrize(("error", "status"), [(OperationalError("server closed the connection"), 503),
                                               (DatabaseError("Forced update did not affect any rows."), 400)])
def test_a_session_that_cannot_be_saved_is_told_from_one_that_was_ended(error, status, settings, monkeypatch):
    def view(request):
        monkeypatch.setattr(Session, "save", failing(error))
        request.session.modified = True
        return HttpResponse("there")

    settings.ROOT_URLCONF = "tests.support.builder.urls"
    [page] = [one for one in urls.urlpatterns if str(one.pattern) == "broken/"]
    monkeypatch.setattr(page, "callback", view)
    browser = Client(raise_request_exception=False)
    browser.force_login(User.objects.create_user("anna"))
    assert browser.post("/broken/").status_code == status


class Gone:
    """A connection that PostgreSQL has ended."""

    connection = None

    def close(self):
        """Nothing is left to be closed."""


@pytest.mark.parametrize(("method", "times", "gone", "asked", "status"), [
    ("get", 1, True, 2, 200), pytest.param("get", 2, True, 2, 503, id="no third time"),
    pytest.param("post", 1, True, 1, 503, id="what writes never"),
    pytest.param("get", 1, False, 1, 503, id="nothing while the connection is there")])
def test_what_is_only_read_is_asked_for_once_more_where_the_connection_was_ended(
        shown, monkeypatch, method, times, gone, asked, status):
    heard = []

    def view(request):
        heard.append(request.method)
        if len(heard) <= times:
            raise OperationalError("terminating connection due to administrator command")
        return HttpResponse("there")

    if gone:
        monkeypatch.setattr(error_pages, "connection", Gone())
    assert (shown(view, method).status_code, len(heard)) == (status, asked)


@pytest.mark.database("postgresql")
@pytest.mark.django_db(transaction=True)
def test_a_page_whose_connection_postgresql_ends_comes_all_the_same(shown):
    asked = []

    def view(_request):
        asked.append(1)
        if len(asked) == 1:
            connection.cursor().execute("SELECT pg_terminate_backend(pg_backend_pid())")
        return HttpResponse(str(User.objects.count()))
    answer = shown(view)
    assert (answer.status_code, answer.text, len(asked)) == (200, "0", 2)


@pytest.mark.database("postgresql")
def test_a_server_that_only_stands_by_is_one_that_is_away(broken):
    standing_by = "SET TRANSACTION READ ONLY; CREATE TABLE written (one integer)"
    with pytest.raises(InternalError) as raised, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(standing_by)
    assert broken(raised.value).status_code == 503
    assert broken(InternalError("of another kind")).status_code == 500


class Form(HTMLParser):
    """What a page's form would send, and where."""

    def __init__(self, page):
        super().__init__()
        self.action, self.fields, self.area = "", [], ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "form":
            self.action = attrs["action"]
        elif tag == "input":
            self.fields.append((attrs["name"], attrs["value"]))
        self.area = attrs["name"] if tag == "textarea" else ""

    def handle_data(self, data):
        if self.area:
            # As browsers read it: without the line break that comes first.
            self.fields.append((self.area, data.removeprefix("\n")))
            self.area = ""


@pytest.fixture
def sent(monkeypatch):
    """The page for a form that was sent while the database is away."""
    monkeypatch.setattr("sheets.pages.views.notes.lock_sheet", failing(OperationalError("gone")))
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.cookies["csrftoken"] = TOKEN

    def send(address="/sheets/00000000-0000-0000-0000-000000000000/keep/?at=1", **fields):
        return client.post(address, {"csrfmiddlewaretoken": TOKEN, **fields})
    return send


def test_what_was_sent_stands_in_the_page_to_be_sent_again(sent):
    notes = "\nSie schuldet dem Wirt noch <drei> Silberlinge & ein Pferd."
    answer = sent(notes=notes, do="notes", tag=["a", "b"])
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer["Cache-Control"] == "private, no-store"
    form = Form(answer.text)
    assert form.action == "/sheets/00000000-0000-0000-0000-000000000000/keep/?at=1"
    assert form.fields == [
        ("csrfmiddlewaretoken", TOKEN), ("notes", notes), ("do", "notes"), ("tag", "a"), ("tag", "b")]


def test_where_the_fault_is_ours_what_was_sent_stands_in_the_page_too(sent, monkeypatch):
    monkeypatch.setattr("sheets.pages.views.notes.lock_sheet", failing(RuntimeError()))
    answer = sent(notes="Drei Silberlinge", do="notes")
    assert (answer.status_code, answer["Cache-Control"]) == (500, "private, no-store")
    assert ("notes", "Drei Silberlinge") in Form(answer.text).fields


def test_what_another_site_sent_is_not_offered_to_be_sent_again(sent):
    answer = sent(csrfmiddlewaretoken="x" * 32, notes="forged")
    assert (answer.status_code, "forged" in answer.text) == (403, False)


@pytest.mark.parametrize("charset", ["latin-1", "zlib", "utf-16", "x" * 500])
def test_what_is_not_sent_in_utf_8_is_refused_before_it_is_read(charset, db):
    browser = Client(raise_request_exception=False)
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json"):
        answer = browser.generic("POST", "/validate/", b"document=x", f"{kind}; charset={charset}")
        assert (answer.status_code, len(answer.content) > 100) == (400, True)


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8"])
def test_what_is_sent_in_utf_8_is_read_however_that_is_written(charset, db):
    browser = Client(raise_request_exception=False)
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    assert browser.generic("POST", "/validate/", b"do=check&document=x", kind).status_code == 200


def test_no_page_holds_a_password(monkeypatch):
    monkeypatch.setattr(AuthenticationBackend, "authenticate", failing(OperationalError("gone")))
    answer = Client(raise_request_exception=False).post(
        "/account/login/", {"login": "juan", "password": "very secret words"})
    assert (answer.status_code, "very secret words" in answer.text) == (503, False)


def test_a_database_that_is_away_in_what_surrounds_a_page_is_the_same(monkeypatch):
    monkeypatch.setattr("django.contrib.sessions.middleware.SessionMiddleware.process_request",
                        failing(OperationalError("gone")))
    page, api_ = (Client(raise_request_exception=False).get(one) for one in ("/", "/api/v1/rulesets"))
    assert (page.status_code, page["Retry-After"]) == (503, "5")
    assert (api_.status_code, api_["Content-Type"]) == (503, "application/problem+json")


def test_the_api_says_so_in_its_own_form(monkeypatch):
    monkeypatch.setattr(api, "systems", failing(OperationalError("gone")))
    answer = Client().get("/api/v1/rulesets/condice/schema?lang=en")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json()["detail"] == "The database can't be reached right now; try again in a moment."


def test_a_request_that_is_refused_is_one_line_of_the_log(broken, caplog):
    theirs = ShortenRequests()
    caplog.handler.addFilter(theirs)
    try:
        assert broken(BadRequest("no such\nbutton")).status_code == 400
        [said] = [record for record in caplog.records if record.name == "django.request"]
        assert said.exc_info is None
        assert "\n" not in caplog.handler.format(said)
        assert "no such" in said.getMessage()
        caplog.clear()
        assert broken(RuntimeError("ours")).status_code == 500
        assert any(record.exc_info for record in caplog.records)
    finally:
        caplog.handler.removeFilter(theirs)


@pytest.mark.parametrize("status", [404, 500])
def test_of_a_request_with_a_long_address_the_log_has_the_beginning(status):
    record = logging.makeLogRecord({"msg": "Not Found: %s", "args": ("/" + "x" * 8_000,), "status_code": status})
    assert ShortenRequests().filter(record)
    assert record.getMessage() == "Not Found: /" + "x" * (MAX_MESSAGE - 12) + "…"


def test_the_log_of_the_program_has_that_filter():
    filters = [type(one) for handler in logging.getLogger().handlers for one in handler.filters]
    assert filters.count(ShortenRequests) == 1


@pytest.mark.slow
def test_a_backup_of_one_huge_line_is_refused_in_little_memory(tmp_path):
    piece = gzip.compress(b"x" * 2**20)
    for name, head in (("row", gzip.compress(b'["sheets.Sheet",[')), ("header", gzip.compress(b'{"format":["'))):
        (tmp_path / name).write_bytes(head + piece * 400)
    code = """
import resource, sys
import django; django.setup()
from builder.backup.database import BackupError
from builder.backup.restoring import restore
from pathlib import Path
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for name in sys.argv[1:]:
    try:
        restore(Path(name), replace=True)
    except BackupError as error:
        print("refused")
        print(error, file=sys.stderr)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "row", tmp_path / "header"], check=False,
                          cwd=settings.BASE_DIR, capture_output=True, text=True,
                          env={"BOGENSCHMIEDE_MODE": "development", "DJANGO_SETTINGS_MODULE": "builder.settings"})
    first, second, grown = done.stdout.split()
    assert (first, second) == ("refused", "refused"), done.stderr
    assert done.stderr.count("it has a line of over") == 2
    assert int(grown) < 100
