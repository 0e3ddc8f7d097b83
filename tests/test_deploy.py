"""docs/deploy: the commands of each page, in its order, and the files that they install."""

import http.client
import http.server
import os
import re
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from tests.support.server import (
    PATIENCE,
    ROOT,
    Installation,
    address,
    exchange,
    free_port,
    migrated,
    replaced,
    static_files,
    until,
)

DEPLOY = ROOT / "docs/deploy"
PAGES = sorted(DEPLOY.glob("*.md"))
UNITS = sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")])
HAPROXY = shutil.which("haproxy") or "/usr/sbin/haproxy"


def blocks(page, part=""):
    """The commands of a page, or of the parts of it whose heading begins so."""
    text = (DEPLOY / page).read_text("utf-8")
    parts = [one for one in re.split(r"^## ", text, flags=re.MULTILINE) if one.startswith(part)]
    assert parts, part
    return "\n".join(line[4:] for one in parts for line in one.splitlines() if line.startswith("    "))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_can_be_typed(page):
    done = subprocess.run(["/bin/bash", "-n"], input=blocks(page.name), text=True, capture_output=True, check=False)
    assert done.stderr == ""


def test_every_file_is_named_by_a_page_or_by_the_guide():
    pages = [*PAGES, ROOT / "docs/operating.md"]
    named = {(page.parent / link).resolve() for page in pages
             for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))}
    assert {file for file in DEPLOY.rglob("*") if file.is_file()} - named == set()


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_takes_each_unit(unit, tmp_path):
    for one in UNITS:
        text = one.read_text("utf-8").replace("/srv/bogenschmiede/.venv", str(ROOT / ".venv"))
        (tmp_path / one.name).write_text(text, "utf-8")
    program = shutil.which("systemd-analyze")
    assert program, "apt-get install systemd"
    done = subprocess.run([program, "verify", "--man=no", tmp_path / unit.name], capture_output=True, text=True,
                          check=False)
    assert (done.returncode, [line for line in done.stderr.splitlines() if unit.name in line]) == (0, [])


class Application(http.server.BaseHTTPRequestHandler):
    """An application server that is well, and hangs up on whoever asks for anything else."""

    def do_GET(self):
        if self.path == "/health/":
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"ok")
            return
        self.server.asked.append(self.command)
        self.close_connection = True

    def do_POST(self):
        self.do_GET()

    def log_message(self, *_words):
        pass


@pytest.fixture
def balanced(tmp_path):
    """The two applications behind HAProxy with the documented file, and where to ask."""
    servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), Application) for _server in range(2)]
    for server in servers:
        server.asked = []
        threading.Thread(target=server.serve_forever).start()
    first, second = (f"127.0.0.1:{server.server_port}" for server in servers)
    front, file = free_port(), tmp_path / "haproxy.cfg"
    file.write_text(replaced((DEPLOY / "many/haproxy-application.cfg").read_text("utf-8"), [
        ("127.0.0.1:8000", f"127.0.0.1:{front}"), ("127.0.0.1:8001", f"127.0.0.1:{free_port()}"),
        ("10.0.0.21:8000", first), ("10.0.0.22:8000", second),
        # That the machine is slow makes nobody ill.
        ("timeout connect 3s", "timeout connect 600s\n    timeout check 600s"),
        ("/etc/haproxy/again.html", str(DEPLOY / "again.html"))]), "utf-8")
    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen([HAPROXY, "-db", "-f", file], stdout=log, stderr=log)
    try:
        yield servers, front
    finally:
        running.terminate()
        running.wait()
        for server in servers:
            server.shutdown()
            server.server_close()


def asked(front, path="/", data=None):
    """Return (status, headers, page) from HAProxy, once it listens."""
    def answered():
        line = http.client.HTTPConnection("127.0.0.1", front, timeout=PATIENCE)
        return exchange(line, "GET" if data is None else "POST", path, data)
    return until(answered)


@pytest.mark.slow
def test_what_is_only_read_is_asked_of_another_server_and_a_write_never_twice(balanced):
    servers, front = balanced
    status, headers, page = asked(front)
    assert (status, headers["Retry-After"]) == (503, "5")
    assert "try again in a moment" in page
    assert [one for server in servers for one in server.asked] == ["GET"] * 3
    for server in servers:
        server.asked.clear()
    # Hung up on, both count as ill for a moment.
    until(lambda: asked(front, "/health/")[0] == 200)
    status, headers, page = asked(front, "/", b"typed=1")
    assert (status, headers["Retry-After"]) == (503, "5")
    assert [one for server in servers for one in server.asked] == ["POST"]


