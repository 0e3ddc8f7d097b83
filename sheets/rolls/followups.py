"""What a roll leads on to: each outcome offers the next rolls, filled with what is known, under its own widget."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, cast

from pydantic import ValidationError

from rulesets.dice import Outcome
from rulesets.kit import Offer, Ruleset
from sheets.forms.inputs import Answers
from sheets.models import Event
from sheets.rolls.odds_chart import OddsBar
from sheets.rolls.stored import event_text, roll_chart
from sheets.rolls.widgets import Widget, key_of, widgets

DEEP = 6
"""Rolls that follow one another at the most."""


@dataclass(frozen=True)
class RollCard:
    """A widget with what fell last and with the cards of what follows from it."""

    widget: Widget
    last: Event | None = None
    text: str = ""
    fell: tuple[OddsBar, ...] = ()
    follows: list["RollCard"] = field(default_factory=list)

    def whole(self) -> Iterator["RollCard"]:
        """The card and all below it."""
        yield self
        for card in self.follows:
            yield from card.whole()


def roll_cards(ruleset: Ruleset, offers: Iterable[Offer], last: Mapping[str, Event], answers: Answers | None = None,
               which: str = "", *, against: Answers = MappingProxyType({}),
               usual: Mapping[str, Mapping[str, Any]] = MappingProxyType({}), since: int = 0,
               deep: int = DEEP) -> list[RollCard]:
    """A card for each offer; `last` is each widget's last event, and counts if it is younger than `since`.

    What was never rolled begins with what is `usual`.
    """
    last = {key: event for key, event in last.items() if event.pk > since}
    before = {**usual, **{key: event.given for key, event in last.items()}}
    return [_card(ruleset, widget, last, answers, which, against, deep)
            for widget in widgets(offers, answers, which, before, against=against)]


def holds(offer: Offer, event: Event) -> bool:
    """Whether an event is of an offer or of what follows from it, whose key ends on the offer's."""
    return f"-{event.widget}".endswith(f"-{key_of(offer)}")


def _card(ruleset: Ruleset, widget: Widget, last: Mapping[str, Event], answers: Answers | None, which: str,
          against: Answers, deep: int) -> RollCard:
    event = last.get(widget.key)
    if event is None or not event.roll:
        return RollCard(widget)
    text = event_text(ruleset, event)
    # The odds are those of the answers as they stand; what fell for others has no place among them.
    same = widget.made and widget.made.model_dump(mode="json") == event.given
    fell = roll_chart(ruleset, event.roll, event.given, event.outcome) if same else ()
    offers = followup_offers(ruleset, widget, event) if deep else []
    # A chain is told anew with each roll of its first link: what followed an older one is over.
    follows = roll_cards(ruleset, offers, last, answers, which, against=against, since=event.pk, deep=deep - 1)
    return RollCard(widget, event, text, fell, _in_effect(follows, last, event))


def _in_effect(follows: list[RollCard], last: Mapping[str, Event], event: Event) -> list[RollCard]:
    """Without the acts that are done, or that the same roll made anew has taken the place of.

    What was put into effect is not thrown anew either.
    """
    anew = any(card.last and card.last.roll == event.roll for card in follows)
    done = {key for key, one in last.items() if one.act and one.pk > event.pk}
    settled = any(card.widget.is_act and key_of(card.widget.offer) in done for card in follows)
    return [card for card in follows
            if not ((anew or key_of(card.widget.offer) in done) if card.widget.is_act
                    else settled and card.widget.offer.rare and not card.last)]


def followup_offers(ruleset: Ruleset, widget: Widget, event: Event) -> list[Offer]:
    """The rolls that a stored outcome leads on to, filled with what the widget knows of them."""
    cls = ruleset.rolls.get(event.roll)
    then, leads, value = widget.offer.then, widget.offer.leads, cast("Any", event.outcome)
    try:
        roll, outcome = cls.model_validate(event.parameters) if cls else None, Outcome.stored(value, event.figures)
        offers = [*(roll.follow(outcome) if roll else ()), *(leads(roll, outcome) if roll and leads else ())]
    except (ValidationError, KeyError):
        return []
    offers = [offer for offer in offers if then.get(offer.cls.slug, offer.filled) is not None]
    return [replace(offer, key="-".join(filter(None, (offer.key, widget.key))), then={**then, **offer.then},
                    filled={**_known(then, offer), **offer.filled},
                    leads=leads if offer.cls is type(roll) else offer.leads)
            for offer in sorted(offers, key=lambda one: one.rare)]


def _known(then: Mapping[str, Mapping[str, Any] | None], offer: Offer) -> dict[str, Any]:
    return {key: value for key, value in (then.get(offer.cls.slug) or {}).items() if key in offer.asks}
