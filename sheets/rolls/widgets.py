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
from sheets.rolls.odds_chart import OddsBar, odds_bars, promise, second_reading

KINDS = {"roll": Roll, "act": Act, "side": Contest}
"""{prefix of its key: class} of everything that can be offered."""
AGAINST = "against."
"""The prefix of inputs that are asked once for all rolls."""
RESERVED = frozenset({"w", "do", "fell", "less", "more", "csrfmiddlewaretoken"})
"""The names in the form of a press that no field of a roll or an act may have, like those with an underscore first."""


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


def pressed_as(offer: Offer) -> str:
    """Return the value that a press of an offer posts: its key and, if it has a row, the row's mark."""
    return f"{key_of(offer)}~{offer.row.mark}" if offer.row else key_of(offer)


def lasting_name(offer: Offer) -> str:
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
        self.offer, self.key, self.row = offer, key_of(offer), lasting_name(offer)
        self.inputs = [answered_input(slot, prefix + key, answers or {}, given.get(key, ...))
                       for key, slot in offer.asks.items()]
        self.root: Event | None = None
        """The event of the roll that it follows from, if it was pressed as a followup."""
        self.over = False
        """True if it is a followup that was made already."""
        self.made: Any = None
        """The complete roll or act; None while an answer is invalid."""
        self.fault = ""
        """The reason why answers that are valid on their own are invalid together, "" if they are valid."""
        if not any(one.fault for one in self.inputs):
            try:
                self.made = offer.take(**self.values)
            except ValidationError as error:
                self.fault = "" if answers is None and not given else shape_message(error.errors()[0])

    @property
    def values(self) -> dict[str, Any]:
        """{field: value} of the valid answers."""
        return {key: one.value for key, one in zip(self.offer.asks, self.inputs, strict=True) if not one.fault}

    @cached_property
    def asked(self) -> tuple[Any, ...]:
        """Everything that its form shows, to find out if it has to be drawn again."""
        offer = self.offer
        return (offer.cls, self.which, str(offer.title), str(offer.note), repr(offer.among), self.fault,
                repr(offer.filled), repr(offer.worded), offer.veiled, offer.reach, *(
            (one.path, one.text, repr(one.value), one.fault, repr(one.addends), one.slot.ask.target_figure)
            for one in self.inputs))

    @property
    def which(self) -> str:
        """The value that a press of it posts."""
        return pressed_as(self.offer)

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
    def aims(self) -> list[Input]:
        """The inputs about the target."""
        return [one for one in self.inputs if one.slot.ask.target_figure]

    @property
    def unaimed(self) -> list[Input]:
        """The inputs that are not about the target."""
        return [one for one in self.inputs if not one.slot.ask.target_figure]

    @property
    def foremost(self) -> list[Input]:
        """The required numbers that are not about the target."""
        return [one for one in self.inputs if _foremost(one)]

    @property
    def further(self) -> list[Input]:
        """The other inputs that are not about the target."""
        return [one for one in self.unaimed if not _foremost(one)]

    @cached_property
    def promise(self) -> tuple[str, str]:
        """The roll's odds in a few words, as (first part, rest); empty texts for an act."""
        return promise(self.made) if isinstance(self.made, Roll) and not self.offer.veiled else ("", "")

    @property
    def head(self) -> int | None:
        """The number on the small die at the head of its row; None if an answer is invalid."""
        return self.made.head() if isinstance(self.made, Roll) else None

    @cached_property
    def bars(self) -> tuple[OddsBar, ...]:
        """The chart of the roll's odds; empty for an act."""
        return odds_bars(self.made) if isinstance(self.made, Roll) and not self.offer.veiled else ()

    @cached_property
    def pool(self) -> tuple[str, ...]:
        """The colours of the roll's dice; empty if all are alike."""
        return self.made.colours() if isinstance(self.made, Roll) else ()

    @cached_property
    def beside(self) -> tuple[Any, str] | None:
        """(name, total chance) of the roll's second reading; None if it has none."""
        return second_reading(self.made) if self.bars else None

    @property
    def unreckoned(self) -> str:
        """The reason why a valid roll has no chart, "" if it has one."""
        if self.bars or not isinstance(self.made, Roll):
            return ""
        if self.offer.veiled:
            return _("Only the GM knows the other side's values.")
        return _("These odds take too long to calculate along with the others: press “Show odds”, or lower {figure}."
                 ).format(figure=heaviest(self.made)[1])

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
        return self.made.odds().mean if isinstance(self.made, Roll) else None


