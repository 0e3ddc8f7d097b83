"""Fields: everything that a player, a party or a GM fills in, declared once with its title, bounds and choices.

Forms, the JSON Schema, the paths of errors and the generator all read the same `Slot`s.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin
from warnings import warn

from annotated_types import Ge, Le
from django.utils.functional import cached_property
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from rulesets.kit.asks import FORMER, Ask, Data
from rulesets.kit.words import Wording

HIGHEST = 999
"""The largest figure that a document, a roll or an act may carry."""

Count = Annotated[int, Field(ge=0, le=HIGHEST)]
Points = Count
Name = Annotated[str, Field(max_length=200)]
Text = Annotated[str, Field(max_length=4000)]
ROWS = 99
"""The largest number of rows in one list."""
Kind = Literal["number", "text", "lines", "check", "choice", "choices", "rows", "part", "figure", "other"]
"""The kinds of input for a field; a `figure` is a number or a text that stands for one."""
FROM_FORM = "typed"
"""The validation context of values entered in a form, where a field may accept some that a document may not contain."""


_WORDS = TypeAdapter(str)


class Misplaced(ValueError):
    """An error below the part that the validator checks; `place` is the path from that part."""

    def __init__(self, place: str, message: str):
        super().__init__(message)
        self.place = place


def field(title: Wording, default: Any = ..., **ask: Any) -> Any:
    """Return a pydantic field with an `Ask`, which takes the other keyword arguments."""
    return Field(default, json_schema_extra=_ask(title, ask))


def rows(title: Wording, default: Any = ..., **ask: Any) -> Any:
    """Return a pydantic field for a list of parts with at most `ROWS` rows."""
    if default is ...:
        return Field(max_length=ROWS, json_schema_extra=_ask(title, ask))
    return Field(default_factory=list, max_length=ROWS, json_schema_extra=_ask(title, ask))


def _ask(title: Wording, details: Data) -> Ask:
    """Return an `Ask` whose details may have former names."""
    for former in FORMER.keys() & details.keys():
        warn(f"{former} of a field is called {FORMER[former]}.", DeprecationWarning, stacklevel=3)
        details[FORMER[former]] = details.pop(former)
    return Ask(title, **details)


class Part(BaseModel):
    """Anything with fields: a sheet, a row of it, a roll's parameters, a state of play.

    Validation is strict and forbids extra keys.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False,
                              ignored_types=(cached_property,))


@dataclass(frozen=True, eq=False)
class Slot:
    """The description of one field of a part."""

    key: str
    ask: Ask
    kind: Kind
    annotation: Any
    default: Any
    """The default, or `...` if the field must be given."""
    nullable: bool
    low: int | None = None
    high: int | None = None
    choices: tuple[Any, ...] = ()
    parts: tuple[type[Part], ...] = ()
    """Row or part classes: one, or the members of a tagged union."""
    tag: str = ""
    """The discriminator field of a tagged union; "" if the slot is no such union."""

    @property
    def required(self) -> bool:
        """True if a document must give the field."""
        return self.default is ...

    @property
    def start(self) -> Any:
        """The initial value on a page: the field's `start`, else its default; `...` if it has neither."""
        return self.default if self.ask.start is None else self.ask.start

    @property
    def positional(self) -> bool:
        """True if its choices are 0, 1, 2 … with labels that differ from the numbers."""
        return bool(self.choices) and self.choices == tuple(range(len(self.choices))) and any(
            str(self.label(one)) != str(one) for one in self.choices)

    def label(self, value: Any) -> Any:
        """Return the label of one of the choices."""
        return (self.ask.choices or {}).get(value, value)

    @cached_property
    def adapter(self) -> TypeAdapter[Any]:
        """The adapter that validates a value of this field alone, as strictly as the whole part does."""
        return TypeAdapter(self.annotation, config=None if self.parts else ConfigDict(strict=True))

    def restricted_to(self, labels: Mapping[Any, Any]) -> "Slot":
        """Return the slot restricted to these values {value: label}, the usual one first."""
        default = self.default if self.required else next(iter(labels))
        return self._with(kind="choice", choices=tuple(labels), default=default,
                          ask=replace(self.ask, choices=labels))

    def with_words(self, labels: Mapping[str, Any]) -> "Slot":
        """Return the slot as a choice of words {word: label}, asked every time, that hides their values."""
        found = self._with(kind="choice", choices=tuple(labels), default=...,
                           ask=replace(self.ask, choices=labels, target_figure="", momentary=True))
        vars(found)["adapter"] = _WORDS
        return found

    def with_start_as_default(self) -> "Slot":
        """Return the slot with `start` as its default."""
        return self if self.start is self.default else self._with(default=self.start)

    def with_target_figure(self, figure: str) -> "Slot":
        """Return the slot asking for another figure of the target."""
        return self._with(ask=replace(self.ask, target_figure=figure))

    def _with(self, **changes: Any) -> "Slot":
        found = replace(self, **changes)
        # Validation is unchanged, and making a new adapter would be the slowest step.
        vars(found)["adapter"] = self.adapter
        return found

    def member(self, tag: str | None) -> type[Part]:
        """Return the part class of a row by its tag. Raise KeyError if there is none."""
        return self._members[tag] if self.tag else self.parts[0]

    @cached_property
    def _members(self) -> dict[str | None, type[Part]]:
        return {self.tag and tag_of(part, self.tag): part for part in self.parts}


@cache
def tag_of(part: type[Part], tag: str) -> str:
    """Return the only value of a union member's tag field."""
    return str(get_args(part.model_fields[tag].annotation)[0])


