"""Files are read in a process of its own, which has bounds and leaves nothing behind."""

import os
import signal
import subprocess
import sys
from ast import literal_eval
from contextlib import suppress
from select import select

import pytest
from django.conf import settings as project

from sheets import separate_process
from sheets.separate_process import BrokenFile, NotAccepted, NoTime, TooCostly, run, seconds_used
from tests.support.sheets import readers


def test_what_is_made_of_a_file_comes_back_and_its_cost_is_known_once():
    seconds_used()
    whole = os.urandom(3_000_000)
    with pytest.raises(BrokenFile):
        run(readers.turned, 5)
    assert run(readers.turned, whole[:900_000]) == whole[:900_000][::-1]
    assert seconds_used() > 0
    assert seconds_used() == 0


def test_whoever_takes_too_long_is_ended_and_the_next_file_is_read(monkeypatch, settings):
    monkeypatch.setattr(separate_process, "SECONDS", 1)
    settings.REQUEST_SECONDS = 240
    seconds_used()
    with pytest.raises(TooCostly):
        run(readers.endless)
    assert seconds_used() > 0.5
    assert run(readers.turned, b"ab") == b"ba"


@pytest.mark.parametrize(("reader", "words", "fault"), [
    (readers.greedy, (), TooCostly), (readers.broken, (), BrokenFile), (readers.crashing, (), BrokenFile),
    (readers.picky, (), NotAccepted), (readers.talkative, (), NoTime),
])
def test_a_file_that_breaks_its_reader_breaks_nothing_else(reader, words, fault):
    with pytest.raises(fault):
        run(reader, *words)
    assert run(readers.turned, b"ab") == b"ba"


def test_no_file_is_written(tmp_path):
    with pytest.raises(BrokenFile):
        run(readers.writing, str(tmp_path / "x"))
    assert not (tmp_path / "x").exists() or not (tmp_path / "x").read_bytes()


def test_a_reader_knows_nothing_of_who_serves(monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "x")
    separate_process.READER_PROCESS.process.kill()
    separate_process.READER_PROCESS.process.wait()
    environment, files, loaded = literal_eval(run(readers.told).decode())
    assert set(environment) <= {*separate_process.ENVIRONMENT, "LC_CTYPE"}
    # What it hears and says, its link, and what it is listed by.
    assert files <= 6
    assert loaded == []


def test_one_that_has_ended_is_begun_again():
    run(readers.turned, b"ab")
    separate_process.READER_PROCESS.process.kill()
    separate_process.READER_PROCESS.process.wait()
    assert run(readers.turned, b"ab") == b"ba"


def test_where_others_are_being_read_one_more_does_not_wait_for_long(monkeypatch):
    monkeypatch.setattr(separate_process, "PATIENCE", 0.01)
    for _turn in range(separate_process.AT_ONCE):
        assert separate_process._turns.acquire(timeout=60)
    try:
        with pytest.raises(NoTime):
            run(readers.turned, b"ab")
    finally:
        separate_process._turns.release(separate_process.AT_ONCE)
    assert run(readers.turned, b"ab") == b"ba"


def test_none_stays_when_the_worker_is_killed(tmp_path):
    told = tmp_path / "pipe"
    os.mkfifo(told)
    program = "import sys; from sheets import separate_process; from tests.support.sheets import readers; "
    program += "separate_process.run(readers.waiting, sys.argv[1])"
    with subprocess.Popen([sys.executable, "-c", program, told], cwd=project.BASE_DIR) as worker:
        reading, group = map(int, told.read_text().split())
        worker.send_signal(signal.SIGKILL)
    # Whoever is gone already cannot be waited for.
    for process in (reading, group):
        with suppress(ProcessLookupError):
            assert select([os.pidfd_open(process)], [], [], 60)[0]