STAND_IN = """
set -euo pipefail
nothing() { :; }
for one in apt-get adduser git chown chmod certbot nginx; do eval "$one() { nothing; }"; done
runuser() { shift 3; [[ "$1" == /usr/lib/* ]] || "$@"; }
install() { mkdir --parents "${@: -1}"; }
make() { nothing; }
psql() { command psql --no-password --host "$HOST_OF" --port "$PORT_OF" --username postgres "$@"; }
systemctl() {
    [[ "$*" == *"enable --now bogenschmiede.service"* ]] || return 0
    (set -a; . "$FOLDER/etc/bogenschmiede.env"; exec /usr/bin/make --old-file .venv/.run serve) > "$FOLDER/log" 2>&1 &
}
"""
"""What belongs to the machine does nothing here; the program is the one at hand, and its unit starts it."""


@pytest.mark.slow
@pytest.mark.database("sqlite", mostly=True)
@pytest.mark.django_db(transaction=True)
def test_who_types_the_commands_of_a_page_has_a_program_that_serves(tmp_path):
    own = "sqlite" if connection.vendor == "sqlite" else "postgresql"
    sheet = "one-machine-sqlite.md"
    typed = [blocks(sheet, "The program"), blocks(sheet, "It runs")]
    if own == "postgresql":
        page = "one-machine-postgresql.md"
        typed = [blocks(page, "The database"), typed[0], blocks(page, "The settings"), typed[1]]
    name, port = f"deploy_{os.getpid()}", free_port()
    there = connection.settings_dict
    text = re.sub(r"(ROLE|DATABASE|OWNER) bogenschmiede", rf"\1 {name}", "\n".join(typed))
    pairs = [("/srv/bogenschmiede", str(ROOT)), ("/etc/", f"{tmp_path}/etc/"), ("/var/", f"{tmp_path}/var/"),
             ("127.0.0.1:8000", f"127.0.0.1:{port}")]
    if own == "postgresql":
        pairs += [("postgresql://bogenschmiede:", f"postgresql://{name}:"),
                  ("127.0.0.1:5432/bogenschmiede", f"{there['HOST']}:{there['PORT']}/{name}")]
    text = replaced(text, pairs)
    for folder in ("etc/systemd/system", "var/backups"):
        (tmp_path / folder).mkdir(parents=True)
    kept = {key: value for key, value in os.environ.items() if key in {"PATH", "HOME", "PGPASSWORD"}}
    environment = kept | {"PORT": str(port), "LIVE_PORT": str(free_port()), "STATIC_ROOT": static_files(),
                          "FOLDER": str(tmp_path), "ROOT": str(ROOT),
                          "HOST_OF": there.get("HOST", ""), "PORT_OF": str(there.get("PORT", "")),
                          # The file would lie in the program's own folder; what the page writes comes after it.
                          "DATABASE_URL": address(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    if own == "sqlite":
        shutil.copy(migrated(), tmp_path)
    typing = subprocess.Popen(["/bin/bash", "-c", STAND_IN + text], cwd=ROOT, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, said = typing.communicate(timeout=PATIENCE)
        assert (typing.returncode, out.splitlines()[-1:]) == (0, ["ok"]), (out, said, (tmp_path / "log").read_text())
        assert {one.name for one in (tmp_path / "etc/systemd/system").iterdir()} == {one.name for one in UNITS}
        assert (tmp_path / "etc/bogenschmiede.env").stat().st_mode & 0o777 == 0o600
    finally:
        os.killpg(typing.pid, 15)
        if own == "postgresql":
            with connection.cursor() as cursor:
                asked = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
                until(lambda: cursor.execute(asked, [name]).fetchone() == (0,))
                cursor.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
                cursor.execute(f"DROP ROLE IF EXISTS {name}")


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.database("postgresql")
@pytest.mark.django_db(transaction=True)
def test_servers_that_start_together_migrate_one_after_the_other():
    name, site = f"together_{os.getpid()}", Installation("")
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    site.environment["DATABASE_URL"] = address("").rpartition("/")[0] + f"/{name}"
    try:
        with ThreadPoolExecutor(2) as pool:
            both = pool.map(site.command, ["migrate"] * 2, ["--verbosity=0"] * 2)
            assert [(one.stderr, one.returncode) for one in both] == [("", 0)] * 2
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")
