"""Parts that describe themselves: label, price, effect, card and rules."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, ClassVar, Protocol

from rulesets.kit.faces import Face
from rulesets.kit.fields import Part, slots
from rulesets.kit.findings import Finding
from rulesets.kit.own import OwnHouse
from rulesets.kit.words import Wording


class RuleMethod(Protocol):
    """A method marked with `@rule`, asked of a part of its class."""

    rules: tuple[str, ...]

    def __call__(self, part: Any, house: OwnHouse) -> Iterable[Finding]: ...


class Spoken(Part):
    """A part whose class may have rules of its own; the sheet's check finds them at any depth."""

    @property
    def label(self) -> Wording:
        """The name of a row where it is listed."""
        return ""

    @property
    def die(self) -> str:
        """The colour of the die that belongs to it ("white" or "black"), "" if none does."""
        return ""

    told: ClassVar[frozenset[str]] = frozenset()
    """Fields that the text of `what` already covers."""

    def price(self, house: OwnHouse) -> int | None:
        """Return the cost of a row; None where nothing is paid."""
        return None

    def pieces(self, house: OwnHouse) -> Mapping[str, int]:
        """Return {field: cost of raising it by one}."""
        return {key: slot.ask.price for key, slot in slots(type(self)).items() if slot.ask.price is not None}

    @property
    def worth(self) -> Wording:
        """The words for what a row costs or gives, where no points are paid for it."""
        return ""

    def what(self) -> Wording:
        """Return one sentence about what a row does with its figures."""
        return ""

    def face(self) -> Face | None:
        """The row as a card, where rows are cards."""
        return None

    def limits(self, house: OwnHouse) -> Mapping[str, tuple[int | None, int | None]]:
        """{field: (least, most)} of the numbers that the rules bound, and the party's."""
        return {}

    def helps(self, house: OwnHouse) -> Mapping[str, Wording]:
        """{field: what its help says} where that follows from the house rules; else it is the field's own."""
        return {}

    def idle(self) -> frozenset[str]:
        """Fields that mean nothing for this row and need not be asked, or be shown at the table."""
        return frozenset()

    @classmethod
    @cache
    def spoken_rules(cls) -> tuple[RuleMethod, ...]:
        """The methods marked with `@rule`, in the order they are written."""
        marked = {name: getattr(cls, name) for base in reversed(cls.__mro__) for name in vars(base)
                  if hasattr(vars(base)[name], "rules")}
        return tuple(marked.values())

    @classmethod
    @cache
    def nested(cls) -> tuple[tuple[str, bool], ...]:
        """Return (key, is a list) of each field that holds parts."""
        return tuple((key, slot.kind == "rows") for key, slot in slots(cls).items()
                     if slot.kind in ("rows", "part") and issubclass(slot.parts[0], Spoken))


@cache
def _nested(shape: type["Spoken"]) -> tuple[tuple[str, bool, bool], ...]:
    """(key, whether a list, whether the parts hold parts in turn) of the fields that hold parts."""
    return tuple((key, many, any(map(_nested, slots(shape)[key].parts))) for key, many in shape.nested())


def stated(part: "Spoken") -> int:
    """Return how many fields a part and those below it were given, defaults aside."""
    count = len(part.__pydantic_fields_set__)
    for key, many, deep in _nested(type(part)):
        value = getattr(part, key)
        if many:
            count += sum(map(stated, value)) if deep else sum([len(row.__pydantic_fields_set__) for row in value])
        elif value is not None:
            count += stated(value)
    return count


class Entry(Spoken):
    """An entry of a catalogue: a row of one kind, in a list of which kinds are chosen from (a tagged union)."""

    title: ClassVar[Wording]
    text: ClassVar[Wording]
    """The text in the catalogue: what it does."""
    id: ClassVar[str]
    """The rule that it is told in."""
    own: ClassVar[bool] = False
    """True if it is the one under which players enter what the catalogue lacks."""

    @property
    def label(self) -> Wording:
        """The title in the catalogue."""
        return self.title
