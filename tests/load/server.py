"""The server that the load is put upon: pages, streams and PostgreSQL on the first core, and what they use of it."""

import csv
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from builder.processes import PAGES
from tests.load.people import SEATS
from tests.load.seen import WITHIN
from tests.support.postgresql import PostgreSQL
from tests.support.server import ROOT, Installation, static_files
from tests.support.streams import Live

TICKS = os.sysconf("SC_CLK_TCK")
PORT, LIVE_PORT, DATABASE_PORT = 9_191, 9_192, 5_591
FIRST, OTHER = (("/usr/bin/taskset", "--cpu-list", core) for core in "01")
COME, SETTLE = 10, 20
"""Seconds within which Locust lets players in, and those after them until what they do is counted."""
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
    """Granian upon PostgreSQL with the process of the streams beside it, and tables for so many players."""

    def __init__(self, players):
        self.folder = Path(tempfile.mkdtemp(prefix="bogenschmiede-"))
        super().__init__(self.folder)
        self.database, self.port, self.log = PostgreSQL(self.folder, DATABASE_PORT, FIRST), PORT, self.folder / "log"
        self.environment |= {"STATIC_ROOT": static_files(), "DATABASE_URL": self.database.url}
        made = subprocess.run([sys.executable, "-m", "tests.load.people", str(-(-players // SEATS))], cwd=ROOT,
                              env=self.environment, stdout=subprocess.PIPE, text=True, check=True)
        (self.folder / "people").write_text(made.stdout, "utf-8")
        with self.log.open("ab") as log:
            self.application = subprocess.Popen(
                [*FIRST, sys.executable, "-m", "granian", *PAGES, "--host", "127.0.0.1", "--port", str(self.port),
                 "builder.wsgi:application"], cwd=ROOT, env=self.environment, stdout=log, stderr=log)
        self.live = Live(self, LIVE_PORT, core=0)
        time.sleep(5)
        self.parts = {"application": self.application.pid, "streams": self.live.process.pid,
                      "database": self.database.process}

    def play(self, players, length):
        """What came of so many players in so many seconds: a row for each thing that they do, and the whole."""
        command = [*OTHER, sys.executable, "-m", "locust", "--headless", "--only-summary", "-f",
                   ROOT / "tests/load/players.py", "--host", f"http://127.0.0.1:{self.port}", "--users", players,
                   "--spawn-rate", max(1, players / COME), "--run-time", f"{round(length) + COME + SETTLE}s",
                   "--csv", self.folder / "told"]
        with (self.folder / "locust").open("wb") as log:
            locust = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log,
                                      env=os.environ | {
                                          "PEOPLE": str(self.folder / "people"), "FOLLOWED": str(self.folder / "heard"),
                                          "SETTLES": str(SETTLE),
                                          "STREAMS": f"http://127.0.0.1:{LIVE_PORT}"})
        time.sleep(COME + SETTLE + 2)
        before, held = {part: seconds(pid) for part, pid in self.parts.items()}, []
        while locust.poll() is None:
            held.append({part: memory(pid) for part, pid in self.parts.items()})
            time.sleep(EVERY)
        spent = {part: seconds(pid) - before[part] for part, pid in self.parts.items()}
        rows, failures, broken = self.told("stats"), self.told("failures"), self.told("exceptions")
        total = rows[-1]
        asked = int(total["Request Count"])
        tenths = [held[len(held) * one // 10:max(len(held) * (one + 1) // 10, 1)] for one in range(10)]
        megabytes = {part: [round(statistics.median(look[part] for look in looks)) for looks in tenths if looks]
                     for part in self.parts}
        return rows, {
            "players": players, "requests": asked, "requests a second": round(float(total["Requests/s"]), 1),
            "errors": int(total["Failure Count"]) + sum(int(one["Count"]) for one in broken),
            **{f"errors: {one['Name']}": f"{one['Occurrences']} × {one['Error']}" for one in failures},
            **{f"broken: {one['Message']}": one["Traceback"] for one in broken},
            "median ms": int(total["50%"]), "95 % ms": int(total["95%"]), "99 % ms": int(total["99%"]),
            **self.heard(),
            "processor ms a request": {one: round(value / asked * 1000, 2) for one, value in spent.items()},
            "processor in use": f"{sum(spent.values()) / length:.0%}",
            "MB, by tenths of the time": {one: " ".join(map(str, looks)) for one, looks in megabytes.items()},
            "memory grew by %": {one: round((looks[-1] / looks[0] - 1) * 100, 1) for one, looks in megabytes.items()}}

    def heard(self):
        """What came of the streams."""
        heard = json.loads((self.folder / "heard").read_text("utf-8"))
        times = sorted(heard["seen"]) or [0]
        return {"streams open": heard["streams"], "news heard": heard["news"], "presses": heard["presses"],
                "presses drawn anew": heard["anew"], "presses seen": len(heard["seen"]),
                **{f"seen by {part} % within ms": round(times[len(times) * part // 100]) for part in (50, 95, 99)},
                "seen in time": f"{sum(one <= WITHIN for one in times) / len(times):.1%}"}

    def told(self, what):
        """What Locust wrote of something, by rows."""
        with (self.folder / f"told_{what}.csv").open(encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def end(self):
        self.live.stop()
        self.application.terminate()
        self.application.wait(30)
        self.database.control("stop", "-m", "fast")
