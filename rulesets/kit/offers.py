"""Offers: partly filled rolls and acts, each with a title, its rules and its place on the page."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar, Literal
from warnings import warn

from django.utils.functional import cached_property

from rulesets import dice
from rulesets.kit.fields import Part, Slot, slots, target_figures_of
from rulesets.kit.former_names import accept_former_arguments, accept_former_names, rename_former
from rulesets.kit.row_marks import Row, row_at
from rulesets.kit.secrets import secretive
from rulesets.kit.words import Wording

FORMER = {"asking": "offer"}
"""{former name in an Offered: name}; a system may use the former one for one more release, with a warning."""
Filled = Mapping[str, Any]
"""Fields that are filled in, {field: value}."""
Labels = Mapping[Any, Wording]
"""Values to choose from, {value: label}."""
Automatic = Literal["", "always", "in turn"]
"""The times when an act happens automatically: never, always, or only in the actor's turn if turns are counted."""


@accept_former_arguments({"alone": "without_target", "meeting": "with_target_figures"})
@dataclass(frozen=True)
class Offer:
    """A partly filled Roll or Act, which asks only for the fields that are still open."""

    cls: "type[Offered]"
    title: Wording
    filled: Filled = field(default_factory=dict)
    key: str = ""
    note: Wording = ""
    among: Mapping[str, Labels] = field(default_factory=dict)
    """Values to choose from for fields that are still open, {field: {value: label}}, the usual one first."""
    then: Mapping[str, Filled | None] = field(default_factory=dict)
    """The known parameters of the rolls that may follow, {slug: {parameter: value}}; None if a roll may not follow."""
    rare: bool = False
    """True if it is seldom wanted and therefore shown apart from the others."""
    leads: "Leads | None" = None
    """A function that yields the acts that put an outcome of this roll into effect; it also applies to a following roll
    of the same kind."""
    onward: "Mapping[str, Leads]" = field(default_factory=dict)
    """The same for rolls that may follow, {slug of the roll: function that yields the acts}."""
    group: Wording = ""
    """The heading under which it is listed; headings are ordered by their first offer."""
    aims: Mapping[str, str] = field(default_factory=dict)
    """{field: figure key} where a field asks for another figure of the target than its own `Ask` states."""
    from_target: Mapping[str, Any] = field(default_factory=dict)
    """The figures among `filled` that come from the target, {field: figure}."""
    reach: int = 0
    """Its range in squares, drawn beside its name; 0 where the system has none."""
    veiled: bool = False
    """True if the user must not see the figures in `from_target`, and therefore not the odds either."""
    row: Row | None = None
    """The row that it concerns, None if there is none."""
    without_target: bool = False
    """True if it follows only from a roll without a target and, in a party, only if the roll does not hit the actor."""
    worded: Mapping[str, Mapping[str, tuple[Wording, Any]]] = field(default_factory=dict)
    """Fields with hidden values, {field: {word: (label, value)}}, for which the user chooses a word.

    A word without a label is accepted but not offered; an unknown word counts as the first one.
    """
    automatic: Automatic = ""
    """The times when an outcome that leads to this act also does it; it can be taken back like any other act."""
    about: str = ""
    """The key of the sheet that it is always done to, whatever the target, while that sheet is at the table; "" for
    none."""
    own_target: bool = False
    """True if the actor chooses its target afresh, instead of keeping the target of the roll that it follows.

    It stays possible until the end of the turn in which that roll was made."""
    branch: str = ""
    """The branch of the outcome it belongs to, "" for none; once a roll of one branch is made, the others are not
    offered."""
    fill_from_target: "Callable[[Offer], Offer] | None" = field(default=None, compare=False)
    """A function that fills a following roll with the figures of this roll's target; None without a target."""

    @cached_property
    def asks(self) -> dict[str, Slot]:
        """The fields that are still open."""
        return {key: self._asked(slot) for key, slot in slots(self.cls).items() if key not in self.filled}

    @cached_property
    def target_figures(self) -> dict[str, str]:
        """{field: figure key} of the open fields that ask for a figure of the target."""
        found = target_figures_of(self.cls)
        if self.aims:
            found = {key: self.aims.get(key) or found.get(key, "") for key in slots(self.cls)}
        return {key: figure for key, figure in found.items()
                if figure and key not in self.filled and key not in self.worded}

    def _asked(self, slot: Slot) -> Slot:
        among, figure = self.among.get(slot.key), self.aims.get(slot.key)
        slot = slot.restricted_to(among) if among else slot
        if words := self.worded.get(slot.key):
            return slot.with_words({word: label for word, (label, _value) in words.items() if label})
        return slot.with_target_figure(figure) if figure else slot

    def with_target_figures(self, figures: Mapping[str, Any], *, veiled: bool = False) -> "Offer":
        """Return the offer filled with those figures of the target {figure key: figure} that it asks for."""
        found = {key: figures[name] for key, name in self.target_figures.items() if name in figures}
        return replace(self, filled={**self.filled, **found}, from_target=found, veiled=veiled) if found else self

    def at_row(self, play: Part, *places: Part) -> "Offer":
        """Return the offer with the row that its key refers to, in the first of these parts that has it."""
        found = row_at(self.key, play, *places)
        return replace(self, row=found) if found else self

    def take(self, **answers: Any) -> Any:
        """Return the roll or act with these answers. Raise pydantic's ValidationError if they are invalid."""
        stands = {key: words.get(answers[key], next(iter(words.values())))[1]
                  for key, words in self.worded.items() if key in answers}
        return self.cls.model_validate({**answers, **stands, **self.filled})


