"""The outbox: deliveries are written in the transaction of what they report, claimed by workers, and settled.

A worker first claims a receiver, by moving `Receiver.after` beyond the longest time that sending can take, and commits
that before it sends anything. The outcome is stored afterwards. If a worker dies in between, it is sent again
when the claim has expired: at least once, at most `TRIES` times. Each receiver gets its deliveries in order, from
one worker at a time; a delivery that was given up does not block the next ones.

The primary keys of deliveries are that order. A delivery written after another was committed has a greater key; of two
written at the same time, either may come first.
"""

from collections.abc import Collection, Generator, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Greatest
from django.utils import timezone

from sheets.models import Delivery, Receiver
from sheets.models.outbox import DROPPED, GIVEN_UP, SENT, WAITING
from sheets.outbox.channels import Channel, Failed, Unwanted

TRIES, PAUSE, GROWTH = 6, timedelta(minutes=5), 4
"""The most attempts, the pause after the first, and the factor by which it grows: more than a day in all."""
SETTLED_LIFETIME = timedelta(days=7)
"""The time for which settled deliveries are kept."""
AT_ONCE = 1000
"""The most settled deliveries that are removed in one transaction."""


@dataclass(frozen=True)
class Claim:
    """A receiver claimed by a worker `until` a time, with the deliveries that are sent to it together."""

    receiver: Receiver
    until: datetime
    deliveries: list[Delivery]


@dataclass(frozen=True)
class Outcome:
    """The outcome of one sending: `sent`, `dropped`, `refused` (tried again later) or `given up`, and its reason."""

    state: str
    receiver: str
    deliveries: int
    reason: str = ""


def waiting_deliveries(channel: str) -> QuerySet[Delivery]:
    """Return the deliveries of a channel that wait to be sent."""
    return Delivery.objects.filter(state=WAITING, receiver__channel=channel)


def enqueue(deliveries: Iterable[Delivery]) -> None:
    """Write deliveries into the outbox; call it in the transaction of what they report."""
    Delivery.objects.bulk_create(deliveries)


def deliver(channel: Channel) -> Generator[Outcome, None, None]:
    """Send what is due on a channel, one receiver after the other, until nothing is left; yield each outcome.

    Raise `Unreachable` if nothing can be sent on it now. The caller may stop after any outcome.
    """
    channel.gather()
    try:
        while keys := _due(channel):
            for pk in keys:
                channel.open()
                if claim := _claim(channel, pk):
                    yield _send(channel, claim)
    finally:
        channel.close()


def next_within(seconds: int) -> float:
    """Return the seconds until a waiting delivery becomes due or its receiver is free, at most `seconds`."""
    now = timezone.now()
    soon = now + timedelta(seconds=seconds)
    at = Delivery.objects.filter(state=WAITING, due__lte=soon, receiver__after__lte=soon).annotate(
        at=Greatest("due", "receiver__after")).filter(at__gt=now).order_by("at").values_list("at", flat=True).first()
    return (at - now).total_seconds() if at else seconds


def _due(channel: Channel) -> list[int]:
    """Return the keys of the receivers that have due deliveries, those that have waited longest first."""
    now = timezone.now()
    found = waiting_deliveries(channel.name).filter(due__lte=now, receiver__after__lte=now).order_by("due", "pk")
    return list(dict.fromkeys(found.values_list("receiver", flat=True)))


def _claim(channel: Channel, pk: int) -> Claim | None:
    """Claim a receiver; return None if another worker has claimed it, or nothing is left to be sent to it."""
    now = timezone.now()
    until = now + channel.claimed_for
    with transaction.atomic():
        if not Receiver.objects.filter(pk=pk, after__lte=now).update(after=until):
            return None
        receiver = Receiver.objects.select_related("mailing__user", "webhook__party", "device__user").get(pk=pk)
        open_ones = receiver.deliveries.filter(state=WAITING)
        _settle(channel.unwanted(open_ones), DROPPED)
        # Give up deliveries during which workers died at every attempt.
        if _settle(open_ones.filter(tries__gte=TRIES), GIVEN_UP):
            Receiver.objects.filter(pk=pk).update(lost=True)
        keys = list(open_ones.order_by("pk").values_list("pk", flat=True)[:channel.at_once])
        Delivery.objects.filter(pk__in=keys).update(tries=F("tries") + 1)
        claim = Claim(receiver, until, list(Delivery.objects.filter(pk__in=keys).order_by("pk")))
        if not keys:
            _release(claim)
            return None
    return claim


def _send(channel: Channel, claim: Claim) -> Outcome:
    receiver, number = channel.receiver_name(claim.receiver), len(claim.deliveries)
    try:
        answer = channel.send(claim.receiver, claim.deliveries)
    except Unwanted as reason:
        _finish(claim, DROPPED)
        return Outcome("dropped", receiver, number, str(reason))
    except Exception as error:  # noqa: BLE001 - an error of one receiver must not stop the others
        reason = f"{type(error).__name__}: {error}"
        answer = error.answer if isinstance(error, Failed) else type(error).__name__
        return Outcome("refused" if _postpone(claim, answer) else "given up", receiver, number, reason)
    _finish(claim, SENT, channel.pause, answer=answer, lost=False)
    return Outcome("sent", receiver, number)


@transaction.atomic
def _finish(claim: Claim, state: str, pause: timedelta = timedelta(), *, answer: str = "", **receiver: bool) -> None:
    _settle(_claimed(claim), state, answer)
    _release(claim, pause, **receiver)


def _postpone(claim: Claim, answer: str) -> bool:
    """Schedule another attempt; return False if no delivery has attempts left."""
    left = [one.tries for one in claim.deliveries if one.tries < TRIES]
    with transaction.atomic():
        _claimed(claim).update(answer=answer)
        lost = _settle(_claimed(claim).filter(tries__gte=TRIES), GIVEN_UP, answer)
        _release(claim, PAUSE * GROWTH ** (max(left) - 1) if left else timedelta(), **({"lost": True} if lost else {}))
    return bool(left)


def _claimed(claim: Claim) -> QuerySet[Delivery]:
    return Delivery.objects.filter(pk__in=[one.pk for one in claim.deliveries], state=WAITING)


def _settle(deliveries: QuerySet[Delivery], state: str, answer: str = "") -> int:
    return deliveries.update(state=state, settled=timezone.now(), answer=answer, data={})


def _release(claim: Claim, pause: timedelta = timedelta(), **changes: bool) -> None:
    """Release the receiver after a pause, unless the claim has expired and another worker has it."""
    mine = Receiver.objects.filter(pk=claim.receiver.pk)
    if changes:
        mine.update(**changes)
    mine.filter(after=claim.until).update(after=timezone.now() + pause)


def forget_settled() -> int:
    """Remove deliveries that were settled over `SETTLED_LIFETIME` ago; return their number."""
    removed, old = 0, Delivery.objects.filter(settled__lt=timezone.now() - SETTLED_LIFETIME).order_by("settled")
    while keys := list(old.values_list("pk", flat=True)[:AT_ONCE]):
        removed += _remove(keys)
    return removed


def _remove(keys: Collection[int]) -> int:
    return Delivery.objects.filter(pk__in=keys).delete()[0]
