"""The server that the load is put upon: the program and PostgreSQL on the first core, and what they use of it."""

import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from tests.load.people import SEATS
from tests.support.postgresql import PostgreSQL
from tests.support.server import OPTIONS, ROOT, Installation, static_files

TICKS = os.sysconf("SC_CLK_TCK")
PORT, DATABASE_PORT = 9_191, 5_591
FIRST, OTHER = (("/usr/bin/taskset", "--cpu-list", core) for core in "01")
BEGUN = 12
"""Seconds until all players are there, whom Locust lets in within ten."""
EVERY = 2
"""Seconds between two looks at memory."""


def processes():
    """{process: (parent, processor seconds of it and of those it had)}."""
    found = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = file.read_text().rpartition(") ")[2].split()
            found[int(file.parent.name)] = int(fields[1]), sum(map(int, fields[11:15])) / TICKS
    return found


def tree(first, known):
    """A process and all that it began."""
    found = {first}
    while more := {pid for pid, (parent, _seconds) in known.items() if parent in found} - found:
        found |= more
    return found & known.keys()


def seconds(first):
    """Processor seconds of a process and all that it began."""
    known = processes()
    return sum(known[pid][1] for pid in tree(first, known))


def memory(first):
    """Megabytes that a process and all that it began hold, without files; what several share counts once."""
    total = 0
    for pid in tree(first, processes()):
        with suppress(OSError):
            told = Path(f"/proc/{pid}/smaps_rollup").read_text()
            total += sum(int(kilobytes) for kilobytes in re.findall(r"^Pss_(?:Anon|Shmem): +(\d+)", told, re.MULTILINE))
    return total / 1024


class Loaded(Installation):
    """Granian upon PostgreSQL, with tables for so many players."""

    def __init__(self, players):
        self.folder = Path(tempfile.mkdtemp(prefix="bogenschmiede-"))
        super().__init__(self.folder)
        self.database, self.port = PostgreSQL(self.folder, DATABASE_PORT, FIRST), PORT
        self.environment |= {"STATIC_ROOT": static_files(), "DATABASE_URL": self.database.url}
        made = subprocess.run([sys.executable, "-m", "tests.load.people", str(-(-players // SEATS))], cwd=ROOT,
                              env=self.environment, stdout=subprocess.PIPE, text=True, check=True)
        (self.folder / "people").write_text(made.stdout, "utf-8")
        with (self.folder / "log").open("ab") as log:
            self.application = subprocess.Popen(
                [*FIRST, sys.executable, "-m", "granian", *OPTIONS, "--host", "127.0.0.1", "--port", str(self.port),
                 "builder.wsgi:application"], cwd=ROOT, env=self.environment, stdout=log, stderr=log)
        time.sleep(5)
        self.parts = {"application": self.application.pid, "database": self.database.process}

    def play(self, players, length):
        """What came of so many players in so many seconds: a row for each thing that they do, and the whole."""
        command = [*OTHER, sys.executable, "-m", "locust", "--headless", "--only-summary", "-f",
                   ROOT / "tests/load/players.py", "--host", f"http://127.0.0.1:{self.port}", "--users", players,
                   "--spawn-rate", max(1, players / 10), "--reset-stats", "--run-time", f"{round(length) + 10}s",
                   "--csv", self.folder / "told"]
        with (self.folder / "locust").open("wb") as log:
            locust = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log,
                                      env=os.environ | {"PEOPLE": str(self.folder / "people")})
        time.sleep(BEGUN)
        before, held = {part: seconds(pid) for part, pid in self.parts.items()}, []
        while locust.poll() is None:
            held.append({part: memory(pid) for part, pid in self.parts.items()})
            time.sleep(EVERY)
        spent = {part: seconds(pid) - before[part] for part, pid in self.parts.items()}
        rows, failures = self.told("stats"), self.told("failures")
        total = rows[-1]
        asked = int(total["Request Count"])
        tenths = [held[len(held) * one // 10:max(len(held) * (one + 1) // 10, 1)] for one in range(10)]
        megabytes = {part: [round(statistics.median(look[part] for look in looks)) for looks in tenths if looks]
                     for part in self.parts}
        return rows, {
            "players": players, "requests": asked, "requests a second": round(float(total["Requests/s"]), 1),
            "errors": int(total["Failure Count"]),
            **{f"errors: {one['Name']}": f"{one['Occurrences']} × {one['Error']}" for one in failures},
            "median ms": int(total["50%"]), "95 % ms": int(total["95%"]), "99 % ms": int(total["99%"]),
            "processor ms a request": {one: round(value / asked * 1000, 2) for one, value in spent.items()},
            "processor in use": f"{sum(spent.values()) / length:.0%}",
            "MB, by tenths of the time": {one: " ".join(map(str, looks)) for one, looks in megabytes.items()},
            "memory grew by %": {one: round((looks[-1] / looks[0] - 1) * 100, 1) for one, looks in megabytes.items()}}

    def told(self, what):
        """What Locust wrote of something, by rows."""
        with (self.folder / f"told_{what}.csv").open(encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def end(self):
        self.application.terminate()
        self.application.wait(30)
        self.database.control("stop", "-m", "fast")
