"""Cleaning of imported documents: names and other single-line texts are cleaned, and each change is reported."""

from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from rulesets.kit import Data, Name, Part, join, slots
from rulesets.names import one_line

Cleaned = tuple[str, str, str]
"""(place of a text, the text as written, the text as stored)."""
LABEL = TypeAdapter(Name)
"""The adapter that validates a name."""
_Shape = TypeVar("_Shape", bound=Part)


def clean_part(part: _Shape, place: str, changes: list[Cleaned]) -> _Shape:
    """Return a part with its single-line texts cleaned; unchanged if its shape does not accept the result."""
    before = len(changes)
    data = _clean_data(type(part), part.model_dump(), place, changes)
    try:
        return type(part).model_validate(data) if len(changes) > before else part
    except ValidationError:
        del changes[before:]
        return part


def _clean_data(shape: type[Part], data: Data, place: str, changes: list[Cleaned]) -> Data:
    found = dict(data)
    for key, slot in slots(shape).items():
        value, here = data.get(key), join(place, key)
        if not value:
            continue
        if slot.kind == "rows":
            found[key] = [_clean_data(slot.member(row.get(slot.tag)), row, join(here, index), changes)
                          for index, row in enumerate(value)]
        elif slot.kind == "part":
            found[key] = _clean_data(slot.parts[0], value, here, changes)
        elif slot.kind == "text" and not slot.ask.long:
            found[key] = clean_line(value, slot.adapter, here, changes)
        elif slot.kind == "lines":
            found[key] = [clean_line(one, LABEL, join(here, index), changes) for index, one in enumerate(value)]
    return found


def clean_line(text: str, adapter: TypeAdapter[Any], place: str, changes: list[Cleaned]) -> str:
    """Return a text as one line, cut to its former length if NFC made it too long for its field."""
    line = one_line(text)
    try:
        adapter.validate_python(line)
    except ValidationError:
        line = one_line(text, len(text))
    if line != text:
        changes.append((place, text, line))
    return line
