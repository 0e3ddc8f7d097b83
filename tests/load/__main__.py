"""`make load`: players upon one server with PostgreSQL on one core, Locust on another; prints what came of it.

PLAYERS is how many there are, MINUTES for how long. With PLAYERS=capacity it seeks the highest number with which 95 %
are answered within 300 ms and 95 % of those who watch see a press in time, and holds three quarters of it.
"""

import json
import os
import shutil
import sys

import django

os.environ.setdefault("BOGENSCHMIEDE_MODE", "development")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
django.setup()

from tests.load.seen import WITHIN  # noqa: E402
from tests.load.server import Loaded  # noqa: E402

PLAYERS, MINUTES = os.environ.get("PLAYERS") or "40", float(os.environ.get("MINUTES") or 1)
MOST, LEAST = 600, 5
"""Players."""
TRIED = 40
"""Seconds that each number of them is tried for."""
SEEN = "seen by 95 % within ms"
SLOW, SLOWEST, GROWN = 300, 500, 5
"""Milliseconds for 95 % at capacity and for 99 % at three quarters of it; by how many % memory may grow there."""


def say(text):
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def show(rows):
    """A line for each thing that players do, milliseconds."""
    say(f"{'':22}{'asked':>8}{'errors':>8}{'50 %':>8}{'95 %':>8}{'99 %':>8}")
    for row in rows:
        say(f"{row['Name']:22}" + "".join(
            f"{row[key]:>8}" for key in ("Request Count", "Failure Count", "50%", "95%", "99%")))


def capacity(loaded):
    """How many players there may be: twice as many each time, then between the last two, to within a tenth."""
    good, bad, players = 0, MOST + 1, LEAST
    while bad > max(good * 1.1, LEAST) and good < MOST:
        _rows, found = loaded.play(players, TRIED)
        well = found["95 % ms"] < SLOW and found[SEEN] < WITHIN and not found["errors"]
        say(f"{players:4} players: {found['requests a second']:6} a second, 95 % within {found['95 % ms']} ms, "
            f"seen by 95 % within {found[SEEN]} ms, {found['errors']} errors, processor {found['processor in use']}")
        good, bad = (players, bad) if well else (good, players)
        players = min(good * 2, MOST) if bad > MOST else (good + bad) // 2
    return good


def faults(found):
    """What does not hold at three quarters of capacity."""
    return [fault for fault, wrong in {
        "errors": found["errors"], f"seen by 95 % within {WITHIN} ms": found[SEEN] >= WITHIN,
        f"99 % within {SLOWEST} ms": found["99 % ms"] >= SLOWEST,
        f"memory flat within {GROWN} %": abs(found["memory grew by %"]["application"]) > GROWN}.items() if wrong]


def main():
    """Runs the load, and prints it; exit code 1 where three quarters of capacity are too much."""
    seeks = PLAYERS == "capacity"
    loaded = Loaded(MOST if seeks else int(PLAYERS))
    try:
        # Caches are filled, connections made.
        loaded.play(LEAST if seeks else int(PLAYERS), TRIED)
        if seeks:
            most = capacity(loaded)
            say(f"capacity: {most} players")
        rows, found = loaded.play(most * 3 // 4 if seeks else int(PLAYERS), MINUTES * 60)
    finally:
        loaded.end()
    show(rows)
    say(json.dumps(found, indent=2, ensure_ascii=False))
    shutil.rmtree(loaded.folder)
    if seeks and (wrong := faults(found)):
        sys.exit(f"does not hold: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
