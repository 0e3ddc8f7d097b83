"""The inputs of a part of a sheet, one for each field, and the reading of their answers.

An invalid text stays in its input (`typed`), and the field keeps its last valid value.
"""

from collections.abc import Callable, Container, Iterator, Mapping
from copy import deepcopy
from types import MappingProxyType
from typing import TypeAlias

from django.utils.translation import gettext as _
from pydantic import ValidationError

from rulesets.kit import Data, Part, Slot, join, parse_whole_number, shape_message, slots
from sheets.forms.inputs import Answers, Broken, Input, Row, bad_field, input_text, parsed
from sheets.forms.paths import field_at

MAX_FIELD_TEXT = 64 * 1024
"""The most characters of a field of a sheet, more than anybody types."""

MAX_INVALID_TEXTS = 4 * MAX_FIELD_TEXT
"""The most characters of all invalid texts of a draft."""

Bounds: TypeAlias = tuple[int | None, int | None]
"""(low, high); None without a limit."""


def tighter(one: Bounds, other: Bounds) -> Bounds:
    """Return the bounds that satisfy both."""
    lows, highs = zip(one, other, strict=True)
    return (max((n for n in lows if n is not None), default=None),
            min((n for n in highs if n is not None), default=None))


def has_own_inputs(slot: Slot, row: Data) -> bool:
    """Return True if a row has inputs of its own.

    A row of which only the quantity can change has its buttons in the catalogue instead.
    """
    counted, member = slot.ask.counted, slot.member(row.get(slot.tag or ""))
    return not counted or any(key != counted and len(one.choices) != 1 for key, one in slots(member).items())


def field_answers(answers: Answers) -> Answers:
    """Return the answers of fields, without the form's token, buttons and hidden fields."""
    return {name: texts for name, texts in answers.items()
            if not name.startswith("_") and name not in ("csrfmiddlewaretoken", "do")}


def read_answers(
    part: type[Part], data: dict, typed: Mapping[str, str], answers: Answers, *, lenient: bool = False,
) -> tuple[dict, dict[str, str], dict[str, Slot]]:
    """Apply the answers of a form; return the new data, the invalid texts, and {path: slot} of the fields that changed.

    Raise `BadRequest` for an unknown path, unless `lenient`.
    """
    data, typed, changed = deepcopy(data), dict(typed), {}
    for path, values in field_answers(answers).items():
        if (slot := field_at(part, data, path)) is None and lenient:
            continue
        if slot is None or not _has_input(slot) or len(values[-1]) > MAX_FIELD_TEXT or "\0" in values[-1]:
            raise bad_field(path)
        *steps, last = path.split(".")
        node = data
        for step in steps:
            node = node[int(step)] if isinstance(node, list) else node[step]
        if slot.kind != "choices" and values[-1] == input_text(node[last]) and path not in typed:
            continue
        try:
            was = node[last]
            node[last] = (slot.adapter.validate_python([v for v in values if v]) if slot.kind == "choices"
                          else parsed(slot, values[-1], input_text(was)))
            typed.pop(path, None)
            if node[last] != was:
                changed[path] = slot
        except (Broken, ValidationError):
            typed[path] = values[-1]
            if sum(map(len, typed.values())) > MAX_INVALID_TEXTS:
                raise bad_field(path) from None
    return data, typed, changed


def _has_input(slot: Slot) -> bool:
    """Return True if the field has an input of its own; a field with only one choice has none."""
    return slot.kind not in ("rows", "part", "other") and len(slot.choices) != 1


def input_fault(slot: Slot, text: str, bounds: Bounds = (None, None)) -> str:
    """Return why a typed text was refused, given the bounds that the rules set for a number.

    If the text itself is valid, the sheet would have become too large.
    """
    low, high = tighter((slot.low, slot.high), bounds)
    number = parse_whole_number(text) if slot.kind == "number" else None
    if number is not None and low is not None and number < low:
        return shape_message({"type": "greater_than_equal", "loc": (), "msg": "", "input": number, "ctx": {"ge": low}})
    if number is not None and high is not None and number > high:
        return shape_message({"type": "less_than_equal", "loc": (), "msg": "", "input": number, "ctx": {"le": high}})
    try:
        parsed(slot, text)
    except Broken as error:
        return str(error)
    return _("That would make the sheet too large for a document; shorten it.")


def inputs_of(
    part: type[Part], data: dict, typed: Mapping[str, str] = MappingProxyType({}), prefix: str = "",
    keys: Container[str] | None = None, bounds: Callable[[str], Bounds] = lambda _path: (None, None),
) -> Iterator[Input]:
    """Yield the inputs of a part in the order of its fields, or only those of the named fields.

    `bounds` returns the bounds that the rules set for a number at a path.
    """
    for key, slot in slots(part).items():
        if keys is not None and key not in keys:
            continue
        path = join(prefix, key)
        value = data[key]
        if slot.kind == "rows":
            rows = [Row(row_path := join(path, index), index,
                        list(inputs_of(slot.member(row.get(slot.tag)), row, typed, row_path, bounds=bounds)),
                        last=index == len(value) - 1)
                    for index, row in enumerate(value)]
            yield Input(slot, path, value, rows=rows)
        elif slot.kind == "part":
            inner = [] if value is None else list(inputs_of(slot.parts[0], value, typed, path, bounds=bounds))
            yield Input(slot, path, value, parts=[leaf for one in inner for leaf in _leaves(one)])
        elif len(slot.choices) != 1:
            text = typed.get(path, input_text(value))
            yield Input(slot, path, value, text, input_fault(slot, text, bounds(path)) if path in typed else "")


def _leaves(input_: Input) -> list[Input]:
    """Return an input in a list; for a part its inputs, each with the part's `Ask` as its group."""
    if input_.slot.kind != "part":
        return [input_]
    for leaf in input_.parts:
        leaf.group = input_.slot.ask
    return input_.parts
