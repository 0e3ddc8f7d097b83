"""The links of a log computed anew, to see whether a roll of it is missing or was changed."""

from dataclasses import dataclass

from sheets.models import Receipt
from sheets.receipts.messages import NO_LINK, link_after, message, unsigned_message

MOST = 1000
"""The most rolls of a log whose links are computed anew, the last ones."""


@dataclass(frozen=True)
class CheckedLog:
    """A log whose links were computed anew, from number `first` to number `last`."""

    first: int
    last: int
    broken: int | None = None
    """The first number whose link does not follow from the rolls before; None if all do."""
    removed: int = 0
    """The rolls of which only number and link remain."""


def check_log(log: str) -> CheckedLog:
    """Return a log with its links computed anew; those of removed rolls are taken as they stand."""
    found = list(Receipt.objects.filter(log=log).order_by("-number").values_list(
        "number", "link", "key__identity", "nonce", "rolled", "signature")[:MOST + 1])[::-1]
    first, before, link = 1, 0, NO_LINK
    if len(found) > MOST:
        before, link = found[0][0], bytes(found[0][1])
        first, found = before + 1, found[1:]
    last, removed = found[-1][0] if found else 0, 0
    for number, stored, key, nonce, rolled, signature in found:
        # Rolls made before there were receipts have a place and a link, too.
        for past in range(before + 1, number):
            link = link_after(link, unsigned_message(log, past, None))
        if rolled is None:
            link, removed = bytes(stored), removed + 1
        elif signature is None:
            link = link_after(link, unsigned_message(log, number, rolled))
        else:
            link = link_after(link, message(key, log, number, nonce, rolled), bytes(signature))
        if link != bytes(stored):
            return CheckedLog(first, last, number, removed)
        before = number
    return CheckedLog(first, last, None, removed)
