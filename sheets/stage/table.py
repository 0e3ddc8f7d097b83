"""The table of a party as one of its members sees it: who plays what and how they are, what is counted, what fell."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID
from zlib import crc32

from django.db.models import Q, QuerySet
from django.utils.functional import cached_property
from pydantic import ValidationError

from rulesets import systems
from rulesets.kit import Act, Offer, slots
from sheets.access import is_own, met_by
from sheets.character import Character
from sheets.models import PRIVATE, Event, Member, Party, Sheet
from sheets.press.log import stays
from sheets.rolls.repeats import superseded
from sheets.rolls.stored import event_text, roll_dice
from sheets.secrets import for_others, outwardly, told_to, unveiled
from sheets.stage.log_lines import Came, LogLine, first_within, titles
from sheets.stage.participants import Participant, PartyCounter
from sheets.status.reviews import ReviewStatus, review_statuses

LOG = 40
"""Events that the page shows."""
BRIEF = ("key", "sheet", "party", "widget", "act", "roll", "undone", "again", "landed__event")
"""What of an event tells which others belong to it."""


class PartyTable:
    """What a member sees of the party's table, of `readable` sheets; each part asks the database once, when wanted."""

    def __init__(self, me: Member, readable: QuerySet[Sheet]):
        self.me, self.party, self.readable = me, me.party, readable
        self.whole = True
        self.ruleset = systems()[me.party.ruleset]
        self.table = self.ruleset.table.model_validate(me.party.table)

    @cached_property
    def participants(self) -> list[Participant]:
        """The sheets in the order of turns: whom the GM lets go first, then by the system's figure, then by name."""
        sheets = self.met()
        return self.seat_all(sheets, review_statuses(sheets))

    @property
    def there(self) -> QuerySet[Sheet]:
        """The sheets at the table that one sees."""
        return met_by(self.me, self.readable)

    @cached_property
    def met_keys(self) -> list[UUID]:
        """The keys of these, asked for once for all parts of an answer: who sees what is dear to ask."""
        return list(self.there.values_list("pk", flat=True))

    def met(self, keys: set[Any] | None = None) -> list[Sheet]:
        """The sheets at the table as they are stored, or those of them that have these keys."""
        there = self.there if keys is None else Sheet.objects.filter(pk__in=keys.intersection(self.met_keys))
        for sheet in (sheets := list(there.select_related("owner"))):
            sheet.party = self.party
        return sheets

    def seat_some(self, keys: set[Any]) -> None:
        """Have those alone be the participants that a part of the page is about."""
        self.whole, sheets = False, self.met(keys)
        self.seat_all(sheets, review_statuses(sheets))

    def seat_all(self, sheets: Iterable[Sheet], taken: Mapping[Any, ReviewStatus]) -> list[Participant]:
        """Those of some sheets, in their order; from now on they are the participants."""
        self.participants = sorted((self._participant(sheet, taken[sheet.pk]) for sheet in sheets), key=self._turn)
        return self.participants

    @property
    def order(self) -> str:
        """A word for the order in which they stand, which is another as soon as that is."""
        return f"{crc32(repr([one.sheet.pk for one in self.participants]).encode()):08x}"

    def hold(self, party: Party) -> None:
        """Who was found there stands in the order of the party as it is held now."""
        for one in self.participants:
            one.sheet.party = party
        self.party = party
        self.participants = sorted(self.participants, key=self._turn)

    def _participant(self, sheet: Sheet, taken: ReviewStatus) -> Participant:
        try:
            return self.seat(sheet, Character(sheet, taken, others=not is_own(self.me, sheet)))
        except ValidationError:
            return self.seat(sheet)

    def seat(self, sheet: Sheet, character: Character | None = None) -> Participant:
        """A sheet at the table, where the system can read it with its character as whoever looks sees it."""
        mine = sheet.owner_id == self.me.user_id
        shown = mine or self.me.gm or not sheet.opponent or sheet.seen_by != PRIVATE
        if character is None:
            return Participant(sheet, mine, shown=shown)
        character.reader = self.me.user_id
        hidden = () if self.me.gm else self.table.secret
        unseen = frozenset({*self.ruleset.shared, *hidden})
        return Participant(sheet, mine, character, self.table.place(character.seated), unseen, shown)

    def _turn(self, participant: Participant) -> tuple[Any, ...]:
        first, own = self.party.order, str(participant.sheet.pk)
        return (first.index(own) if own in first else len(first), participant.place is None, participant.place or 0,
                participant.name.casefold(), own)

    @property
    def characters(self) -> list[Character]:
        """The seats of the sheets that can be read."""
        return [participant.character for participant in self.participants if participant.character]

    @property
    def heroes(self) -> list[Participant]:
        """Those whom the members play."""
        return [one for one in self.participants if not one.sheet.opponent]

    @property
    def opponents(self) -> list[Participant]:
        """Those whom the GMs play."""
        return [one for one in self.participants if one.sheet.opponent]

    @property
    def mine_to_move(self) -> Participant | None:
        """Whose turn it is, if that is somebody of one's own."""
        return next((one for one in self.participants if one.sheet.pk == self.party.turn and one.mine), None)

    @property
    def to_come(self) -> list[Sheet]:
        """Whose turns follow in this round; whoever has the turn may be gone by now."""
        there, turn = self.participants, self.party.turn
        having = next((one for one in there if one.sheet.pk == turn), None) or self._gone(turn)
        return [one.sheet for one in there if having is None or self._turn(one) > self._turn(having)]

    def _gone(self, key: UUID | None) -> Participant | None:
        """Somebody who is at the table no more, as if it were."""
        sheet = Sheet.objects.filter(pk=key, ruleset=self.party.ruleset).first() if key else None
        if sheet is None:
            return None
        sheet.party = self.party
        return self._participant(sheet, review_statuses([sheet])[sheet.pk])

    @property
    def may_go_on(self) -> bool:
        """Whether whoever looks may say that the turn is over."""
        return bool(self.party.turn) and (self.me.gm or self.mine_to_move is not None)

    @cached_property
    def without(self) -> list[str]:
        """The names of the members of whom one sees no sheet."""
        owners = {participant.sheet.owner_id for participant in self.participants}
        members = self.party.members.exclude(user__in=owners).order_by("user__username")
        return list(members.values_list("user__username", flat=True))

    @property
    def counters(self) -> list[PartyCounter]:
        """The counters that one may see."""
        return [PartyCounter(key, slot, getattr(self.table, key), key in self.table.secret)
                for key, slot in slots(type(self.table)).items() if self.me.gm or key not in self.table.secret]

    @cached_property
    def log(self) -> list[LogLine]:
        """What happened on the sheets that one sees, and what was rolled for the party, newest first."""
        return self.lines(self._events().order_by("-pk")[:LOG])

    def log_between(self, begun: datetime, ended: datetime | None, most: int, dice: int) -> list[LogLine]:
        """The same for a while, oldest first, at most so many events and dice; nothing of it can be pressed."""
        found = self._events().filter(made__gte=begun, **({"made__lte": ended} if ended else {})).order_by("-pk")[:most]
        return [replace(one, undoable=False, together=False) for one in reversed(self.lines(found, dice))]

    def _events(self) -> QuerySet[Event]:
        seen = self._by_sheet if self.whole else self.met_keys
        found = self.party.events.filter(Q(sheet=None) | Q(sheet__in=seen))
        return found if self.me.gm else found.filter(hidden=False)

    @cached_property
    def recent(self) -> list[Event]:
        """The events of the log without what they say: enough to tell which of them belong together."""
        return list(self._events().select_related("landed").order_by("-pk").only(*BRIEF)[:LOG])

    def within(self, event: Event) -> bool:
        """True where an event is told of in the line of the one that it came from, which the log shows, too."""
        return hasattr(event, "landed") and event.landed.event_id in {one.pk for one in self.recent}

    def lines_of(self, keys: Set[int]) -> list[LogLine]:
        """Those lines of the log that are about some events, newest first; the participants are those of these."""
        shown = self.party.events.filter(pk__in=keys & {event.pk for event in self.recent}).order_by("-pk")
        return self.lines(shown, recent=self.recent)

    def lines(self, found: QuerySet[Event], dice: int | None = None,
              recent: list[Event] | None = None) -> list[LogLine]:
        """Some of the party's events in the reader's language, the first of them with at most so many dice.

        What belongs together is told by all `recent` events of the log that they stand in; else by themselves.
        """
        names: dict[Any, str] = {participant.sheet.pk: participant.name for participant in self.participants}
        mine = {participant.sheet.pk for participant in self.participants if participant.mine}
        read = list(found.select_related("who", "landed").prefetch_related("landings__applied"))
        read = read if dice is None else first_within(read, dice)
        recent = read if recent is None else recent
        redone, there, last = superseded(recent), {event.pk for event in recent}, self._last_acts(recent)
        told = zip(read, self._told(read), strict=True)
        # What landed elsewhere is one line with what it came from.
        return [self._line(seen, names.get(event.sheet_id) or (event.who.username if event.who else ""),
                           redone=event.pk in redone, came=tuple(self._came(seen, names, mine)),
                           undoable=event.pk in last and (self.me.gm or event.sheet_id in mine),
                           together=self.me.gm and sum(one.key == event.key and bool(one.act) for one in recent) > 1)
                for event, seen in told if not (hasattr(event, "landed") and event.landed.event_id in there)]

    def line(self, event: Event) -> LogLine:
        """The line of a roll that was made just now by one of those who are there."""
        names: dict[Any, str] = {one.sheet.pk: one.name for one in self.participants}
        [seen] = self._told([event])
        came = self._came(seen, names, {one.sheet.pk for one in self.participants if one.mine})
        return self._line(seen, names[event.sheet_id], came=tuple(came))

    def _last_acts(self, read: Sequence[Event]) -> set[int]:
        """The keys of the acts that can be taken back now: the last one of each sheet."""
        found = {event.sheet_id: event for event in reversed(read) if event.act and not event.undone and event.sheet_id}
        return {event.pk for event in found.values() if not self._stays(event)}

    def _stays(self, event: Event) -> bool:
        return event.sheet_id in self._by_sheet and stays(self._by_sheet[event.sheet_id].sheet, event)

    def _seen(self, event: Event) -> Event:
        """An event as whoever looks may read it: of whom one does not read, only what everybody at the table sees."""
        whose = self._by_sheet.get(event.sheet_id)
        if whose is None or whose.mine:
            return event
        event = for_others(self.ruleset, event)
        return event if whose.shown else outwardly(event)

    def _told(self, read: Sequence[Event]) -> list[Event]:
        """Events with what whoever looks may know of whom they were aimed at: a GM all of it."""
        if self.me.gm:
            return [unveiled(event, event.aimed_at) for event in read]
        met = {str(pk): one.shown for pk, one in self._by_sheet.items()}
        return told_to(self.me.user_id, read, met, {key for key, shown in met.items() if shown})

    @cached_property
    def _by_sheet(self) -> dict[Any, Participant]:
        return {one.sheet.pk: one for one in self.participants}

    def _came(self, event: Event, names: Mapping[Any, str], mine: Set[Any]) -> Iterator[Came]:
        """What came of an event at others."""
        for one in event.landings.all() if event.brought is None else event.brought:
            act, name = one.applied, names.get(one.sheet_id) or event.aimed_at.get(str(one.sheet_id), "")
            if not (one.sheet_id in names or self.me.gm or (event.sheet_id in mine and name)):
                continue
            decides = self.me.gm or not mine.isdisjoint((event.sheet_id, one.sheet_id))
            yield Came(name, one.state, self._seen(act).words if act and one.sheet_id in names else "",
                       act.pk if act and decides and not self._stays(act) else None)

    def _line(self, event: Event, who: str, **more: Any) -> LogLine:
        seen = self._seen(event)
        cls = self.ruleset.acts.get(seen.act) or self.ruleset.rolls.get(seen.roll)
        title = str(cls.title) if cls and not seen.titles and seen.title in titles(cls) else seen.what
        return LogLine(seen, who, title, event_text(self.ruleset, seen),
                       getattr(self.ruleset.rolls.get(seen.roll), "sides", 6),
                       roll_dice(self.ruleset, seen.roll, seen.parameters, seen.faces), **more)

    def rounds(self) -> Iterator[tuple[Offer, list[Character]]]:
        """Group actions with participants; none in which nobody takes part."""
        there = self.characters if self.table.opponents_join else [
            one.character for one in self.heroes if one.character]
        for offer in self.table.rounds([character.seated for character in there]):
            if taking := [character for character in there if takes_part(character, offer)]:
                yield offer, taking

    def throws(self) -> Iterator[Offer]:
        """The rolls without a sheet: the party's as a whole, then every roll of the system."""
        yield from self.table.rolls([character.seated for character in self.characters])
        yield from (roll.asking() for roll in self.ruleset.rolls.values())


def takes_part(character: Character, offer: Offer) -> bool:
    """Whether something that all do at once is offered to this one."""
    if character.barred:
        return False
    return not issubclass(offer.cls, Act) or any(True for _one in offer.cls.offered(character.written, character.play))
