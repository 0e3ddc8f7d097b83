"""Offers, partly filled: rolls and acts, each under a title, with its rules and its place."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from django.utils.functional import cached_property

from rulesets import dice
from rulesets.kit.fields import Part, Slot, slots, targets_of
from rulesets.kit.row_marks import Row, row_at
from rulesets.kit.secrets import secretive
from rulesets.kit.words import Wording

Filled = Mapping[str, Any]
"""Fields that are filled in, {field: value}."""
Labels = Mapping[Any, Wording]
"""Values to choose from, {value: label}."""
Itself = Literal["", "always", "in turn"]
"""When an act happens by itself: never, always, or in one's own turn where turns are counted."""


@dataclass(frozen=True)
class Offer:
    """A Roll or an Act that is partly filled: it asks only what is still missing."""

    cls: "type[Offered]"
    title: Wording
    filled: Filled = field(default_factory=dict)
    key: str = ""
    note: Wording = ""
    among: Mapping[str, Labels] = field(default_factory=dict)
    """Values to choose from for fields that are still open, {field: {value: label}}, the usual one first."""
    then: Mapping[str, Filled | None] = field(default_factory=dict)
    """The known parameters of the rolls that may follow: {slug of the roll: {parameter: value}}; None: it may not."""
    rare: bool = False
    """True if it is seldom wanted, and so stands apart from the others."""
    leads: "Leads | None" = None
    """The acts that put an outcome of this roll into effect; a roll of the same kind that follows leads there too."""
    onward: "Mapping[str, Leads]" = field(default_factory=dict)
    """The same for the rolls that may follow, {slug of the roll: what answers the acts}."""
    group: Wording = ""
    """The heading under which it stands among others, in the order in which the headings come first."""
    aims: Mapping[str, str] = field(default_factory=dict)
    """{field: target} where a field asks for another figure of the other side here than it says of itself."""
    met: Mapping[str, Any] = field(default_factory=dict)
    """The figures among `filled` that are those of whoever it is aimed at, {field: figure}."""
    reach: int = 0
    """The number of fields that it reaches, drawn beside its name; 0 where nothing is told in fields."""
    veiled: bool = False
    """True if these are not for whoever presses it, and so neither is what it promises."""
    row: Row | None = None
    """The row that it is about, if it is about one."""
    alone: bool = False
    """True if an outcome leads to it only where nobody was aimed at; else it comes by itself."""
    worded: Mapping[str, Mapping[str, tuple[Wording, Any]]] = field(default_factory=dict)
    """Fields whose values are not told, {field: {word: (label, what it stands for)}}: one chooses a word.

    What has no label is understood, but not offered, and what is not understood is the first one.
    """
    itself: Itself = ""
    """When an outcome that leads to this act does it at once, by itself; it can be taken back like any other."""
    about: str = ""
    """The key of the sheet that it is done to wherever one aims, offered while that is at the table; "" for no such."""
    meets: "Callable[[Offer], Offer] | None" = field(default=None, compare=False)
    """A function that returns a following roll as it meets whom this one is aimed at; None where that is nobody."""

    @cached_property
    def asks(self) -> dict[str, Slot]:
        """The fields that are still open."""
        return {key: self._asked(slot) for key, slot in slots(self.cls).items() if key not in self.filled}

    @cached_property
    def targets(self) -> dict[str, str]:
        """The figures of the other side among these: {field: target}."""
        found = {key: self.aims.get(key) or slot.ask.target for key, slot in slots(self.cls).items()} if self.aims \
            else targets_of(self.cls)
        return {key: target for key, target in found.items()
                if target and key not in self.filled and key not in self.worded}

    def _asked(self, slot: Slot) -> Slot:
        among, target = self.among.get(slot.key), self.aims.get(slot.key)
        slot = slot.among(among) if among else slot
        if words := self.worded.get(slot.key):
            return slot.worded({word: label for word, (label, _value) in words.items() if label})
        return slot.aimed(target) if target else slot

    def meeting(self, figures: Mapping[str, Any], *, veiled: bool = False) -> "Offer":
        """The same offer with what it asks of the other side, as far as it is among these figures {target: figure}."""
        met = {key: figures[target] for key, target in self.targets.items() if target in figures}
        return replace(self, filled={**self.filled, **met}, met=met, veiled=veiled) if met else self

    def at_row(self, play: Part, *places: Part) -> "Offer":
        """The same offer with the row that its key leads to, in the first of these places that has it."""
        found = row_at(self.key, play, *places)
        return replace(self, row=found) if found else self

    def take(self, **answers: Any) -> Any:
        """The roll or act with its answers (pydantic's ValidationError if they make no sense)."""
        stands = {key: words.get(answers[key], next(iter(words.values())))[1]
                  for key, words in self.worded.items() if key in answers}
        return self.cls.model_validate({**answers, **stands, **self.filled})


class Offered(Part):
    """A roll or an act that sheets and systems offer, partly filled, under a title and with its rules."""

    slug: ClassVar[str]
    title: ClassVar[Wording]
    rules: ClassVar[tuple[str, ...]] = ()
    group: ClassVar[Wording] = ""
    """The heading under which its offers stand where they name none."""
    with_fallen: ClassVar[bool] = False
    """True if it stands only with what fell, in the tray, and not among the acts."""
    secret: ClassVar[bool] = False
    """True if, done at a sheet, what falls and what an act was offered as are for the owner alone."""

    @classmethod
    def hides(cls) -> bool:
        """Return whether others are told its own title alone: it is secret, or a field of it is."""
        return cls.secret or secretive(cls)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if "slug" not in vars(cls):
            name = re.sub(r"(Roll|Act)$", "", cls.__name__)
            cls.slug = re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()

    @classmethod
    def asking(cls, title: Wording = "", key: str = "", note: Wording = "",
               among: Mapping[str, Labels] = MappingProxyType({}), *,
               then: Mapping[str, Filled | None] = MappingProxyType({}), rare: bool = False,
               leads: "Leads | None" = None, onward: "Mapping[str, Leads]" = MappingProxyType({}), group: Wording = "",
               aims: Mapping[str, str] = MappingProxyType({}), reach: int = 0, alone: bool = False,
               itself: Itself = "", about: str = "", **filled: Any) -> Offer:
        """This roll or act with some fields filled, and for some only certain values to choose from.

        `then` are the parameters that are known of the rolls that may follow; what is `rare` stands apart; `leads`
        offers the acts that put an outcome into effect, `onward` those of the rolls that may follow; `group` is the
        heading it stands under;
        `aims` are the figures of the other side {field: target} that it asks for, where a field says another one;
        `reach` is how many fields away it is done; what is `alone` follows only where nobody was aimed at; an act that
        happens `itself` is done by the outcome that leads to it; what is `about` a sheet, by its key, is done to it.
        """
        return Offer(cls, title or cls.title, filled, key, note, among, then, rare, leads, onward, group or cls.group,
                     aims, reach=reach, alone=alone, itself=itself, about=about)


Leads = Callable[[Any, dice.Outcome], Iterator[Offer]]
"""A function that yields the acts that put an outcome of a roll into effect."""
