import signal
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from math import inf
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, close_old_connections

from sheets.evenings.reminders import remind_of_evenings
from sheets.home.reminders import remind_of_waiting
from sheets.notifications.mail import Mail
from sheets.notifications.push_channel import Push
from sheets.outbox.channels import Channel, Unreachable
from sheets.outbox.services import Outcome, deliver, next_within
from sheets.parties.webhook_channel import Webhooks
from sheets.press.reminders import remind_of_turns

LONGEST = 3600
"""The longest pause in seconds before a mail server or database that could not be reached is tried again."""
LOOK_AT_TABLES = 60
"""The least seconds between two looks at what waits at tables, which has waited for much longer."""
WORDS = {"sent": "sent", "refused": "refused and tried again later", "given up": "given up", "dropped": "dropped"}
NO_DATABASE = "The database does not answer"
NO_SITE = ("SITE_URL is not set. It holds where the site is, https://sheets.example.org for one; the links in what is "
           "sent begin with it.")


class Command(BaseCommand):
    """Deliver what the outbox holds: mails and pushes with notifications, and messages to webhooks."""

    help = ("Sends what is due, says how much that was, and ends; exit code 1 where something was not sent. With "
            "--every it goes on until SIGTERM or Ctrl-C. Several of them may run at once.")
    next_look_at_tables = -inf

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--every", type=int, metavar="SECONDS", help="goes on, and looks again after so long")

    def handle(self, *, every: Any, **options: Any) -> None:
        if every is not None and every < 1:
            raise CommandError(f"--every is {every}; 1 is the least.")
        rests = [Rest(one, LONGEST // (every or 1)) for one in channels()] if settings.SITE_URL else []
        if not settings.SITE_URL:
            if every is None:
                raise CommandError(NO_SITE)
            self.stderr.write(f"{NO_SITE} Until then nothing is sent.")
        with catch_end_signals() as ended:
            if every is None:
                try:
                    unsent = self.deliver_due(rests, ended, aloud=True)
                except DatabaseError as error:
                    raise CommandError(f"{NO_DATABASE}: {error}") from None
                if unsent:
                    raise CommandError(f"{unsent} of them not sent.", returncode=1)
                return
            wait_for: float
            pause = every
            while not ended():
                try:
                    self.deliver_due(rests, ended, seconds=every)
                    pause = every
                    wait_for = 0 if self.unfinished else next_within(every)
                except DatabaseError as error:
                    self.stderr.write(f"{NO_DATABASE}: {error}")
                    wait_for = pause = min(2 * pause, max(every, LONGEST))
                wait(wait_for, ended)
                # The database server may have closed the connection during the pause.
                close_old_connections()

    def deliver_due(self, rests: list["Rest"], ended: Callable[[], bool], *, aloud: bool = False,
                    seconds: float = inf) -> int:
        """Remind of what waits, and send what is due on channels that do not rest; return the number of failures.

        The channels alternate, so that a receiver that does not answer delays only one delivery of each other channel.
        It returns after `seconds`, so that what has become due is seen; `unfinished` is then True if any are left.
        """
        remind_of_turns()
        if time.monotonic() >= self.next_look_at_tables:
            self.next_look_at_tables = time.monotonic() + LOOK_AT_TABLES
            remind_of_waiting()
        remind_of_evenings()
        unsent: Counter[str] = Counter()
        until = time.monotonic() + seconds
        turns = {one: self.deliver_on(one.channel, unsent, aloud=aloud) for one in rests if one.is_over()}
        try:
            while turns and not ended() and time.monotonic() < until:
                for one, outcomes in list(turns.items()):
                    if ended():
                        break
                    try:
                        if next(outcomes, None):
                            continue
                        one.end()
                    except Unreachable as error:
                        self.stderr.write(f"{one.channel.name}: {error}")
                        one.begin()
                        unsent["unreachable"] += 1
                    del turns[one]
        finally:
            self.unfinished = bool(turns)
            for outcomes in turns.values():
                outcomes.close()
        return unsent["refused"] + unsent["given up"] + unsent["unreachable"]

    def deliver_on(self, channel: Channel, total: Counter[str], *, aloud: bool) -> Generator[Outcome, None, None]:
        """Send what is due on a channel, yield each outcome and count it, and print the results at the end.

        Without `aloud`, print nothing if nothing was due.
        """
        figures: Counter[str] = Counter()
        try:
            with closing(deliver(channel)) as outcomes:
                for one in outcomes:
                    figures[one.state] += 1
                    if one.reason:
                        self.stderr.write(f"{channel.name}: {one.receiver}: {WORDS[one.state]}: {one.reason}")
                    yield one
        finally:
            total.update(figures)
            if figures or aloud:
                self.stdout.write(f"{channel.name}: " + ", ".join(
                    f"{figures[state]} {text}" for state, text in WORDS.items()))


def channels() -> list[Channel]:
    """Return all channels on which something is delivered."""
    return [Mail(), Push(), Webhooks()]


class Rest:
    """The rounds that a channel sits out because nothing could be sent on it: 1, 3, 7 and so on in a row."""

    def __init__(self, channel: Channel, longest: int) -> None:
        self.channel, self.longest, self.length, self.rounds_left = channel, longest, 0, 0

    def is_over(self) -> bool:
        """Return True if the channel takes part in this round; count the round."""
        if self.rounds_left:
            self.rounds_left -= 1
            return False
        return True

    def begin(self) -> None:
        """Begin a rest, longer than the last one."""
        self.length = self.rounds_left = min(2 * self.length + 1, self.longest)

    def end(self) -> None:
        """Reset the length of rests, because something could be sent."""
        self.length = 0


@contextmanager
def catch_end_signals() -> Iterator[Callable[[], bool]]:
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
