"""One address that sends all at once that once took the program down, while others save what they write.

For a minute, with figures.
"""

import math
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context

import django
import pytest
from django.db import connection

from tests.support.attackers import KINDS, storm
from tests.support.everyday import MORE
from tests.support.rulesets.contract import report
from tests.support.strangers import MEGABYTES, Stranger, figures, late, memory, scheduled, watch, write

# In `.ci/run` another storm stands for it (test_storm.py).
pytestmark = [*MORE, pytest.mark.prove]

MINUTE, SOON = 60, 15
"""Seconds of a storm, and those in which its address is refused."""
CHEAP, ALONE = 0.02, 10
"""Processor seconds of a request that nobody need be refused for, and how many of each kind are measured alone."""
PACE = 0.4
"""Processor seconds that an address gets back in each second."""
FILES = ("pictures", "allowed pictures", "papers")
"""Kinds that are refused, too, while another file from their address is read."""
HEALTH, SAVE = 0.3, 1
"""Seconds within which others are answered."""
FEW = 12
"""What each of the others sends at most, where nobody may use much."""
EACH, FLAT = 10, 40
"""Seconds after which memory is looked at, and megabytes that it may be more at the end than half-way."""


def alone(server, workers) -> dict[str, float]:
    """Return the processor seconds of a request of each kind, sent one at a time, each kind from its own address."""
    found = {}
    for number, (kind, asked) in enumerate(KINDS.items()):
        answers = asked(Stranger(server.port, f"198.51.100.{number}"))
        next(answers)
        before = scheduled(workers)[0]
        list(islice(answers, ALONE))
        found[kind] = (scheduled(workers)[0] - before) / ALONE / 1e9
    return found


def lasting(came) -> float:
    """Return in which second most of twenty answers in a row have been refusals, but for those to files."""
    plain = sorted((at, status == 429) for at, kind, status in came if kind not in FILES)
    rows = (plain[n:n + 20] for n in range(len(plain) - 19))
    return next((row[-1][0] for row in rows if sum(refused for _at, refused in row) > 10), math.inf)


def told(took, came, costs) -> None:
    """Report what became of the attack."""
    for kind, cost in costs.items():
        statuses = Counter(status for _at, one, status in came if one == kind)
        report(f"    {kind}: {1000 * cost:.1f} ms alone; {dict(sorted(statuses.items()))}")
    tens = [[status for at, _kind, status in came if begun <= at < begun + EACH]
            for begun in range(0, int(took), EACH)]
    shares = ", ".join(f"{len(one) - one.count(429)} of {len(one)}" for one in tens)
    last = max(at for at, _kind, status in came if status != 429)
    report(f"    not refused in each {EACH} seconds: {shares}; the last after {last:.1f} s")


def test_one_address_that_sends_all_at_once_keeps_nobody_else_from_being_answered_and_from_saving(full, serve):
    # In a few seconds nobody uses up what production gives to an address for five minutes.
    server = serve(BUDGET="120" if full else "2", REQUEST_SECONDS="20" if full else "600")
    workers, [table] = server.workers(), server.ask("tables", "1", "2")
    people = [Stranger(server.port, f"203.0.113.{n}", session)
              for n, session in enumerate([*table["sessions"], "", ""], 1)]
    drafts, costs = [one.begin() for one in people], alone(server, workers) if full else {}
    start = scheduled(workers)
    with ThreadPoolExecutor(len(people) + 1) as pool, \
            ProcessPoolExecutor(1, get_context("spawn"), django.setup) as elsewhere:
        attack = elsewhere.submit(storm, server.port, "192.0.2.1", MINUTE if full else 0)

        def over(times):
            return times > 1 and (attack.done() or (times >= FEW and not full))
        lives = pool.submit(watch, Stranger(server.port, "203.0.113.10"), over, 0.5)
        saving = [pool.submit(write, *each, over, 1) for each in zip(people, drafts, strict=True)]
        flow = [memory(workers, "VmRSS")]
        while not wait([attack], EACH).done:
            flow.append(memory(workers, "VmRSS"))
        took, came = attack.result()
        lives, saves = lives.result(), [answer for one in saving for answer in one.result()]
    ran, waited = (now - then for now, then in zip(scheduled(workers), start, strict=True))
    refused = [at for at, kind, status in came if status == 429 and kind not in FILES]
    if full:
        # How much longer everything took because other programs ran on the machine.
        stretch = (ran + waited) / ran
        report(f"one attacker, {connection.vendor}: {len(came)} requests in {took:.0f} s, "
               f"first refused after {refused[0]:.1f} s, mostly after {lasting(came):.1f} s")
        told(took, came, costs)
        report(f"    /health/ {figures(lives)}; saves {figures(saves)}; stretched by {stretch:.2f}, "
               f"load {os.getloadavg()[0]:.1f}; workers' processor {ran / took / 1e9:.2f} cores")
        report(f"    workers every {EACH} s {flow} MB, {memory(workers)} at the most")
        assert max(flow[-1]) - max(flow[len(flow) // 2]) < FLAT
        assert late(lives) < HEALTH * stretch
        assert late(saves) < SAVE * stretch
        # On a machine that is so busy that it takes less than comes back with time it is not.
        assert lasting(came) < SOON * stretch or max(costs.values()) < CHEAP or ran / took / 1e9 < PACE
    assert {kind for _at, kind, _status in came} == set(KINDS)
    assert {status for _at, _kind, status in came} <= {200, 302, 400, 422, 429}
    assert refused
    assert {(one.status, one.page) for one in lives} == {(200, "ok")}
    assert {one.status for one in saves} == {302}
    assert server.workers() == workers
    assert max(memory(workers)) < MEGABYTES
