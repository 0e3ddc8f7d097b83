"""Sheets of a system to look at and try: its examples, which belong to nobody and never change."""

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import get_language

from rulesets.dice import RealTray
from rulesets.kit import Ruleset
from sheets.character import Character
from sheets.forms.inputs import input_text
from sheets.models import Sheet
from sheets.outline import beside, outline
from sheets.rolls.dice_page import DicePage, Throw
from sheets.rolls.tray import ShownTray
from sheets.rolls.widgets import Widget, key_of
from sheets.stage.panel import templates_of, values_now
from sheets.status.reviews import ReviewStatus

SEED = 153
"""The seed of the dice: with this one most of what fell does something."""


def sample(ruleset: Ruleset, which: str) -> Character:
    """Return an example of a system as a character (KeyError); it is stored nowhere."""
    document = ruleset.examples[which]
    sheet = Sheet(ruleset=ruleset.slug, name=document["name"], data=document["data"], house=document.get("house", {}))
    return Character(sheet, ReviewStatus(), others=True)


def sample_shown(character: Character) -> dict[str, Any]:
    """Return the context of a sample's page, except for its rolls."""
    others = ((which, document["name"]) for which, document in character.ruleset.examples.items())
    return values_now(character, []) | {
        "character": character, "samples": list(others), "templates": templates_of(character.ruleset),
        **beside(outline(character.written, character.house, character.name), character.rolls())}


@dataclass(frozen=True)
class SampleRoll:
    """The first roll of a system's first example, to be tried wherever the system is named, and how it fell once."""

    ruleset: Ruleset
    which: str
    name: str
    page: DicePage

    @property
    def url(self) -> str:
        """The address at which it is thrown, which is its sheet's."""
        return reverse("sample", args=[self.ruleset.slug, self.which])

    @property
    def widget(self) -> Widget:
        """The roll."""
        return self.page.cards[0].widget

    @property
    def answers(self) -> list[tuple[str, str]]:
        """The answers to its questions, as a form posts them."""
        given = self.page.chain[0]["given"]
        return [(one.path, input_text(given[one.path])) for one in self.widget.unaimed]

    @cached_property
    def tray(self) -> ShownTray:
        """The tray with what fell."""
        shown: ShownTray = self.page.shown()["tray"]
        return shown

    @property
    def dice(self) -> int:
        """The largest number of dice that fall together."""
        return max(map(len, self.tray.dice), default=0)


def sample_roll(ruleset: Ruleset) -> SampleRoll:
    """Return the roll with which a system shows itself; its dice fell once, and are the same for everybody."""
    return _worded(ruleset, get_language())


@cache
def _worded(ruleset: Ruleset, _language: str | None) -> SampleRoll:
    """Return the same in the language of the moment."""
    which, throw = _fallen(ruleset)
    character = sample(ruleset, which)
    offer = next(one for one in character.rolls() if key_of(one) == throw["widget"])
    return SampleRoll(ruleset, which, character.name, DicePage(ruleset, {}, "", [throw], [offer]))


@cache
def _fallen(ruleset: Ruleset) -> tuple[str, Throw]:
    """Return (slug of the first example, how its first roll fell): the same dice in each process."""
    which = next(iter(ruleset.examples))
    page = DicePage(ruleset, {}, "", offers=sample(ruleset, which).rolls())
    widget = _colourful(next(card.widget for card in page.cards if card.widget.made and not card.widget.offer.rare))
    return which, page.throw(widget, RealTray(Random(f"{ruleset.slug} {SEED}").randbytes))[0]  # noqa: S311 - shown, not played


def _colourful(widget: Widget) -> Widget:
    """Return the roll answered so that dice of the most colours fall."""
    answered = [Widget(widget.offer, {one.path: [input_text(value)]}) for one in widget.inputs
                for value, _label in one.choices]
    return max((one for one in (widget, *answered) if one.made), key=lambda one: len(set(one.pool)))
