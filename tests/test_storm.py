"""Four who ask for the worst without a pause, while others look whether the program lives and save what they write.

At full counts for a minute, with figures; else for some seconds, and then nothing is asserted that is a matter of the
clock: that a cheap request is answered in half the time of a dear one is true on a busy machine too.
"""

import http.client
import os
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import mean

import pytest
from django.db import connection

from tests.support.hostile_requests import BOUNDS, EXACT, FOUND, POSTED
from tests.support.rulesets.contract import report
from tests.support.server import GUEST, PATIENCE, Server, form

pytestmark = [pytest.mark.slow, pytest.mark.prove]

CLIENTS, WORST = 4, 12
MEGABYTES = 400
"""What a worker may grow to; granian replaces it at 512."""


@dataclass(frozen=True)
class Answer:
    """What came back, and in how many seconds."""

    status: int
    headers: http.client.HTTPMessage
    page: str
    seconds: float


@dataclass
class Stranger:
    """Somebody without an account at an address of their own."""

    server: Server
    address: str
    session: str = ""

    def ask(self, method, address, **fields) -> Answer:
        """Return the answer to one request; `OSError` where nobody answers."""
        began = time.monotonic()
        answer = form(self.server.port, method, address, session=self.session, seen=self.address, **fields)
        return Answer(*answer, time.monotonic() - began)

    def begin(self) -> str:
        """The address of a new draft, which is theirs."""
        made = self.ask("POST", "/build/condice/")
        self.session = re.search(f"{GUEST}=[^;]+", "; ".join(made.headers.get_all("Set-Cookie")))[0]
        return "/".join(made.headers["Location"].split("/")[:3])


def worst(server, full) -> list[tuple]:
    """What is dearest of the table of hostile requests, by what it takes here."""
    asked = [("GET", one, {}) for one in (*EXACT, *BOUNDS, *FOUND)]
    asked += [("POST", where, {"document": text, "do": "check"}) for where, text in POSTED.values()]
    asked = asked if full else asked[::7]
    # Each from an address of its own, so that none is refused while it is measured.
    costs = [Stranger(server, f"198.51.100.{n}").ask(*one[:2], **one[2]).seconds for n, one in enumerate(asked)]
    ranked = sorted(zip(costs, range(len(asked)), strict=True), reverse=True)
    if full:
        report(f"the dearest alone: {', '.join(f'{cost:.2f}' for cost, _n in ranked[:WORST])} s")
    return [asked[n] for _cost, n in ranked[:WORST]]


def attack(stranger, requests, over) -> list[Answer]:
    """Ask the worst in turn without a pause, until that is over."""
    found, following = [], cycle(requests)
    while not found or not over(found[-1]):
        method, address, fields = next(following)
        found.append(stranger.ask(method, address, **fields))
    return found


def watch(stranger, times) -> list[Answer]:
    """Ask ten times a second whether the program lives, whether or not the last has been answered."""
    with ThreadPoolExecutor(50) as pool:
        asked = []
        for _time in range(times):
            asked.append(pool.submit(stranger.ask, "GET", "/health/"))
            time.sleep(0.1)
        return [one.result() for one in asked]


def write(stranger, draft, times) -> list[Answer]:
    """Save a draft again and again, as somebody does who types."""
    page = stranger.ask("GET", f"{draft}/figure/").page
    version, found = int(re.search(r'name="_version" value="(\d+)"', page)[1]), []
    for _time in range(times):
        found.append(stranger.ask("POST", f"{draft}/figure/", _version=version, _name=f"Juan {version}"))
        version += found[-1].status == 302
        time.sleep(0.3)
    return found


def late(answers) -> float:
    """The time within which 95 of 100 came."""
    return sorted(one.seconds for one in answers)[int(len(answers) * 0.95)]


def scheduled(workers) -> tuple[int, int]:
    """Nanoseconds that these processes ran so far, and that they waited for a processor which others had."""
    each = [path.read_text().split() for one in workers for path in Path(f"/proc/{one}/task").glob("*/schedstat")]
    return sum(int(ran) for ran, _waited, _times in each), sum(int(waited) for _ran, waited, _times in each)


def figures(answers) -> str:
    """How many, and how long they took."""
    return f"{len(answers)}, 95 of 100 in {late(answers):.2f} s, worst {max(one.seconds for one in answers):.2f} s"


@pytest.mark.parametrize("budget", ["on", "off"])
def test_who_asks_for_the_worst_keeps_nobody_from_being_answered_and_from_saving(budget, full, serve):
    # In a few seconds nobody uses up what production gives to an address for five minutes.
    size = "0" if budget == "off" else "120" if full else "1"
    server = serve(BUDGET=size, REQUEST_SECONDS="20" if full else "600")
    before, requests = server.workers(), worst(server, full)
    guest, done, end = Stranger(server, "203.0.113.9"), threading.Event(), time.monotonic() + PATIENCE
    draft, start = guest.begin(), scheduled(before)

    def over(answer):
        tried = budget == "off" or full or answer.status == 429
        return (done.is_set() and tried) or time.monotonic() > end
    with ThreadPoolExecutor(CLIENTS + 2) as pool:
        # All from one address, a budget's case; each from its own where there is none.
        attacks = [pool.submit(attack, Stranger(server, f"192.0.2.{1 if budget == 'on' else n}"),
                               requests[n:] + requests[:n], over) for n in range(CLIENTS)]
        lives = pool.submit(watch, Stranger(server, "203.0.113.10"), 600 if full else 40)
        try:
            saves = write(guest, draft, 200 if full else 12)
            lives = lives.result()
        finally:
            done.set()
        hits = [answer for one in attacks for answer in one.result()]
    ran, waited = (now - then for now, then in zip(scheduled(before), start, strict=True))
    grown = [int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{one}/status").read_text())[1]) // 1024 for one in before]
    if budget == "off":
        # Behind dear ones in a queue it would take as long as they do; beside them it takes an eighth.
        assert mean(one.seconds for one in lives) < mean(one.seconds for one in hits) / 2
    refused = [one for one in hits if one.status == 429]
    # How much longer everything took because other programs ran on the machine.
    stretch = (ran + waited) / ran
    if full:
        report(f"storm, {connection.vendor}, budget {size}: of the worst {figures(hits)}, {len(refused)} refused")
        report(f"    /health/ {figures(lives)}; saves {figures(saves)}")
        report(f"    others stretched it by {stretch:.2f}, load {os.getloadavg()[0]:.1f}; workers {grown} MB")
        assert late(lives) < stretch
        assert late(saves) < stretch
    assert {one.status for one in hits} <= {200, 400, 422, 429}
    assert {(one.status, one.page) for one in lives} == {(200, "ok")}
    assert {one.status for one in saves} == {302}
    assert all(int(one.headers["Retry-After"]) > 0 for one in refused)
    assert bool(refused) == (budget == "on" and not full)
    assert server.workers() == before
    assert max(grown) < MEGABYTES
