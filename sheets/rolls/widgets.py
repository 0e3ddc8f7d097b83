"""Widgets: partly filled rolls and acts with their inputs, exact odds as a chart, and what fell."""

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
"""The kinds of things that can be offered."""
AGAINST = "against."
"""The prefix of names that are asked once for all rolls."""
RESERVED = frozenset({"w", "do", "fell", "less", "more", "csrfmiddlewaretoken"})
"""The names in the form of a press that no field of a roll or an act has; nor does any begin with an underscore."""


class _ReckoningRequest(HttpRequest):
    """A request with its budget for reckoning."""

    work: list[int]


def reckoning(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[_ReckoningRequest], HttpResponse]:
    """Middleware: all that a request reckons is paid from one budget, `request.work`."""
    def within(request: _ReckoningRequest) -> HttpResponse:
        with compute_limit() as request.work:
            return get_response(request)

    return within


def key_of(offer: Offer) -> str:
    """Return the name of an offer among those of a sheet: "roll-attack-attacks-0"."""
    kind = next(kind for kind, shape in KINDS.items() if issubclass(offer.cls, shape))
    return "-".join(filter(None, (kind, offer.cls.slug, offer.key.replace(".", "-"))))


def pressed_as(offer: Offer) -> str:
    """Return the name that a press of an offer posts: its key and, if it is about a row, the row's mark."""
    return f"{key_of(offer)}~{offer.row.mark}" if offer.row else key_of(offer)


def lasting_name(offer: Offer) -> str:
    """Return a name for an offer about a row that lasts wherever that stands by now; "" for any other."""
    at = place_of(offer.key)
    if offer.row is None or at is None:
        return ""
    key, begins, ends = _around(offer, at)
    return f"{key[:begins]}{key[ends:]}~{identity(offer.row.mark)}"