def _foremost(one: Input) -> bool:
    return one.slot.kind == "number" and one.slot.required and not one.slot.ask.target_figure


def heaviest(roll: Roll) -> tuple[str, str]:
    """Return (name, title) of the figure that makes a roll's odds slow to compute, which is the largest."""
    def largest(key: str) -> int:
        # What a roll holds is checked: no text of it is longer than its field.
        return max(map(int, re.findall(r"\d{1,9}", str(getattr(roll, key)))), default=0)

    key = max(slots(type(roll)), key=largest, default="")
    return (key, str(slots(type(roll))[key].ask.title)) if key else ("", "")


def widgets(offers: Iterable[Offer], answers: Answers | None = None, which: str = "",
            before: Mapping[str, Mapping[str, Any]] = MappingProxyType({}), *,
            against: Answers = MappingProxyType({})) -> list[Widget]:
    """Return a widget for each offer.

    The answers belong to the one named `which`; the others are prefilled from `before`, {key: {field: value}}. All
    of them get the figures of the target in `against`.
    """
    found = [Widget(offer, with_target_answers(offer, {**against, **(answers or {})}))
             if which and key_of(offer) == which else _widget_as_before(offer, before.get(key_of(offer), {}), against)
             for offer in offers]
    # Compute the odds of this one first, so that the limit of work suffices for them.
    if asked := next((one for one in found if which and one.key == which), None):
        asked.bars  # noqa: B018 - a cached property
    return found


def find_row_again(offers: Iterable[Offer], which: str, mark: str) -> str:
    """Return the key of the offer for the row with this mark, of the same kind as `which`; "" if the row is gone.

    Among rows with the same identity, those in play are chosen by their position, as their figures change, and those
    on the sheet by their content.
    """
    same = []
    for one in offers:
        if one.row and one.row.is_meant(mark) and _differs_in_row_only(one, which):
            if one.row.mark == mark and key_of(one) == which:
                # Nothing further down is more alike, and to ask for it takes a while.
                return which
            same.append(one)
    moved, other = (lambda one: key_of(one) != which), (lambda one: one.row.mark != mark)
    first, then = (moved, other) if mark.startswith("p") else (other, moved)
    found = min(same, key=lambda one: (first(one), then(one)), default=None)
    return key_of(found) if found else ""


def _differs_in_row_only(offer: Offer, which: str) -> bool:
    """Return True if a name differs from an offer's key only in the index of the row."""
    if (at := place_of(offer.key)) is None:
        return False
    own, begins, ends = _row_index_span(offer, at)
    return which[:begins] == own[:begins] and which[begins:].lstrip(digits) == own[ends:]


def _row_index_span(offer: Offer, at: tuple[str, int]) -> tuple[str, int, int]:
    """Return the key of an offer, and the range of its characters that are the index of the row."""
    own, (name, index) = key_of(offer), at
    begins = len(own) - len(offer.key) + len(name) + 1
    return own, begins, begins + len(str(index))


def answered_widget(offers: Iterable[Offer], answers: Answers, which: str) -> Widget | None:
    """Return the widget that the answers belong to; None if it is not offered."""
    return next((Widget(offer, with_target_answers(offer, answers)) for offer in offers
                 if key_of(offer) == which), None)


def with_target_answers(offer: Offer, answers: Answers) -> Answers:
    """Return the answers of a form, with the figures of the target that were given for all rolls."""
    return {**answers, **{key: answers[AGAINST + target] for key, target in offer.target_figures.items()
                          if AGAINST + target in answers}}


def reusable_answers(offer: Offer, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers that are prefilled in the next roll, too."""
    return {key: value for key, value in given.items() if key not in offer.asks or not offer.asks[key].ask.momentary}


def _widget_as_before(offer: Offer, before: Mapping[str, Any], against: Answers) -> Widget:
    """Return the widget with the answers of its last roll, or without them if they are no longer valid."""
    aims = with_target_answers(offer, against) if against else {}
    own = {key: texts for key, texts in aims.items() if key in offer.asks}
    for given in (reusable_answers(offer, before), {}):
        if (given or own) and (widget := Widget(offer, own, given=given)).made:
            return widget
    return Widget(offer)
