"""The page of a sheet: read, rolled on, played; and the same page for those who hold its link."""

import uuid
from collections.abc import Iterator, Mapping
from functools import partial
from zlib import crc32

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from rulesets.kit import Face, Refused, slots
from sheets.access import memberships, owns
from sheets.character import Seat
from sheets.forms.house_rules import Difference, differences
from sheets.models import PARTY, PRIVATE, PUBLIC, Event, Member, Sheet
from sheets.outline import Value, outline, worded
from sheets.play.undo import last_act
from sheets.rolls.followups import cards
from sheets.rolls.odds_chart import Bar, bars
from sheets.rolls.stored import told
from sheets.rolls.widgets import Widget, widgets
from sheets.secrets import for_others

LOG = 40
"""Events that the page shows."""


def look(seat: Seat, answers=None, which: str = "") -> dict:
    """What the page says of a sheet as it is now; the answers belong to the widget named `which`."""
    log = [for_others(seat.ruleset, event) if seat.others else event for event in recent(seat.sheet)]
    said = about(seat) | at_hand(seat) | rolling(seat, latest(log), answers, which) | acting(seat, answers, which)
    return said | {
        # With answers the page shows more than the sheet says: the next press draws it anew as a whole.
        "seen": "" if which else said["seen"],
        "log": [(event, telling(seat, event)) for event in log], "last_act": last_act(seat.sheet), "which": which,
        "written": outline(seat.written, seat.house, seat.name),
        "verdict": seat.ruleset.check(seat.written, seat.house, seat.name, mends=False),
    }


def about(seat: Seat) -> dict:
    """Whose part of a page it is; each form takes a press of its own."""
    sheet = seat.sheet
    return {"sheet": sheet, "ruleset": seat.ruleset, "seat": seat, "seen": seen(seat), "press": uuid.uuid4,
            "play_url": reverse("play", args=[sheet.pk]), "sheet_url": reverse("sheet", args=[sheet.pk])}


def seen(seat: Seat) -> str:
    """What stands for all that a page shows of a sheet at the table: it is another after whatever happens to it."""
    sheet, last = seat.sheet, seat.course.last
    counted = sheet.party.table if sheet.party_id and seat.ruleset.shared else None
    whole = get_language(), sheet.version, sheet.played, sheet.house, seat.barred, last and last.number, counted
    return f"{crc32(repr(whole).encode()):08x}"


def at_hand(seat: Seat) -> dict:
    """The figures of the moment and what the state of play says."""
    now = outline(seat.now, seat.house)
    gauges = {gauge.key: gauge for gauge in seat.play.gauges(seat.written)}
    known = {value.key for value in now.values}
    # What is used up but follows from nothing, such as life that the GM sets, stands among the values all the same.
    values = [*(Value(one.key, one.title, one.left, "", ()) for one in gauges.values() if one.key not in known),
              *now.values]
    return {
        "tiles": [(value, gauges.get(value.key)) for value in values], "ledger": seat.written.ledger(seat.house),
        "notices": list(seat.play.notices(seat.written)),
        "spread": (spread := list(_spread(seat))), "state": [] if spread else _state(seat.play),
        "wholes": [section for section in now.sections if section.within],
        "facts": [fact for fact in now.facts if fact.key not in gauges],
        "rules_url": reverse("rules", args=[seat.ruleset.slug]),
    }


def rolling(seat: Seat, last: Mapping[str, Event], answers=None, which: str = "") -> dict:
    """The cards of the rolls, what is seldom wanted apart."""
    rolls = cards(seat.ruleset, seat.rolls(), last, answers, which)
    rare = [card for card in rolls if card.widget.offer.rare]
    return {"rolls": [card for card in rolls if not card.widget.offer.rare], "rare": rare,
            "rare_open": any(card.last or card.widget.key == which for card in rare)}


