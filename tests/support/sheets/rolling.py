"""Rolls that fall as they are written, by themselves or pressed on a sheet, and the tray in which they lie."""

import uuid

from django.template.loader import render_to_string

from rulesets import systems
from rulesets.dice import LoadedTray, thrown
from sheets.character import Character
from sheets.models import Event
from sheets.press.log import last_events
from sheets.press.perform import press
from sheets.rolls.rows import roll_cards
from sheets.rolls.tray import tray_of
from sheets.rolls.widgets import Widget, widgets
from tests.support.markup import read


def rolled(slug, roll, *faces, title="A roll", **given):
    """The event of a roll whose faces are written out."""
    made = systems()[slug].rolls[roll].model_validate(given)
    outcome, tray = thrown(made.throw, LoadedTray(*faces))
    return Event(pk=1, key=uuid.uuid4(), widget=f"roll-{roll}", title=title, roll=roll, given=made.model_dump(),
                 faces=tray.fallen, outcome=outcome.value, figures=dict(outcome.figures))


def shown(slug, roll, *faces, **given):
    """The tray of such a roll."""
    return tray_of(systems()[slug], rolled(slug, roll, *faces, **given))


def html(tray, **more):
    return read(render_to_string("rolls/_tray.html", {"tray": tray, "play_url": "/play/", **more}))


def whole(sheet):
    """Every card of a sheet by the key of its widget."""
    character = Character(sheet)
    last = {event.widget: event for event in sheet.events.exclude(roll="").order_by("pk")}
    return {card.widget.key: card for one in roll_cards(character.ruleset, character.rolls(), last)
            for card in one.with_followups()}


def do(sheet, key, *faces, **answers):
    """One press on a widget of a sheet, with written faces."""
    widget = Widget(whole(sheet)[key].widget.offer, {name: [str(value)] for name, value in answers.items()})
    return press(Character(sheet), widget, uuid.uuid4(), LoadedTray(*faces))


def tray_on(sheet, event):
    """The tray that a sheet's page shows of an event."""
    character = Character(sheet)
    cards = roll_cards(character.ruleset, character.rolls(), last_events(sheet))
    return tray_of(character.ruleset, event, cards, widgets(character.repeats()))
