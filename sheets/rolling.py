"""Roll widgets: partly filled rolls with their inputs, exact odds as a chart, and what fell."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from rulesets.dice import Odds, Outcome
from rulesets.kit import Offer, Ruleset, percent, shape_message
from sheets.inputs import Broken, Input, parsed, shown

BARS = 13
"""Outcomes that a chart shows one by one; what is beyond them is one bar."""


@dataclass(frozen=True)
class Bar:
    """One outcome of a chart, in a drawing 100 high."""

    label: str
    chance: str
    x: float
    height: float
    chosen: bool


def bars(odds: Odds, label, outcome: Any = None) -> list[Bar]:
    """The chart of a roll's odds; the outcome that fell is chosen.

    Chances that would not show (below one in a thousand at either end) are put together at the end.
    """
    items = list(odds.chances.items())
    shown_items = [(value, chance, value == outcome) for value, chance in items[:BARS]]
    if len(items) > BARS:
        first = items[BARS - 1][0]
        tail = sum((chance for _value, chance in items[BARS - 1 :]), start=0 * items[0][1])
        beyond = outcome is not None and outcome not in [value for value, _chance in items[: BARS - 1]]
        shown_items = [*shown_items[: BARS - 1], (f"{first}+", tail, beyond)]
    highest = max(chance for _value, chance, _chosen in shown_items)
    return [
        Bar(str(value) if not isinstance(value, str) or value.endswith("+") else label(value), percent(chance),
            round(100 * index / len(shown_items), 3), round(float(100 * chance / highest), 2), chosen)
        for index, (value, chance, chosen) in enumerate(shown_items)
    ]


class Widget:
    """An offer to roll with what was answered so far; answers that are no values keep their text and message."""

    def __init__(self, offer: Offer, number: int, answers: Mapping[str, str] | None = None):
        self.offer, self.number = offer, number
        self.key = f"{offer.cls.slug}-{offer.key.replace('.', '-')}" if offer.key else offer.cls.slug
        self.inputs, self.values, self.faults = [], {}, {}
        for key, slot in offer.asks.items():
            default = slot.low if slot.required else slot.default
            text = answers.get(key, shown(default)) if answers is not None else shown(default)
            try:
                self.values[key], fault = parsed(slot, text), ""
            except Broken as error:
                fault = str(error)
            one = Input(slot, key, self.values.get(key), text, fault)
            self.inputs.append(one)
            if fault:
                self.faults[key] = fault

    @cached_property
    def roll(self):
        """The roll with all its parameters, or None while an answer is no value."""
        if self.faults:
            return None
        try:
            return self.offer.take(**self.values)
        except ValidationError as error:
            self.faults[""] = shape_message(error.errors()[0])
            return None

    @cached_property
    def bars(self) -> list[Bar]:
        """The chart of the odds as answered."""
        return bars(self.roll.odds(), self.roll.label) if self.roll else []


def widgets(shape, play, answers: Mapping[str, str], which: str = "") -> list[Widget]:
    """Every widget of a sheet; the answers belong to the one named `which`."""
    found = [Widget(offer, number) for number, offer in enumerate(shape.widgets(play))]
    return [Widget(one.offer, one.number, answers) if one.key == which else one for one in found]


def told(ruleset: Ruleset, slug: str, given: dict, value: Any, figures: dict) -> str:
    """What a stored roll says, in the reader's language; the bare outcome if the system has lost the roll."""
    cls = ruleset.rolls.get(slug)
    try:
        return cls.model_validate(given).tell(Outcome(value, **figures)) if cls else str(value)
    except (ValidationError, KeyError):
        return str(value)
