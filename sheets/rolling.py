"""Widgets: partly filled rolls and acts with their inputs, exact odds as a chart, and what fell."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, wraps
from types import MappingProxyType
from typing import Any

from django.utils.datastructures import MultiValueDict
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.dice import Outcome
from rulesets.kit import Act, Contest, Offer, Prospect, Roll, Ruleset, Slot, percent, shape_message, slots
from rulesets.work import TooMuch, budget
from sheets.inputs import Broken, Input, parsed, shown

BARS = 13
"""Outcomes that a chart shows one by one; what lies beyond them is one bar."""
KEPT = 1024
"""Rolls whose charts are kept at hand."""
KINDS = {"roll": Roll, "act": Act, "side": Contest}
"""What may be offered."""


@dataclass(frozen=True)
class Bar:
    """One outcome of a chart: its height in hundredths of the highest, and whether it is what fell."""

    label: str
    chance: str
    height: float
    fell: bool
    both: str = ""
    """The chance of this outcome together with the roll's second reading, "" where it has none."""
    part: float = 0
    """How much of the height that is."""


def reckoning(get_response: Callable) -> Callable:
    """Middleware: what a request has reckoned is paid from one budget, `request.work`."""
    def within(request):
        with budget() as request.work:
            return get_response(request)

    return within


def kept(reckon: Callable) -> Callable:
    """Reckons once for equal rolls in one language: odds and their words hang on nothing else."""
    @lru_cache(KEPT)
    def again(cls, given, _language, *more):
        return reckon(cls.model_validate_json(given), *more)

    @wraps(reckon)
    def reckoned(roll: Roll, *more):
        return again(type(roll), roll.model_dump_json(), get_language(), *more)

    return reckoned


def bars(roll: Roll | Prospect, fallen: Any = None) -> tuple[Bar, ...]:
    """The chart of a roll's odds, or of what a contest may come to; none where the budget does not suffice."""
    if not isinstance(roll, Roll):
        return _onefold(roll, fallen)
    try:
        return (_twofold if roll.beside else _of_roll)(roll, fallen)
    except TooMuch:
        return ()


def _onefold(roll: Roll | Prospect, fallen: Any) -> tuple[Bar, ...]:
    odds = roll.odds()
    weights, tail = [*odds.weights.items()], ()
    if len(weights) > BARS:
        weights, tail = weights[:BARS - 1], weights[BARS - 1:]
    shown_here = [(roll.label(value) if roll.outcomes else str(value), weight, value == fallen)
                  for value, weight in weights]
    if tail:
        shown_here.append((f"{tail[0][0]}+", sum(weight for _value, weight in tail),
                           any(value == fallen for value, _weight in tail)))
    highest = max(weight for _label, weight, _fell in shown_here)
    return tuple(Bar(label, percent(Fraction(weight, odds.whole)), round(100 * weight / highest, 2), fell)
                 for label, weight, fell in shown_here)


_of_roll = kept(_onefold)


@kept
def _twofold(roll: Roll, fallen: Any) -> tuple[Bar, ...]:
    """The chart of a roll that is read in two ways: each outcome with its share of the second reading."""
    chances, both = roll.odds().chances, roll.both()
    highest = max(chances.values())
    return tuple(Bar(roll.label(value), percent(chance), round(float(100 * chance / highest), 2), value == fallen,
                     percent(both.get(value, 0)), round(float(100 * both.get(value, 0) / highest), 2))
                 for value, chance in chances.items())


@kept
def _beside(roll: Roll) -> tuple[Any, str]:
    """What a roll's second reading is called, and its chance in all."""
    return roll.beside[2], percent(sum(roll.both().values()))


def key_of(offer: Offer) -> str:
    """What names an offer among those of a sheet: "roll-attack-attacks-0"."""
    kind = next(kind for kind, shape in KINDS.items() if issubclass(offer.cls, shape))
    return "-".join(filter(None, (kind, offer.cls.slug, offer.key.replace(".", "-"))))


