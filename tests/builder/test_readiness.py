"""`/health/`, `/health/ready/` and the doctor: each thing that may be missing is missing for real."""

import os
import resource
import sqlite3
import subprocess
import sys
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
from tests.support.server import ROOT, VOUCHER, Installation, address, static_files

ASK = """
import django; django.setup()
from django.test import Client
answer = Client().get("/health/ready/", headers={"Host": "127.0.0.1"})
print(answer.status_code); print(answer.text)
"""


class Asked(Installation):
    """An installation that is asked what it lacks; on SQLite it has a file of its own."""

    def __init__(self, folder):
        super().__init__(folder)
        self.environment |= {"STATIC_ROOT": static_files(), "DJANGO_SETTINGS_MODULE": "builder.settings"}

    def python(self, *words, before=(), limit=None, **environment):
        """What a process of its own says, which is started by the words `before`."""
        return subprocess.run([*before, sys.executable, *words], cwd=ROOT, env=self.environment | environment,
                              capture_output=True, text=True, check=False, preexec_fn=limit)

    def ready(self, **how):
        """(status, what is missing)."""
        done = self.python("-c", ASK, **how)
        assert done.returncode == 0, done.stderr
        status, _newline, missing = done.stdout.strip().partition("\n")
        return int(status), missing

    def doctor(self, **how):
        """What the doctor finds wrong, lines."""
        done = self.python("manage.py", "doctor", **how)
        said = [line.removeprefix("WRONG ") for line in done.stdout.splitlines() if line.startswith("WRONG ")]
        assert (done.returncode == 1) == bool(said), done.stderr
        return said

    def lacks(self, told, **how):
        """Both say that it lacks this."""
        assert self.ready(**how) == (503, told)
        assert told in self.doctor(**how)


@pytest.fixture
def installed(tmp_path, transactional_db):
    made = Asked(tmp_path)
    made.migrate(tmp_path)
    if connection.vendor != "sqlite":
        # Its database is the suite's, whose head is signed with another key.
        Head.objects.all().delete()
        with override_settings(REVIEW_KEY=VOUCHER):
            chain.begin()
    return made


def test_alive_is_said_in_two_letters_without_any_database_and_session(client):
    answer = client.get("/health/")  # a test that has asked for no database fails at the first question to it
    assert (answer.status_code, answer.content, bool(answer.cookies)) == (200, b"ok", False)
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_ready_is_said_without_a_session(client):
    answer = client.get("/health/ready/")
    assert (answer.status_code, answer.content, bool(answer.cookies)) == (200, b"ok", False)
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize(("address", "status"), [("/health/", 200), ("/health/ready/", 200), ("/", 301)])
def test_both_are_asked_without_https_and_pages_are_not(settings, address, status):
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get(address).status_code == status


@pytest.mark.django_db
def test_nobody_is_ready_whose_database_does_not_answer(monkeypatch):
    def gone(*_):
        raise DatabaseError("gone\naway")
    monkeypatch.setattr(connection, "cursor", gone)
    answer = Client().get("/health/ready/")
    assert (answer.status_code, answer.text) == (503, "the database does not answer: gone away")
    assert Client().get("/health/").status_code == 200


@pytest.mark.slow
def test_a_sound_installation_lacks_nothing(installed):
    assert installed.ready() == (200, "ok")
    assert installed.doctor() == []


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
    def limit():
        # No file may grow, whoever writes: what the kernel does on a full disk, for this process alone.
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    # Others read on meanwhile, as other workers would. Who asks writes its answer to a pipe, which has no size.
    with closing(sqlite3.connect(tmp_path / "served.sqlite3")) as other:
        other.execute("SELECT count(*) FROM django_migrations").fetchone()
        installed.lacks("the database cannot be written: disk I/O error", limit=limit)


@pytest.mark.database("sqlite")
@pytest.mark.slow
def test_little_space_on_the_disk_and_migrations_that_are_missing_are_told(installed, tmp_path):
    status, missing = installed.ready(SPACE_MB="999999999")
    assert (status, missing.endswith(f" MB are free in {tmp_path}, and SPACE_MB asks for 999999999")) == (503, True)
    assert installed.doctor(SPACE_MB="999999999")[0].endswith("asks for 999999999")
    assert installed.command("migrate", "builder", "zero", "--verbosity", "0").returncode == 0
    status, missing = installed.ready()
    assert (status, "builder.0001_initial" in missing) == (503, True)
    assert missing in installed.doctor()
    Path(tmp_path, "new").mkdir()
    status, missing = installed.ready(DATABASE_URL=address(tmp_path / "new"))
    assert (status, "sheets.0001_initial" in missing) == (503, True)


@pytest.mark.slow
@pytest.mark.database("sqlite")
def test_a_file_that_may_only_be_read_is_told(installed, tmp_path):
    Path(tmp_path, "served.sqlite3").chmod(0o444)
    # Root may write whatever its mode, until it gives that power up.
    without = ["setpriv", "--inh-caps=-dac_override", "--bounding-set=-dac_override"] if os.getuid() == 0 else []
    installed.lacks("the database cannot be written: attempt to write a readonly database", before=without)


@pytest.mark.database("postgresql")
def test_a_server_that_only_reads_is_told(installed):
    only = installed.environment["DATABASE_URL"] + "?options=-c%20default_transaction_read_only%3Don"
    installed.lacks("the database cannot be written: cannot execute INSERT in a read-only transaction",
                    DATABASE_URL=only)


@pytest.mark.slow
@pytest.mark.parametrize(("departure", "told"), [
    ({"SECRET_KEY": VOUCHER}, "SECRET_KEY and REVIEW_KEY are the same text"),
    ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS is *"),
    ({"STATIC_ROOT": "/nowhere"}, "no static files are collected in /nowhere (STATIC_ROOT); run collectstatic"),
])
def test_settings_that_a_server_must_not_run_with_are_told(departure, told, installed):
    status, missing = installed.ready(**departure)
    assert (status, missing[:len(told)], "\n" in missing) == (503, told, False)
    assert [one.startswith(told) for one in installed.doctor(**departure)] == [True]


@pytest.mark.django_db
def test_the_doctor_says_what_ready_says(monkeypatch):
    monkeypatch.setattr(readiness, "missing", lambda: iter(["the sky is falling"]))
    assert doctor_says() == ["the sky is falling"]
