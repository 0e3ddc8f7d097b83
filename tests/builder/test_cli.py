"""The command `bogenschmiede` as a server: secrets, production's settings, and the processes that run side by side."""

import os
import sys

import pytest

from builder import cli, processes
from tests.support.server import free_port, until


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    """The command changes the environment of its process, which here is a copy."""
    monkeypatch.setattr(os, "environ", {**os.environ})


def bogenschmiede(monkeypatch, *words, **environment):
    """Run the command; return its exit code or message, None if it returned."""
    for name in ("BOGENSCHMIEDE_MODE", "BOGENSCHMIEDE_DATA", "DATABASE_URL", *cli.SECRETS):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "argv", ["bogenschmiede", *map(str, words)])
    try:
        cli.main()
    except SystemExit as end:
        return end.code


def test_secrets_are_made_once_and_only_their_owner_reads_them(tmp_path, monkeypatch):
    assert bogenschmiede(monkeypatch, "secrets", "--data", tmp_path) is None
    made = {one.name: one.read_text() for one in (tmp_path / "secrets").iterdir()}
    assert made.keys() == {"secret_key", "review_key"}
    assert len({*made.values()}) == 2
    assert {one.stat().st_mode & 0o777 for one in (tmp_path / "secrets").iterdir()} == {0o600}
    assert bogenschmiede(monkeypatch, "secrets", BOGENSCHMIEDE_DATA=str(tmp_path)) is None
    assert made == {one.name: one.read_text() for one in (tmp_path / "secrets").iterdir()}


def test_a_database_without_a_password_gets_one_as_libpq_reads_it(tmp_path, monkeypatch):
    bogenschmiede(monkeypatch, "secrets", "--data", tmp_path, DATABASE_URL="postgresql://anna@database/sheets")
    password = (tmp_path / "secrets/database_password").read_text()
    assert len(password) > 40
    assert (tmp_path / "secrets/pgpass").read_text() == f"database:*:*:anna:{password}"


def test_a_server_takes_the_secrets_of_its_folder_unless_the_environment_has_others(tmp_path, monkeypatch):
    bogenschmiede(monkeypatch, "secrets", "--data", tmp_path)
    monkeypatch.setenv("REVIEW_KEY", "of the environment")
    cli.use_production(tmp_path)
    assert os.environ["SECRET_KEY"] == (tmp_path / "secrets/secret_key").read_text()
    assert os.environ["REVIEW_KEY"] == "of the environment"
    assert os.environ["BOGENSCHMIEDE_MODE"] == "production"


def test_a_server_is_not_run_as_for_developers(tmp_path, monkeypatch):
    assert bogenschmiede(monkeypatch, "serve", "--data", tmp_path, BOGENSCHMIEDE_MODE="development") == (
        "BOGENSCHMIEDE_MODE is for developers: unset it. `bogenschmiede run` needs no settings.")


def test_secrets_need_a_folder(monkeypatch):
    assert bogenschmiede(monkeypatch, "secrets") == (
        "Name the folder: --data DIR, or BOGENSCHMIEDE_DATA in the environment.")


def test_where_nothing_serves_health_says_so(monkeypatch):
    port = free_port()
    told = bogenschmiede(monkeypatch, "health", "--port", port, ALLOWED_HOSTS="sheets.example.org")
    assert told.startswith(f"Nothing answers on port {port}: ")


@pytest.mark.slow
def test_a_process_that_ends_is_started_again_until_all_are_stopped(tmp_path):
    log = tmp_path / "log"
    ends = ["-c", f"open({str(log)!r}, 'a').write('ran ')"]
    lasts = ["-c", f"import os, time; open({str(tmp_path / 'lasts')!r}, 'w').write(str(os.getpid())); time.sleep(600)"]
    with processes.supervised(ends, lasts):
        until(lambda: log.exists() and log.read_text().count("ran") >= 2)
        until(lambda: (tmp_path / "lasts").exists() and (tmp_path / "lasts").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "lasts").read_text()), 0)
