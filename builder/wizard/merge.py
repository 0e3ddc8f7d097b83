"""Merging two states of a draft: the differences, and the state that results from a person's choices."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from rulesets.grouping import by_key
from rulesets.kit import Part, patched
from sheets.fitting import cut_apart, longest
from sheets.forms.differences import FieldDifference, differing_fields, in_words
from sheets.forms.inputs import input_text
from sheets.forms.paths import field_at, path_in_words
from sheets.models import State

NAME = "_name"
"""The name of the input for the sheet's name; no field of a sheet starts with an underscore."""
MOST = 150
"""The most differences that are chosen one by one; if there are more, whole rows or lists are chosen."""
ROOM = 240 * 1024
"""The most bytes of all the values that the page shows of both states."""


def conflicts(part: type[Part], mine: State, theirs: State, base: State | None) -> list[FieldDifference]:
    """Return the fields that differ between two states; my value is preferred if I changed it since `base`.

    Without `base` my value is always preferred.
    """
    found = _differences(part, mine, theirs, base)
    for depth in (2, 1):
        if len(found) > MOST:
            found = _gathered(part, mine, found, depth)
    most = longest([(one.mine, one.theirs) for one in found], ROOM)
    apart = [cut_apart(one.mine, one.theirs, most) for one in found]
    return [replace(one, mine=mine, theirs=theirs) for one, (mine, theirs) in zip(found, apart, strict=True)]


def _gathered(part: type[Part], mine: State, found: list[FieldDifference], depth: int) -> list[FieldDifference]:
    """Return differences combined by the first `depth` steps of their paths: 2 is a row, 1 a list."""
    groups = by_key((".".join(one.path.split(".")[:depth]), one) for one in found)
    return [FieldDifference(path, path_in_words(part, mine.data, path),
                            "; ".join(f"{one.title}: {one.mine}" for one in many),
                            "; ".join(f"{one.title}: {one.theirs}" for one in many),
                            any(one.prefer_mine for one in many)) if len(many) > 1 else many[0]
            for path, many in groups.items()]


def _differences(part: type[Part], mine: State, theirs: State, base: State | None) -> list[FieldDifference]:
    found = []
    if mine.name != theirs.name:
        found.append(FieldDifference(NAME, _("Name of the character"), mine.name, theirs.name,
                                base is None or mine.name != base.name))
    changed = {path for path, *_rest in differing_fields(part, mine.data, base.data)} if base else None
    for path, title, slot, a, b in differing_fields(part, mine.data, theirs.data):
        if path in mine.typed or path in theirs.typed:
            continue
        prefer = changed is None or any(_within(one, path) or _within(path, one) for one in changed)
        found.append(FieldDifference(path, title, in_words(slot, a), in_words(slot, b), prefer))
    broken = {path for path in {*mine.typed, *theirs.typed} if mine.typed.get(path) != theirs.typed.get(path)}
    return found + [FieldDifference(path, path_in_words(part, mine.data, path), _text(mine, path), _text(theirs, path))
                    for path in sorted(broken)]


def _within(path: str, other: str) -> bool:
    return f"{path}.".startswith(f"{other}.")


def _text(state: State, path: str) -> str:
    node: Any = state.data
    try:
        for step in path.split("."):
            node = node[int(step)] if isinstance(node, list) else node[step]
    except (KeyError, IndexError):
        return "–"
    return state.typed.get(path, input_text(node))


def merged(part: type[Part], mine: State, theirs: State, mine_at: Mapping[str, bool]) -> State:
    """Return their state with the fields of mine that a person chose to keep.

    `mine_at` is {path of a field or of a row or list around it: True to keep mine}.
    """
    def is_mine(path: str) -> bool:
        steps = path.split(".")
        return any(mine_at.get(".".join(steps[:depth])) for depth in range(1, len(steps) + 1))

    patch = {path: a for path, _title, _slot, a, _b in differing_fields(part, mine.data, theirs.data) if is_mine(path)}
    data = patched(theirs.data, patch)
    typed = {path: text for path, text in theirs.typed.items() if not is_mine(path)}
    typed |= {path: text for path, text in mine.typed.items() if is_mine(path)}
    # An invalid text in a row that is gone has no input any more.
    typed = {path: text for path, text in typed.items() if field_at(part, data, path)}
    return State(mine.name if mine_at.get(NAME) else theirs.name, deepcopy(data), typed, theirs.concept)


def remaining_invalid_texts(part: type[Part], before: State, data: dict) -> dict:
    """Return the invalid texts of a state that remain after its data changed: those of unchanged fields and rows."""
    changed = [f"{path}." for path, *_rest in differing_fields(part, before.data, data)]
    return {path: text for path, text in before.typed.items() if not f"{path}.".startswith(tuple(changed))}