def _bare(annotation: Any) -> tuple[Any, list[Any], bool]:
    """Return (annotation without None and Annotated, collected metadata, whether None is allowed)."""
    metadata: list[Any] = []
    nullable = False
    while True:
        origin = get_origin(annotation)
        if origin is Annotated:
            annotation, *more = get_args(annotation)
            metadata += more
        elif origin in (Union, UnionType) and NoneType in get_args(annotation):
            nullable = True
            rest = tuple(a for a in get_args(annotation) if a is not NoneType)
            annotation = Union[rest]  # noqa: UP007 - built at run time
        else:
            return annotation, metadata, nullable


def _members(annotation: Any) -> tuple[tuple[type[Part], ...], str]:
    annotation, metadata, _ = _bare(annotation)
    found = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    tag = next((m.discriminator for m in metadata if getattr(m, "discriminator", None)), "")
    return tuple(m for m in found if isinstance(m, type) and issubclass(m, Part)), tag


def _slot(key: str, info: FieldInfo) -> Slot:
    annotation, metadata, nullable = _bare(info.annotation)
    for meta in list(metadata):
        metadata += getattr(meta, "metadata", [])
    metadata += info.metadata
    common: dict[str, Any] = {
        "key": key,
        "ask": info.json_schema_extra if isinstance(info.json_schema_extra, Ask) else Ask(key),
        "annotation": info.rebuild_annotation(),
        "default": ... if info.is_required() else info.get_default(call_default_factory=True),
        "nullable": nullable,
    }
    if common["default"] is PydanticUndefined:
        common["default"] = ...
    if get_origin(annotation) is list:
        return _list(get_args(annotation)[0], common)
    if get_origin(annotation) is Literal:
        return Slot(kind="choice", choices=get_args(annotation), **common)
    if annotation is bool:
        return Slot(kind="check", **common)
    if annotation is int:
        low = [m.ge for m in metadata if isinstance(m, Ge) and isinstance(m.ge, int)]
        high = [m.le for m in metadata if isinstance(m, Le) and isinstance(m.le, int)]
        return Slot(kind="number", low=low[0] if low else None, high=high[0] if high else None, **common)
    if annotation is str:
        return Slot(kind="text", **common)
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return Slot(kind="part", parts=(annotation,), **common)
    return Slot(kind="figure" if annotation == int | str else "other", **common)


def _list(item: Any, common: dict[str, Any]) -> Slot:
    """Return the slot of a list: of parts, choices or lines; a list of anything else is of kind "other"."""
    parts, tag = _members(item)
    bare = _bare(item)[0]
    if not parts and get_origin(bare) is Literal:
        return Slot(kind="choices", choices=get_args(bare), **common)
    return Slot(kind="rows" if parts else "lines" if bare is str else "other", parts=parts, tag=tag, **common)


@cache
def slots(part: type[Part]) -> dict[str, Slot]:
    """Return the fields of a part by key: its own in declared order, then inherited ones."""
    own = sorted(part.model_fields, key=lambda key: key not in part.__annotations__)
    return {key: _slot(key, part.model_fields[key]) for key in own}


@cache
def target_figures_of(part: type[Part]) -> dict[str, str]:
    """Return {field: figure key} for the fields that ask for a figure of the target."""
    return {key: slot.ask.target_figure for key, slot in slots(part).items() if slot.ask.target_figure}


def title_at(part: Part, where: str) -> str:
    """Return the label of the row, or the title of the field, at a path of a part; the path if nothing is there."""
    found: Any = part
    title: Wording = where
    for step in where.split("."):
        if isinstance(found, list):
            if not step.isdecimal() or int(step) >= len(found):
                return where
            found = found[int(step)]
        elif isinstance(found, Part) and step in (known := slots(type(found))):
            title, found = known[step].ask.title, getattr(found, step)
        else:
            return where
    return str(getattr(found, "label", "") or title)


def path(loc: tuple[int | str, ...], part: type[Part] | None = None) -> str:
    """Return a pydantic `loc` as a document path ("abilities.0.dice"), without the union tags that pydantic inserts."""
    steps: list[str] = []
    here: Slot | type[Part] | None = part
    for step in loc:
        if isinstance(here, Slot) and isinstance(step, str):
            here = here.member(step)
            continue
        steps.append(str(step))
        if isinstance(here, Slot):
            here = here if here.tag else here.parts[0]
        else:
            slot = slots(here).get(str(step)) if here else None
            here = slot if slot and slot.kind == "rows" else slot.parts[0] if slot and slot.parts else None
    return ".".join(steps)


def blank(part: type[Part], **given: Any) -> Data:
    """Return the data of an empty part: defaults, the lowest number, no rows, "" for a text; `given` overrides them."""
    data: Data = {}
    for key, slot in slots(part).items():
        if key in given:
            data[key] = given[key]
        elif not slot.required:
            data[key] = _plain(slot.default)
        elif slot.nullable:
            data[key] = None
        elif slot.kind == "part":
            data[key] = blank(slot.parts[0])
        elif slot.kind == "number":
            data[key] = max(slot.low or 0, slot.ask.least or 0)
        elif slot.kind == "choice":
            data[key] = slot.choices[0]
        else:
            data[key] = {"text": "", "check": False, "figure": 0}.get(slot.kind, [])
    return data


def _plain(value: Any) -> Any:
    """Return a default value as JSON data."""
    if isinstance(value, Part):
        return value.model_dump()
    return [_plain(v) for v in value] if isinstance(value, list) else value
