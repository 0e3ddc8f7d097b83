"""The four shapes that carry a system: Sheet, Roll, Play, Act; and the House whose rules they read.

Fields ask, methods answer: a system is classes with fields and methods, everything else reads them.
"""

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Self, TypeVar

from django.utils.translation import gettext_lazy as _
from pydantic import Field, PrivateAttr

from rulesets import dice
from rulesets.kit.faces import Face
from rulesets.kit.fields import Ask, Data, Part, Slot, slots
from rulesets.kit.findings import Finding
from rulesets.kit.ledger import Gauge, Ledger
from rulesets.kit.marks import Derived, Passage
from rulesets.kit.secrets import secretive
from rulesets.kit.spoken import Spoken
from rulesets.kit.words import Wording

Filled = Mapping[str, Any]
"""Fields that are filled in, {field: value}."""
Labels = Mapping[Any, Wording]
"""Values to choose from, {value: label}."""
_House = TypeVar("_House", bound="House")


class House(Part):
    """House rules of a party; the defaults are the book."""

    policy: dict[str, Literal["block", "ask", "warn"]] = Field(
        default_factory=dict, json_schema_extra=Ask(_("Policy per rule"))
    )

    @classmethod
    def figures(cls) -> Iterator[tuple[str, Wording, int, int]]:
        """(path, heading, title, what the book says) of each figure that stands in a list or a table of a field."""
        for key, slot in slots(cls).items():
            for index, value in enumerate(slot.default if isinstance(slot.default, list) else ()):
                yield f"{key}.{index}", slot.ask.title, index + 1, value


class Sheet(Spoken):
    """What the player writes. Rules, derived values and widgets are methods."""

    _house: House | None = PrivateAttr(None)

    def under(self, house: House) -> Self:
        """The sheet as it is played under house rules, for the acts and widgets that hang on them."""
        played = self.model_copy()
        played._house = house  # noqa: SLF001 - a copy of our own
        return played

    def house_or(self, book: type[_House]) -> _House:
        """The house rules that the sheet is played under, the book's where none were named."""
        return self._house if isinstance(self._house, book) else book()

    @classmethod
    @cache
    def derivations(cls) -> dict[str, Derived]:
        """The derived values by key, in the order they are written."""
        marked = (value.derived for base in reversed(cls.__mro__) for value in vars(base).values()
                  if hasattr(value, "derived"))
        return {one.key: one for one in marked}

    def derive(self, house: House, name: str = "") -> dict[str, Any]:
        """All derived values as JSON data; `name` is the document's."""
        return {key: one.method(self, house, *((name,) if one.copy else ())) for key, one in self.derivations().items()}

    @classmethod
    def from_text(cls, text: str) -> list[Passage]:
        """The sheets that a text holds in a form of the system's own; none where the text has nothing of that form."""
        return []

    def to_text(self, name: str, house: House) -> str:
        """The sheet in that form, "" where the system has none; `from_text` reads it back equal."""
        return ""

    def about(self, name: str, house: House) -> Iterator[Finding]:
        """What the rules say of the document's name; each finding states its rule."""
        return iter(())

    @classmethod
    def sample(cls, rng: Random, house: House) -> Data | None:
        """Data of a random legal sheet, where a system has no budget whose spending would make one; else None."""
        return None

    def ledger(self, house: House) -> Ledger | None:
        """What was bought with what, or None where the system has no budget."""
        return None

    def hints(self, house: House) -> Iterator[tuple[str, Wording]]:
        """(path, text): what a field or row does now, and what one more would do."""
        return iter(())

    def widgets(self, play: "Play") -> Iterator["Offer"]:
        """The rolls of this sheet, each partly filled."""
        return iter(())


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
    then: Mapping[str, Filled] = field(default_factory=dict)
    """What is known already for the rolls that may follow: {slug of the roll: {parameter: value}}."""
    rare: bool = False
    """Whether it is seldom wanted, and so stands apart from the others."""
    leads: "Leads | None" = None
    """The acts that put an outcome of this roll into effect; a roll of the same kind that follows leads there too."""

    @property
    def asks(self) -> dict[str, Slot]:
        """The fields that are still open."""
        return {key: slot.among(self.among[key]) if self.among.get(key) else slot
                for key, slot in slots(self.cls).items() if key not in self.filled}

    def take(self, **answers: Any) -> Any:
        """The roll or act with its answers (pydantic's ValidationError if they make no sense)."""
        return self.cls.model_validate({**answers, **self.filled})


class Offered(Part):
    """What sheets and systems offer, partly filled, under a title and by rules."""

    slug: ClassVar[str]
    title: ClassVar[Wording]
    rules: ClassVar[tuple[str, ...]] = ()
    secret: ClassVar[bool] = False
    """Whether, done at a sheet, what falls and what an act was offered as are the owner's alone."""

    @classmethod
    def hides(cls) -> bool:
        """Whether others are told its own title alone: it is secret, or a field of it is."""
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
               then: Mapping[str, Filled] = MappingProxyType({}), rare: bool = False, leads: "Leads | None" = None,
               **filled: Any) -> Offer:
        """This roll or act with some fields filled, and for some only certain values to choose from.

        `then` are the parameters that are known of the rolls that may follow; what is `rare` stands apart; `leads`
        offers the acts that put an outcome into effect.
        """
        return Offer(cls, title or cls.title, filled, key, note, among, then, rare, leads)


