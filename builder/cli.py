"""The command `bogenschmiede`, which runs the program locally or as a server, or one of its management commands."""

import argparse
import http.client
import os
import sys
from collections.abc import Callable
from contextlib import closing
from http import HTTPStatus
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from builder import processes
from builder.environment import stored_secret
from builder.version import VERSION

SECRETS = ("SECRET_KEY", "REVIEW_KEY")
"""The secret settings; each may be stored in a file instead of the environment."""


def data_folder() -> Path:
    """Return the program's folder among a user's application data, by the platform's convention."""
    if sys.platform == "win32":
        root = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        root = Path.home() / "Library" / "Application Support"
    else:
        root = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(root) / "bogenschmiede"


def main() -> None:
    """Parse the command line and run its command."""
    parser = argparse.ArgumentParser(prog="bogenschmiede", description="Characters for German tabletop RPGs.")
    parser.add_argument("--version", action="version", version=f"Bogenschmiede {VERSION}")
    commands = parser.add_subparsers(required=True, dest="command", metavar="COMMAND")
    for name, text in {
        "run": "the program with examples, on this machine alone",
        "serve": "the program as a server, with settings from the environment",
        "secrets": "make the secrets of a server that are missing",
        "health": "ask a server on this machine whether it is ready",
        "manage": "run a management command of a server: backup, doctor, admin, ...",
    }.items():
        command = commands.add_parser(name, help=text)
        command.add_argument("--data", type=Path, metavar="DIR", help="where database and secrets are kept",
                             default=data_folder() if name == "run" else os.environ.get("BOGENSCHMIEDE_DATA"))
        if name in {"run", "serve", "health"}:
            command.add_argument("--port", type=int, default=8000, help="default: 8000; by the next one come news")
        if name == "serve":
            command.add_argument("--host", default="127.0.0.1", help="default: 127.0.0.1")
            command.add_argument("--only", choices=("pages", "streams", "worker"),
                                 help="one of the processes, where each has a container of its own")
        if name == "manage":
            command.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND")
    asked = vars(parser.parse_args())
    data = asked.pop("data")
    COMMANDS[asked.pop("command")](data and data.expanduser().resolve(), **asked)


def run(data: Path, port: int) -> None:
    """Migrate the database in the folder, fill it with examples, and serve it on 127.0.0.1 until stopped."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A server's database must not get the examples, whose passwords are publicly known.
    os.environ.pop("DATABASE_URL", None)
    os.environ |= {"BOGENSCHMIEDE_MODE": "development", "BOGENSCHMIEDE_DATA": str(data),
                   "LIVE_PORT": str(port + 1), "DJANGO_SETTINGS_MODULE": "builder.settings"}

    import django  # noqa: PLC0415 - the settings read the environment set above
    from django.core.management import call_command  # noqa: PLC0415 - the same

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("demo")
    sys.stdout.write(f"Bogenschmiede: http://127.0.0.1:{port} (data in {data}; Ctrl+C ends it)\n")
    sys.stdout.flush()
    processes.exit_when_told()
    with processes.supervised(processes.streams("127.0.0.1"), processes.worker()):
        call_command("runserver", f"127.0.0.1:{port}", use_reloader=False)


def serve(data: Path | None, host: str, port: int, only: str | None) -> None:
    """Migrate the database, collect static files, and run the servers of pages and streams and the worker.

    With `only`, run one of the three until stopped; for "streams" and "worker", migrate and collect nothing.
    """
    use_production(data)
    companions = {"streams": processes.streams(host), "worker": processes.worker()}
    if only in companions:
        os.execv(sys.executable, [sys.executable, *companions[only]])  # noqa: S606 - the program's own
    processes.exit_when_told()
    for words in (["migrate"], ["collectstatic", "--noinput"]):
        if code := processes.finish(["-m", "django", *words, "--verbosity", "0"]):
            sys.exit(code)
    with TemporaryDirectory() as metrics:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = metrics
        with processes.supervised(*() if only else companions.values()):
            sys.exit(processes.finish(processes.pages(host, port)))


def make_secrets(data: Path | None) -> None:
    """Create each missing secret in a file that only its owner may read.

    If `DATABASE_URL` has a user and a host but no password, create that as well, and a password file for libpq.
    """
    folder = secrets_folder(data)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in SECRETS:
        stored_secret(folder / name.lower())
    database = urlsplit(os.environ.get("DATABASE_URL", ""))
    if database.username and database.hostname and not database.password:
        password = stored_secret(folder / "database_password", token_urlsafe(32))
        stored_secret(folder / "pgpass", f"{database.hostname}:*:*:{database.username}:{password}")


def ready(_data: Path | None, port: int) -> None:
    """Exit with 0 if the server on this machine is ready, else with 1 and a message that says what is missing."""
    host = os.environ.get("ALLOWED_HOSTS", "").replace(",", " ").split()[0]
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
            connection.request("GET", "/health/ready/", headers={"Host": host.removeprefix(".")})
            answer = connection.getresponse()
            sys.exit(None if answer.status == HTTPStatus.OK else answer.read().decode())
    except OSError as error:
        sys.exit(f"Nothing answers on port {port}: {error}")


def manage(data: Path | None, words: list[str]) -> None:
    """Run a management command."""
    use_production(data)
    from django.core.management import execute_from_command_line  # noqa: PLC0415 - reads the environment

    execute_from_command_line(["bogenschmiede manage", *words])


def use_production(data: Path | None) -> None:
    """Select production settings; secrets come from files in the folder unless the environment sets them."""
    if os.environ.get("BOGENSCHMIEDE_MODE", "production") != "production":
        sys.exit("BOGENSCHMIEDE_MODE is for developers: unset it. `bogenschmiede run` needs no settings.")
    os.environ |= {"BOGENSCHMIEDE_MODE": "production", "DJANGO_SETTINGS_MODULE": "builder.settings"}
    if data:
        os.environ["BOGENSCHMIEDE_DATA"] = str(data)
        for name in SECRETS:
            if (file := secrets_folder(data) / name.lower()).exists():
                os.environ.setdefault(name, stored_secret(file))


def secrets_folder(data: Path | None) -> Path:
    """Return the folder of the secrets; exit with a message if no data folder is named."""
    if not data:
        sys.exit("Name the folder: --data DIR, or BOGENSCHMIEDE_DATA in the environment.")
    return data / "secrets"


COMMANDS: dict[str, Callable[..., None]] = {
    "run": run, "serve": serve, "secrets": make_secrets, "health": ready, "manage": manage}


if __name__ == "__main__":
    main()
