"""What people and the log are told where the database is away, and where a request is refused."""

import gzip
import logging
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.exceptions import BadRequest
from django.db import InterfaceError, OperationalError, ProgrammingError
from django.test import Client

from builder.logs import Theirs
from sheets.api import views as api
from tests.builder import urls

pytestmark = pytest.mark.django_db


def failing(error):
    def view(*_args, **_kwargs):
        raise error
    return view


@pytest.fixture
def broken(settings, monkeypatch):
    """What a page answers whose view fails so."""
    settings.ROOT_URLCONF = "tests.builder.urls"

    def answer(error, **headers):
        [one] = [one for one in urls.urlpatterns if str(one.pattern) == "broken/"]
        monkeypatch.setattr(one, "callback", failing(error))
        return Client(raise_request_exception=False).get("/broken/", headers=headers)
    return answer


@pytest.mark.parametrize("error", [OperationalError("server closed the connection"), InterfaceError("already closed")])
def test_a_database_that_is_away_is_a_page_that_says_to_try_again(error, broken):
    answer = broken(error)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "gleich noch einmal" in answer.text
    assert "try again in a moment" in broken(error, **{"Accept-Language": "en"}).text.lower()


@pytest.mark.parametrize("error", [ProgrammingError("no such column"), RuntimeError()])
def test_what_is_our_fault_is_no_such_page(error, broken):
    answer = broken(error)
    assert answer.status_code == 500
    assert "Retry-After" not in answer


def test_a_database_that_is_away_in_what_surrounds_a_page_is_the_same(monkeypatch):
    monkeypatch.setattr("django.contrib.sessions.middleware.SessionMiddleware.process_request",
                        lambda *_: (_ for _ in ()).throw(OperationalError("gone")))
    client = Client(raise_request_exception=False)
    assert (client.get("/").status_code, client.get("/")["Retry-After"]) == (503, "5")
    answer = client.get("/api/v1/rulesets")
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")


def test_the_api_says_so_in_its_own_form(monkeypatch):
    monkeypatch.setattr(api, "systems", failing(OperationalError("gone")))
    answer = Client().get("/api/v1/rulesets/condice/schema?lang=en")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json()["detail"] == "The database cannot be reached just now; try again in a moment."


def test_a_request_that_is_refused_is_one_line_of_the_log(broken, caplog):
    theirs = Theirs()
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


def test_the_log_of_the_program_has_that_filter():
    assert [type(one) for handler in logging.getLogger().handlers for one in handler.filters].count(Theirs) == 1


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
