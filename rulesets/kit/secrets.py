"""Secrets of a sheet's owner, hidden from everybody else, the GM included."""

from functools import cache
from typing import Any, TypeVar

from rulesets.kit.fields import Part, Slot, blank, slots


@cache
def secretive(part: type[Part]) -> bool:
    """Return whether a part has a secret field, at any depth."""
    return any(slot.ask.secret or any(secretive(inner) for inner in slot.parts) for slot in slots(part).values())


_Shape = TypeVar("_Shape", bound=Part)


def redacted(part: _Shape) -> _Shape:
    """Return a part without its secrets, as everybody but the owner sees it; the part itself if it has none.

    A secret field is blank; a secret list of texts keeps its length, with each text "".
    """
    if not secretive(type(part)):
        return part
    return part.model_copy(update={key: _redacted(type(part), slot, getattr(part, key))
                                   for key, slot in slots(type(part)).items()})


def _redacted(part: type[Part], slot: Slot, value: Any) -> Any:
    if slot.ask.secret:
        return [""] * len(value) if slot.kind == "lines" else slot.adapter.validate_python(blank(part)[slot.key])
    if slot.kind == "rows":
        return [redacted(row) for row in value]
    return redacted(value) if slot.kind == "part" and value is not None else value
