"""How long a press at a party's table takes beside one on the sheet, and a live change while many watch the table.

Run as a module it is those who watch: `{port, address, since, sessions, every}` comes as JSON, until it is ended.
"""

import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from statistics import median
from tempfile import TemporaryDirectory
from urllib.parse import urlencode
from uuid import uuid4

WATCHERS = 300
ROUNDS, CHANGES = 4, 60
HEADERS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "127.0.0.1"}


class Attacker:
    """Somebody who makes a roll over and over: aimed at another at the table, and on the own sheet."""

    def __init__(self, slug: str):
        from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django to be set up

        from tests.sheets.parties.fight import Fight  # noqa: PLC0415 - the same

        self.fight, self.client = (fight := Fight(User.objects, slug)), fight.browsers["anna"]
        self.sheet = f"/sheets/{fight.sheets['anna'].pk}/"
        pages = {self.sheet: self.client.get(self.sheet).text, fight.address: fight.look().text}
        self.which = re.search(r'id="press-button-(roll-[^"]+)"', pages[fight.address])[1]
        self.answers = {address: self._answers(page) for address, page in pages.items()}
        self.seen = _seen(pages[self.sheet])

    def _answers(self, page: str) -> dict[str, str]:
        """What the form of the roll sends as it stands there."""
        form = re.search(rf'<article[^>]*id="w-{self.which}".*?</form>', page, re.DOTALL)[0]
        chosen = re.findall(r'<select[^>]*name="([^"]+)".*?<option value="([^"]*)"', form, re.DOTALL)
        return {**dict(re.findall(r'<input (?!type="checkbox")[^>]*name="([^"]+)" value="([^"]*)"', form)),
                **dict(chosen)}

    def _press(self, address: str, query: str = "", **more) -> str:
        answer = self.client.post(f"{address}play/{query}", {
            **self.answers[address], "_press": str(uuid4()), **more}, headers={"HX-Request": "true"})
        if answer.status_code != 200 or 'id="tray"' not in answer.text:
            raise AssertionError(answer.text[:200])
        return answer.text

    def at_the_table(self, _number: int) -> None:
        """A press aimed at somebody, shown by htmx."""
        self._press(self.fight.address, f"?{self.fight.seats()}")

    def on_the_sheet(self, _number: int) -> None:
        """The same roll where the sheet stands."""
        self.seen = _seen(self._press(self.sheet, _seen=self.seen))


def _seen(page: str) -> str:
    return re.search(r'name="_seen" value="([^"]*)"', page)[1]


def press(ruleset) -> Iterator[str]:
    """A roll at the table and on the sheet, in turn."""
    from tests.bench_live import TIMES, TURN, kept, timed  # noqa: PLC0415 - needs Django to be set up

    with kept():
        somebody = Attacker(ruleset.slug)
        taken: dict = {call: [] for call in (somebody.at_the_table, somebody.on_the_sheet)}
        for start in range(0, TIMES, TURN):
            for call, seconds in taken.items():
                seconds.extend(timed(call, range(start, start + TURN)))
        table, sheet = (median(seconds[TURN:]) for seconds in taken.values())
        yield (f"a press at the table: {1000 * table:.1f} ms; on the sheet: {1000 * sheet:.1f} ms, "
               f"ratio {table / sheet:.2f} (goal 1.3)")


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
