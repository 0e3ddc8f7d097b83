"""Two states of one draft: where they differ, and the one that a person chooses from both."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rulesets.kit import Part, Slot, join, patched, slots
from sheets.history import State
from sheets.inputs import located, shown, titled

NAME = "_name"
"""The input that holds the sheet's own name; no field of a sheet starts with an underscore."""


@dataclass(frozen=True)
class Difference:
    """A field with two values as people read them."""

    path: str
    title: str
    mine: str
    theirs: str
    prefer_mine: bool = True


def leaves(part: type[Part], mine: dict, theirs: dict, path: str = "", title: str = "") -> Iterator[tuple]:
    """(path, title, slot, mine, theirs) of the smallest fields that differ.

    A list whose rows cannot be told to be the same ones is one field.
    """
    for key, slot in slots(part).items():
        a, b, here = mine[key], theirs[key], join(path, key)
        name = f"{title}: {slot.ask.title}" if title else str(slot.ask.title)
        if a == b:
            continue
        if slot.kind == "part" and a is not None and b is not None:
            yield from leaves(slot.parts[0], a, b, here, name)
        elif slot.kind == "rows" and [row.get(slot.tag) for row in a] == [row.get(slot.tag) for row in b]:
            for index, row in enumerate(a):
                member = slot.member(row.get(slot.tag))
                yield from leaves(member, row, b[index], join(here, index), f"{name} {index + 1}")
        else:
            yield here, name, slot, a, b


def spelled(slot: Slot, value: Any) -> str:
    """A value as people read it."""
    if slot.kind == "rows":
        return "; ".join(_brief(slot, row) for row in value) or "–"
    if slot.kind == "choices":
        return ", ".join(str(slot.label(one)) for one in value)
    if value is None:
        return "–"
    if slot.kind == "part":
        inner = slots(slot.parts[0]).items()
        return ", ".join(f"{one.ask.title} {spelled(one, value[key])}" for key, one in inner)
    if slot.kind == "choice":
        return str(slot.label(value))
    return str({True: _("yes"), False: _("no")}[value]) if slot.kind == "check" else shown(value)


def _brief(slot: Slot, row: dict) -> str:
    member = slot.member(row.get(slot.tag))
    values = [spelled(inner, row[key]) for key, inner in slots(member).items() if key != slot.tag and row[key]]
    return " ".join([str(member.title), *values] if slot.tag else values)


def changes(part: type[Part], before: dict, after: dict) -> list[Difference]:
    """What becomes of each field that changes, `mine` being before and `theirs` after."""
    return [Difference(path, title, spelled(slot, a), spelled(slot, b))
            for path, title, slot, a, b in leaves(part, before, after)]


def conflicts(part: type[Part], mine: State, theirs: State, base: State | None) -> list[Difference]:
    """Every field that differs between two states; the one that was changed since `base` is preferred."""
    found = []
    if mine.name != theirs.name:
        found.append(Difference(NAME, _("Name of the character"), mine.name, theirs.name,
                                base is None or mine.name != base.name))
    changed = {path for path, *_rest in leaves(part, mine.data, base.data)} if base else None
    for path, title, slot, a, b in leaves(part, mine.data, theirs.data):
        if path in mine.typed or path in theirs.typed:
            continue
        prefer = changed is None or any(_within(one, path) or _within(path, one) for one in changed)
        found.append(Difference(path, title, spelled(slot, a), spelled(slot, b), prefer))
    broken = {path for path in {*mine.typed, *theirs.typed} if mine.typed.get(path) != theirs.typed.get(path)}
    return found + [Difference(path, titled(part, mine.data, path), _text(mine, path), _text(theirs, path))
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
    return state.typed.get(path, shown(node))


def settled(part: type[Part], mine: State, theirs: State, keep: Mapping[str, bool]) -> State:
    """Their state with the fields of mine that a person keeps ({path: whether to keep mine})."""
    patch = {path: a for path, _title, _slot, a, _b in leaves(part, mine.data, theirs.data) if keep.get(path)}
    data = patched(theirs.data, patch)
    typed = {path: text for path, text in theirs.typed.items() if not keep.get(path)}
    typed |= {path: text for path, text in mine.typed.items() if keep.get(path)}
    # A text whose row was not kept has no input any more.
    typed = {path: text for path, text in typed.items() if located(part, data, path)}
    return State(mine.name if keep.get(NAME) else theirs.name, deepcopy(data), typed)


def kept_typed(part: type[Part], before: State, data: dict) -> dict:
    """The texts that are still broken after data changed: those whose rows and values are what they were."""
    changed = [f"{path}." for path, *_rest in leaves(part, before.data, data)]
    return {path: text for path, text in before.typed.items() if not f"{path}.".startswith(tuple(changed))}
