"""Widgets: offered rolls and acts with their inputs, their odds and their charts."""

import re
from collections.abc import Callable, Iterable, Mapping
from string import digits
from types import MappingProxyType
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.kit import Act, Contest, Offer, Roll, shape_message, short, slots
from rulesets.kit.row_marks import identity, place_of
from rulesets.work import compute_limit
from sheets.forms.inputs import Answers, Input, answered_input, input_text
from sheets.models import Event
from sheets.rolls.odds_chart import OddsBar, odds_bars, odds_summary, second_reading

KINDS = {"roll": Roll, "act": Act, "side": Contest}
"""{prefix of its key: class} of everything that can be offered."""
TARGET_PREFIX = "against."
"""The prefix of inputs that are asked only once, for all rolls."""
RESERVED = frozenset({"w", "do", "fell", "less", "more", "csrfmiddlewaretoken"})
"""Names in a press's form that no field of a roll or an act may have, as are names that begin with an underscore."""


class _LimitedRequest(HttpRequest):
    """A request with its limit of work."""

    work: list[int]


def limit_work(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[_LimitedRequest], HttpResponse]:
    """Middleware that limits the work of computing odds for each request, in `request.work`."""
    def within(request: _LimitedRequest) -> HttpResponse:
        with compute_limit() as request.work:
            return get_response(request)

    return within


def key_of(offer: Offer) -> str:
    """Return the key of an offer, which is unique on a sheet, such as "roll-attack-attacks-0"."""
    kind = next(kind for kind, shape in KINDS.items() if issubclass(offer.cls, shape))
    return "-".join(filter(None, (kind, offer.cls.slug, offer.key.replace(".", "-"))))


def press_value_of(offer: Offer) -> str:
    """Return the value that a press of an offer posts: its key and, if it has a row, the row's mark."""
    return f"{key_of(offer)}~{offer.row.mark}" if offer.row else key_of(offer)


def row_name(offer: Offer) -> str:
    """Return a name for an offer with a row that stays the same if the row moves; "" for any other."""
    at = place_of(offer.key)
    if offer.row is None or at is None:
        return ""
    key, begins, ends = _row_index_span(offer, at)
    return f"{key[:begins]}{key[ends:]}~{identity(offer.row.mark)}"