def acting(seat: Seat, answers=None, which: str = "") -> dict:
    """The acts with the odds of what they would roll, what is seldom wanted apart."""
    acts = [(one, _odds(seat, one)) for one in widgets(seat.acts(), answers, which)]
    rare = [(one, odds) for one, odds in acts if one.offer.rare]
    return {"acts": [(one, odds) for one, odds in acts if not one.offer.rare], "rare_acts": rare,
            "rare_acts_open": any(one.key == which for one, _bars in rare)}


def recent(sheet: Sheet) -> list[Event]:
    """What happened last, the newest first."""
    return list(sheet.events.order_by("-pk")[:LOG])


def latest(log: list[Event]) -> dict[str, Event]:
    """The last roll or act of each widget that still stands."""
    return {event.widget: event for event in reversed(log) if not event.undone}


def telling(seat: Seat, event: Event) -> str:
    """What an event's roll says, "" where nothing was rolled."""
    return told(seat.ruleset, event.roll, event.given, event.outcome, event.figures) if event.roll else ""


def _odds(seat: Seat, widget: Widget) -> tuple[Bar, ...]:
    """The chart of what an act would roll as it is answered; none where it rolls nothing or may not be done so."""
    try:
        roll = widget.made and widget.made.roll(seat.written, seat.play)
    except Refused:
        return ()
    return bars(roll) if roll else ()


def _spread(seat: Seat) -> Iterator[tuple]:
    """(title, cards) of what lies on the table or is held; of what is secret others see backs."""
    down = Face(_("Face down"))
    for title, faces in seat.play.spread(seat.written):
        yield title, [down if face.secret and seat.others else face for face in faces]


def _state(play) -> list[tuple]:
    """(title, rows in words) of the lists that play keeps: effects, items, losses."""
    found = []
    for key, slot in slots(type(play)).items():
        if slot.kind == "rows" and getattr(play, key):
            rows = [[(inner.ask.title, worded(inner, getattr(row, name))) for name, inner in slots(type(row)).items()
                     if getattr(row, name) not in (0, "", None, False)] for row in getattr(play, key)]
            found.append((slot.ask.title, rows))
    return found


def seated(request: HttpRequest, sheet: Sheet) -> Seat:
    """A sheet as the request may see it: what is secret is its owner's alone."""
    return Seat(sheet, others=not owns(request, sheet))


ALONE = {PRIVATE: gettext_lazy("Only you"), PUBLIC: gettext_lazy("Everybody who has its address")}
IN_PARTY = {PRIVATE: gettext_lazy("Only you and the GMs of the party"), PARTY: gettext_lazy("You and the whole party"),
            PUBLIC: ALONE[PUBLIC]}
"""Who may be chosen to read a sheet, without a party and in one."""


def house_of(seat: Seat) -> list[Difference]:
    """The house rules that a sheet goes by, as far as they differ from the book."""
    return differences(seat.ruleset, seat.house)


def placed(request: HttpRequest, seat: Seat) -> dict:
    """What the page of a sheet says of its place; whoever is in its party is `me`."""
    sheet = seat.sheet
    me = memberships(request).filter(party=sheet.party_id).first() if sheet.party_id else None
    return {
        "me": me, "differences": house_of(seat),
        "readers": possible_readers(sheet).items(),
        # Asked of the database where the page shows them.
        "parties": SimpleLazyObject(partial(_open_to, request, sheet)), "remark": partial(_remark, me, sheet),
    }


def possible_readers(sheet: Sheet) -> dict:
    """{word: title} of who may be chosen to read a sheet."""
    return IN_PARTY if sheet.party_id else ALONE


def _open_to(request, sheet: Sheet) -> list[Member]:
    return list(memberships(request).filter(party__ruleset=sheet.ruleset).order_by("party__name", "party"))


def _remark(me: Member, sheet: Sheet) -> str:
    return sheet.remarks.filter(author=me.user_id).values_list("text", flat=True).first() or ""
