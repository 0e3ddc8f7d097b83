"""Follow-ups: the offers that a stored outcome leads on to, and the names of rolls that are one throw of dice."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from rulesets.kit import Offer, Ruleset
from sheets.models import Event
from sheets.rolls.widgets import Widget, key_of

ALSO = "also-"
"""The part that marks, with what comes behind it, the widget name of a roll whose dice have met one more."""


def followup_offers(ruleset: Ruleset, widget: Widget, event: Event) -> list[Offer]:
    """Return the rolls that a stored outcome leads on to, filled with what the widget knows of them."""
    cls = ruleset.rolls.get(event.roll)
    then, leads, onward = widget.offer.then, widget.offer.leads, widget.offer.onward
    try:
        roll, outcome = cls.model_validate(event.parameters) if cls else None, event.fell
        offers = [*(roll.follow(outcome) if roll else ()), *(leads(roll, outcome) if roll and leads else ())]
    except (ValidationError, KeyError):
        return []
    offers = [offer for offer in offers if then.get(offer.cls.slug, offer.filled) is not None]
    found = [replace(offer, key="-".join(filter(None, (offer.key, widget.key))), then={**then, **offer.then},
                     filled={**_known(then, offer), **offer.filled},
                     leads=leads if offer.cls is type(roll) else offer.leads or onward.get(offer.cls.slug),
                     onward={**onward, **offer.onward})
             for offer in sorted(offers, key=lambda one: one.rare)]
    return [meets(one) for one in found] if (meets := widget.offer.meets) else found


def _known(then: Mapping[str, Mapping[str, Any] | None], offer: Offer) -> dict[str, Any]:
    return {key: value for key, value in (then.get(offer.cls.slug) or {}).items() if key in offer.asks}


def name_of_one_more(widget: Widget, key: UUID) -> str:
    """Return the widget name of a roll whose dice meet one more, in the event of that key.

    It is a name of its own, so that what follows from the same dice is told apart by whom they have met.
    """
    return key_of(replace(widget.offer, key=f"{ALSO}{key.hex[:8]}-{widget.key}"))


def with_one_more(widget: Widget, last: Mapping[str, Event], event: Event) -> list[Widget]:
    """Return the roll of a widget as its dice, which fell in an event, have met each of the others since."""
    begins, ends = key_of(replace(widget.offer, key=ALSO)), f"-{widget.key}"
    found = sorted((one.pk, name) for name, one in last.items()
                   if one.pk > event.pk and name.startswith(begins) and name.endswith(ends)
                   and "-" not in name[len(begins):-len(ends)])
    keys = (name[len(begins) - len(ALSO):] for _pk, name in found)
    return [Widget(replace(widget.offer, key=key, row=None), given=last[name].given) for key, (_pk, name) in zip(
        keys, found, strict=True)]
