"""Opponents: made by a GM from a few figures, by the dice or from any sheet, in number; played by the party's GMs."""

import re
from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from rulesets.names import one_line
from sheets.models import PARTY, PRIVATE, Member, Sheet
from sheets.models.store import store
from sheets.parties import services as parties
from sheets.press.log import announce
from sheets.press.partings import part

LONGEST = 190
"""Letters of a name that has room for a number."""
MOST = 12
"""Opponents that are made at once."""
NUMBERED = re.compile(r"(?<=\S) \d{1,2}$")
"""The number behind a name."""
DIGITS = 5
"""Digits that are too many for a number behind a name."""


def add_opponents(me: Member, name: str, bodies: list[dict[str, Any]]) -> list[Sheet]:
    """Add as many opponents as there are bodies {"data", "play", "name"}, numbered (`Full` without room); return them.

    Without a `name` each has its own. The party is held.
    """
    parties.room_for(me.party, len(bodies))
    there = opponents(me).filter(name__startswith=unnumbered(name)).values_list("name", flat=True)
    names = numbered(name, len(bodies), there) if name else [one_line(body["name"]) for body in bodies]
    made = Sheet.objects.bulk_create(
        Sheet(owner=me.user, party=me.party, house=me.party.house, ruleset=me.party.ruleset, opponent=True,
              finished=timezone.now(), name=one, data=body["data"], play=body.get("play", {}),
              concept=body.get("concept", ""))
        for one, body in zip(names, bodies, strict=True))
    announce(me.party)
    return made


def unnumbered(name: str) -> str:
    """Return a name without the number behind it: "Goblin" for "Goblin 4"."""
    return NUMBERED.sub("", name)


def numbered(name: str, count: int, there: Iterable[str]) -> list[str]:
    """Return the names of so many: "Goblin", or from the next free one on "Goblin 4", "Goblin 5"."""
    there, base = [*there], unnumbered(name)
    if not base:
        return [name] * count
    taken = [number for one in there if (number := _number(one, base))]
    if count == 1 and (name not in there if name != base else not taken):
        return [name]
    first = max(taken, default=0) + 1
    return [f"{base} {number}" for number in range(first, first + count)]


def _number(name: str, base: str) -> int:
    """Return the number that a name has behind a base, 1 for the base alone, 0 for any other name."""
    start, _blank, number = name.rpartition(" ")
    if start == base and number.isdecimal() and len(number) < DIGITS:
        return int(number)
    return int(name == base)


def opponents(me: Member) -> QuerySet[Sheet]:
    """Return the opponents at a member's table."""
    return me.party.sheets.not_deleted().filter(opponent=True).order_by("called", "pk")


def show_opponent(me: Member, sheet: Sheet, *, shown: bool) -> None:
    """Let players read an opponent's sheet, or hide all but its name and its wounds."""
    store(sheet, seen_by=PARTY if shown else PRIVATE)
    announce(me.party)


def take_out(me: Member, sheet: Sheet) -> None:
    """Move an opponent to its maker's trash."""
    part(me.party, Sheet.objects.filter(pk=sheet.pk), me.user)
    store(sheet, party=None, opponent=False, seen_by=PRIVATE, at_table=None, deleted=timezone.now())
    announce(me.party)
