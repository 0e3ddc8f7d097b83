import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, close_old_connections

from sheets.notifications.mail import Unreachable, deliver
from sheets.press.reminders import remind_of_turns

LONGEST = 3600
"""The longest pause in seconds before a mail server or database that could not be reached is tried again."""
WORDS = {"sent": "sent", "refused": "refused and tried again later", "given up": "given up", "dropped": "dropped"}


class Command(BaseCommand):
    """Send the notifications that people want by e-mail."""

    help = ("Sends each person in one mail what is due, says how many mails those were, and ends; exit code 1 where "
            "one was not sent. With --every it goes on until SIGTERM or Ctrl-C. Several of them may run at once.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--every", type=int, metavar="SECONDS", help="goes on, and looks again after so long")

    def handle(self, *, every: Any, **options: Any) -> None:
        if not settings.SITE_URL:
            raise CommandError("SITE_URL is not set. It holds where the site is, https://sheets.example.org for one; "
                               "the links in the mails begin with it.")
        if every is not None and every < 1:
            raise CommandError(f"--every is {every}; 1 is the least.")
        with told_to_end() as ended:
            pause = every
            while True:
                fault, unsent = "", 0
                try:
                    unsent = self.round(ended, aloud=every is None)
                except Unreachable as error:
                    fault = f"The mail server lets nobody in: {error}"
                except DatabaseError as error:
                    fault = f"The database does not answer: {error}"
                if every is None and (fault or unsent):
                    raise CommandError(fault or f"{unsent} of them not sent.", returncode=1)
                if every is None or ended():
                    return
                if fault:
                    self.stderr.write(fault)
                pause = min(2 * pause, max(every, LONGEST)) if fault else every
                wait(pause, ended)
                # The database server may have closed the connection during the pause.
                close_old_connections()

    def round(self, ended: Callable[[], bool], *, aloud: bool) -> int:
        """Remind of turns, send the mails that are due, print the results, and return how many were not sent.

        Without `aloud`, print nothing if no mail was due.
        """
        figures: Counter[str] = Counter()
        remind_of_turns()
        try:
            with closing(deliver()) as mails:
                for one in mails:
                    figures[one.state] += 1
                    if one.why:
                        self.stderr.write(f"{one.who}: {WORDS[one.state]}: {one.why}")
                    if ended():
                        break
        finally:
            if figures or aloud:
                self.stdout.write(f"{figures.total()} mails: " + ", ".join(
                    f"{figures[state]} {text}" for state, text in WORDS.items()))
        return figures["refused"] + figures["given up"]


@contextmanager
def told_to_end() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns True after SIGTERM or Ctrl-C; in this context neither ends the program."""
    heard = []
    usual = {one: signal.signal(one, lambda *_: heard.append(1)) for one in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield lambda: bool(heard)
    finally:
        for one, handler in usual.items():
            signal.signal(one, handler)


def wait(seconds: float, ended: Callable[[], bool]) -> None:
    """Sleep until `ended` returns True or the time is up, in short steps since a signal does not end a sleep."""
    until = time.monotonic() + seconds
    while not ended() and (left := until - time.monotonic()) > 0:
        time.sleep(min(left, 0.5))
