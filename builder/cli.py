"""The command `bogenschmiede`, for those who have installed the wheel: it runs the program on their own machine."""

import argparse
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from builder.version import VERSION


def data_folder() -> Path:
    """Return the folder where a user's programs keep data, by the custom of the platform."""
    if sys.platform == "win32":
        root = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        root = Path.home() / "Library" / "Application Support"
    else:
        root = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(root) / "bogenschmiede"


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="bogenschmiede", description="Characters for German tabletop RPGs.")
    parser.add_argument("--version", action="version", version=f"Bogenschmiede {VERSION}")
    run_parser = parser.add_subparsers(required=True).add_parser(
        "run", help="the program with examples, on this machine alone")
    run_parser.add_argument("--data", type=Path, default=data_folder(), metavar="DIR",
                            help="where the database is kept (default: %(default)s)")
    run_parser.add_argument("--port", type=int, default=8000, help="default: 8000; news come by the next one")
    chosen = parser.parse_args()
    run(chosen.data.expanduser().resolve(), chosen.port)


def run(data: Path, port: int) -> None:
    """Migrate the database in the folder, fill it with examples, and serve it on 127.0.0.1 until stopped."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A server's database must not get the examples, whose passwords are publicly known.
    os.environ.pop("DATABASE_URL", None)
    os.environ |= {"BOGENSCHMIEDE_MODE": "development", "BOGENSCHMIEDE_DATA": str(data),
                   "LIVE_PORT": str(port + 1), "DJANGO_SETTINGS_MODULE": "builder.settings"}

    import django  # noqa: PLC0415 - the settings read the environment that is made above
    from django.core.management import call_command  # noqa: PLC0415 - the same

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("demo")
    sys.stdout.write(f"Bogenschmiede: http://127.0.0.1:{port} (data in {data}; Ctrl+C ends it)\n")
    sys.stdout.flush()
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(0))
    streams = ["granian", "--interface", "asgi", "--workers", "1", "--respawn-failed-workers", "--host", "127.0.0.1",
               "--port", str(port + 1), "builder.asgi:application"]
    beside = [subprocess.Popen([sys.executable, "-m", *words])  # noqa: S603 - the program's own
              for words in (streams, ["django", "deliver", "--every", "2"])]
    try:
        call_command("runserver", f"127.0.0.1:{port}", use_reloader=False)
    finally:
        for one in beside:
            # Granian does not hear that it shall end while it starts.
            while one.poll() is None:
                one.terminate()
                with suppress(subprocess.TimeoutExpired):
                    one.wait(timeout=1)
