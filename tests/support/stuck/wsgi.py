"""The application, with a short time for the addresses that are stuck, which begins when a test lets it begin."""

import os
import signal
import sys

from builder.watchdog import Watched
from builder.wsgi import application as patient


class Logged(Watched):
    """One that says in the log when a request has ended: its client has the answer before that."""

    def report(self, what):
        super().report(what)
        if not what:
            sys.stderr.write(f"done in {os.getpid()}\n")


hurried = Logged(patient.application, patient.seconds / 3_000, patient.notes)
# Whoever watches is there, and hears nothing before SIGCONT: however busy the machine is, no time runs out until then.
hurried.report(b"")
os.kill(hurried.killer.pid, signal.SIGSTOP)
sys.stderr.write(f"{os.getpid()} is watched by {hurried.killer.pid}\n")


def application(environ, start_response):
    """Answer as the program does, to whoever asks for it in a hurry."""
    return (hurried if "hurried" in environ["QUERY_STRING"] else patient)(environ, start_response)
