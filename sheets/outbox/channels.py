"""A way on which deliveries reach their receivers; the rooms above define mails, and whatever else there is."""

from datetime import timedelta

from django.db.models import QuerySet

from sheets.models import Delivery, Receiver


class Unreachable(Exception):
    """Nothing can be sent on a channel now; the message tells why. This does not count as an attempt."""


class Unwanted(Exception):
    """Nobody wants what is to be sent any more; the message tells why. It is not tried again."""


class Failed(Exception):
    """Nothing arrived, and it is to be tried again; `answer` tells why in a word, without secrets."""

    def __init__(self, answer: str) -> None:
        super().__init__(answer)
        self.answer = answer[:64]


class Channel:
    """A way to send: what it is called, how much goes at once, and how.

    `claimed_for` must be much longer than sending can take. `pause` is the time between two sendings to one receiver.
    """

    name: str
    claimed_for = timedelta(minutes=10)
    at_once = 1
    pause = timedelta()

    def gather(self) -> None:
        """Put into the outbox what has happened and is not in it yet."""

    def open(self) -> None:
        """Get ready to send, if it is not yet; raise `Unreachable` if nothing can be sent."""

    def close(self) -> None:
        """Give back what `open` took."""

    def unwanted(self, deliveries: QuerySet[Delivery]) -> QuerySet[Delivery]:
        """Return those of a receiver's waiting deliveries that nobody wants any more."""
        return deliveries.none()

    def called(self, receiver: Receiver) -> str:
        """Return the name of a receiver for the log, without secrets."""
        return str(receiver)

    def send(self, receiver: Receiver, deliveries: list[Delivery]) -> str:
        """Send at most `at_once` deliveries, and return the answer in a word.

        Raise `Unwanted` if nobody wants them, anything else if they are to be tried again.
        """
        raise NotImplementedError
