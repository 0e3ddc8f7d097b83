"""The opponents at a party's table, which its GMs play."""

import re
from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from rulesets import systems
from rulesets.names import one_line
from sheets.models import PARTY, PRIVATE, Member, Sheet
from sheets.models.store import store
from sheets.parties import services as parties
from sheets.press.log import announce
from sheets.press.partings import part

LONGEST = 190
"""The most characters of a name, so that a number fits behind it."""
MOST = 12
"""The most opponents that are made at once."""
NUMBERED = re.compile(r"(?<=\S) \d{1,2}$")
"""A number at the end of a name."""
DIGITS = 5
"""The number of digits from which digits at the end of a name are not read as a number."""


def add_opponents(me: Member, name: str, bodies: list[dict[str, Any]]) -> list[Sheet]:
    """Add an opponent to the locked party for each body {"data", "play", "name"}; return them.

    They get the `name` with numbers, or else the names of their bodies. Raise `Full` without room.
    """
    parties.require_room(me.party, len(bodies))
    taken = opponents(me).filter(name__startswith=unnumbered(name)).values_list("name", flat=True)
    names = numbered(name, len(bodies), taken) if name else [one_line(body["name"]) for body in bodies]
    begins = systems()[me.party.ruleset].crossing.opponents_play
    sheets = Sheet.objects.bulk_create(
        Sheet(owner=me.user, party=me.party, house=me.party.house, ruleset=me.party.ruleset, opponent=True,
              finished=timezone.now(), name=sheet_name, data=body["data"], play={**begins, **body.get("play", {})},
              concept=body.get("concept", ""))
        for sheet_name, body in zip(names, bodies, strict=True))
    announce(me.party)
    return sheets


def unnumbered(name: str) -> str:
    """Return a name without the number at its end: "Goblin" for "Goblin 4"."""
    return NUMBERED.sub("", name)


def numbered(name: str, count: int, existing: Iterable[str]) -> list[str]:
    """Return `count` names that follow the existing ones: "Goblin", or "Goblin 4" and "Goblin 5"."""
    existing, base = [*existing], unnumbered(name)
    if not base:
        return [name] * count
    taken = [number for one in existing if (number := _number(one, base))]
    if count == 1 and (name not in existing if name != base else not taken):
        return [name]
    first = max(taken, default=0) + 1
    return [f"{base} {number}" for number in range(first, first + count)]


def _number(name: str, base: str) -> int:
    """Return the number that follows the base in a name, 1 for the base alone, 0 for any other name."""
    start, _blank, number = name.rpartition(" ")
    if start == base and number.isdecimal() and len(number) < DIGITS:
        return int(number)
    return int(name == base)


def opponents(me: Member) -> QuerySet[Sheet]:
    """Return the opponents at a member's table."""
    return me.party.sheets.not_deleted().filter(opponent=True).order_by("called", "pk")


def show_opponent(me: Member, sheet: Sheet, *, shown: bool) -> None:
    """Let players read an opponent's sheet, or hide everything but its name and its wounds."""
    store(sheet, seen_by=PARTY if shown else PRIVATE)
    announce(me.party)


def take_out(me: Member, sheet: Sheet) -> None:
    """Move an opponent to its owner's trash."""
    part(me.party, Sheet.objects.filter(pk=sheet.pk), me.user)
    store(sheet, party=None, scene=None, opponent=False, seen_by=PRIVATE, at_table=None, deleted=timezone.now())
    announce(me.party)
