"""Pages of rolls that are not stored, of a system or a sample: the dice thrown, and the rolls that follow."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NotRequired, TypedDict, cast

from django.core import signing

from rulesets.dice import RealTray, thrown
from rulesets.kit import Data, Offer, Ruleset
from sheets.forms.addresses import MAX_BYTES
from sheets.forms.inputs import Answers
from sheets.models import Event
from sheets.rolls.rows import TargetFigures, roll_cards, roll_rows
from sheets.rolls.tray import tray_of
from sheets.rolls.widgets import Widget, key_of

SALT = "dice-page"
MAX_MIDDLE_ROLLS, MIN_ROLLS = 12, 2
"""The most rolls of a chain between its first and its newest one, and the fewest that stay in an address."""


@cache
def example_figures(ruleset: Ruleset) -> Mapping[str, Mapping[str, Any]]:
    """Return {key of a roll: its figures} from the example sheets, those of the first sheet that has it."""
    found: dict[str, Mapping[str, Any]] = {}
    for document in ruleset.examples.values():
        offers = ruleset.sheet.model_validate(document["data"]).roll_offers(ruleset.play())
        for offer in (one for one in offers if one.filled):
            found.setdefault(key_of(offer.cls.offer()), offer.filled)
    return found


class ThrowInAddress(TypedDict):
    """A roll as it is stored in an address, with the key of its widget."""

    widget: str
    roll: str
    given: Data
    faces: list[int]
    outcome: Any
    figures: Data
    token: NotRequired[str]
    """The token of its receipt; only the last throw of a chain has one."""


class DicePage:
    """A page of rolls with the answers to the widget named `widget_key`, and the `chain` of throws so far.

    It shows the rolls in `offers`, by default all of the system.
    """

    def __init__(self, ruleset: Ruleset, answers: Answers, widget_key: str, chain: Sequence[ThrowInAddress] = (),
                 offers: Iterable[Offer] | None = None) -> None:
        self.ruleset, self.widget_key, self.chain = ruleset, widget_key, chain
        self.events = [Event(pk=number, **_without_token(throw)) for number, throw in enumerate(chain, 1)]
        # Nothing is stored here, so leave out the acts that would apply an outcome.
        self.offers = [roll.offer() for roll in ruleset.rolls.values()] if offers is None else [
            replace(one, leads=None) for one in offers]
        answered_offer = next((one for one in self.offers if key_of(one) == widget_key), None)
        self.against = TargetFigures(ruleset, self.offers, answers, answered_offer, self.events[::-1])
        last_events = {event.widget: event for event in self.events}
        self.cards = roll_cards(ruleset, self.offers, last_events, answers, widget_key,
                                target_answers=self.against.answers, prefill=example_figures(ruleset))

    @property
    def widget(self) -> Widget | None:
        """The widget that the answers belong to, among the rolls and those that follow."""
        found = (card.widget for root in self.cards for card in root.with_followups())
        return next((widget for widget in found if widget.key == self.widget_key), None)

    def throw(self, widget: Widget, dice_source: RealTray | None = None, token: str = "") -> list[ThrowInAddress]:
        """Return the chain with one more roll, or a new chain if the roll follows from none.

        `token` is the token of the receipt of its dice, if they have one.
        """
        outcome, dice_source = thrown(widget.complete.throw, dice_source)
        throw = ThrowInAddress(
            widget=widget.key, roll=widget.slug, given=widget.complete.model_dump(), faces=dice_source.fallen,
            outcome=outcome.value, figures=dict(outcome.figures))
        if token:
            throw["token"] = token
        earlier = [cast("ThrowInAddress", _without_token(one)) for one in self.chain]
        starts_chain = any(key_of(one) == widget.key for one in self.offers)
        chain = [throw] if starts_chain else [*earlier[:1], *earlier[1:][-MAX_MIDDLE_ROLLS:], throw]
        while len(chain) > MIN_ROLLS and len(signed_chain(chain)) > MAX_BYTES:
            del chain[1]
        return chain

    def shown(self) -> dict[str, Any]:
        """Return the template context of the page."""
        event = self.events[-1] if self.events else None
        if event:
            cards = (card for root in self.cards for card in root.with_followups())
            event.title = str(next((card.widget.offer.title for card in cards if card.last is event), event.roll))
        return roll_rows(self.cards, self.widget_key) | {
            "ruleset": self.ruleset, "against": self.against, "widget_key": self.widget_key, "mine": True,
            "fresh": event is not None,
            "tray": tray_of(self.ruleset, event, self.cards), "fell": signed_chain(self.chain) if self.chain else ""}


def _without_token(throw: ThrowInAddress) -> dict[str, Any]:
    return {key: value for key, value in throw.items() if key != "token"}


def signed_chain(chain: Sequence[ThrowInAddress]) -> str:
    """Return a chain of throws as a signed text, so that nobody can show dice that were not thrown."""
    return signing.dumps(list(chain), salt=SALT, compress=True)


def read_signed_chain(text: str) -> list[ThrowInAddress]:
    """Return the chain of throws in a signed text; an empty one if the signature is invalid."""
    try:
        found: list[ThrowInAddress] = signing.loads(text, salt=SALT) if text else []
    except signing.BadSignature:
        found = []
    return found
