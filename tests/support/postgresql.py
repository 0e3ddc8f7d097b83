"""A PostgreSQL of a test's own, which it may stop and start as it likes."""

import os
import pwd
import subprocess
from pathlib import Path

from tests.support.server import PATIENCE, free_port

BINARIES = max(Path("/usr/lib/postgresql").glob("*/bin"), default=Path("/usr/lib/postgresql"))


class PostgreSQL:
    """One server in a folder that is its user's; `before` are words that its commands begin with."""

    def __init__(self, folder: Path, port=0, before=()):
        self.folder, self.data, self.before = folder, folder / "data", before
        if os.getuid() == 0:
            person = pwd.getpwnam("postgres")
            os.chown(folder, person.pw_uid, person.pw_gid)
        self.port = port or free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/bogenschmiede"
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale", "C.UTF-8",
                 "--no-sync")
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write(f"port = {self.port}\nlisten_addresses = '127.0.0.1'\n"
                           f"unix_socket_directories = '{folder}'\n")
        self.control("start")
        self.run("createdb", "-h", "127.0.0.1", "-p", self.port, "-U", "postgres", "bogenschmiede")

    def run(self, program, *words):
        """One of its commands, as its own user where it must be another than root."""
        other = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
        subprocess.run([*self.before, BINARIES / program, *map(str, words)], cwd=self.folder, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **other)

    def control(self, *words):
        """`start`, `stop` or `restart`, waited for."""
        self.run("pg_ctl", "-D", self.data, "-l", self.folder / "database.log", "-w", "-t", PATIENCE, *words)

    @property
    def process(self):
        """The first of its processes."""
        return int((self.data / "postmaster.pid").read_text().split()[0])
