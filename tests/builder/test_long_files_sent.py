"""Long files are sent to few at a time, as whoever reads slowly holds a thread; nobody else's worker ends for that."""

import io

import pytest
from django.http import FileResponse, HttpResponse

from builder import turns
from builder.turns import Busy, sending
from builder.watchdog import Watched

DOWNLOAD = "/account/download/"
HERE, THERE, ELSEWHERE = "198.51.100.7", "203.0.113.9", "192.0.2.3"


@pytest.fixture(autouse=True)
def bounded(budgeted):
    yield
    assert not turns._sent


def test_one_file_is_sent_to_an_address_and_a_few_in_all():
    assert turns.SENT == 2
    here, there = sending("here"), sending("there")
    for where in ("here", "elsewhere"):
        with pytest.raises(Busy):
            sending(where)
    here()
    # Said twice it is out all the same.
    here()
    elsewhere = sending("elsewhere")
    there()
    elsewhere()


@pytest.mark.django_db
def test_whoever_has_not_read_a_file_gets_no_other_one_and_others_do(account):
    juan, other = account(HERE), account(THERE)
    unread = juan.get(DOWNLOAD)
    again, theirs, third = (one.get(DOWNLOAD) for one in (account(HERE), other, account(ELSEWHERE)))
    assert (again.status_code, again["Retry-After"], theirs.status_code, third.status_code) == (429, "2", 200, 429)
    assert "Another file is being made or sent" in again.text
    assert juan.get("/sheets/").status_code == 200
    assert unread.getvalue()
    assert juan.get(DOWNLOAD).getvalue()[:2] == b"PK"
    assert theirs.getvalue()


@pytest.mark.django_db
def test_a_file_that_is_none_or_fails_is_not_waited_for(account, monkeypatch):
    juan = account(HERE)
    juan.raise_request_exception = False
    nobody = f"{'0' * 8}-0000-0000-0000-{'0' * 12}"
    assert juan.get(f"/parties/{nobody}/scenes/{nobody}/log.json").status_code == 404

    def failing(_user):
        yield "first.json", [b"{}"]
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr("sheets.account.download._files", failing)
        # What fails midway is a page, and no half of a file.
        answer = juan.get(DOWNLOAD)
        assert (answer.status_code, answer.streaming) == (500, False)
    assert juan.get(DOWNLOAD).getvalue()[:2] == b"PK"


@pytest.mark.parametrize(("answer", "watched"), [
    (FileResponse(io.BytesIO(b"long")), False), (HttpResponse(b"short"), True)], ids=["file", "page"])
def test_no_worker_ends_because_a_file_is_read_slowly(monkeypatch, answer, watched):
    told = []
    # It would close connections to the database, too.
    monkeypatch.setattr(answer, "close", lambda: None)
    monkeypatch.setattr(Watched, "report", lambda _self, what: told.append(what))
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/x/"}
    out = Watched(lambda _environ, _start: answer, 20)(environ, None)
    first = next(iter(out))
    assert first
    # What is told of last is what a worker is at.
    assert (told[-1] != b"") == watched
    out.close()
    assert told[-1] == b""
