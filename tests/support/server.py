"""The server that production runs, for tests: granian with two workers and a database of their own."""

import atexit
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from urllib.parse import quote, urlencode

from django.db import connection

ROOT = Path(__file__).parents[2]
TOKEN = "t" * 32
FILE = "served.sqlite3"
SECRET = "forged-in-a-test-" + "0123456789abcdef" * 4
VOUCHER = "vouched-in-a-test-" + "0123456789abcdef" * 4
OPTIONS = re.search(r"^SERVER := \S+/granian (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)[1].split()


def address(folder) -> str:
    """The database that the server gets: a file of its own, or the PostgreSQL that the suite runs on."""
    if connection.vendor == "sqlite":
        return f"sqlite:///{folder}/{FILE}"
    known = {key: quote(str(value), safe="") for key, value in connection.settings_dict.items() if value}
    person = known.get("USER", "") + (f":{known['PASSWORD']}" if "PASSWORD" in known else "")
    return f"postgresql://{person}@{known.get('HOST', '')}:{known.get('PORT', '')}/{known['NAME']}"


@cache
def static_files() -> str:
    """Where the static files of this run lie, collected as `make serve` does."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    environment = os.environ | {"BOGENSCHMIEDE_MODE": "production", "SECRET_KEY": SECRET, "REVIEW_KEY": VOUCHER,
                                "ALLOWED_HOSTS": "x"}
    subprocess.run([sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"], cwd=ROOT,
                   env=environment | {"STATIC_ROOT": folder}, check=True)
    return folder


@cache
def migrated() -> Path:
    """A SQLite file that was migrated and nothing more, to be copied: to migrate anew takes seconds."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    done = Installation(folder).command("migrate", "--verbosity", "0")
    assert done.returncode == 0, done.stderr
    return folder / FILE


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
        }

    def migrate(self, folder):
        """Lays down its tables, where it does not use the suite's."""
        if connection.vendor == "sqlite":
            shutil.copy(migrated(), folder)

    def command(self, *words, **environment):
        """A command of manage.py."""
        return subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, env=self.environment | environment,
                              capture_output=True, text=True, check=False)

    def ask(self, *words) -> dict:
        """What its database says."""
        done = subprocess.run([sys.executable, "-m", "tests.support.server_database", *words], cwd=ROOT,
                              env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


class Server(Installation):
    """Granian as `make serve` starts it, behind a proxy that says https; presses buttons of Juan's sheet."""

    def __init__(self, folder):
        super().__init__(folder)
        self.environment["STATIC_ROOT"] = static_files()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = Path(folder, "log")
        self.migrate(folder)
        self.filled = self.ask("fill")
        self.start()

    def start(self):
        """Master and workers, as a group that can be killed together."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "granian", *OPTIONS, "--host", "127.0.0.1", "--port", str(self.port),
                 "builder.wsgi:application"],
                cwd=ROOT, env=self.environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        self.wait()

    def stop(self, how=signal.SIGTERM):
        """Ends it, kindly or (SIGKILL) all at once."""
        if how == signal.SIGKILL:
            os.killpg(self.process.pid, how)
        else:
            self.process.send_signal(how)
        self.process.wait(30)

    def wait(self):
        """Until it answers."""
        for _try in range(400):
            try:
                if self.send("GET", "/health/") == (200, "ok"):
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(self.log.read_text())

    def send(self, method, address, *, session="", htmx=False, **fields) -> tuple[int, str]:
        """(status, page) of one request of the browser that owns the sheets, or of another session; of `htmx` if so.

        `OSError` where nobody answers.
        """
        body = urlencode({**fields, "csrfmiddlewaretoken": TOKEN}) if method == "POST" else None
        caller = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            caller.request(method, address, body, {
                "Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-Proto": "https",
                "X-Forwarded-For": "127.0.0.1", **({"HX-Request": "true"} if htmx else {}), "Origin": f"https://127.0.0.1:{self.port}",
                "Cookie": f"sessionid={session or self.filled['session']}; csrftoken={TOKEN}"})
            answer = caller.getresponse()
            return answer.status, answer.read().decode(errors="replace")
        except http.client.HTTPException as error:
            raise ConnectionError from error
        finally:
            caller.close()

    def press(self, which, key, *, sheet=None, **answers) -> int:
        """One arrival of a press; the status of its answer."""
        address = f"/sheets/{sheet or self.filled['sheet']}/play/"
        return self.send("POST", address, w=which, _press=key, **answers)[0]

    def at_once(self, which, keys, **answers) -> list[int]:
        """Presses that arrive together."""
        with ThreadPoolExecutor(len(keys)) as pool:
            return list(pool.map(lambda key: self.press(which, key, **answers), keys))
