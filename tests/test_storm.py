"""Four who ask for the worst without a pause, while others look whether the program lives and save what they write.

At full counts for a minute, with figures; else for some seconds, and then nothing is asserted that is a matter of the
clock: that a cheap request is answered in half the time of a dear one is true on a busy machine too.
"""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from statistics import mean

import pytest
from django.db import connection

from tests.support.everyday import everyday
from tests.support.hostile_requests import BOUNDS, EXACT, FOUND, POSTED
from tests.support.rulesets.contract import report
from tests.support.server import PATIENCE
from tests.support.strangers import (
    MEGABYTES,
    Answer,
    Stranger,
    figures,
    late,
    memory,
    scheduled,
    watch,
    write,
)

pytestmark = [pytest.mark.alike, pytest.mark.slow, pytest.mark.more, pytest.mark.prove]

CLIENTS, WORST = 4, 12


def worst(server, full) -> list[tuple]:
    """What is dearest of the table of hostile requests, by what it takes here."""
    asked = [("GET", one, {}) for one in (*EXACT, *BOUNDS, *FOUND)]
    asked += [("POST", where, {"document": text, "do": "check"}) for where, text in POSTED.values()]
    asked = asked if full else asked[::7]
    # Each from an address of its own, so that none is refused while it is measured.
    costs = [Stranger(server.port, f"198.51.100.{n}").ask(*one[:2], **one[2]).seconds for n, one in enumerate(asked)]
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


@pytest.mark.parametrize("budget", everyday(["on", "off"]))
def test_who_asks_for_the_worst_keeps_nobody_from_being_answered_and_from_saving(budget, full, serve):
    # In a few seconds nobody uses up what production gives to an address for five minutes.
    size = "0" if budget == "off" else "120" if full else "1"
    server = serve(BUDGET=size, REQUEST_SECONDS="20" if full else "600")
    before, requests = server.workers(), worst(server, full)
    guest, done, end = Stranger(server.port, "203.0.113.9"), threading.Event(), time.monotonic() + PATIENCE
    draft, start = guest.begin(), scheduled(before)

    def over(answer):
        tried = budget == "off" or full or answer.status == 429
        return (done.is_set() and tried) or time.monotonic() > end
    with ThreadPoolExecutor(CLIENTS + 2) as pool:
        # All from one address, a budget's case; each from its own where there is none.
        attacks = [pool.submit(attack, Stranger(server.port, f"192.0.2.{1 if budget == 'on' else n}"),
                               requests[n:] + requests[:n], over) for n in range(CLIENTS)]
        lives = pool.submit(watch, Stranger(server.port, "203.0.113.10"), lambda times: times >= (600 if full else 40))
        try:
            saves = write(guest, draft, lambda times: times >= (200 if full else 12))
            lives = lives.result()
        finally:
            done.set()
        hits = [answer for one in attacks for answer in one.result()]
    ran, waited = (now - then for now, then in zip(scheduled(before), start, strict=True))
    grown = memory(before)
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
