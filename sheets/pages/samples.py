"""Samples: the example sheets of a system, which anybody can try; they have no owner and never change."""

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
from sheets.outline import outline, outline_beside_rolls
from sheets.rolls.dice_page import DicePage, ThrowInAddress
from sheets.rolls.tray import ShownTray
from sheets.rolls.widgets import Widget, key_of
from sheets.stage.panel import templates_of, values_now
from sheets.status.reviews import ReviewStatus

SEED = 153
"""The seed of the samples' dice, chosen so that most of their rolls have an effect."""


def sample(ruleset: Ruleset, which: str) -> Character:
    """Return an example of a system as a character, which is not stored. Raise KeyError if there is none."""
    document = ruleset.examples[which]
    sheet = Sheet(ruleset=ruleset.slug, name=document["name"], data=document["data"], house=document.get("house", {}))
    return Character(sheet, ReviewStatus(), others=True)


def sample_shown(character: Character) -> dict[str, Any]:
    """Return the context of a sample's page, except for its rolls."""
    others = ((which, document["name"]) for which, document in character.ruleset.examples.items())
    return values_now(character, []) | {
        "character": character, "samples": list(others), "templates": templates_of(character.ruleset),
        **outline_beside_rolls(outline(character.written, character.house, character.name), character.rolls())}


@dataclass(frozen=True)
class SampleRoll:
    """The first roll of a system's first example, with dice that were thrown once, as a preview of the system."""

    ruleset: Ruleset
    which: str
    name: str
    page: DicePage

    @property
    def url(self) -> str:
        """The address of the sample's page, to which the roll is posted."""
        return reverse("sample", args=[self.ruleset.slug, self.which])

    @property
    def widget(self) -> Widget:
        """The widget of the roll."""
        return self.page.cards[0].widget

    @property
    def answers(self) -> list[tuple[str, str]]:
        """The (name, value) pairs of the roll's answers, as a form posts them."""
        given = self.page.chain[0]["given"]
        return [(one.path, input_text(given[one.path])) for one in self.widget.other_inputs]

    @cached_property
    def tray(self) -> ShownTray:
        """The tray with the thrown dice."""
        shown: ShownTray = self.page.shown()["tray"]
        return shown

    @property
    def dice(self) -> int:
        """The largest number of dice that are thrown together."""
        return max(map(len, self.tray.dice), default=0)


def sample_roll(ruleset: Ruleset) -> SampleRoll:
    """Return the sample roll of a system in the current language; its dice are the same for everybody."""
    return _sample_roll(ruleset, get_language())


@cache
def _sample_roll(ruleset: Ruleset, _language: str | None) -> SampleRoll:
    """Return the sample roll; the language is only the key of the cache."""
    which, throw = _first_throw(ruleset)
    character = sample(ruleset, which)
    offer = next(one for one in character.rolls() if key_of(one) == throw["widget"])
    return SampleRoll(ruleset, which, character.name, DicePage(ruleset, {}, "", [throw], [offer]))


@cache
def _first_throw(ruleset: Ruleset) -> tuple[str, ThrowInAddress]:
    """Return (slug of the first example, throw of its first roll), with the same dice in each process."""
    which = next(iter(ruleset.examples))
    page = DicePage(ruleset, {}, "", offers=sample(ruleset, which).rolls())
    first = next(card.widget for card in page.cards if card.widget.complete and not card.widget.offer.rare)
    widget = _with_most_colours(first)
    return which, page.throw(widget, RealTray(Random(f"{ruleset.slug} {SEED}").randbytes))[0]  # noqa: S311 - shown, not played


def _with_most_colours(widget: Widget) -> Widget:
    """Return the roll with those answers that throw dice of the most colours."""
    variants = [Widget(widget.offer, {one.path: [input_text(value)]}) for one in widget.inputs
                for value, _label in one.choices]
    return max((one for one in (widget, *variants) if one.complete), key=lambda one: len(set(one.die_colours)))
