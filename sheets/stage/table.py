"""The table of a party as one of its members sees it: participants, scenes, turns, counters and rolls."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from copy import copy
from dataclasses import dataclass
from typing import Any
from uuid import UUID
from zlib import crc32

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets import systems
from rulesets.folding import order_key
from rulesets.kit import Offer, Seated, Slot, Wording, slots
from rulesets.names import isolated
from sheets.access import is_own, seen_at_table, seen_with_owners, sees_not_all
from sheets.character import Character
from sheets.models import PRIVATE, Event, Member, Party, Scene, Sheet
from sheets.models.compiled_queries import compiled
from sheets.press.turns import turn_to_undo
from sheets.scenes.order import OrderedSeat, keys_done, next_on, turn_token
from sheets.stage.participants import Participant
from sheets.stage.spent import current_seat
from sheets.stage.table_log import TableLog
from sheets.stage.turn_words import name_of_seats, whose_turn
from sheets.status.reviews import ReviewStatus, review_statuses


@dataclass(frozen=True)
class PartyCounter:
    """One of the party's counters."""

    key: str
    slot: Slot
    value: int | None
    secret: bool


class PartyTable:
    """A party's table as a member sees it; each part is queried once, when first needed.

    It has the sheets that sit in its scene or, with `everywhere`, those of the whole party.
    """

    def __init__(self, me: Member, *, everywhere: bool = False) -> None:
        self.me, self.party, self.everywhere = me, me.party, everywhere
        self.whole, self.everybody = True, False
        self.ruleset = systems()[me.party.ruleset]
        self.table = self.ruleset.table.model_validate(me.party.table)

    @cached_property
    def participants(self) -> list[Participant]:
        """The sheets in the order of turns: the GM's own order first, then by the system's figure, then by name."""
        return self.seat_all(sheets := self.sheets_seated(), review_statuses(sheets))

    @cached_property
    def seated_keys(self) -> list[UUID]:
        """The keys of the sheets that the member sees; cached, because the query is expensive."""
        found = seen_at_table(self.me).values_list("pk", "scene")
        return [pk for pk, seat in found if self.everywhere or seat == self.scene.seat]

    def sheets_seated(self, keys: set[Any] | None = None) -> list[Sheet]:
        """Return the stored sheets at the table, or only those with these keys."""
        sheets = seen_with_owners(self.me, everybody=self.everybody) if keys is None else list(Sheet.objects.filter(
            pk__in=keys.intersection(self.seated_keys)).select_related("owner"))
        for sheet in sheets:
            sheet.party = self.party
        return sheets if self.everywhere else [one for one in sheets if self.scene.seats(one)]

    def seat_some(self, keys: set[Any]) -> None:
        """Limit the participants to the sheets with these keys."""
        self.whole, sheets = False, self.sheets_seated(keys)
        self.seat_all(sheets, review_statuses(sheets))

    def seat_all(self, sheets: Iterable[Sheet], statuses: Mapping[Any, ReviewStatus]) -> list[Participant]:
        """Make these sheets the participants, and return them in the order of turns."""
        self.participants = sorted((self._participant(sheet, statuses[sheet.pk]) for sheet in sheets), key=self._turn)
        return self.participants

    @property
    def order(self) -> str:
        """The change token of the order of the participants."""
        return f"{crc32(repr([one.sheet.pk for one in self.participants]).encode()):08x}"

    def put_in_order(self, party: Party) -> None:
        """Sort the participants by the current state of the locked party."""
        for one in self.participants:
            one.sheet.party = party
        self.party = party
        for name in ("scene", "open_scenes"):
            vars(self).pop(name, None)
        self.participants = sorted(self.participants, key=self._turn)

    def _participant(self, sheet: Sheet, status: ReviewStatus) -> Participant:
        try:
            return self.seat(sheet, Character(sheet, status, others=not is_own(self.me, sheet)))
        except ValidationError:
            return self.seat(sheet)

    def seat(self, sheet: Sheet, character: Character | None = None) -> Participant:
        """Return the participant for a sheet; `character` is as the member sees it, None if it cannot be read."""
        mine = sheet.owner_id == self.me.user_id
        readable = mine or self.me.gm or sheet.seen_by != PRIVATE
        shown = readable or not sheet.opponent
        if character is None:
            return Participant(sheet, mine, shown=shown, readable=readable)
        character.reader = self.me.user_id
        unseen = frozenset({*self.ruleset.shared, *(() if self.me.gm else self.table.secret)})
        return Participant(sheet, mine, character, self.place(character.as_seated), unseen, shown, readable)

    def place(self, seat: Seated) -> int | None:
        """Return the figure that decides a seat's place in the current order of turns."""
        return self.table.turn_place(seat) if self.scene.round else self.table.place(seat)

    def _turn(self, participant: Participant) -> tuple[Any, ...]:
        return self.scene.sort_key(self.table, participant.sheet, participant.place, participant.name)

    @cached_property
    def open_scenes(self) -> list[Scene]:
        """The open scenes of the party, newest first."""
        return self.party.open_scenes

    @property
    def several(self) -> bool:
        """True if more than one scene is open."""
        return len(self.open_scenes) > 1

    @cached_property
    def scene(self) -> Scene:
        """The open scene that the address names, else the newest; an unsaved one if none is open."""
        return self.party.asked_of(self.open_scenes) or Scene(party=self.party)

    @property
    def turn(self) -> str:
        """The change token of the turn."""
        return turn_token(self.scene)

    @property
    def on(self) -> list[Participant]:
        """The visible participants whose turn it is."""
        return self._those(self.scene.on)

    @property
    def whose_turn(self) -> str:
        """A heading that says whose turn it is, as far as the member sees that; "" outside of rounds."""
        return whose_turn(self.on) if self.scene.round else ""

    @property
    def away_members(self) -> list[Member]:
        """The members who are away while it is their turn, if the scene is played by post and the reader sees that."""
        owners = {one.sheet.owner_id for one in self.on} if self.scene.round and self.scene.by_post else ()
        return list(self.party.members.filter(user__in=owners, away_until__gte=timezone.localdate()).select_related(
            "user")) if owners else []

    @property
    def characters(self) -> list[Character]:
        """The characters of the sheets that the system can read."""
        return [participant.character for participant in self.participants if participant.character]

    @property
    def heroes(self) -> list[Participant]:
        """The participants that are not opponents."""
        return [one for one in self.participants if not one.sheet.opponent]

    @property
    def had_turn(self) -> list[Participant]:
        """The participants that have had their turn in this round."""
        return self._those(self.scene.done or ())

    def _those(self, keys: Collection[str]) -> list[Participant]:
        return [one for one in self.participants if str(one.sheet.pk) in keys]

    @cached_property
    def address(self) -> str:
        """The address of the table."""
        return "?".join(filter(None, (reverse("table", args=[self.party.pk]), self.scene_query)))

    @property
    def scene_query(self) -> str:
        """The query string that names the scene; "" if no other is open."""
        return self.scene.query if self.several else ""

    @property
    def mine_on(self) -> list[Participant]:
        """The member's own participants whose turn it is."""
        return [one for one in self.on if one.mine]

    def turn_notices(self, by: Participant) -> list[Wording]:
        """Return notices for an actor out of turn, with a used turn, or unable to act; they do not prevent acting."""
        found, on = by.character, str(by.sheet.pk) in self.scene.on
        seat = found and (current_seat(found, self.scene, self.table) if self.table.actions else found.as_seated)
        turn = seat and self.scene.round and (
            self.table.turn_used_note(seat) if on
            else _("It is not the turn of {name}.").format(name=isolated(by.name)))
        return [one for one in (turn, seat and self.table.unable_note(seat)) if one]

    @cached_property
    def turn_to_undo(self) -> Event | None:
        """The turn event that led to the current turn, if the member may undo it; else None."""
        found = turn_to_undo(self.scene) if self.scene.pk else None
        return found if found and (self.me.gm or found.who_id == self.me.user_id) else None

    @property
    def may_go_on(self) -> bool:
        """True if the member may end the turn."""
        return bool(self.scene.round) and (self.me.gm or bool(self.mine_on))

    @property
    def next_name(self) -> str:
        """The name of who is next once the member ends the turn, or the next round; "" if the member may not know."""
        ended = {str(one.sheet.pk) for one in (self.on if self.me.gm else self.mine_on)}
        return "" if {*self.scene.on} - ended else self._after(ended)

    @property
    def next_name_after_all(self) -> str:
        """The name of who is next once all who are on have ended their turns; "" outside of rounds."""
        return self._after({*self.scene.on}) if self.scene.round else ""

    def _after(self, ended: Set[str]) -> str:
        if sees_not_all(self.me):
            return ""
        seats = {str(one.sheet.pk): one for one in self.participants}
        places = [OrderedSeat(key, one.sheet.opponent, self.table.due(one.character.as_seated))
                  for key, one in seats.items() if one.character]
        after = copy(self.scene)
        after.done = [*keys_done(self.scene, places), *ended]
        on = [seats[key] for key in next_on(after, self.table, places)]
        return name_of_seats(on) or _("round {n}").format(n=self.scene.round + 1)

    @cached_property
    def members_without_sheet(self) -> list[str]:
        """The names of the members without a visible sheet; [] if several scenes are open."""
        if self.several:
            return []
        owners = {participant.sheet.owner_id for participant in self.participants}
        return [one.user.username for one in self.members if one.user_id not in owners]

    @cached_property
    def members(self) -> list[Member]:
        """Everybody in the party, by name."""
        return sorted(_members_of(self.party.pk), key=lambda one: order_key(one.user.username))

    @property
    def counters(self) -> list[PartyCounter]:
        """The counters that the member may see, without those that only the rules change."""
        return [PartyCounter(key, slot, getattr(self.table, key), key in self.table.secret)
                for key, slot in slots(type(self.table)).items()
                if not slot.ask.unwritten and (self.me.gm or key not in self.table.secret)]

    @cached_property
    def log(self) -> TableLog:
        """The log of the table."""
        return TableLog(self)

    def rounds(self) -> Iterator[tuple[Offer, list[Character]]]:
        """Yield (group action, its characters) for those in which somebody takes part."""
        who = self.characters if self.table.opponents_join else [one.character for one in self.heroes if one.character]
        for offer in self.table.rounds([character.as_seated for character in who]):
            if taking := [character for character in who if character.takes_part(offer)]:
                yield offer, taking

    def throws(self) -> Iterator[Offer]:
        """Yield the rolls without a sheet: the party's as a whole, then every roll of the system."""
        yield from self.table.rolls([character.as_seated for character in self.characters])
        yield from (roll.offer() for roll in self.ruleset.rolls.values())


@compiled
def _members_of(party: Any) -> QuerySet[Member]:
    return Member.objects.filter(party=party).select_related("user").only("party", "user", "user__username")
