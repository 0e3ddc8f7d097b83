"""Long work shows on a terminal how far it is, and nothing in a pipe."""

import os
import subprocess
import sys
import termios
from contextlib import suppress
from importlib import import_module

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command

from sheets import progress as told
from sheets.progress import progress
from tests.support.everyday import MORE

COMMANDS = [("generate", "condice", "--count", "30", "--seed", "1"), ("validate", "a.json", "b.json")]


def run(words, folder, *, terminal):
    """(what it answered, what it said beside that), with a terminal for the latter or a pipe."""
    for name in ("a.json", "b.json"):
        (folder / name).write_text("{}")
    words = [str(folder / one) if one.endswith(".json") else one for one in words]
    environment = {**os.environ, "BOGENSCHMIEDE_MODE": "development", "TERM": "xterm"}
    master, shown = os.openpty() if terminal else os.pipe()
    if terminal:
        termios.tcsetwinsize(shown, (24, 80))
    try:
        done = subprocess.run([sys.executable, "manage.py", *words], cwd=settings.BASE_DIR, stdout=subprocess.PIPE,
                              stderr=shown, env=environment, check=False)
        os.write(shown, b".")
        return done.stdout, os.read(master, 100_000)
    finally:
        os.close(master)
        os.close(shown)


@pytest.mark.parametrize("words", [pytest.param(COMMANDS[0], marks=MORE), COMMANDS[1]], ids=["generate", "validate"])
@pytest.mark.slow
def test_a_command_shows_how_far_it_is_on_a_terminal_and_nothing_in_a_pipe(words, tmp_path):
    answer, shown = run(words, tmp_path, terminal=True)
    assert words[0].encode() + b":" in shown
    assert run(words, tmp_path, terminal=False) == (answer, b".")


class Terminal(list):
    """What was asked to be shown."""

    def isatty(self):
        return True

    def __call__(self, rows, what, total, **_looks):
        self.append((what, total() if callable(total) else total))
        return rows


def terminal_for(monkeypatch):
    """Standard error is a terminal from now on."""
    made = Terminal()
    monkeypatch.setattr(told.sys, "stderr", made)
    monkeypatch.setattr(told, "tqdm", made)
    return made


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "files", "what"), [
    # On PostgreSQL a backup is read in a transaction of its own, which a test's is not.
    pytest.param("backup", ["backup.gz"], "sheets.Sheet", marks=pytest.mark.database("sqlite")),
    ("doctor", [], "revisions"), ("verify_reviews", [], "reviews"), ("tidy", [], "log lines"), ("tidy", [], "sheets")])
def test_commands_that_go_through_the_database_say_of_how_many_rows(
        name, files, what, tmp_path, monkeypatch, capsys, settings):
    terminal = terminal_for(monkeypatch)
    settings.LOG_DAYS = settings.UNDO_DAYS = 30
    # A test's installation lacks this and that, and the doctor says so.
    with suppress(CommandError):
        call_command(name, *(str(tmp_path / one) for one in files))
    assert (what, 0) in terminal


@pytest.mark.django_db
@pytest.mark.parametrize(("migration", "does", "what"), [
    ("builder.migrations.0003_likeness", "fill", "names"),
    ("sheets.migrations.0007_signed_revisions", "vouch", "revisions")])
def test_migrations_that_go_through_all_rows_say_of_how_many(migration, does, what, monkeypatch):
    terminal = terminal_for(monkeypatch)
    getattr(import_module(migration), does)(apps, None)
    assert terminal == [(what, 0)]


def test_nobody_asks_for_the_total_where_nothing_is_shown(monkeypatch):
    rows = [1, 2]
    monkeypatch.setattr(told.sys.stderr, "isatty", lambda: False, raising=False)
    assert progress(rows, "x", lambda: pytest.fail("asked")) is rows