class Widget:
    """An offer with what was answered so far; answers that are no values keep their text and message.

    The inputs are named like the fields, after `prefix`. An unanswered one holds what was `given` before; if nothing
    was, that is not shown as an error.
    """

    def __init__(self, offer: Offer, answers: Answers | None = None, prefix: str = "",
                 given: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.offer, self.key, self.row = offer, key_of(offer), lasting_name(offer)
        self.inputs = [answered_input(slot, prefix + key, answers or {}, given.get(key, ...))
                       for key, slot in offer.asks.items()]
        self.root: Event | None = None
        """The roll that it follows from, if it is pressed as something that follows from one."""
        self.over = False
        """True if it follows from that roll and was made already."""
        self.made: Any = None
        """The roll or act with all it asks, or None while an answer makes no sense."""
        self.fault = ""
        """The reason why answers that make sense one by one make none together, "" if they do."""
        if not any(one.fault for one in self.inputs):
            try:
                self.made = offer.take(**self.values)
            except ValidationError as error:
                self.fault = "" if answers is None and not given else shape_message(error.errors()[0])

    @property
    def values(self) -> dict[str, Any]:
        """{key: value} of the answers that make sense."""
        return {key: one.value for key, one in zip(self.offer.asks, self.inputs, strict=True) if not one.fault}

    @cached_property
    def asked(self) -> tuple[Any, ...]:
        """All that its form shows, for those who have drawn it before."""
        offer = self.offer
        return (offer.cls, self.which, str(offer.title), str(offer.note), repr(offer.among), self.fault,
                repr(offer.filled), repr(offer.worded), offer.veiled, offer.reach, *(
            (one.path, one.text, repr(one.value), one.fault, repr(one.addends), one.slot.ask.target)
            for one in self.inputs))

    @property
    def which(self) -> str:
        """The name that a press of it posts: its key and, if it is about a row, the row's mark."""
        return pressed_as(self.offer)

    @cached_property
    def title(self) -> str:
        """The short title, where it is only named."""
        return short(self.offer.title)

    @property
    def slug(self) -> str:
        """The roll or act itself; templates would call the class."""
        return self.offer.cls.slug

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that apply to it."""
        return self.offer.cls.rules

    @property
    def filled(self) -> list[tuple[str, str]]:
        """The filled answers as a form would post them."""
        return [(name, input_text(value)) for name, value in self.offer.filled.items()]

    @property
    def aims(self) -> list[Input]:
        """The inputs about the other side."""
        return [one for one in self.inputs if one.slot.ask.target]

    @property
    def unaimed(self) -> list[Input]:
        """The inputs about the one who presses it."""
        return [one for one in self.inputs if not one.slot.ask.target]

    @property
    def foremost(self) -> list[Input]:
        """The figures without which there is nothing to roll."""
        return [one for one in self.inputs if _foremost(one)]

    @property
    def further(self) -> list[Input]:
        """The other inputs about the one who presses it."""
        return [one for one in self.unaimed if not _foremost(one)]

    @cached_property
    def promise(self) -> tuple[str, str]:
        """The roll's odds in a few words, the first of them apart; ("", "") for an act."""
        return promise(self.made) if isinstance(self.made, Roll) and not self.offer.veiled else ("", "")

    @property
    def head(self) -> int | None:
        """The number on the small die at the head of its row; None while an answer makes no sense."""
        return self.made.head() if isinstance(self.made, Roll) else None

    @cached_property
    def bars(self) -> tuple[OddsBar, ...]:
        """The chart of a roll's odds as answered; none for an act."""
        return odds_bars(self.made) if isinstance(self.made, Roll) and not self.offer.veiled else ()

    @cached_property
    def pool(self) -> tuple[str, ...]:
        """The colours of the dice that a roll as answered takes, none where all are alike."""
        return self.made.colours() if isinstance(self.made, Roll) else ()

    @cached_property
    def beside(self) -> tuple[Any, str] | None:
        """The name of the roll's second reading and its total chance; None if there is none."""
        return second_reading(self.made) if self.bars else None

    @property
    def unreckoned(self) -> str:
        """The reason why a roll that makes sense has no chart, "" if it has one."""
        if self.bars or not isinstance(self.made, Roll):
            return ""
        if self.offer.veiled:
            return _("What the other side has against it is the GM's to know.")
        return _("These odds take too long to be reckoned beside the others: press “Show odds”, or lower {figure}."
                 ).format(figure=heaviest(self.made)[1])

    @property
    def is_act(self) -> bool:
        """True if it is pressed rather than rolled."""
        return not issubclass(self.offer.cls, Roll)

    @property
    def sides(self) -> int:
        """The sides of a roll's dice."""
        return getattr(self.offer.cls, "sides", 6)

    @property
    def mean(self) -> Any:
        """The mean outcome of a roll as answered, None if outcomes are words."""
        return self.made.odds().mean if isinstance(self.made, Roll) else None


def _foremost(one: Input) -> bool:
    return one.slot.kind == "number" and one.slot.required and not one.slot.ask.target


def heaviest(roll: Roll) -> tuple[str, str]:
    """Return (name, title) of the figure that makes a roll's odds slow to reckon, which is the largest."""
    def largest(key: str) -> int:
        # What a roll holds is checked: no text of it is longer than its field.
        return max(map(int, re.findall(r"\d{1,9}", str(getattr(roll, key)))), default=0)

    key = max(slots(type(roll)), key=largest, default="")
    return (key, str(slots(type(roll))[key].ask.title)) if key else ("", "")


def widgets(offers: Iterable[Offer], answers: Answers | None = None, which: str = "",
            before: Mapping[str, Mapping[str, Any]] = MappingProxyType({}), *,
            against: Answers = MappingProxyType({})) -> list[Widget]:
    """Return a widget for each offer; the answers belong to the one named `which`, others have those given `before`.

    The figures of the other side are those in `against` for all of them.
    """
    found = [Widget(offer, aimed(offer, {**against, **(answers or {})})) if which and key_of(offer) == which else
             _as_before(offer, before.get(key_of(offer), {}), against) for offer in offers]
    # The odds that are asked for come first, whatever the others then have left of the budget.
    if asked := next((one for one in found if which and one.key == which), None):
        asked.bars  # noqa: B018 - kept from here on
    return found


def found_again(offers: Iterable[Offer], which: str, mark: str) -> str:
    """Return the name of the offer that is about the row of this mark, as `which` was; "" if that row is gone.

    Of rows that are alike the one that stands where it stood counts in play, where figures change, and of the sheet's
    first the one that is the same as a whole.
    """
    same = []
    for one in offers:
        if one.row and one.row.is_meant(mark) and _stands_like(one, which):
            if one.row.mark == mark and key_of(one) == which:
                # Nothing further down is more alike, and to ask for it takes a while.
                return which
            same.append(one)
    moved, other = (lambda one: key_of(one) != which), (lambda one: one.row.mark != mark)
    first, then = (moved, other) if mark.startswith("p") else (other, moved)
    found = min(same, key=lambda one: (first(one), then(one)), default=None)
    return key_of(found) if found else ""


def _stands_like(offer: Offer, which: str) -> bool:
    """Return True if a name differs from an offer's only in the place of its row."""
    if (at := place_of(offer.key)) is None:
        return False
    own, begins, ends = _around(offer, at)
    return which[:begins] == own[:begins] and which[begins:].lstrip(digits) == own[ends:]


def _around(offer: Offer, at: tuple[str, int]) -> tuple[str, int, int]:
    """Return the name of an offer, and the range of its letters that state the place of its row."""
    own, (name, index) = key_of(offer), at
    begins = len(own) - len(offer.key) + len(name) + 1
    return own, begins, begins + len(str(index))


def chosen(offers: Iterable[Offer], answers: Answers, which: str) -> Widget | None:
    """Return the widget that the answers belong to, if it is offered."""
    return next((Widget(offer, aimed(offer, answers)) for offer in offers if key_of(offer) == which), None)


def aimed(offer: Offer, answers: Answers) -> Answers:
    """Return the answers of one form, with the figures of the other side that were given for all."""
    return {**answers, **{key: answers[AGAINST + target] for key, target in offer.targets.items()
                          if AGAINST + target in answers}}


def lasting(offer: Offer, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return those answers to an offer's questions that are kept for its next roll, too."""
    return {key: value for key, value in given.items() if key not in offer.asks or not offer.asks[key].ask.momentary}


def _as_before(offer: Offer, before: Mapping[str, Any], against: Answers) -> Widget:
    """Return the widget as it was given for its last roll, unless that is no longer possible."""
    aims = aimed(offer, against) if against else {}
    own = {key: texts for key, texts in aims.items() if key in offer.asks}
    for given in (lasting(offer, before), {}):
        if (given or own) and (widget := Widget(offer, own, given=given)).made:
            return widget
    return Widget(offer)
