"""The server that production runs, for tests: granian with two workers and a database of their own."""

import atexit
import fcntl
import http.client
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from urllib.parse import quote, urlencode

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.utils.functional import cached_property

from builder.processes import PAGES
from tests.support.migrated import path as migrated_path

ROOT = Path(__file__).parents[2]
TOKEN = "t" * 32
SESSION, GUEST, FORMS = "__Host-sessionid", "__Host-guest", "__Host-csrftoken"
"""The cookies that production gives: a session's, a guest's, and what protects forms."""
PATIENCE = 300
"""Seconds in which whatever must come has come, however busy the machine is."""
FILE = "served.sqlite3"
SECRET = "forged-in-a-test-" + "0123456789abcdef" * 4
VOUCHER = "vouched-in-a-test-" + "0123456789abcdef" * 4
BEGIN_CHAIN = """
from sheets.audit_log.chain import begin_chain
from sheets.models.reviews import Head
Head.objects.all().delete()
begin_chain()
"""
if "SHARED_BY_TESTS" not in os.environ:
    # The first process of a run has no others beside it yet; those that it starts inherit the folder.
    os.environ["SHARED_BY_TESTS"] = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, os.environ["SHARED_BY_TESTS"])
SHARED = os.environ["SHARED_BY_TESTS"]
"""Where all processes of a run find what one of them has prepared."""


def until(true, told=str):
    """Return what `true` returns as soon as that is anything; after two minutes fail with what is `told`."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        with suppress(OSError):
            if found := true():
                return found
        time.sleep(0.02)
    raise AssertionError(told())


def free_port() -> int:
    """Return a port that nobody has, from below those that the kernel gives to whoever connects."""
    def taken():
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind(("127.0.0.1", 10_000 + secrets.randbelow(20_000)))
            return one.getsockname()[1]
    return until(taken)


def replaced(text, pairs) -> str:
    """Return a text with one instead of the other of each pair, all of which are there."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def granian(words, port, application, environment, log, before=()):
    """Start granian, in a group that can be killed together; return its process, which writes to the log."""
    with log.open("ab") as file:
        return subprocess.Popen(
            [*before, sys.executable, "-m", "granian", *words, "--host", "127.0.0.1", "--port", str(port), application],
            cwd=ROOT, env=environment, stdout=file, stderr=subprocess.STDOUT, start_new_session=True)


def exchange(caller, method, address, body=None, headers=()) -> tuple[int, http.client.HTTPMessage, str]:
    """Return (status, headers, page) of a request on a connection, and close it; `OSError` where nobody answers."""
    with closing(caller):
        try:
            caller.request(method, address, body, dict(headers))
            answer = caller.getresponse()
            return answer.status, answer.headers, answer.read().decode(errors="replace")
        except http.client.HTTPException as error:
            raise ConnectionError from error


def form(port, method, address, *, session="", seen="127.0.0.1", htmx=False, file=b"", **fields):
    """Return the same for a browser's request by https; `seen` is the address that the proxy saw.

    `session` is its key, or a cookie with its name; `file` is what is brought as a file.
    """
    held = session if "=" in session or not session else f"{SESSION}={session}"
    fields, kind, body = {**fields, "csrfmiddlewaretoken": TOKEN}, "application/x-www-form-urlencoded", None
    if file:
        kind, body = MULTIPART_CONTENT, encode_multipart(BOUNDARY, {**fields, "file": SimpleUploadedFile("x", file)})
    elif method == "POST":
        body = urlencode(fields)
    return exchange(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE), method, address, body, {
        "Content-Type": kind, "X-Forwarded-Proto": "https", "X-Forwarded-For": seen,
        **({"HX-Request": "true"} if htmx else {}), "Origin": f"https://127.0.0.1:{port}",
        "Cookie": "; ".join(filter(None, (f"{FORMS}={TOKEN}", held)))})


def address(folder) -> str:
    """Return the database that the server gets: a file of its own, or the PostgreSQL that the suite runs on."""
    if connection.vendor == "sqlite":
        return f"sqlite:///{folder}/{FILE}"
    known = {key: quote(str(value), safe="") for key, value in connection.settings_dict.items() if value}
    person = known.get("USER", "") + (f":{known['PASSWORD']}" if "PASSWORD" in known else "")
    return f"postgresql://{person}@{known.get('HOST', '')}:{known.get('PORT', '')}/{known['NAME']}"


