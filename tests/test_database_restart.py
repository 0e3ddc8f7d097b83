"""PostgreSQL is started anew under load: whoever waits for an answer gets one, and what was acknowledged is there."""

import shutil
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tests.cluster.players import Load
from tests.support.postgresql import PostgreSQL
from tests.support.server import PATIENCE, Server, until

pytestmark = [pytest.mark.slow, pytest.mark.prove, pytest.mark.more]


class Restarted(Server):
    """The program upon a PostgreSQL of its own."""

    def __init__(self, folder):
        self.database = PostgreSQL(folder)
        super().__init__(folder, DATABASE_URL=self.database.url)

    def migrate(self, folder):
        """Lay down nothing; `fill` does."""


@pytest.fixture
def restarted(django_db_blocker):
    folder = Path(tempfile.mkdtemp(prefix="bogenschmiede-"))
    with django_db_blocker.unblock():
        running = Restarted(folder)
    try:
        yield running
    finally:
        running.stop()
        running.database.control("stop", "-m", "immediate")
        shutil.rmtree(folder)


def test_a_database_that_is_started_anew_is_told_to_each_who_asks_and_loses_nothing(restarted, full):
    load = Load(restarted, keeping=True)
    try:
        for mode in ("fast", "immediate") * (3 if full else 1):
            load.goes_on_for(500 if full else 100)
            told, began = load.told(), time.monotonic()
            # As kind as it gets, and as if the power failed.
            restarted.database.control("stop", "-m", mode)
            until(lambda told=told: load.told() > told)
            restarted.database.control("start")
            load.goes_on(PATIENCE, time.monotonic())
            sys.stdout.write(f"\n{mode}: longest pause {load.longest(began):.1f} s")
    finally:
        load.end()
    load.proven()
    sys.stdout.write(f"\n{load.acknowledged()} acknowledged, {load.reader.read} pages read, {load.told()} answers said "
                     f"to try again, all others came\n")
