"""The page of a sheet: read, rolled on, played; and the same page for those who hold its link."""

import uuid
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any
from zlib import crc32

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from rulesets.kit import Face, Part, Refused, Wording, blank, called, slots
from sheets.character import Character
from sheets.forms.house_rules import HouseDifference, house_differences
from sheets.forms.inputs import Answers
from sheets.models import PARTY, PRIVATE, PUBLIC, Event, Member, Sheet
from sheets.outline import Value, outline, worded
from sheets.play.event_log import last_act, latest_by_widget, recent_events
from sheets.rolls.followups import roll_cards
from sheets.rolls.odds_chart import OddsBar, odds_bars
from sheets.rolls.repeats import superseded
from sheets.rolls.stored import roll_text
from sheets.rolls.widgets import Widget, widgets
from sheets.secrets import for_others


def sheet_page(character: Character, answers: Answers | None = None, which: str = "") -> dict[str, Any]:
    """What the page says of a sheet as it is now; the answers belong to the widget named `which`."""
    log = [for_others(character.ruleset, event) if character.others else event
           for event in recent_events(character.sheet)]
    said = page_head(character) | values_now(character)
    said |= rolls_shown(character, latest_by_widget(log), answers, which) | acts_shown(character, answers, which)
    return said | {
        # With answers the page shows more than the sheet says: the next press draws it anew as a whole.
        "seen": "" if which else said["seen"],
        "log": [(event, event_text(character, event)) for event in log], "redone": superseded(log),
        "untouched": character.sheet.data == blank(character.ruleset.sheet),
        "last_act": last_act(character.sheet), "which": which,
        "written": outline(character.written, character.house, character.name),
        "verdict": character.ruleset.check(character.written, character.house, character.name, mends=False),
    }


def page_head(character: Character) -> dict[str, Any]:
    """Whose part of a page it is; each form takes a press of its own."""
    sheet = character.sheet
    return {"sheet": sheet, "ruleset": character.ruleset, "character": character,
            "seen": fingerprint(character), "press": uuid.uuid4,
            "play_url": reverse("play", args=[sheet.pk]), "sheet_url": reverse("sheet", args=[sheet.pk])}


def fingerprint(character: Character) -> str:
    """Fingerprint of all that the page shows."""
    sheet, last = character.sheet, character.review_status.last
    counted = sheet.party.table if sheet.party and character.ruleset.shared else None
    whole = get_language(), sheet.version, sheet.played, sheet.house, character.barred, last and last.number, counted
    return f"{crc32(repr(whole).encode()):08x}"


def values_now(character: Character) -> dict[str, Any]:
    """The figures of the moment and what the state of play says."""
    now = outline(character.now, character.house)
    gauges = {gauge.key: gauge for gauge in character.play.gauges(character.written)}
    known = {value.key for value in now.values}
    # What is used up but follows from nothing, such as life that the GM sets, stands among the values all the same.
    values = [*(Value(one.key, one.title, one.left, "", ()) for one in gauges.values() if one.key not in known),
              *now.values]
    return {
        "tiles": [(value, gauges.get(value.key)) for value in values],
        "ledger": character.written.ledger(character.house),
        "notices": list(character.play.notices(character.written)),
        "spread": (spread := list(_spread(character))), "state": [] if spread else _state(character),
        "wholes": [section for section in now.sections if section.within],
        "facts": [fact for fact in now.facts if fact.key not in gauges],
        "rules_url": reverse("rules", args=[character.ruleset.slug]),
    }


def rolls_shown(character: Character, last: Mapping[str, Event], answers: Answers | None = None,
                which: str = "") -> dict[str, Any]:
    """The cards of the rolls, what is seldom wanted apart."""
    rolls = roll_cards(character.ruleset, character.rolls(), last, answers, which)
    rare = [card for card in rolls if card.widget.offer.rare]
    return {"rolls": [card for card in rolls if not card.widget.offer.rare], "rare": rare,
            "rare_open": any(card.last or card.widget.key == which for card in rare)}


