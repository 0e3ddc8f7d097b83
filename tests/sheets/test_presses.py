"""A press that arrives many times at once, on the server that production runs: two workers, one database."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from django.db import connection

ROOT = Path(__file__).parent.parent.parent
AT_ONCE = 20
TOKEN = "t" * 32
ROLL, ACT = "roll-attack-attacks-0", "act-damage"


def address(folder) -> str:
    """The database that the server gets: a file of its own, or the PostgreSQL that the suite runs on."""
    if connection.vendor == "sqlite":
        return f"sqlite:///{folder}/served.sqlite3"
    known = {key: quote(str(value), safe="") for key, value in connection.settings_dict.items() if value}
    person = known.get("USER", "") + (f":{known['PASSWORD']}" if "PASSWORD" in known else "")
    return f"postgresql://{person}@{known.get('HOST', '')}:{known.get('PORT', '')}/{known['NAME']}"


class Server:
    """Granian as `make serve` starts it, behind a proxy that says https; presses buttons of Juan's sheet."""

    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        kept = {key: value for key, value in os.environ.items() if key in {"PATH", "HOME"}}
        self.environment = kept | {
            "BOGENSCHMIEDE_MODE": "production", "SECRET_KEY": "s" * 50, "ALLOWED_HOSTS": "127.0.0.1",
            "TRUSTED_PROXY": "1", "DATABASE_URL": address(folder), "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONWARNINGS": "ignore",
        }
        self.log = Path(folder, "log")
        self.filled = self.ask("fill")
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "granian", "--interface", "wsgi", "--workers", "2", "--blocking-threads", "1",
                 "--host", "127.0.0.1", "--port", str(self.port), "builder.wsgi:application"],
                cwd=ROOT, env=self.environment, stdout=log, stderr=subprocess.STDOUT)
        self.wait()

    def ask(self, word) -> dict:
        """What the server's database says."""
        done = subprocess.run([sys.executable, "-m", "tests.sheets.served", word], cwd=ROOT, env=self.environment,
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def wait(self):
        """Until it answers."""
        for _try in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise AssertionError(self.log.read_text())

    def press(self, which, key, **answers) -> int:
        """One arrival of a press; the status of its answer."""
        body = urlencode({"w": which, "_press": key, "csrfmiddlewaretoken": TOKEN, **answers})
        caller = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        caller.request("POST", f"/sheets/{self.filled['sheet']}/play/", body, {
            "Content-Type": "application/x-www-form-urlencoded", "X-Forwarded-Proto": "https",
            "X-Forwarded-For": "127.0.0.1", "Origin": f"https://127.0.0.1:{self.port}",
            "Cookie": f"sessionid={self.filled['session']}; csrftoken={TOKEN}"})
        status = caller.getresponse().status
        caller.close()
        return status

    def at_once(self, which, keys, **answers) -> list[int]:
        """Presses that arrive together."""
        with ThreadPoolExecutor(len(keys)) as pool:
            return list(pool.map(lambda key: self.press(which, key, **answers), keys))


@pytest.fixture
def server(tmp_path, transactional_db):
    running = Server(tmp_path)
    yield running
    running.process.terminate()
    running.process.wait(20)


def test_twenty_arrivals_of_one_press_are_one_roll_and_twenty_presses_are_twenty(server):
    for which, answers in ((ROLL, {"defence": "2"}), (ACT, {"points": "3"})):
        assert server.at_once(which, [str(uuid.uuid4())] * AT_ONCE, **answers) == [302] * AT_ONCE
    assert server.ask("count") == {"events": {ROLL: 1, ACT: 1}, "play": {"life": 7}}
    assert server.at_once(ROLL, [str(uuid.uuid4()) for _ in range(AT_ONCE)]) == [302] * AT_ONCE
    assert server.ask("count")["events"] == {ROLL: 1 + AT_ONCE, ACT: 1}
    assert "locked" not in server.log.read_text()
    assert "Traceback" not in server.log.read_text()
