"""How long a live change takes while many watch an idle party's table, beside nobody watching.

Run as a module it is those who watch: `{port, address, since, sessions, every}` comes as JSON, until it is ended.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from statistics import median
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

WATCHERS = 300
ROUNDS, CHANGES = 4, 60
HEADERS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "127.0.0.1"}


class Editor:
    """Somebody who changes a sheet of their own, over and over, on one connection."""

    def __init__(self, server, token: str):
        self.token, self.version = token, 1
        self.server, self.caller = server, HTTPConnection("127.0.0.1", server.port, timeout=60)

    def change(self) -> float:
        """One live change; its seconds."""
        body = urlencode({"_version": self.version, "life": 3 + self.version % 3, "csrfmiddlewaretoken": self.token})
        begun = time.perf_counter()
        self.caller.request("POST", f"/drafts/{self.server.filled['sheet']}/values/", body, {
            **HEADERS, "Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true",
            "Origin": f"https://127.0.0.1:{self.server.port}",
            "Cookie": f"sessionid={self.server.filled['session']}; csrftoken={self.token}"})
        answer = self.caller.getresponse()
        text = answer.read().decode()
        taken = time.perf_counter() - begun
        self.version += 1
        if answer.status != 200 or f'data-version="{self.version}"' not in text:
            raise AssertionError(text)
        return taken

    def changes(self) -> list[float]:
        """The seconds of some changes after a few that warm up, one every tenth of a second as people type."""
        found = []
        for _number in range(CHANGES):
            found.append(self.change())
            time.sleep(0.1)
        return found[5:]


@contextmanager
def watched(server, table: dict, every: int) -> Iterator[list]:
    """So many watch meanwhile; afterwards the list holds how often they were answered that nothing is new."""
    given = {"port": server.port, "every": every, **table}
    watching = subprocess.Popen([sys.executable, "-m", "tests.bench_table"], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True)
    watching.stdin.write(json.dumps(given) + "\n")
    watching.stdin.flush()
    looks: list = []
    try:
        # All of them have looked once by then, and are spread over the interval.
        time.sleep(every + 1)
        yield looks
    finally:
        looks.append(json.loads(watching.communicate("end\n")[0]))


def table() -> Iterator[str]:
    """Changes in turn without and with those who watch."""
    from sheets.parties.table_views import EVERY  # noqa: PLC0415 - needs Django to be set up
    from tests.server import TOKEN, Server  # noqa: PLC0415 - the same

    with TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            party, editor = server.ask("party", str(WATCHERS)), Editor(server, TOKEN)
            alone, beside, looks = [], [], []
            for _round in range(ROUNDS):
                alone += editor.changes()
                with watched(server, party, EVERY) as found:
                    beside += editor.changes()
                looks += found
        finally:
            server.stop()
    idle, others = (sum(one[word] for one in looks) for word in ("idle", "others"))
    if others or idle < ROUNDS * WATCHERS:
        raise AssertionError(looks)
    yield (f"a live change while {WATCHERS} watch an idle table, each every {EVERY} s (two workers): "
           f"{1000 * median(beside):.1f} ms; while nobody does: {1000 * median(alone):.1f} ms, "
           f"ratio {median(beside) / median(alone):.2f} (goal 1.5); {idle:,} looks were answered 204")


async def watch(given: dict) -> None:
    """Everybody looks, each on a connection of their own, until a line comes in; then it is told how often."""
    counts = {"idle": 0, "others": 0}
    people = [asyncio.create_task(_look(given, session, given["every"] * number / len(given["sessions"]), counts))
              for number, session in enumerate(given["sessions"])]
    await asyncio.to_thread(sys.stdin.readline)
    for one in people:
        one.cancel()
    await asyncio.gather(*people, return_exceptions=True)
    sys.stdout.write(json.dumps(counts))


async def _look(given: dict, session: str, after: float, counts: dict) -> None:
    headers = {**HEADERS, "Host": "127.0.0.1", "HX-Request": "true", "Cookie": f"sessionid={session}"}
    asked = f"GET {given['address']}?since={given['since']} HTTP/1.1\r\n" + "".join(
        f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
    await asyncio.sleep(after)
    reader, writer = await asyncio.open_connection("127.0.0.1", given["port"])
    while True:
        writer.write(asked.encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        counts["idle" if answer.startswith(b"HTTP/1.1 204") else "others"] += 1
        await asyncio.sleep(given["every"])


if __name__ == "__main__":
    asyncio.run(watch(json.loads(sys.stdin.readline())))
