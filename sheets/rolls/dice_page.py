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
from sheets.rolls.rows import Against, roll_cards, roll_rows
from sheets.rolls.tray import tray_of
from sheets.rolls.widgets import Widget, key_of

SALT = "dice-page"
MAX_ROLLS, MIN_ROLLS = 12, 2
"""The most and the fewest rolls of a chain in an address."""


@cache
def usual_figures(ruleset: Ruleset) -> Mapping[str, Mapping[str, Any]]:
    """Return {key of a roll: its figures} from the example sheets, those of the first sheet that has it."""
    found: dict[str, Mapping[str, Any]] = {}
    for document in ruleset.examples.values():
        offers = ruleset.sheet.model_validate(document["data"]).roll_offers(ruleset.play())
        for offer in (one for one in offers if one.filled):
            found.setdefault(key_of(offer.cls.offer()), offer.filled)
    return found


class DiceOnPage(TypedDict):
    """A roll as it is stored in an address, with the key of its widget."""

    widget: str
    roll: str
    given: Data
    faces: list[int]
    outcome: Any
    figures: Data
    token: NotRequired[str]
    """That of its receipt; only the last throw of a chain has one."""


class DicePage:
    """A page of rolls with the answers to the widget named `which`, and the `chain` of throws so far.

    It shows the rolls in `offers`, by default all of the system.
    """

    def __init__(self, ruleset: Ruleset, answers: Answers, which: str, chain: Sequence[DiceOnPage] = (),
                 offers: Iterable[Offer] | None = None) -> None:
        self.ruleset, self.which, self.chain = ruleset, which, chain
        self.events = [Event(pk=number, **_without_token(throw)) for number, throw in enumerate(chain, 1)]
        # Nothing is kept here, so what falls is put into no effect.
        self.offers = [roll.offer() for roll in ruleset.rolls.values()] if offers is None else [
            replace(one, leads=None) for one in offers]
        named = next((one for one in self.offers if key_of(one) == which), None)
        self.against = Against(ruleset, self.offers, answers, named, self.events[::-1])
        last = {event.widget: event for event in self.events}
        self.cards = roll_cards(ruleset, self.offers, last, answers, which, against=self.against.answers,
                                usual=usual_figures(ruleset))

    @property
    def widget(self) -> Widget | None:
        """The widget that the answers belong to, among the rolls and those that follow."""
        found = (card.widget for one in self.cards for card in one.whole())
        return next((widget for widget in found if widget.key == self.which), None)

    def throw(self, widget: Widget, tray: RealTray | None = None, token: str = "") -> list[DiceOnPage]:
        """Return the chain with one more roll, or a new chain if the roll follows from none.

        `token` is that of the receipt of its dice, if they have one.
        """
        outcome, tray = thrown(widget.made.throw, tray)
        throw = DiceOnPage(widget=widget.key, roll=widget.slug, given=widget.made.model_dump(), faces=tray.fallen,
                      outcome=outcome.value, figures=dict(outcome.figures))
        if token:
            throw["token"] = token
        before = [cast("DiceOnPage", _without_token(one)) for one in self.chain]
        begins = any(key_of(one) == widget.key for one in self.offers)
        chain = [throw] if begins else [*before[:1], *before[1:][-MAX_ROLLS:], throw]
        while len(chain) > MIN_ROLLS and len(signed_chain(chain)) > MAX_BYTES:
            del chain[1]
        return chain

    def shown(self) -> dict[str, Any]:
        """Return the template context of the page."""
        event = self.events[-1] if self.events else None
        if event:
            named = (card.widget.offer.title for one in self.cards for card in one.whole() if card.last is event)
            event.title = str(next(named, event.roll))
        return roll_rows(self.cards, self.which) | {
            "ruleset": self.ruleset, "against": self.against, "which": self.which, "mine": True,
            "fresh": event is not None,
            "tray": tray_of(self.ruleset, event, self.cards), "fell": signed_chain(self.chain) if self.chain else ""}


def _without_token(throw: DiceOnPage) -> dict[str, Any]:
    return {key: value for key, value in throw.items() if key != "token"}


def signed_chain(chain: Sequence[DiceOnPage]) -> str:
    """Return a chain of throws as a signed text, so that nobody can show dice that were not thrown."""
    return signing.dumps(list(chain), salt=SALT, compress=True)


def read_signed_chain(text: str) -> list[DiceOnPage]:
    """Return the chain of throws in a signed text; an empty one if the signature is invalid."""
    try:
        found: list[DiceOnPage] = signing.loads(text, salt=SALT) if text else []
    except signing.BadSignature:
        found = []
    return found
