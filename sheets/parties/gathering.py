"""The table of a party as one of its members sees it: who plays what and how they are, what is counted, what fell."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from django.conf import settings
from django.db.models import Count, Q, Sum
from django.http import Http404, HttpRequest
from django.utils import translation
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets import systems
from rulesets.kit import Act, Gauge, Offer, Slot, slots
from sheets.access import memberships, readable
from sheets.models import GMS, PRIVATE, Event, Member, Sheet
from sheets.repeating import superseded
from sheets.reviews.courses import Course, courses
from sheets.rolling import fallen, told
from sheets.secrets import for_others
from sheets.table import Seat

LOG = 40
"""Events that the page shows."""
NEWS = (
    "role", "party__version", "party__pulse", "party__secret", Sum("party__sheets__version"), Count("party__sheets"),
    Count("party__sheets__deleted"),
)
"""What changes with whatever is new at a table: what happened there, and its sheets as they come, go and change."""


def news(request: HttpRequest, pk) -> str:
    """A word that is another whenever there is something new to see (Http404 for those who are not in the party).

    It is asked for every few seconds by everybody at the table, and so is one cheap query.
    """
    found = memberships(request).filter(party=pk).values_list(*NEWS).first()
    if found is None:
        raise Http404
    role, version, pulse, secret, *sheets = found
    return ".".join(map(str, (role, version, pulse, secret if role in GMS else 0, *sheets)))


@dataclass(frozen=True)
class Chair:
    """A sheet at the table; `seat` is None where the system cannot read it any more."""

    sheet: Sheet
    mine: bool
    seat: Seat | None = None
    place: int | None = None
    gauges: tuple[Gauge, ...] = ()

    @property
    def name(self) -> str:
        """What the character is called."""
        return (self.seat.name if self.seat else self.sheet.name).strip() or _("Without a name")

    @property
    def initials(self) -> str:
        """Up to two letters in place of a portrait."""
        return "".join(word[0] for word in self.name.split()[:2]).upper()

    @property
    def private(self) -> bool:
        """Whether the other players see nothing of it."""
        return self.sheet.seen_by == PRIVATE

    @property
    def notices(self) -> list:
        """What the state of play means for the turn at hand."""
        return list(self.seat.play.notices(self.seat.written)) if self.seat else []


@dataclass(frozen=True)
class Counter:
    """One of the party's counters."""

    key: str
    slot: Slot
    value: int | None
    secret: bool


@dataclass(frozen=True)
class Line:
    """A line of the log in the reader's language."""

    event: Event
    who: str
    title: str
    text: str
    sides: int
    faces: list
    """(face, colour) of each die."""
    redone: bool = False
    """Whether a repeat has taken its place."""

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.who, self.title, self.text or self.event.words)))


class Gathering:
    """What a member sees of the party's table; each part asks the database once, when it is wanted."""

    def __init__(self, request: HttpRequest, me: Member):
        self.request, self.me, self.party = request, me, me.party
        self.ruleset = systems()[me.party.ruleset]
        self.table = self.ruleset.table.model_validate(me.party.table)

    @cached_property
    def chairs(self) -> list[Chair]:
        """The sheets in the order of turns: whom the GM lets go first, then by the system's figure, then by name."""
        sheets = list(readable(self.request).filter(party=self.party, offered=False).select_related("owner"))
        for sheet in sheets:
            sheet.party = self.party
        taken = courses(sheets)
        return sorted((self._chair(sheet, taken[sheet.pk]) for sheet in sheets), key=self._turn)

    def _chair(self, sheet: Sheet, taken: Course) -> Chair:
        mine = sheet.owner_id == self.me.user_id
        try:
            seat = Seat(sheet, taken, others=not mine)
        except ValidationError:
            return Chair(sheet, mine)
        hidden = () if self.me.gm else self.table.secret
        gauges = (one for one in seat.play.gauges(seat.written) if one.key not in {*self.ruleset.shared, *hidden})
        return Chair(sheet, mine, seat, self.table.place(seat.seated), tuple(gauges))

    def _turn(self, chair: Chair) -> tuple:
        first, own = self.party.order, str(chair.sheet.pk)
        return (first.index(own) if own in first else len(first), chair.place is None, chair.place or 0,
                chair.name.casefold(), own)

    @property
    def seats(self) -> list[Seat]:
        """The seats of the sheets that can be read."""
        return [chair.seat for chair in self.chairs if chair.seat]

    @cached_property
    def without(self) -> list[str]:
        """The names of the members of whom one sees no sheet."""
        owners = {chair.sheet.owner_id for chair in self.chairs}
        members = self.party.members.exclude(user__in=owners).order_by("user__username")
        return list(members.values_list("user__username", flat=True))

    @property
    def counters(self) -> list[Counter]:
        """The counters that one may see."""
        return [Counter(key, slot, getattr(self.table, key), key in self.table.secret)
                for key, slot in slots(type(self.table)).items() if self.me.gm or key not in self.table.secret]

    @cached_property
    def log(self) -> list[Line]:
        """What happened on the sheets that one sees, and what was rolled for the party, newest first."""
        names = {chair.sheet.pk: chair.name for chair in self.chairs}
        mine = {chair.sheet.pk for chair in self.chairs if chair.mine}
        found = self.party.events.filter(Q(sheet=None) | Q(sheet__in=names)).select_related("who").order_by("-pk")
        if not self.me.gm:
            found = found.filter(hidden=False)
        redone = superseded(found := found[:LOG])
        return [self._line(event if event.sheet_id in mine else for_others(self.ruleset, event),
                           names.get(event.sheet_id) or getattr(event.who, "username", ""),
                           redone=event.pk in redone) for event in found]

    def _line(self, event: Event, who: str, *, redone: bool) -> Line:
        text = told(self.ruleset, event.roll, event.given, event.outcome, event.figures) if event.roll else ""
        cls = self.ruleset.acts.get(event.act) or self.ruleset.rolls.get(event.roll)
        title = str(cls.title) if cls and event.title in _titles(cls) else event.title
        return Line(event, who, title, text, getattr(self.ruleset.rolls.get(event.roll), "sides", 6),
                    fallen(self.ruleset, event.roll, event.given, event.faces), redone)

    def rounds(self) -> Iterator[tuple[Offer, list[Seat]]]:
        """What all do at once, each with those who take part; nothing in which nobody would."""
        for offer in self.table.rounds([seat.seated for seat in self.seats]):
            if taking := [seat for seat in self.seats if takes_part(seat, offer)]:
                yield offer, taking

    def throws(self) -> Iterator[Offer]:
        """The rolls without a sheet: the party's as a whole, then every roll of the system."""
        yield from self.table.rolls([seat.seated for seat in self.seats])
        yield from (roll.asking() for roll in self.ruleset.rolls.values())


def takes_part(seat: Seat, offer: Offer) -> bool:
    """Whether something that all do at once is offered to this one."""
    if seat.barred:
        return False
    return not issubclass(offer.cls, Act) or any(True for _one in offer.cls.offered(seat.written, seat.play))


@cache
def _titles(cls: type) -> frozenset[str]:
    """What a roll or an act is called in each language: an event keeps the words of whoever made it."""
    found = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found.add(str(cls.title))
    return frozenset(found)
