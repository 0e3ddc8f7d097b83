"""An evening of a party: begun and ended, with what the system does then for all, and what happened in it."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.utils import timezone

from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Evening, Party
from sheets.press.log import announce
from sheets.press.undo import undo_for_all
from sheets.rolls.widgets import Widget, key_of
from sheets.stage.rounds import Ahead, StoredTable, act_for_all, ahead_of
from sheets.stage.table import PartyTable, takes_part
from sheets.stage.table_log import LogLine

MOST = 2000
"""Events of an evening that its log shows, the newest."""
DICE = 12_000
"""Dice of the events that its log shows, as a page of so many is large enough; of each event a few at the most."""
LISTED = 200
"""Evenings that the page of a party lists."""


@dataclass(frozen=True)
class Together:
    """Something that the system does for all as an evening begins or ends, and whom it is about."""

    widget: Widget
    characters: list[Character]
    wanted: bool

    @property
    def names(self) -> list[str]:
        """Those whom it is about."""
        return [one.name for one in self.characters]


def evening_now(party: Party) -> Evening | None:
    """The evening that lasts, None between two."""
    return party.evenings.filter(ended=None).first()


def offered_then(party_table: PartyTable, answers: Answers, *, ends: bool) -> list[Together]:
    """What may be done for all now that an evening begins, or with `ends` ends; what is wanted of it is `also`."""
    table, wanted = party_table.table, set(answers.get("also", ()))
    found = ((offer, [one for one in party_table.characters if takes_part(one, offer)])
             for offer in (act.asking() for act in (table.ends if ends else table.begins)))
    return [Together(Widget(offer, answers if key_of(offer) in wanted else None, f"{key_of(offer)}."), characters,
                     key_of(offer) in wanted) for offer, characters in found if characters]


@dataclass(frozen=True)
class PreparedEvening:
    """The acts for everybody as an evening begins or ends, the first of them worked out."""

    stored: StoredTable
    answers: Answers
    ends: bool
    offered: list[Together]
    ahead: dict[Any, Ahead]

    @classmethod
    def of(cls, stored: StoredTable, answers: Answers, *, ends: bool) -> "PreparedEvening":
        """As it was answered."""
        offered = offered_then(stored.seated(), answers, ends=ends)
        first = next((one for name in answers.get("also", ()) for one in offered if one.widget.key == name), None)
        return cls(stored, answers, ends, offered, ahead_of(first.widget, first.characters) if first else {})

    def fits(self, held: StoredTable) -> bool:
        """Return whether everybody is as they were read."""
        return self.stored.same(held)

    @property
    def answered(self) -> bool:
        """Return whether the answers make sense."""
        return all(one.widget.made for one in self.offered if one.wanted)

    def done(self, party: Party, who: User) -> tuple[list[str], list[tuple[str, str]]]:
        """The keys of what was done, and (name, why not) of those who cannot; the party is held with its sheets.

        Each is offered as all before has left it.
        """
        keys, refused, now = [], [], self.stored.table
        now.hold(party)
        offered, ahead = self.offered, self.ahead
        for name in self.answers.get("also", ()):
            if keys:
                now = PartyTable(now.me)
                offered, ahead = offered_then(now, self.answers, ends=self.ends), {}
            found = next((one for one in offered if one.widget.key == name), None)
            if found and found.widget.made:
                key: UUID = uuid4()
                refused += act_for_all(now, found.widget, found.characters, key, who, ahead)
                keys.append(str(key))
        return keys, refused


def begin_evening(party: Party, name: str, ready: PreparedEvening, who: User) -> list[tuple[str, str]]:
    """An evening begins, with what is wanted of `offered_then`; answers (name, why not) of those who cannot.

    The party is held with its sheets, and none lasts.
    """
    evening = Evening(party=party, name=name)
    evening.opened, refused = ready.done(party, who)
    evening.save()
    announce(party)
    return refused


def end_evening(party: Party, evening: Evening, ready: PreparedEvening, who: User) -> list[tuple[str, str]]:
    """An evening that lasts ends in the same way."""
    evening.closed, refused = ready.done(party, who)
    evening.ended = timezone.now()
    evening.save(update_fields=["closed", "ended"])
    party.asked_rolls.all().delete()
    announce(party)
    return refused


def go_on(party: Party, evening: Evening, who: User) -> list[str]:
    """The newest evening goes on: its end is taken back with what was done then; answers whose deeds since stay."""
    stays = _taken_back(party, evening.closed, who)
    evening.ended, evening.closed = None, []
    evening.save(update_fields=["ended", "closed"])
    announce(party)
    return stays


def call_off_evening(party: Party, evening: Evening, who: User) -> list[str]:
    """The beginning of the evening that lasts is taken back in the same way: there was none."""
    stays = _taken_back(party, evening.opened, who)
    evening.delete()
    announce(party)
    return stays


def _taken_back(party: Party, keys: list[str], who: User) -> list[str]:
    return sorted({name for key in reversed(keys) for name in undo_for_all(party, UUID(key), who)})


def evening_log(party_table: PartyTable, evening: Evening) -> list[LogLine]:
    """What happened in an evening as a member may read it, oldest first."""
    return party_table.told.between(evening.begun, evening.ended, MOST, DICE)
