"""The base class of channels, by which deliveries reach their receivers; rooms above define mail and the others."""

from datetime import timedelta

from django.db.models import QuerySet

from sheets.models import Delivery, Receiver


class Unreachable(Exception):
    """Nothing can be sent on a channel now; the message says why. This does not count as an attempt."""


class Unwanted(Exception):
    """A delivery is no longer wanted; the message says why. It is not tried again."""


class Failed(Exception):
    """A delivery has failed and is to be tried again; `answer` says why in a word, without secrets."""

    def __init__(self, answer: str) -> None:
        super().__init__(answer)
        self.answer = answer[:64]


class Channel:
    """A channel: its name, the number of deliveries that are sent at once, and the code that sends them.

    `claimed_for` must be much longer than sending can take. `pause` is the time between two sendings to one receiver.
    """

    name: str
    claimed_for = timedelta(minutes=10)
    at_once = 1
    pause = timedelta()

    def gather(self) -> None:
        """Put deliveries into the outbox for what has happened and is not in it yet."""

    def open(self) -> None:
        """Get ready to send, unless that was done; raise `Unreachable` if nothing can be sent."""

    def close(self) -> None:
        """Release what `open` has acquired."""

    def unwanted(self, deliveries: QuerySet[Delivery]) -> QuerySet[Delivery]:
        """Return those among some waiting deliveries that are no longer wanted."""
        return deliveries.none()

    def receiver_name(self, receiver: Receiver) -> str:
        """Return the name of a receiver for the log, without secrets."""
        return str(receiver)

    def send(self, receiver: Receiver, deliveries: list[Delivery]) -> str:
        """Send at most `at_once` deliveries, and return the receiver's answer in a word.

        Raise `Unwanted` if they are no longer wanted, any other exception if they are to be tried again.
        """
        raise NotImplementedError
