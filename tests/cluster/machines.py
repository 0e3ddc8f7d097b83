"""docs/deploy/many.md on loopback: etcd, Patroni with PostgreSQL, HAProxy and the program, with the files shown there.

What differs is where each listens, where its data lies, and the passwords.
"""

import json
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from builder import processes
from tests.support.server import ROOT, Installation, static_files

SHOWN = ROOT / "docs/deploy/many"
MEMBERS = {"db1": "10.0.0.11", "db2": "10.0.0.12", "witness": "10.0.0.13"}
DATABASES = ("db1", "db2")
APPLICATIONS = {"app1": "10.0.0.21:8000", "app2": "10.0.0.22:8000"}
STREAMS = {"app1": "10.0.0.21:8001", "app2": "10.0.0.22:8001"}
FRONT, FRONT_STREAMS, DATABASE = "127.0.0.1:8000", "127.0.0.1:8001", "127.0.0.1:5432"
"""Where HAProxy listens, on the front and beside each application server."""
HAPROXY = shutil.which("haproxy") or "/usr/sbin/haproxy"
PASSWORDS = ("SUPERUSER_PASSWORD", "REPLICATION_PASSWORD", "REWIND_PASSWORD")
PASSWORD = "of-the-test"
PROGRAMS = {"/usr/bin/etcd": "etcd-server", HAPROXY: "haproxy", "/usr/bin/patroni": "patroni",
            "/usr/lib/postgresql/15/bin/postgres": "postgresql-15"}
"""What Debian's packages bring."""


def missing():
    """Packages that are not installed."""
    return [package for program, package in PROGRAMS.items() if not Path(program).exists()]


