"""The many machines of docs/deploy/many.md lose one after the other, under load; run by `make cluster-test`."""

import http.client
import re
import sys
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from tests.cluster.machines import DATABASES, Machines, missing, until
from tests.server import Server

PLAYERS = 6
WITHIN = 45
"""Seconds after the primary's death within which writes go on."""
ROLL = "roll-attack-attacks-0"
TOLD = re.compile(r"gleich noch einmal|try again in a moment", re.IGNORECASE)


class Player:
    """Saves a sheet of their own and rolls on it by turns, each until it is acknowledged, as a person would."""

    def __init__(self, machines, sheet):
        self.machines, self.sheet = machines, sheet
        self.version, self.saves, self.keys, self.told, self.bare = 1, 0, [], 0, []
        self.wrote = []
        """When what was acknowledged."""
        self.doubt = False

    def send(self, address, **fields):
        """The status of an answer, None for one that says to try again; anything else that failed is kept as bare."""
        try:
            status, page = Server.send(self.machines, "POST", address, **fields)
        except (OSError, http.client.HTTPException) as error:
            status, page = 0, repr(error)
        if status in {302, 409}:
            return status
        if status == 503 and TOLD.search(page):
            self.told += 1
        else:
            self.bare.append((time.monotonic(), status, page[:300]))
        return None

    def until_answered(self, address, **fields):
        """The status of the first answer; whether it was in doubt before."""
        doubted = False
        while (status := self.send(address, **fields)) is None:
            doubted = True
            time.sleep(0.2)
        self.wrote.append(time.monotonic())
        return status, doubted

    def step(self):
        """One save and one roll."""
        status, doubted = self.until_answered(f"/drafts/{self.sheet}/figure/", _version=self.version,
                                              _name=f"Juan {self.version}")
        # It was done before, and its answer was lost.
        assert status == 302 or doubted, (status, self.version)
        self.version, self.saves = self.version + 1, self.saves + 1
        key = str(uuid.uuid4())
        status, _doubted = self.until_answered(f"/sheets/{self.sheet}/play/", w=ROLL, _press=key)
        assert status == 302
        self.keys.append(key)


class Load:
    """Players who play until they are told to end."""

    def __init__(self, machines):
        self.machines, self.done = machines, threading.Event()
        self.players = [Player(machines, sheet) for sheet in machines.ask("more", str(PLAYERS))]
        self.pool = ThreadPoolExecutor(PLAYERS)
        self.running = [self.pool.submit(self.play, player) for player in self.players]

    def play(self, player):
        while not self.done.is_set():
            player.step()
            time.sleep(0.05)

    def longest(self, since):
        """The longest time since then in which nobody was acknowledged anything."""
        times = [since, *sorted(one for player in self.players for one in player.wrote if one > since)]
        return max((after - before for before, after in pairwise(times)), default=0)

    def acknowledged(self):
        return sum(player.saves + len(player.keys) for player in self.players)

    def goes_on(self, seconds, since):
        """Everybody's next step after that moment is acknowledged; seconds that it took."""
        until(lambda: all(player.wrote and player.wrote[-1] > since for player in self.players) or self.fell(), seconds,
              "a write of everybody")
        return time.monotonic() - since

    def fell(self):
        """Raises what ended a player."""
        for one in self.running:
            if one.done():
                one.result()
        return False

    def end(self):
        self.done.set()
        self.pool.shutdown(wait=True)
        for one in self.running:
            one.result()

    def proven(self):
        """What was acknowledged is there, once; what failed was said to."""
        kept = self.machines.ask("kept")
        for player in self.players:
            version, name, keys = kept[player.sheet]
            assert version == player.version
            assert name == f"Juan {version - 1}"
            assert sorted(keys) == sorted(player.keys)
        assert [one for player in self.players for one in player.bare] == []


@pytest.fixture(scope="module")
def machines(django_db_blocker):
    assert missing() == []
    with django_db_blocker.unblock():
        running = Machines()
        try:
            running.build()
            yield running
        finally:
            running.end()


def say(text):
    sys.stdout.write(f"\n{text}")
    sys.stdout.flush()


def application_dies(machines, load):
    """One of the two application servers; the other one goes on at once."""
    machines.kill_application("app1")
    took = load.goes_on(20, time.monotonic())
    machines.begin_application("app1")
    return f"an application server: writes went on after {took:.1f} s"


def primary_dies(machines, load):
    """The primary with its Patroni; the standby takes over, and the old one comes back as the new one's standby."""
    old = machines.primary()
    began = time.monotonic()
    machines.kill_database(old)
    new = until(lambda: (found := machines.primary()) != old and found, 60, "another primary")
    promoted = time.monotonic() - began
    took = load.goes_on(60, time.monotonic()) + promoted
    gap = load.longest(began)
    machines.begin_patroni(old)
    rejoined = machines.safe(120)
    assert machines.primary() == new
    assert sorted(machines.members()) == sorted(DATABASES)
    assert max(gap, 0) < WITHIN
    return (f"the primary: another one after {promoted:.1f} s, everybody wrote after {took:.1f} s, "
            f"longest pause {gap:.1f} s; the old one rejoined within {rejoined:.1f} s of its start")


def primary_restarts(machines, load):
    """PostgreSQL is started anew where it is, as after a change of its settings."""
    began = time.monotonic()
    machines.restart_database(machines.primary())
    load.goes_on(60, time.monotonic())
    took = time.monotonic() - began
    return f"PostgreSQL started anew: everybody wrote after {took:.1f} s, longest pause {load.longest(began):.1f} s"


def etcd_dies(machines, load):
    """One of three: nothing is noticed."""
    machines.kill("etcd-witness")
    took = load.goes_on(20, time.monotonic())
    machines.begin_etcd("witness")
    return f"an etcd: writes went on after {took:.1f} s"


def test_whatever_dies_nothing_that_was_acknowledged_is_lost_and_nothing_is_done_twice(machines, full):
    load = Load(machines)
    try:
        for time_around in range(2 if full else 1):
            for hurt in (application_dies, primary_dies, primary_restarts, etcd_dies):
                say(f"{time_around + 1}. synchronous standby after {machines.safe(120):.1f} s; "
                    f"{load.acknowledged()} acknowledged")
                load.goes_on(30, time.monotonic())
                say(f"   {hurt(machines, load)}")
    finally:
        load.end()
    load.proven()
    say(f"{load.acknowledged()} acknowledged, none lost, none twice; "
        f"{sum(player.told for player in load.players)} answers said to try again, all others came\n")