class Widget:
    """An offer with what was answered so far; answers that are no values keep their text and message.

    The inputs are named as the fields are, behind `prefix`.
    """

    def __init__(self, offer: Offer, answers: Mapping[str, str] | None = None, prefix: str = ""):
        self.offer, self.key = offer, key_of(offer)
        self.inputs, self.values, self.fault = [], {}, ""
        for key, slot in offer.asks.items():
            self.inputs.append(self._input(key, prefix + key, slot, answers))

    def _input(self, key, name, slot, answers) -> Input:
        if slot.kind == "choices":
            chosen = [one for one in answers.getlist(name) if one] if answers is not None else []
            self.values[key] = chosen
            return Input(slot, name, chosen)
        text = shown(_start(slot))
        if answers is not None and name in answers:
            text = answers.getlist(name)[-1]
        ticked = set(answers.getlist(f"{name}+")) if answers is not None and slot.ask.addends else ()
        addends = [(label, more, str(index) in ticked)
                   for index, (label, more) in enumerate((slot.ask.addends or {}).items())]
        try:
            value = parsed(slot, text)
            if ticked:
                value = parsed(slot, str((value or 0) + sum(more for _label, more, on in addends if on)))
        except Broken as error:
            return Input(slot, name, None, text, str(error), addends=addends)
        self.values[key] = value
        return Input(slot, name, value, text, addends=addends)

    @cached_property
    def made(self):
        """The roll or act with all it asks, or None while an answer makes no sense."""
        if any(one.fault for one in self.inputs):
            return None
        try:
            return self.offer.take(**self.values)
        except ValidationError as error:
            self.fault = shape_message(error.errors()[0])
            return None

    @cached_property
    def asked(self) -> tuple:
        """All that its form shows, for those who have drawn it before."""
        fault, offer = "" if self.made else self.fault, self.offer
        return (offer.cls, self.key, str(offer.title), str(offer.note), repr(offer.among), fault, *(
            (one.path, one.text, repr(one.value), one.fault, repr(one.addends)) for one in self.inputs))

    @property
    def slug(self) -> str:
        """The roll or act itself; templates would call the class."""
        return self.offer.cls.slug

    @property
    def filled(self) -> list[tuple[str, str]]:
        """What is filled, as a form would post it."""
        return [(name, shown(value)) for name, value in self.offer.filled.items()]

    @cached_property
    def bars(self) -> tuple[Bar, ...]:
        """The chart of a roll's odds as answered; none for an act."""
        return bars(self.made) if isinstance(self.made, Roll) else ()

    @cached_property
    def pool(self) -> tuple[str, ...]:
        """The colours of the dice that a roll as answered takes, none where all are alike."""
        return self.made.colours() if isinstance(self.made, Roll) else ()

    @cached_property
    def beside(self) -> tuple[Any, str] | None:
        """What a roll's second reading is called, and its chance in all; None where there is none."""
        return _beside(self.made) if self.bars and self.made.beside else None

    @property
    def unreckoned(self) -> str:
        """Why a roll that makes sense has no chart, "" if it has one."""
        if self.bars or not isinstance(self.made, Roll):
            return ""
        return _("These odds take too long to be reckoned beside the others: press “Show odds”, or lower {figure}."
                 ).format(figure=heaviest(self.made)[1])

    @property
    def is_act(self) -> bool:
        """Whether it is pressed rather than rolled."""
        return not issubclass(self.offer.cls, Roll)

    @property
    def sides(self) -> int:
        """The sides of a roll's dice."""
        return getattr(self.offer.cls, "sides", 6)

    @property
    def mean(self) -> Any:
        """The mean outcome of a roll as answered, None where outcomes are words."""
        return self.made.odds().mean if isinstance(self.made, Roll) else None


def _start(slot: Slot) -> Any:
    """What an input holds before anybody answers."""
    if not slot.required:
        return slot.default
    if slot.kind == "number":
        return max(slot.low or 0, slot.ask.least or 0)
    if slot.kind == "text" and slot.ask.samples:
        return slot.ask.samples[0]
    return slot.choices[0] if slot.choices and not slot.nullable else None


def heaviest(roll: Roll) -> tuple[str, str]:
    """(name, title) of the figure that makes a roll's odds long, which is the largest."""
    def largest(key: str) -> int:
        return max(map(int, re.findall(r"\d{1,9}", str(getattr(roll, key)))), default=0)

    key = max(slots(type(roll)), key=largest, default="")
    return (key, str(slots(type(roll))[key].ask.title)) if key else ("", "")


def widgets(offers: Iterable[Offer], answers=None, which: str = "", before: Mapping = MappingProxyType({})
            ) -> list[Widget]:
    """A widget for each offer; the answers belong to the one named `which`, others keep theirs from `before`."""
    found = [Widget(offer, answers) if which and key_of(offer) == which else
             _as_before(offer, before.get(key_of(offer))) for offer in offers]
    # The odds that are asked for come first, whatever the others then have left of the budget.
    asked = next((one for one in found if which and one.key == which), None)
    if asked:
        asked.bars  # noqa: B018 - kept from here on
    return found


def chosen(offers: Iterable[Offer], answers: Mapping, which: str) -> Widget | None:
    """The widget that the answers belong to, if it is offered."""
    return next((Widget(offer, answers) for offer in offers if key_of(offer) == which), None)


def _as_before(offer: Offer, answers: Mapping | None) -> Widget:
    """The widget with the answers of its last roll, unless they are no longer to be had."""
    widget = Widget(offer, answers) if answers else None
    return widget if widget and widget.made else Widget(offer)


def reanswered(given: Mapping[str, Any]) -> MultiValueDict:
    """The parameters of a roll as a form would answer them."""
    return MultiValueDict({name: list(value) if isinstance(value, list) else [shown(value)]
                           for name, value in given.items()})


def told(ruleset: Ruleset, slug: str, given: dict, value: Any, figures: dict) -> str:
    """What a stored roll says, in the reader's language; the bare outcome if the system has lost the roll."""
    cls = ruleset.rolls.get(slug)
    try:
        return cls.model_validate(given).tell(Outcome(value, **figures)) if cls else str(value)
    except (ValidationError, KeyError):
        return str(value)


def fallen(ruleset: Ruleset, slug: str, given: dict, faces: list[int]) -> list[tuple[int, str]]:
    """(face, colour) of each die of a stored roll."""
    cls = ruleset.rolls.get(slug)
    try:
        colours = cls.model_validate(given).colours() if cls else ()
    except ValidationError:
        colours = ()
    return list(zip(faces, colours if len(colours) == len(faces) else [""] * len(faces), strict=True))


def chart(ruleset: Ruleset, slug: str, given: dict, value: Any) -> tuple[Bar, ...]:
    """The odds of a stored roll with what fell."""
    cls = ruleset.rolls.get(slug)
    try:
        return bars(cls.model_validate(given), value) if cls else ()
    except ValidationError:
        return ()
