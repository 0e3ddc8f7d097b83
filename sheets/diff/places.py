"""The paths in a later state of a sheet for paths in an earlier one."""

from collections.abc import Callable, Mapping

from pydantic import ValidationError

from rulesets.kit import Data, Ruleset, join, slots
from sheets.diff.row_matching import matched, row_traits
from sheets.forms.paths import field_or_list_at


def placed(path: str, places: Mapping[str, str]) -> str:
    """Return a path with the path of the row that it leads into replaced as in `places`."""
    steps = path.split(".")
    row = ".".join(steps[:2])
    return ".".join([places[row], *steps[2:]]) if row in places else path


def place_now(ruleset: Ruleset, before: Data, after: Data) -> Callable[[str], str]:
    """Return a function that maps a path of an earlier state to its path in a later one, "" if that is gone.

    If the rules can no longer read one of the states, every path is gone.
    """
    try:
        sides = [(ruleset.sheet.model_validate(data), data) for data in (before, after)]
    except ValidationError:
        return lambda _path: ""
    places = {}
    for key, slot in slots(ruleset.sheet).items():
        if slot.kind == "rows":
            pairs = dict(matched(*(row_traits(slot, getattr(shape, key), data[key]) for shape, data in sides)))
            for here in range(len(before[key])):
                places[join(key, here)] = join(key, pairs[here]) if here in pairs else ""

    def now(path: str) -> str:
        found = placed(path, places)
        return found if field_or_list_at(ruleset.sheet, after, found) else ""
    return now
