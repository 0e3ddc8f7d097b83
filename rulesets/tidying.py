"""Documents from elsewhere as they are stored: their names and other texts of one line cleaned, each change told."""

from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from rulesets.kit import Data, Name, Part, join, slots
from rulesets.names import one_line

Cleaned = tuple[str, str, str]
"""(the place of a text, the text as somebody wrote it, and as it is stored)."""
LABEL = TypeAdapter(Name)
"""Checks a name."""
_Shape = TypeVar("_Shape", bound=Part)


def tidied(part: _Shape, place: str, told: list[Cleaned]) -> _Shape:
    """Return a part with its texts of one line cleaned; what no field takes then stays."""
    before = len(told)
    data = _tidy(type(part), part.model_dump(), place, told)
    try:
        return type(part).model_validate(data) if len(told) > before else part
    except ValidationError:
        del told[before:]
        return part


def _tidy(shape: type[Part], data: Data, place: str, told: list[Cleaned]) -> Data:
    found = dict(data)
    for key, slot in slots(shape).items():
        value, here = data.get(key), join(place, key)
        if not value:
            continue
        if slot.kind == "rows":
            found[key] = [_tidy(slot.member(row.get(slot.tag)), row, join(here, index), told)
                          for index, row in enumerate(value)]
        elif slot.kind == "part":
            found[key] = _tidy(slot.parts[0], value, here, told)
        elif slot.kind == "text" and not slot.ask.long:
            found[key] = line_of(value, slot.adapter, here, told)
        elif slot.kind == "lines":
            found[key] = [line_of(one, LABEL, join(here, index), told) for index, one in enumerate(value)]
    return found


def line_of(text: str, adapter: TypeAdapter[Any], place: str, told: list[Cleaned]) -> str:
    """Return a text as one line, cut where it became longer than its field takes (some signs are two in NFC)."""
    line = one_line(text)
    try:
        adapter.validate_python(line)
    except ValidationError:
        line = one_line(text, len(text))
    if line != text:
        told.append((place, text, line))
    return line
