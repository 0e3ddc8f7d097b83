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
ACT_TIMES = 60
"""Presses of each act, with those that warm up."""
HEADERS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "127.0.0.1"}


class Attacker:
    """Somebody who presses the same over and over, aimed at another at the table and on the own sheet.

    Each press finds the table as the pages were read: what came of the one before is put back.
    """

    def __init__(self, slug: str):
        from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django to be set up

        from tests.support.sheets.fight import Fight  # noqa: PLC0415 - the same

        self.fight, self.client = (fight := Fight(User.objects, slug)), fight.browsers["anna"]
        self.sheet, self.table = f"/sheets/{fight.sheets['anna'].pk}/", fight.address
        self.stored: list[tuple] = []
        self.read()
        # Some acts follow on a roll.
        self.press(self.both[0], self.sheet)
        party = fight.party
        self.stored = [(rows.model.objects, list(rows.values()))
                       for rows in (type(party).objects.filter(pk=party.pk), party.sheets, party.events)]
        self.read()

    def read(self) -> None:
        """Reads both pages, and notes what stands on both, rolls before acts."""
        self.pages = {self.table: self.fight.look().text, self.sheet: self.client.get(self.sheet).text}
        shown = [re.findall(r'id="w-([^"]+)"', page) for page in self.pages.values()]
        self.both = sorted((which for which in shown[0] if which in shown[1]), key=lambda one: one.startswith("act-"))

    def answers(self, address: str, which: str) -> dict[str, str]:
        """What the form of a roll or an act sends as it stands there, at least one of whatever is counted."""
        form = re.search(rf'id="w-{which}".*?</form>', self.pages[address], re.DOTALL)[0]
        chosen = re.findall(r'<select[^>]*name="([^"]+)".*?<option value="([^"]*)"', form, re.DOTALL)
        found = dict(re.findall(r'<input (?!type="checkbox")[^>]*name="([^"]+)" value="([^"]*)"', form))
        page = re.findall(r'<input type="hidden"[^>]* name="(_seen|_rows)" value="([^"]*)"', self.pages[address])
        word = re.search(r'id="(newest|watched)"[^>]* data-word="([^"]*)"', self.pages[address])
        page.append(({"newest": "_since", "watched": "_word"}[word[1]], word[2]))
        return {**dict(page), **found, **dict(chosen), **{name: "1" for name in ("points", "by") if name in found}}

    def press(self, which: str, address: str) -> float:
        """A press as htmx makes it; its seconds, 0 where it makes no sense as the form stands."""
        from sheets.models import Event  # noqa: PLC0415 - needs Django to be set up

        for there, rows in self.stored:
            for row in rows:
                there.filter(pk=row["id"]).update(**row)
        key, query = uuid4(), f"?{self.fight.seats()}" if address == self.table else ""
        answers = {**self.answers(address, which), "_press": str(key)}
        begun = time.perf_counter()
        answer = self.client.post(f"{address}play/{query}", answers, headers={"HX-Request": "true"})
        taken = time.perf_counter() - begun
        if answer.status_code != 200 or 'id="tray"' not in answer.text:
            raise AssertionError(answer.text[:200])
        made, _rows = Event.objects.filter(key=key).delete() if self.stored else (1, {})
        return taken if made else 0

    def both_ways(self, which: str, times: int) -> list[float]:
        """The usual seconds of such a press at the table and on the sheet, made in turn; none where one was nothing."""
        from tests.bench_live import TURN  # noqa: PLC0415 - needs Django to be set up

        taken: dict[str, list[float]] = {address: [] for address in self.pages}
        for _turn in range(times // TURN):
            for address, seconds in taken.items():
                seconds.extend(self.press(which, address) for _time in range(TURN))
        return [median(seconds[TURN:]) for seconds in taken.values()] if all(map(all, taken.values())) else []


def press(ruleset) -> Iterator[str]:
    """A roll at the table and on the sheet, in turn; then each act that stands there as it stands on the sheet."""
    from tests.bench_live import TIMES, kept  # noqa: PLC0415 - needs Django to be set up

    with kept():
        somebody = Attacker(ruleset.slug)
        table, sheet = somebody.both_ways(next(one for one in somebody.both if one.startswith("roll-")), TIMES)
        yield (f"a press at the table: {1000 * table:.1f} ms; on the sheet: {1000 * sheet:.1f} ms, "
               f"ratio {table / sheet:.2f} (goal 1.3)")
        acts = [which for which in somebody.both if which.startswith("act-")]
        found = {which: somebody.both_ways(which, ACT_TIMES) for which in acts
                 if somebody.press(which, somebody.table) and somebody.press(which, somebody.sheet)}
        ratios = sorted((both[0] / both[1], which) for which, both in found.items() if both)
        said = (f"ratios {ratios[0][0]:.2f} to {ratios[-1][0]:.2f} (goal 1.3), the dearest there “{ratios[-1][1]}”"
                if ratios else "none could be pressed")
        yield f"{len(ratios)} of {len(acts)} acts at the table and on the sheet, as their forms stand: {said}"


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
            "Cookie": f"__Host-sessionid={self.server.filled['session']}; __Host-csrftoken={self.token}"})
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
    from sheets.stage.table_page import EVERY  # noqa: PLC0415 - needs Django to be set up
    from tests.support.server import TOKEN, Server  # noqa: PLC0415 - the same

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
    headers = {**HEADERS, "Host": "127.0.0.1", "HX-Request": "true", "Cookie": f"__Host-sessionid={session}"}
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