@cache
def prepared(file, *words) -> str:
    """Return a folder for the rest of this run, or a file in it, which a command of manage.py has filled.

    It is filled once for all processes of the run: whoever comes meanwhile waits.
    """
    folder = Path(SHARED, words[0])
    folder.mkdir(exist_ok=True)
    with Path(SHARED, f"{words[0]}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.fstat(lock.fileno()).st_size:
            if words == ("migrate",) and migrated_path().exists():
                # The suite's tables, whose head is signed with another key.
                shutil.copy(migrated_path(), folder / FILE)
                words = "shell", "--no-imports", "--command", BEGIN_CHAIN
            done = Installation(folder).command(*words, "--verbosity", "0", STATIC_ROOT=str(folder),
                                                DATABASE_URL=f"sqlite:///{folder}/{FILE}")
            assert done.returncode == 0, done.stderr
            lock.write("filled")
    return str(folder / file)


def static_files() -> str:
    """Return where the static files of this run lie, collected as `make serve` does."""
    return prepared("", "collectstatic", "--noinput")


def migrated() -> str:
    """Return a SQLite file that was migrated and nothing more, to be copied: to migrate anew takes seconds."""
    return prepared(FILE, "migrate")


class Installation:
    """The program as production has it, with a database of its own; its commands are run, and nothing is served."""

    def __init__(self, folder):
        kept = {key: value for key, value in os.environ.items() if key in {"PATH", "HOME"}}
        self.environment = kept | {
            "BOGENSCHMIEDE_MODE": "production", "SECRET_KEY": SECRET, "REVIEW_KEY": VOUCHER,
            "ALLOWED_HOSTS": "127.0.0.1",
            "TRUSTED_PROXY": "1", "DATABASE_URL": address(folder), "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONWARNINGS": "ignore",
            # All of a test comes from one address.
            "BUDGET": "0",
            # Mails are due at once.
            "MAIL_SECONDS": "0",
            # However busy the machine is, no request is ended and no lock given up that must succeed.
            "REQUEST_SECONDS": "600",
        }

    def migrate(self, folder):
        """Lay down its tables, where it does not use the suite's."""
        if connection.vendor == "sqlite":
            shutil.copy(migrated(), folder)

    def run(self, *words, before=(), limit=None, **environment):
        """Run Python with these words, started by those `before`, and return what came of it."""
        return subprocess.run([*before, sys.executable, *map(str, words)], cwd=ROOT, text=True, check=False,
                              env=self.environment | environment, capture_output=True, preexec_fn=limit)

    def command(self, *words, **more):
        """Run a command of manage.py."""
        return self.run("manage.py", *words, **more)

    @cached_property
    def asked(self):
        """A process that asks its database, and ends when nobody can ask it any more."""
        begun = subprocess.Popen([sys.executable, "-m", "tests.support.server_database"], cwd=ROOT, text=True,
                                 env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        weakref.finalize(self, begun.communicate)
        return begun

    def ask(self, *words):
        """Return what its database says."""
        self.asked.stdin.write(json.dumps(words) + "\n")
        self.asked.stdin.flush()
        return json.loads(self.asked.stdout.readline())


class Server(Installation):
    """Granian as `make serve` starts it, behind a proxy that says https; presses buttons of Juan's sheet."""

    application = "builder.wsgi:application"

    def __init__(self, folder, **environment):
        super().__init__(folder)
        self.environment |= {"STATIC_ROOT": static_files()} | environment
        self.port, self.log = free_port(), Path(folder, "log")
        self.migrate(folder)
        self.filled = self.fill()
        self.start()

    def fill(self) -> dict:
        """Make Juan's sheet; return its key and the session that it belongs to."""
        return self.ask("fill")

    def start(self):
        """Start master and workers; return once both workers serve."""
        self.log.touch()
        self.begun = len(self.log.read_text())
        self.process = granian(PAGES, self.port, self.application, self.environment, self.log)
        self.serves(2)

    def said(self) -> str:
        """Return the log from where it is looked at."""
        return self.log.read_text()[self.begun:]

    def serves(self, workers):
        """Wait until so many workers have started since the log is looked at, and somebody answers."""
        def whole():
            assert self.process.poll() is None, self.said()
            return self.said().count("Started worker") >= workers and self.send("GET", "/health/") == (200, "ok")
        until(whole, self.said)

    def workers(self) -> list[int]:
        """Return the processes that serve, by what granian says of them; who began first comes first."""
        spawned = re.findall(r"Spawning worker-\d with PID: (\d+)", self.log.read_text())
        return [int(one) for one in spawned if Path(f"/proc/{one}/exe").exists()]

    def stop(self, how=signal.SIGTERM):
        """End it, kindly or (SIGKILL) all at once."""
        if how == signal.SIGKILL:
            os.killpg(self.process.pid, how)
        else:
            self.process.send_signal(how)
        self.process.wait(PATIENCE)

    def send(self, method, address, *, session="", **fields) -> tuple[int, str]:
        """Return (status, page) of one request of the browser that owns the sheets, or of another session."""
        status, _headers, page = form(self.port, method, address, session=session or self.filled["session"], **fields)
        return status, page

    def press(self, which, key, *, sheet=None, **answers) -> int:
        """Return the status of one arrival of a press."""
        address = f"/sheets/{sheet or self.filled['sheet']}/play/"
        return self.send("POST", address, w=which, _press=key, **answers)[0]

    def at_once(self, which, keys, **answers) -> list[int]:
        """Return the statuses of presses that arrive together."""
        with ThreadPoolExecutor(len(keys)) as pool:
            return list(pool.map(lambda key: self.press(which, key, **answers), keys))