def until(true, seconds, what):
    """What `true` answers as soon as it answers anything; AssertionError after so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if found := true():
                return found
        except (OSError, ValueError):
            pass
        time.sleep(0.25)
    raise AssertionError(f"{what} did not come about within {seconds} seconds")


class Machines(Installation):
    """All of them, each process a group of its own, so that it can be killed as a machine dies."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="bogenschmiede-"))
        super().__init__(self.folder)
        self.folder.chmod(0o755)
        self.running, self.logs = {}, {}
        self.ports = {}
        wanted = [f"{address}:{port}" for address in MEMBERS.values() for port in (2379, 2380, 5432, 8008)]
        wanted += [*APPLICATIONS.values(), *STREAMS.values(), FRONT, FRONT_STREAMS, DATABASE]
        held = [socket.socket() for _one in wanted]
        for name, one in zip(wanted, held, strict=True):
            one.bind(("127.0.0.1", 0))
            self.ports[name] = one.getsockname()[1]
        for one in held:
            one.close()
        self.environment |= {
            "STATIC_ROOT": static_files(), "SIGNUP": "open",
            "DATABASE_URL": f"postgresql://bogenschmiede:{PASSWORD}@127.0.0.1:{self.ports[DATABASE]}/bogenschmiede"}

    @property
    def port(self):
        """Where browsers ask."""
        return self.ports[FRONT]

    def written(self, shown, name="", mine=""):
        """A file of the documentation as this machine has it."""
        text = (SHOWN / shown).read_text("utf-8")
        text = re.sub(r"\bADDRESS:(\d+)", rf"{mine}:\1", text)
        text = re.sub(r"(?<==)NAME$|(?<=name: )NAME$", name, text, flags=re.MULTILINE)
        for password in PASSWORDS:
            text = text.replace(password, PASSWORD)
        text = re.sub(r"\d+\.\d+\.\d+\.\d+:\d+", lambda place: f"127.0.0.1:{self.ports[place[0]]}", text)
        text = text.replace("10.0.0.0/24", "127.0.0.1/32")
        if shown.endswith(".env"):
            text = text.replace("/var/lib/etcd/default", str(self.folder / name / "etcd"))
        elif shown == "patroni.yml":
            text = text.replace("/var/lib/postgresql/15/bogenschmiede", str(self.folder / name / "data"))
            text = text.replace("/var/run/postgresql", str(self.folder / name))
            text = text.replace("local all postgres peer", "local all postgres trust")
        elif shown == "haproxy-database.cfg":
            # Each has a port of its own here.
            text = text.replace("check port 8008 ", "check ")
            for one in DATABASES:
                place = f"server {one} 127.0.0.1:{self.ports[f'{MEMBERS[one]}:5432']}"
                assert place in text
                text = text.replace(place, f"{place} port {self.ports[f'{MEMBERS[one]}:8008']}")
        elif shown == "haproxy-application.cfg":
            text = text.replace("sheets.example.org", "127.0.0.1")
            text = text.replace("/etc/haproxy/again.html", str(ROOT / "docs/deploy/again.html"))
        found = re.search(r"10\.0\.0\.\d+|\bNAME\b|\bADDRESS\b", re.sub(r"#.*", "", text))
        assert not found, (shown, found)
        file = self.folder / f"{name}-{shown}"
        file.write_text(text, "utf-8")
        return file

    def begin(self, name, words, environment, *, postgres=False):
        """Starts a process; as PostgreSQL's user where it must be another than root."""
        log = self.folder / f"{name}.log"
        self.logs[name] = log
        other = {"user": "postgres", "group": "postgres", "extra_groups": []} if postgres and os.getuid() == 0 else {}
        with log.open("ab") as out:
            self.running[name] = subprocess.Popen(
                list(map(str, words)), cwd=ROOT if not postgres else self.folder, env=environment, stdout=out,
                stderr=subprocess.STDOUT, start_new_session=True, **other)

    def begin_etcd(self, name):
        file = self.written("etcd.env", name, MEMBERS[name])
        settings = dict(line.split("=", 1) for line in file.read_text().splitlines() if line[:1] not in {"", "#"})
        self.begin(f"etcd-{name}", ["/usr/bin/etcd"], {"PATH": os.environ["PATH"], **settings}, postgres=True)

    def begin_patroni(self, name):
        file = self.written("patroni.yml", name, MEMBERS[name])
        self.begin(f"patroni-{name}", ["/usr/bin/patroni", file],
                   {"PATH": os.environ["PATH"], "HOME": str(self.folder / name), "LC_ALL": "C.UTF-8"}, postgres=True)

    def begin_haproxy(self, shown):
        self.begin(shown, [HAPROXY, "-db", "-f", self.written(shown)], self.environment)

    def begin_application(self, name):
        self.begin(name, [sys.executable, "-m", "granian", *processes.PAGES, "--host", "127.0.0.1", "--port",
                          self.ports[APPLICATIONS[name]], "builder.wsgi:application"], self.environment)
        self.begin(f"streams-{name}", [
            sys.executable, "-m", "granian", *processes.STREAMS, "--host", "127.0.0.1", "--port",
            self.ports[STREAMS[name]], "builder.asgi:application"], self.environment)

    def kill_application(self, name):
        """A server's pages and its streams."""
        self.kill(name, f"streams-{name}")

    def build(self):
        """The whole, in the order of docs/deploy/many.md."""
        for name in MEMBERS:
            (self.folder / name).mkdir()
            if os.getuid() == 0:
                person = pwd.getpwnam("postgres")
                os.chown(self.folder / name, person.pw_uid, person.pw_gid)
            self.begin_etcd(name)
        for name in DATABASES:
            self.begin_patroni(name)
        self.begin_haproxy("haproxy-database.cfg")
        self.safe(120)
        self.sql(f"CREATE ROLE bogenschmiede LOGIN PASSWORD '{PASSWORD}'",
                 "CREATE DATABASE bogenschmiede OWNER bogenschmiede")
        self.filled = self.ask("fill")
        for name in APPLICATIONS:
            self.begin_application(name)
        self.begin_haproxy("haproxy-application.cfg")
        for place in (*APPLICATIONS.values(), FRONT):
            until(lambda place=place: self.asked(place, "/health/ready/") == 200, 60, f"{place} being ready")
        until(lambda: self.asked(FRONT_STREAMS, "/live/") not in {0, 503}, 60, "streams")

    def sql(self, *commands):
        """What PostgreSQL's own user says to the primary."""
        port = self.ports[f"{MEMBERS[self.primary()]}:5432"]
        for command in commands:
            done = subprocess.run(["/usr/bin/psql", "-h", self.folder / self.primary(), "-p", str(port), "-U",
                                   "postgres", "-Atc", command], check=False, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def asked(self, place, path):
        """The status of an address; 0 where nobody answers."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.ports[place]}{path}",
                                         headers={"X-Forwarded-Proto": "https", "Host": "127.0.0.1"})
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310 - loopback
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def members(self):
        """{name: role} as Patroni sees the two; of those that run."""
        for name in DATABASES:
            address = f"http://127.0.0.1:{self.ports[f'{MEMBERS[name]}:8008']}/cluster"
            try:
                with urllib.request.urlopen(address, timeout=3) as answer:
                    return {one["name"]: one["role"] for one in json.load(answer)["members"]
                            if one["state"] in {"running", "streaming"}}
            except (OSError, ValueError):
                continue
        return {}

    def primary(self):
        """Which of the two it is, by Patroni's own word; None where neither says so."""
        return next((name for name in DATABASES if self.asked(f"{MEMBERS[name]}:8008", "/primary") == 200), None)

    def safe(self, seconds=90):
        """Until what is acknowledged is on two machines; how long that took."""
        began = time.monotonic()
        until(lambda: sorted(self.members().values()) == ["leader", "sync_standby"], seconds, "a synchronous standby")
        return time.monotonic() - began

    def kill(self, *names):
        """As a machine dies, each with all that it began."""
        for name in names:
            process = self.running.pop(name)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def kill_database(self, name):
        """PostgreSQL, with every process of its own, and its Patroni."""
        file = self.folder / name / "data" / "postmaster.pid"
        first = int(file.read_text().split()[0])
        # Neither may see the other go: the whole machine is gone.
        self.kill(f"patroni-{name}")
        rest = subprocess.run(["/usr/bin/pgrep", "-P", str(first)], check=False, capture_output=True, text=True)
        for one in (first, *map(int, rest.stdout.split())):
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def restart_database(self, name):
        """Lets Patroni end and start its PostgreSQL."""
        address = f"http://127.0.0.1:{self.ports[f'{MEMBERS[name]}:8008']}/restart"
        with urllib.request.urlopen(urllib.request.Request(address, b"{}"), timeout=60) as answer:
            assert answer.status == 200

    def end(self):
        """All of it, and its folder."""
        for name in DATABASES:
            if f"patroni-{name}" in self.running and (self.folder / name / "data" / "postmaster.pid").exists():
                self.kill_database(name)
        self.kill(*list(self.running))
        if os.environ.get("KEEP"):
            sys.stdout.write(f"\n{self.folder}\n")
        else:
            shutil.rmtree(self.folder)
