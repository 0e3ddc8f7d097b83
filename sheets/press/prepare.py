"""A press is made ready before anything is locked: the widget is found, its answers are read, its dice fall."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import tee
from typing import Any

from django.conf import settings
from django.utils import translation

from rulesets.dice import RealTray, thrown
from rulesets.kit import Act, Roll, Wording
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Event
from sheets.news import page_words
from sheets.press.aiming import Aim
from sheets.press.log import last_events
from sheets.press.seats import Seats
from sheets.rolls.followups import roll_cards
from sheets.rolls.repeats import Rethrow, taken_back
from sheets.rolls.widgets import Widget, chosen, found_again, key_of
from sheets.status.reviews import ReviewStatus, review_statuses


@dataclass(frozen=True)
class Fallen:
    """Dice that were thrown before anything is held, and what they were thrown for."""

    roll: Roll
    outcome: Any
    tray: RealTray


@dataclass(frozen=True)
class PreparedPress:
    """A press that is made ready before its sheet is held: the widget, None where it is not offered, and its dice."""

    seats: Seats
    statuses: Mapping[Any, ReviewStatus]
    """How both stand before the GMs, by the keys of their sheets."""
    character: Character
    aim: Aim | None
    widget: Widget | None
    fallen: Fallen | None
    titles: dict[str, str]
    """{language: what is pressed is called in it}."""
    fingerprint: str
    """That of the page as the sheet is before the press."""
    word: str
    """The word that its owner's page has of it then."""


def prepare_press(seats: Seats, answers: Answers, which: str, row: str = "") -> PreparedPress:
    """What of a sheet is pressed, and the dice that fall for it; odds and dice may take a while."""
    taken = review_statuses([one for one in (seats.by, seats.at) if one])
    character = Character(seats.by, taken[seats.by.pk])
    aim = Aim(Character(seats.at, taken[seats.at.pk])) if seats.at else None
    widget = pressed_widget(character, answers, which, aim, row)
    fallen, called = (cast(character, widget), titles(character, widget)) if widget and widget.made else (None, {})
    return PreparedPress(seats, taken, character, aim, widget, fallen, called, *page_words(character))


def pressed_widget(character: Character, answers: Answers, which: str, aim: Aim | None = None,
                   row: str = "") -> Widget | None:
    """The widget of this name among what the sheet offers and what its last rolls lead on to.

    Where it is about a row of this mark, that row is looked for; it may stand elsewhere by now.
    """
    met = aim.met if aim else lambda offer: offer
    offers = character.offers(aimed=bool(aim and aim.at_another(character)))
    if row:
        offers, looked_through = tee(offers)
        which = found_again(looked_through, which, row)
    if widget := chosen((met(one) for one in offers if key_of(one) == which), answers, which):
        return widget
    rolls = roll_cards(character.ruleset, map(met, character.rolls()), last_events(character.sheet), answers, which)
    return next((card.widget for roll in rolls for card in roll.whole() if card.widget.key == which), None)


def fall(roll: Roll, tray: RealTray | None = None) -> Fallen:
    """Throws the dice of a roll."""
    return Fallen(roll, *thrown(roll.throw, tray))


def fall_for(character: Character, made: Roll | Act, roll: Roll, tray: RealTray | None = None) -> Fallen:
    """Throws the dice of a roll that is made, or of an act.

    The dice of an act that was taken back lie as they did, where the same is done before anything else was.
    """
    if isinstance(made, Roll):
        return fall(roll, tray)
    sheet = character.sheet
    like = Event(act=made.slug, roll=type(roll).slug, party_id=sheet.party_id)
    before = taken_back(sheet.pk, like, sheet.play)
    return fall(roll, Rethrow(dict(enumerate(before[0].thrown)), tray) if before else tray)


def cast(character: Character, widget: Widget) -> Fallen | None:
    """The dice that a press of this widget throws, None where it throws none (`Refused` as by the press)."""
    roll = None if character.barred else thrown_by(character, widget.made)
    return fall_for(character, widget.made, roll) if roll else None


def titles(character: Character, widget: Widget) -> dict[str, str]:
    """{language: what is pressed is called in it}; offers are worded as they are made, and so made anew in each."""
    offer, found = widget.offer, {translation.get_language(): str(widget.offer.title)[:300]}
    own = offer.title != offer.cls.title
    for language, _name in settings.LANGUAGES:
        if language not in found:
            with translation.override(language):
                found[language] = str((own and _title_here(character, widget)) or offer.cls.title)[:300]
    return found


def _title_here(character: Character, widget: Widget) -> Wording:
    """What a widget is called in the language that is spoken now, "" where it is no longer to be found."""
    offer = widget.offer
    for one in character.offers(Roll if issubclass(offer.cls, Roll) else Act, aimed=True):
        if one.cls is offer.cls and one.key == offer.key:
            return one.title
    return found.offer.title if (found := pressed_widget(character, {}, widget.key)) else ""


def thrown_by(character: Character, act: Roll | Act) -> Roll | None:
    """A roll itself, or the one that an act asks for; what a repeat throws is known only while the sheet is held."""
    if isinstance(act, Roll):
        return act
    return None if act.repeats else act.roll(character.written, character.play)