class Offered(Part):
    """A roll or an act that sheets and systems offer, partly filled, under a title and with its rules."""

    slug: ClassVar[str]
    title: ClassVar[Wording]
    rules: ClassVar[tuple[str, ...]] = ()
    group: ClassVar[Wording] = ""
    """The heading for its offers that name none."""
    beside_dice_only: ClassVar[bool] = False
    """True if it is shown only in the tray beside the dice, not among the acts."""
    secret: ClassVar[bool] = False
    """True if, done at a sheet, only its owner sees the dice and the title under which it was offered."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        rename_former(cls, FORMER)

    @classmethod
    def hides(cls) -> bool:
        """Return whether others see only its class's title, because it or one of its fields is secret."""
        return cls.secret or secretive(cls)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if "slug" not in vars(cls):
            name = re.sub(r"(Roll|Act)$", "", cls.__name__)
            cls.slug = re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()

    @classmethod
    def offer(cls, title: Wording = "", key: str = "", note: Wording = "",
              among: Mapping[str, Labels] = MappingProxyType({}), *,
              then: Mapping[str, Filled | None] = MappingProxyType({}), rare: bool = False,
              leads: "Leads | None" = None, onward: "Mapping[str, Leads]" = MappingProxyType({}), group: Wording = "",
              aims: Mapping[str, str] = MappingProxyType({}), reach: int = 0, without_target: bool = False,
              automatic: Automatic = "", about: str = "", own_target: bool = False,
              branch: str = "", **filled: Any) -> Offer:
        """Return an offer of this roll or act with some fields filled in, and restricted choices for others.

        By default it has the title and the heading of the class; the other arguments are the fields of `Offer`.
        """
        # For one more release.
        if "itself" in filled:
            warn("itself of an offer is called automatic.", DeprecationWarning, stacklevel=2)
            automatic = filled.pop("itself")
        if "alone" in filled:
            warn("alone of an offer is called without_target.", DeprecationWarning, stacklevel=2)
            without_target = filled.pop("alone")
        return Offer(cls, title or cls.title, filled, key, note, among, then, rare, leads, onward, group or cls.group,
                     aims, reach=reach, without_target=without_target, automatic=automatic, about=about,
                     own_target=own_target, branch=branch)


accept_former_names(Offered, FORMER)
Leads = Callable[[Any, dice.Outcome], Iterator[Offer]]
"""A function (roll, outcome) that yields the acts that put the outcome into effect."""
