"""Requests by a GM that players make a roll, with the answers."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from django.utils.translation import gettext as _

from rulesets.kit import short
from sheets.access import at_table
from sheets.models import AskedRoll, Event, Member, Party, Sheet
from sheets.models.webhooks import record_happening
from sheets.press.asked import answering_events
from sheets.press.log import announce
from sheets.press.prepare import titles
from sheets.rolls.widgets import Widget, row_name
from sheets.stage.table import PartyTable
from sheets.stage.table_log import LogLine

OPEN = 12
"""The most open requests of a party; older ones are deleted."""
WORDS = 200
"""The maximum length of a GM's note, in characters."""


@dataclass(frozen=True)
class Gathered:
    """A request to one or more sheets, with (name, log line of the answer or None) for each."""

    first: AskedRoll
    answers: list[tuple[str, LogLine | None]]

    @property
    def all_answered(self) -> bool:
        """True if everybody has answered."""
        return all(line for _name, line in self.answers)


def askable(party_table: PartyTable) -> tuple[str, ...]:
    """Return the titles of the rolls of the members' characters, each once, the most common first."""
    found = Counter(title for one in party_table.heroes if one.character
                    for title in dict.fromkeys(str(short(offer.title)) for offer in one.character.rolls()))
    return tuple(title for title, _times in found.most_common())


def new_requests(party_table: PartyTable, title: str, whom: Collection[str], note: str,
           key: UUID) -> tuple[list[AskedRoll], list[str]]:
    """Return the requests for a roll of this name from some sheets, and the names of those who have none."""
    made, without = [], []
    for one in party_table.heroes:
        if str(one.sheet.pk) not in whom or one.character is None:
            continue
        offer = next((offer for offer in one.character.rolls() if str(short(offer.title)) == title), None)
        if offer is None:
            without.append(one.name)
            continue
        widget = Widget(offer)
        made.append(AskedRoll(party=party_table.party, sheet=one.sheet, key=key, widget=widget.key,
                              row=row_name(offer), note=note,
                              titles={language: short(text) for language, text in
                                      titles(one.character, widget).items()}))
    return made, without


def ask(me: Member, rolls: Iterable[AskedRoll]) -> None:
    """Save the requests for sheets still at the table, and delete the oldest; the party is locked."""
    rolls, party = list(rolls), me.party
    there = set(at_table(me, Sheet.objects.filter(pk__in=[one.sheet_id for one in rolls])).values_list("pk", flat=True))
    made = AskedRoll.objects.bulk_create([one for one in rolls if one.sheet_id in there])
    record_happening(party, "roll.asked", asked=[one.pk for one in made])
    keys = list(dict.fromkeys(party.asked_rolls.order_by("-pk").values_list("key", flat=True)))
    party.asked_rolls.filter(key__in=keys[OPEN:]).delete()
    announce(party)


def settle(party: Party, key: UUID) -> None:
    """Withdraw the requests with this key; the party is locked."""
    party.asked_rolls.filter(key=key).delete()
    announce(party)


def gathered(party_table: PartyTable, rolls: list[AskedRoll]) -> list[Gathered]:
    """Return the requests of the GMs with their answers, newest first."""
    if not rolls:
        return []
    done = answering_events(rolls)
    lines = {line.event.pk: line for line in party_table.log.lines(
        Event.objects.filter(pk__in=[event.pk for event in done.values()]).order_by("-pk"))}
    names = {one.sheet.pk: one.name for one in party_table.participants}
    found = []
    for _key, group in groupby(sorted(rolls, key=lambda one: (-first_of(rolls, one), one.pk)), lambda one: one.key):
        asked = list(group)
        found.append(Gathered(asked[0], [
            (names.get(one.sheet_id, _("Unnamed")), lines.get(done[one.pk].pk) if one.pk in done else None)
            for one in asked]))
    return found


def first_of(rolls: Collection[AskedRoll], one: AskedRoll) -> int:
    """Return the primary key of the first request made together with this one."""
    return min(other.pk for other in rolls if other.key == one.key)
