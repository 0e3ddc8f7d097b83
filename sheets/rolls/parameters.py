"""Parameters of rolls given as texts, for commands and the API."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from rulesets.kit import Roll, Slot, parse_whole_number, path, shape_message, slots


class BadParameters(ValueError):
    """Raised for unknown or invalid parameters: `errors` as (name, message); `known_text` lists the known ones."""

    def __init__(self, errors: list[tuple[str, str]], known_text: str) -> None:
        super().__init__("; ".join(f"{name}: {message}" for name, message in errors))
        self.errors, self.known_text = errors, known_text


def roll_from_texts(roll: type[Roll], given: Mapping[str, str]) -> Roll:
    """Return the roll with these parameters. Raise BadParameters if they are unknown or invalid."""
    known = slots(roll)
    try:
        return roll.model_validate({key: _value(known.get(key), text) for key, text in given.items()})
    except ValidationError as error:
        errors = [(path(one["loc"], roll) or roll.slug, shape_message(one)) for one in error.errors()]
        known_text = ""
        if any(one["type"] == "extra_forbidden" for one in error.errors()):
            known_text = _("{roll} takes: {keys}.").format(roll=roll.slug, keys=", ".join(known) or "-")
        raise BadParameters(errors, known_text) from None


def _value(slot: Slot | None, text: str) -> Any:
    """Return a text as a value for its field; one that does not fit stays a text, which validation rejects."""
    if slot is None:
        return text
    if slot.kind == "number" and (number := parse_whole_number(text)) is not None:
        return number
    if slot.kind == "check":
        return {"1": True, "true": True, "0": False, "false": False}.get(text.lower(), text)
    if slot.kind == "choice":
        return next((choice for choice in slot.choices if str(choice) == text), text)
    return text