def acts_shown(character: Character, answers: Answers | None = None, which: str = "") -> dict[str, Any]:
    """The acts with the odds of what they would roll, what is seldom wanted apart."""
    acts = [(one, _odds(character, one)) for one in widgets(character.acts(), answers, which)]
    rare = [(one, odds) for one, odds in acts if one.offer.rare]
    return {"acts": [(one, odds) for one, odds in acts if not one.offer.rare], "rare_acts": rare,
            "rare_acts_open": any(one.key == which for one, _bars in rare)}


def event_text(character: Character, event: Event) -> str:
    """What an event's roll says, "" where nothing was rolled."""
    return roll_text(character.ruleset, event.roll, event.given, event.outcome, event.figures) if event.roll else ""


def _odds(character: Character, widget: Widget) -> tuple[OddsBar, ...]:
    """The chart of what an act would roll as it is answered; none where it rolls nothing or may not be done so."""
    try:
        roll = widget.made and widget.made.roll(character.written, character.play)
    except Refused:
        return ()
    return odds_bars(roll) if roll else ()


def _spread(character: Character) -> Iterator[tuple[Wording, list[Face]]]:
    """(title, cards) of what lies on the table or is held; of what is secret others see backs."""
    down = Face(_("Face down"))
    for title, faces in character.play.spread(character.written):
        yield title, [down if face.secret and character.others else face for face in faces]


def _state(character: Character) -> list[tuple[Wording, list[Any]]]:
    """(title, rows in words) of the lists that play keeps: effects, items, losses."""
    found: list[tuple[Wording, list[Any]]] = []
    for key, slot in slots(type(character.play)).items():
        rows: list[Part] = getattr(character.play, key)
        if slot.kind == "rows" and rows:
            told = [[(inner.ask.title, called(character.written, getattr(row, name)) if inner.ask.place
                      else worded(inner, getattr(row, name))) for name, inner in slots(type(row)).items()
                     if getattr(row, name) not in (0, "", None, False)] for row in rows]
            found.append((slot.ask.title, told))
    return found


ALONE: dict[str, Wording] = {
    PRIVATE: gettext_lazy("Only you"),
    PUBLIC: gettext_lazy("Everybody who has its address"),
}
IN_PARTY: dict[str, Wording] = {
    PRIVATE: gettext_lazy("Only you and the GMs of the party"),
    PARTY: gettext_lazy("You and the whole party"),
    PUBLIC: ALONE[PUBLIC],
}
"""Who may be chosen to read a sheet, without a party and in one."""


def house_of(character: Character) -> list[HouseDifference]:
    """The house rules that a sheet goes by, as far as they differ from the book."""
    return house_differences(character.ruleset, character.house)


def party_and_readers(character: Character, mine: QuerySet[Member]) -> dict[str, Any]:
    """What the page of a sheet says of its place to somebody with these memberships; the one in its party is `me`."""
    sheet = character.sheet
    me = mine.filter(party=sheet.party_id).first() if sheet.party_id else None
    return {
        "me": me, "differences": house_of(character),
        "readers": possible_readers(sheet).items(),
        # Asked of the database where the page shows them.
        "parties": SimpleLazyObject(partial(_open_to, mine, sheet)), "remark": partial(_remark, me, sheet),
    }


def possible_readers(sheet: Sheet) -> dict[str, Wording]:
    """{word: title} of who may be chosen to read a sheet."""
    return IN_PARTY if sheet.party_id else ALONE


def _open_to(mine: QuerySet[Member], sheet: Sheet) -> list[Member]:
    return list(mine.filter(party__ruleset=sheet.ruleset).order_by("party__name", "party"))


def _remark(me: Member | None, sheet: Sheet) -> str:
    return "" if me is None else sheet.remarks.filter(author=me.user_id).values_list("text", flat=True).first() or ""
