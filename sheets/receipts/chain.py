"""Recomputing the links of a log, to find out if one of its rolls is missing or was changed."""

from dataclasses import dataclass

from sheets.models import Receipt
from sheets.receipts.messages import NO_LINK, link_after, message, unsigned_message

MOST = 1000
"""The number of a log's last rolls whose links are recomputed."""


@dataclass(frozen=True)
class CheckedLog:
    """The result of recomputing a log's links from number `first` to number `last`."""

    first: int
    last: int
    broken: int | None = None
    """The first number whose link does not follow from the previous rolls; None if all do."""
    removed: int = 0
    """The count of removed rolls, of which only number and link remain."""


def check_log(log: str) -> CheckedLog:
    """Recompute the links of a log and return the result; the stored links of removed rolls are trusted."""
    found = list(Receipt.objects.filter(log=log).order_by("-number").values_list(
        "number", "link", "key__identity", "nonce", "rolled", "signature")[:MOST + 1])[::-1]
    first, before, link = 1, 0, NO_LINK
    if len(found) > MOST:
        before, link = found[0][0], bytes(found[0][1])
        first, found = before + 1, found[1:]
    last, removed = found[-1][0] if found else 0, 0
    for number, stored, key, nonce, rolled, signature in found:
        # Rolls made before there were receipts also count in the chain.
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