class Widget:
    """An offer with the answers so far; invalid answers keep their text and get a message.

    The inputs are named like the fields, after `prefix`. An unanswered one is prefilled with its `given` value, or
    left empty without an error.
    """

    def __init__(self, offer: Offer, answers: Answers | None = None, prefix: str = "",
                 given: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.offer, self.key, self.row_name = offer, key_of(offer), row_name(offer)
        self.inputs = [answered_input(slot, prefix + key, answers or {}, given.get(key, ...))
                       for key, slot in offer.asks.items()]
        self.root: Event | None = None
        """The event of the roll that it follows from, if it was pressed as a followup."""
        self.already_made = False
        """True if it is a followup that was made already."""
        self.complete: Any = None
        """The complete roll or act; None while an answer is invalid."""
        self.fault = ""
        """The reason why answers that are valid on their own are invalid together, "" if they are valid."""
        if not any(one.fault for one in self.inputs):
            try:
                self.complete = offer.take(**self.values)
            except ValidationError as error:
                self.fault = "" if answers is None and not given else shape_message(error.errors()[0])

    @property
    def values(self) -> dict[str, Any]:
        """{field: value} of the valid answers."""
        return {key: one.value for key, one in zip(self.offer.asks, self.inputs, strict=True) if not one.fault}

    @cached_property
    def fingerprint(self) -> tuple[Any, ...]:
        """Everything that its form shows, to find out if it has to be drawn again."""
        offer = self.offer
        return (offer.cls, self.press_value, str(offer.title), str(offer.note), repr(offer.among), self.fault,
                repr(offer.filled), repr(offer.worded), offer.veiled, offer.reach, *(
            (one.path, one.text, repr(one.value), one.fault, repr(one.addends), one.slot.ask.target_figure)
            for one in self.inputs))

    @property
    def press_value(self) -> str:
        """The value that a press of it posts."""
        return press_value_of(self.offer)

    @cached_property
    def title(self) -> str:
        """The short title, for places that only name it."""
        return short(self.offer.title)

    @property
    def slug(self) -> str:
        """The slug of the roll or act, as templates would call the class."""
        return self.offer.cls.slug

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of its rules."""
        return self.offer.cls.rules

    @property
    def filled(self) -> list[tuple[str, str]]:
        """(name, text) of the filled fields, as a form would post them."""
        return [(name, input_text(value)) for name, value in self.offer.filled.items()]

    @property
    def target_inputs(self) -> list[Input]:
        """The inputs about the target."""
        return [one for one in self.inputs if one.slot.ask.target_figure]

    @property
    def other_inputs(self) -> list[Input]:
        """The inputs that are not about the target."""
        return [one for one in self.inputs if not one.slot.ask.target_figure]

    @property
    def required_numbers(self) -> list[Input]:
        """The required numbers that are not about the target."""
        return [one for one in self.inputs if _is_required_number(one)]

    @property
    def remaining_inputs(self) -> list[Input]:
        """The other inputs that are not about the target."""
        return [one for one in self.other_inputs if not _is_required_number(one)]

    @cached_property
    def odds_summary(self) -> tuple[str, str]:
        """The roll's odds in a few words, as (first part, rest); empty texts for an act."""
        return odds_summary(self.complete) if isinstance(self.complete, Roll) and not self.offer.veiled else ("", "")

    @property
    def head(self) -> int | None:
        """The number on the small die at the head of its row; None if an answer is invalid."""
        return self.complete.head() if isinstance(self.complete, Roll) else None

    @cached_property
    def bars(self) -> tuple[OddsBar, ...]:
        """The chart of the roll's odds; empty for an act."""
        return odds_bars(self.complete) if isinstance(self.complete, Roll) and not self.offer.veiled else ()

    @cached_property
    def die_colours(self) -> tuple[str, ...]:
        """The colours of the roll's dice; empty if all are alike."""
        return self.complete.colours() if isinstance(self.complete, Roll) else ()

    @cached_property
    def second_reading_total(self) -> tuple[Any, str] | None:
        """(name, total chance) of the roll's second reading; None if it has none."""
        return second_reading(self.complete) if self.bars else None

    @property
    def no_chart_reason(self) -> str:
        """The reason why a valid roll has no chart, "" if it has one."""
        if self.bars or not isinstance(self.complete, Roll):
            return ""
        if self.offer.veiled:
            return _("Only the GM knows the other side's values.")
        return _("These odds take too long to calculate along with the others: press “Show odds”, or lower {figure}."
                 ).format(figure=largest_figure(self.complete)[1])

    @property
    def is_act(self) -> bool:
        """True if it is not a roll."""
        return not issubclass(self.offer.cls, Roll)

    @property
    def sides(self) -> int:
        """The number of sides of the roll's dice."""
        return getattr(self.offer.cls, "sides", 6)

    @property
    def mean(self) -> Any:
        """The mean outcome of the roll; None if outcomes are words."""
        return self.complete.odds().mean if isinstance(self.complete, Roll) else None


def _is_required_number(one: Input) -> bool:
    return one.slot.kind == "number" and one.slot.required and not one.slot.ask.target_figure


def largest_figure(roll: Roll) -> tuple[str, str]:
    """Return (name, title) of the figure that makes a roll's odds slow to compute, which is the largest."""
    def largest(key: str) -> int:
        # The values are validated, so the text searched is short.
        return max(map(int, re.findall(r"\d{1,9}", str(getattr(roll, key)))), default=0)

    key = max(slots(type(roll)), key=largest, default="")
    return (key, str(slots(type(roll))[key].ask.title)) if key else ("", "")


def widgets(offers: Iterable[Offer], answers: Answers | None = None, widget_key: str = "",
            prefill: Mapping[str, Mapping[str, Any]] = MappingProxyType({}), *,
            target_answers: Answers = MappingProxyType({})) -> list[Widget]:
    """Return a widget for each offer.

    The answers belong to the one named `widget_key`; the others are prefilled from `prefill`,
    {key: {field: value}}. All of them get the figures of the target in `target_answers`.
    """
    found = [Widget(offer, with_target_answers(offer, {**target_answers, **(answers or {})}))
             if widget_key and key_of(offer) == widget_key
             else _prefilled_widget(offer, prefill.get(key_of(offer), {}), target_answers)
             for offer in offers]
    # Compute the odds of this one first, so that they stay within the limit of work.
    if answered := next((one for one in found if widget_key and one.key == widget_key), None):
        answered.bars  # noqa: B018 - a cached property
    return found


def find_row_again(offers: Iterable[Offer], widget_key: str, mark: str) -> str:
    """Return the key of the offer for the row with this mark, of the same kind as `widget_key`; "" if the row is gone.

    Among rows with the same identity, those in play are chosen by their position, as their figures change, and those
    on the sheet by their content.
    """
    same = []
    for one in offers:
        if one.row and one.row.is_meant(mark) and _differs_in_row_only(one, widget_key):
            if one.row.mark == mark and key_of(one) == widget_key:
                # No later offer can match better, and computing marks is slow.
                return widget_key
            same.append(one)
    moved, other = (lambda one: key_of(one) != widget_key), (lambda one: one.row.mark != mark)
    first, then = (moved, other) if mark.startswith("p") else (other, moved)
    found = min(same, key=lambda one: (first(one), then(one)), default=None)
    return key_of(found) if found else ""


def _differs_in_row_only(offer: Offer, widget_key: str) -> bool:
    """Return True if a name differs from an offer's key only in the index of the row."""
    if (at := place_of(offer.key)) is None:
        return False
    own, begins, ends = _row_index_span(offer, at)
    return widget_key[:begins] == own[:begins] and widget_key[begins:].lstrip(digits) == own[ends:]


def _row_index_span(offer: Offer, at: tuple[str, int]) -> tuple[str, int, int]:
    """Return the key of an offer, and the range of its characters that are the index of the row."""
    own, (name, index) = key_of(offer), at
    begins = len(own) - len(offer.key) + len(name) + 1
    return own, begins, begins + len(str(index))


def answered_widget(offers: Iterable[Offer], answers: Answers, widget_key: str) -> Widget | None:
    """Return the widget that the answers belong to; None if it is not offered."""
    return next((Widget(offer, with_target_answers(offer, answers)) for offer in offers
                 if key_of(offer) == widget_key), None)


def with_target_answers(offer: Offer, answers: Answers) -> Answers:
    """Return the answers of a form, with the figures of the target that were given for all rolls."""
    return {**answers, **{key: answers[TARGET_PREFIX + target] for key, target in offer.target_figures.items()
                          if TARGET_PREFIX + target in answers}}


def reusable_answers(offer: Offer, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers that are prefilled in the next roll, too."""
    return {key: value for key, value in given.items() if key not in offer.asks or not offer.asks[key].ask.momentary}


def _prefilled_widget(offer: Offer, parameters: Mapping[str, Any], target_answers: Answers) -> Widget:
    """Return the widget with the answers of its last roll, or without them if they are no longer valid."""
    own_texts = with_target_answers(offer, target_answers) if target_answers else {}
    own = {key: texts for key, texts in own_texts.items() if key in offer.asks}
    for given in (reusable_answers(offer, parameters), {}):
        if (given or own) and (widget := Widget(offer, own, given=given)).complete:
            return widget
    return Widget(offer)