class Roll(Offered):
    """A mechanic: its fields are exactly the parameters that commands and API take. Sees no sheet, writes nothing."""

    outcomes: ClassVar[Labels] = {}
    """Outcomes that are words, in their order, with their labels; all others are numbers."""
    unit: ClassVar[Wording] = "{n}"
    """What people read of a number: "{n} damage"."""
    sides: ClassVar[int] = 6
    """Sides of its dice, for those who draw them."""
    beside: ClassVar[tuple[str, Any, Wording] | None] = None
    """A second reading of the same throw: (figure of the outcome, the value that is counted, what that is called)."""

    def throw(self, tray: dice.Tray) -> dice.Outcome:
        """The one place where the rule of the dice stands."""
        raise NotImplementedError

    def count(self) -> Mapping[Any, int | Fraction] | None:
        """An own exact count {outcome: weight}, where pools outgrow the replay; else None."""
        return None

    def odds(self) -> dice.Odds:
        """Exact odds of every outcome."""
        return dice.Odds.counted(self.count() or dice.replayed(self.throw), tuple(self.outcomes))

    def colours(self) -> tuple[str, ...]:
        """The colour of each die as it falls ("white" or "black"), none where all are alike."""
        return ()

    def own(self, fallen: int) -> Container[int]:
        """Which of the dice that fell are one's own, by place from 0: a repeat throws only those again."""
        return range(fallen)

    def both(self) -> Mapping[dice.Value, Fraction]:
        """The exact chance of each outcome together with the second reading that `beside` names."""
        if self.beside is None:
            return {}
        key, counted, _title = self.beside
        weights = dice.replayed(self.throw, lambda outcome: (outcome.value, outcome.figures[key] == counted))
        whole = sum(weights.values())
        return {value: Fraction(weight, whole) for (value, holds), weight in weights.items() if holds}

    def label(self, value: dice.Value) -> str:
        """One outcome in words."""
        return str(self.outcomes[value]) if value in self.outcomes else str(self.unit.format(n=value))

    def tell(self, outcome: dice.Outcome) -> str:
        """What fell, in one short sentence."""
        return self.label(outcome.value)

    def follow(self, outcome: dice.Outcome) -> Iterator[Offer]:
        """The rolls that this outcome leads on to."""
        return iter(())


Leads = Callable[[Any, dice.Outcome], Iterator[Offer]]
"""What answers the acts that put an outcome of a roll into effect."""


class Play(Spoken):
    """What changes at the table."""

    def gauges(self, sheet: Sheet) -> Iterator[Gauge]:
        """What is used up and set back: life, points."""
        return iter(())

    def spread(self, sheet: Sheet) -> Iterator[tuple[Wording, list[Face]]]:
        """(title, cards) of what lies on the table or is held, where one plays with cards."""
        return iter(())

    def effective(self, sheet: Sheet) -> Sheet:
        """The sheet as boosted and hurt as it is now."""
        return sheet

    def notices(self, sheet: Sheet) -> Iterator[Finding]:
        """What the state of play means for the turn at hand, each with its rule."""
        return iter(())


@dataclass(frozen=True)
class Lasting:
    """What an act answers that changes the character for good: new play and new sheet data (a new revision)."""

    play: Play
    data: Data


class Refused(ValueError):
    """An act that the state of play does not allow; the message says why and what would."""


class Act(Offered):
    """A change at the table: its fields are what it asks."""

    repeats: ClassVar[bool] = False
    """Whether the act repeats the last roll: what came of it is taken back, one's own dice are thrown once more, and
    the act that it was rolled for is applied anew. Then `apply` says what the repeat itself costs."""

    @classmethod
    def offered(cls, sheet: Sheet, play: Play) -> Iterator[Offer]:
        """The forms in which this act makes sense now; none where it does not."""
        return iter(())

    def roll(self, sheet: Sheet, play: Play) -> Roll | None:
        """The roll whose outcome the act wants, or None."""
        return None

    def apply(self, sheet: Sheet, play: Play, outcome: dice.Outcome | None = None) -> Play | Lasting:
        """The state after the act (`Refused` where the state does not allow it)."""
        raise NotImplementedError

    def tell(self, sheet: Sheet, play: Play) -> str:
        """A line for the log; `play` is the state after the act."""
        return str(self.title)

    def tell_others(self, sheet: Sheet, play: Play) -> str:
        """The line as all but the owner read it; the act and `play` are `opened`, so that it cannot name a secret."""
        return self.tell(sheet, play)
