"""The many machines of docs/deploy/many.md lose one after the other, under load; run by `make cluster-test`."""

import sys
import time

import pytest

from tests.cluster.machines import APPLICATIONS, DATABASES, Machines, missing, until
from tests.cluster.players import Load
from tests.cluster.watchers import Watched

WITHIN = 45
"""Seconds after the primary's death within which writes go on."""
GONE = 5
"""Seconds that a server or an etcd stays away while people go on."""


@pytest.fixture(scope="module")
def machines(django_db_blocker):
    lacks = missing()
    assert not lacks, f"apt-get install {' '.join(lacks)}"
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
    time.sleep(GONE)
    load.goes_on(20, time.monotonic())
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
    time.sleep(GONE)
    load.goes_on(20, time.monotonic())
    machines.begin_etcd("witness")
    return f"an etcd: writes went on after {took:.1f} s"


def test_whatever_dies_nothing_that_was_acknowledged_is_lost_or_done_twice_and_who_watches_hears_of_it(machines, full):
    watched = Watched(machines)
    load = Load(machines)
    try:
        said = [f"on {server} {watched.hear(server):.1f} s" for server in APPLICATIONS]
        say(f"four pages on both servers heard of a press {' and '.join(said)} later")
        for time_around in range(2 if full else 1):
            for hurt in (application_dies, primary_dies, primary_restarts, etcd_dies):
                say(f"{time_around + 1}. synchronous standby after {machines.safe(120):.1f} s; "
                    f"{load.acknowledged()} acknowledged")
                load.goes_on(30, time.monotonic())
                say(f"   {hurt(machines, load)}; all four pages heard of the next press {watched.hear():.1f} s later")
    finally:
        load.end()
        watched.end()
    load.proven()
    say(f"{load.acknowledged()} acknowledged, none lost, none twice; "
        f"{load.told()} answers said to try again, all others came\n")
