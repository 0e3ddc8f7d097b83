"""`/health/`, `/health/ready/` and the doctor: each thing that may be missing is missing for real."""

import json
import os
import resource
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DatabaseError, connection
from django.test import Client, override_settings

from builder import readiness
from sheets.audit_log import chain
from sheets.models.reviews import Head
from tests.support.builder.doctor import doctor_says
from tests.support.everyday import everyday
from tests.support.server import FILE, VOUCHER, Installation, address, static_files

ASK = """
import json, sys
import django; django.setup()
from django.core.management import CommandError, call_command
from django.test import Client
answer = Client().get("/health/ready/", headers={"Host": "127.0.0.1"})
print(json.dumps([answer.status_code, answer.text]))
try:
    call_command("doctor")
except CommandError as error:
    sys.exit(error.returncode)
"""


class Asked(Installation):
    """An installation that is asked what it lacks; on SQLite it has a file of its own."""

    def __init__(self, folder):
        super().__init__(folder)
        self.environment |= {"STATIC_ROOT": static_files(), "DJANGO_SETTINGS_MODULE": "builder.settings"}

    def lacks(self, *before, **more):
        """Return (status, what is missing, what the doctor finds wrong), as a process says that is started so."""
        done = self.run("-c", ASK, before=before, **more)
        first, *rest = done.stdout.splitlines()
        said = [line.removeprefix("WRONG ") for line in rest if line.startswith("WRONG ")]
        assert (done.returncode == 1) == bool(said), done.stderr
        return *json.loads(first), said


@pytest.fixture
def installed(tmp_path, transactional_db):
    made = Asked(tmp_path)
    made.migrate(tmp_path)
    if connection.vendor != "sqlite":
        # Its database is the suite's, whose head is signed with another key.
        Head.objects.all().delete()
        with override_settings(REVIEW_KEY=VOUCHER):
            chain.begin_chain()
    return made


def test_alive_is_said_in_two_letters_without_any_database_and_session(client):
    answer = client.get("/health/")  # a test that has asked for no database fails at the first question to it
    assert (answer.status_code, answer.content) == (200, b"ok")
    assert not answer.cookies
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_ready_is_said_without_a_session(client):
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.content) == (200, b"ok")
    assert not answer.cookies
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_both_are_asked_without_https_and_pages_are_not(settings):
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get("/health/").status_code == 200
    assert Client().get("/health/ready/").status_code == 200
    assert Client().get("/").status_code == 301


@pytest.mark.django_db
def test_nobody_is_ready_whose_database_does_not_answer(monkeypatch):
    def gone(*_):
        raise DatabaseError("gone\naway")
    monkeypatch.setattr(connection, "cursor", gone)
    answer = Client().get("/health/ready/")
    assert (answer.status_code, answer.text) == (503, "the database does not answer: gone away")
    assert Client().get("/health/").status_code == 200


@pytest.mark.slow
@pytest.mark.alike
def test_a_sound_installation_lacks_nothing(installed):
    assert installed.lacks() == (200, "ok", [])


@pytest.mark.django_db(transaction=True)
def test_asking_keeps_one_row_that_counts_no_attempt():
    for _time in range(3):
        assert readiness.unwritable() == ""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {settings.CACHES['default']['LOCATION']}")  # noqa: S608
        assert cursor.fetchone() == (1,)


@pytest.mark.slow
@pytest.mark.database("sqlite")
def test_a_disk_that_takes_no_more_is_told(installed, tmp_path):
    full = "the database cannot be written: disk I/O error"

    def limit():
        # No file may grow, whoever writes: what the kernel does on a full disk, for this process alone.
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    # Others read on meanwhile, as other workers would. Who asks writes its answer to a pipe, which has no size.
    other = sqlite3.connect(tmp_path / "served.sqlite3")
    other.execute("SELECT count(*) FROM django_migrations").fetchone()
    status, missing, found = installed.lacks(limit=limit)
    assert (status, missing, full in found) == (503, full, True)
    other.close()


@pytest.mark.slow
@pytest.mark.database("sqlite")
def test_a_disk_with_little_space_is_told_with_its_figures(installed, tmp_path):
    status, missing, found = installed.lacks(SPACE_MB="999999999")
    assert (status, found[0][-len("asks for 999999999"):]) == (503, "asks for 999999999")
    assert missing.endswith(f" MB are free in {tmp_path}, and SPACE_MB asks for 999999999")


@pytest.mark.slow
@pytest.mark.database("sqlite")
def test_a_file_that_may_only_be_read_is_told(installed, tmp_path):
    Path(tmp_path, "served.sqlite3").chmod(0o444)
    # Root may write whatever its mode, until it gives that power up.
    without = ["setpriv", "--inh-caps=-dac_override", "--bounding-set=-dac_override"] if os.getuid() == 0 else []
    told = "the database cannot be written: attempt to write a readonly database"
    status, missing, found = installed.lacks(*without)
    assert (status, missing, told in found) == (503, told, True)


@pytest.mark.database("postgresql")
def test_a_server_that_only_reads_is_told(installed):
    only = installed.environment["DATABASE_URL"] + "?options=-c%20default_transaction_read_only%3Don"
    told = "the database cannot be written: cannot execute INSERT in a read-only transaction"
    status, missing, found = installed.lacks(DATABASE_URL=only)
    assert (status, missing, told in found) == (503, told, True)


@pytest.mark.database("sqlite")
@pytest.mark.slow
def test_migrations_that_are_missing_are_named(installed, tmp_path):
    with closing(sqlite3.connect(tmp_path / FILE)) as database, database:
        database.execute("DELETE FROM django_migrations WHERE app = 'builder'")
    status, missing, found = installed.lacks()
    assert (status, missing in found) == (503, True)
    assert "builder.0001_initial" in missing
    Path(tmp_path, "new").mkdir()
    status, missing, _found = installed.lacks(DATABASE_URL=address(tmp_path / "new"))
    assert status == 503
    assert "sheets.0001_initial" in missing


@pytest.mark.slow
@pytest.mark.alike
@pytest.mark.parametrize(("departure", "told"), everyday([
    ({"SECRET_KEY": VOUCHER}, "SECRET_KEY and REVIEW_KEY are the same text"),
    ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS is *"),
    ({"STATIC_ROOT": "/nowhere"}, "no static files are collected in /nowhere (STATIC_ROOT); run collectstatic"),
]))
def test_settings_that_a_server_must_not_run_with_are_told(departure, told, installed):
    status, missing, found = installed.lacks(**departure)
    assert (status, "\n" in missing) == (503, False)
    assert [one.startswith(told) for one in (missing, *found)] == [True] * 2


@pytest.mark.django_db
def test_the_doctor_says_what_ready_says(monkeypatch):
    monkeypatch.setattr(readiness, "missing", lambda: iter(["the sky is falling"]))
    assert doctor_says() == ["the sky is falling"]
