"""Parts that describe themselves: label, price, effect, card and rules."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, ClassVar, Protocol

from rulesets.kit.faces import Face
from rulesets.kit.fields import Part, slots
from rulesets.kit.findings import Finding
from rulesets.kit.former_names import accept_former_names, rename_former
from rulesets.kit.own import OwnHouse
from rulesets.kit.party_entries import EntryFields
from rulesets.kit.words import Wording

FORMER = {"told": "fields_in_text", "idle": "hidden_fields", "pieces": "unit_prices"}
"""{former name in a CheckedPart: name}; a system may use the former ones for one more release, with a warning."""


class RuleMethod(Protocol):
    """A method of a part that is marked with `@rule`."""

    rules: tuple[str, ...]

    def __call__(self, part: Any, house: OwnHouse) -> Iterable[Finding]: ...


class CheckedPart(Part):
    """A part whose class may have rules of its own; the sheet's check finds them at any depth."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        rename_former(cls, FORMER)

    @property
    def label(self) -> Wording:
        """The name of a row where it is listed."""
        return ""

    @property
    def die(self) -> str:
        """The colour of the die that belongs to it, "white" or "black"; "" if there is none."""
        return ""

    fields_in_text: ClassVar[frozenset[str]] = frozenset()
    """The fields that the text of `what` already mentions."""
    party_entry: ClassVar[EntryFields | None] = None
    """The fields that an entry of a party's catalogue consists of; None if a party cannot enter such rows."""

    def price(self, house: OwnHouse) -> int | None:
        """Return the cost of a row; None if nothing is paid for it."""
        return None

    def unit_prices(self, house: OwnHouse) -> Mapping[str, int]:
        """Return {field: cost of raising it by one}."""
        return {key: slot.ask.price for key, slot in slots(type(self)).items() if slot.ask.price is not None}

    @property
    def worth(self) -> Wording:
        """The words for what a row costs or gives if it is not paid for with points."""
        return ""

    def what(self) -> Wording:
        """Return one sentence about what a row does with its figures."""
        return ""

    def face(self) -> Face | None:
        """Return the card that shows the row; None if rows are not cards."""
        return None

    def limits(self, house: OwnHouse) -> Mapping[str, tuple[int | None, int | None]]:
        """Return {field: (least, most)} for numbers limited by the rules or the house rules."""
        return {}

    def helps(self, house: OwnHouse) -> Mapping[str, Wording]:
        """Return {field: help text} for fields whose help depends on the house rules."""
        return {}

    def hidden_fields(self) -> frozenset[str]:
        """Return the fields that have no meaning for this row, which are neither asked for nor shown at the table."""
        return frozenset()

    @classmethod
    @cache
    def marked_rules(cls) -> tuple[RuleMethod, ...]:
        """Return the methods marked with `@rule`, in the order of the source."""
        marked = {name: getattr(cls, name) for base in reversed(cls.__mro__) for name in vars(base)
                  if hasattr(vars(base)[name], "rules")}
        return tuple(marked.values())

    @classmethod
    @cache
    def nested(cls) -> tuple[tuple[str, bool], ...]:
        """Return (key, is a list) of each field that holds parts."""
        return tuple((key, slot.kind == "rows") for key, slot in slots(cls).items()
                     if slot.kind in ("rows", "part") and issubclass(slot.parts[0], CheckedPart))


accept_former_names(CheckedPart, FORMER)


@cache
def _nested(shape: type["CheckedPart"]) -> tuple[tuple[str, bool, bool], ...]:
    """Return (key, is a list, its parts have nested parts) of each field that holds parts."""
    return tuple((key, many, any(map(_nested, slots(shape)[key].parts))) for key, many in shape.nested())


def stated(part: "CheckedPart") -> int:
    """Return the number of fields that were set explicitly in a part and in all parts below it."""
    count = len(part.__pydantic_fields_set__)
    for key, many, deep in _nested(type(part)):
        value = getattr(part, key)
        if many:
            count += sum(map(stated, value)) if deep else sum([len(row.__pydantic_fields_set__) for row in value])
        elif value is not None:
            count += stated(value)
    return count


class Entry(CheckedPart):
    """An entry of a catalogue: one of several kinds of rows that a list can hold (a tagged union)."""

    title: ClassVar[Wording]
    text: ClassVar[Wording]
    """The text in the catalogue about what it does."""
    id: ClassVar[str]
    """The id of the rule that describes it."""
    own: ClassVar[bool] = False
    """True for the kind under which players enter what the catalogue does not have."""

    @property
    def label(self) -> Wording:
        """The title in the catalogue."""
        return self.title
