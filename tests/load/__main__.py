"""`make load`: players upon one server with PostgreSQL on one core, Locust on another; prints what came of it.

PLAYERS is how many there are, MINUTES for how long.
"""

import csv
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import django

os.environ.setdefault("BOGENSCHMIEDE_MODE", "development")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
django.setup()

from tests.cluster.machines import until  # noqa: E402
from tests.load.people import SEATS  # noqa: E402
from tests.server import OPTIONS, ROOT, Installation, static_files  # noqa: E402

PLAYERS, MINUTES = int(os.environ.get("PLAYERS") or 40), float(os.environ.get("MINUTES") or 1)
BINARIES = max(Path("/usr/lib/postgresql").glob("*/bin"))
TICKS, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGESIZE")


def processes():
    """{process: (parent, processor seconds of it and of those it had, resident bytes)}."""
    found = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        found[int(file.parent.name)] = int(fields[1]), sum(map(int, fields[11:15])) / TICKS, int(fields[21]) * PAGE
    return found


def used(first):
    """(processor seconds, resident bytes) of a process and all that it began."""
    known = processes()
    tree = {first}
    while more := {pid for pid, (parent, *_rest) in known.items() if parent in tree} - tree:
        tree |= more
    return sum(known[pid][1] for pid in tree if pid in known), sum(known[pid][2] for pid in tree if pid in known)


class Loaded(Installation):
    """Granian and PostgreSQL on the first core."""

    def __init__(self, folder):
        super().__init__(folder)
        self.folder, self.ended = folder, []
        port, self.port = 55_991, 55_992
        self.environment |= {"STATIC_ROOT": static_files(), "BUDGET": "0",
                             "DATABASE_URL": f"postgresql://postgres@127.0.0.1:{port}/bogenschmiede"}
        data = folder / "data"
        other = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
        if other:
            person = pwd.getpwnam("postgres")
            os.chown(folder, person.pw_uid, person.pw_gid)
        make = [BINARIES / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale", "C.UTF-8"]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL, cwd=folder, **other)
        self.database = self.begin([BINARIES / "postgres", "-D", data, "-p", port, "-k", folder, "-h", "127.0.0.1"],
                                   cwd=folder, **other)
        create = [BINARIES / "createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "postgres", "bogenschmiede"]
        until(lambda: not subprocess.run(create, check=False, stderr=subprocess.DEVNULL).returncode, 30, "a database")
        made = subprocess.run([sys.executable, "-m", "tests.load.people", str(-(-PLAYERS // SEATS))], cwd=ROOT,
                              env=self.environment, capture_output=True, text=True, check=True)
        (folder / "people").write_text(made.stdout, "utf-8")
        self.application = self.begin([sys.executable, "-m", "granian", *OPTIONS, "--host", "127.0.0.1", "--port",
                                       str(self.port), "builder.wsgi:application"], cwd=ROOT, env=self.environment)
        time.sleep(5)

    def begin(self, words, **how):
        """A process on the first core, its words in the log."""
        with (self.folder / "log").open("ab") as log:
            pinned = ["/usr/bin/taskset", "--cpu-list", "0", *map(str, words)]
            one = subprocess.Popen(pinned, stdout=log, stderr=log, **how)
        self.ended.insert(0, one)
        return one.pid

    def end(self):
        for one in self.ended:
            one.terminate()
            one.wait(30)


def main():
    """Runs the load, and prints it."""
    folder = Path(tempfile.mkdtemp(prefix="bogenschmiede-"))
    loaded = Loaded(folder)
    parts = {"application": loaded.application, "database": loaded.database}
    try:
        command = ["/usr/bin/taskset", "--cpu-list", "1", sys.executable, "-m", "locust", "--headless",
                   "--only-summary", "-f", ROOT / "tests/load/players.py", "--host", f"http://127.0.0.1:{loaded.port}",
                   "--users", PLAYERS, "--spawn-rate", max(1, PLAYERS / 10), "--reset-stats",
                   "--run-time", f"{round(MINUTES * 60) + 10}s", "--csv", folder / "told"]
        locust = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env=os.environ | {"PEOPLE": str(folder / "people")})
        time.sleep(12)
        before, kept = {part: used(pid) for part, pid in parts.items()}, []
        quiet = threading.Event()
        while locust.poll() is None:
            kept.append(used(loaded.application)[1])
            quiet.wait(1)
        after = {part: used(pid) for part, pid in parts.items()}
        with (folder / "told_stats.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    finally:
        loaded.end()
    total = rows[-1]
    asked = int(total["Request Count"])
    show(rows)
    spent = {part: (after[part][0] - before[part][0]) / asked * 1000 for part in parts}
    sys.stdout.write(json.dumps({
        "players": PLAYERS, "a second": round(float(total["Requests/s"]), 1), "errors": int(total["Failure Count"]),
        "processor ms a request": {part: round(value, 2) for part, value in spent.items()},
        "application MB": [round(kept[0] / 1e6), round(kept[-1] / 1e6)]}, indent=2) + "\n")
    shutil.rmtree(folder)


def show(rows):
    """A line for each thing that players do, milliseconds."""
    sys.stdout.write(f"{'':18}{'asked':>8}{'errors':>8}{'50 %':>8}{'95 %':>8}{'99 %':>8}\n")
    for row in rows:
        sys.stdout.write(f"{row['Name']:18}" + "".join(
            f"{row[key]:>8}" for key in ("Request Count", "Failure Count", "50%", "95%", "99%")) + "\n")


if __name__ == "__main__":
    main()
