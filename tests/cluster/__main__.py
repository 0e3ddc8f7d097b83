"""The many machines on loopback until Ctrl-C."""

import os
import signal
import sys

import django

os.environ.setdefault("BOGENSCHMIEDE_MODE", "development")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
django.setup()

from tests.cluster.machines import DATABASES, MEMBERS, Machines, missing  # noqa: E402

if lacks := missing():
    sys.exit(f"make cluster needs what is not installed: apt-get install {' '.join(lacks)}")
machines = Machines()
signal.signal(signal.SIGTERM, signal.default_int_handler)
try:
    machines.build()
    patroni = ", ".join(f"http://127.0.0.1:{machines.ports[f'{MEMBERS[one]}:8008']}/cluster" for one in DATABASES)
    sys.stdout.write(f"http://127.0.0.1:{machines.port} with X-Forwarded-Proto: https\n"
                     f"logs in {machines.folder}; Patroni: {patroni}\n")
    sys.stdout.flush()
    signal.pause()
except KeyboardInterrupt:
    sys.stdout.write("\n")
finally:
    machines.end()
