"""The edits that buttons make to a draft: each action that a button posts changes a copy of (data, typed)."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import partial
from types import MappingProxyType
from typing import Any

from django.core.exceptions import BadRequest
from django.utils.translation import gettext as _

from rulesets.kit import ROWS, Data, House, Part, blank, tag_of
from sheets.buttons import no_such_button
from sheets.forms.inputs import Broken, parsed
from sheets.forms.part_inputs import Bounds, tighter
from sheets.forms.paths import field_at, row_index


class Edit:
    """An edit of a copy of a document's `data` and `typed`.

    `given` is {what a button posts: row} of rows that are neither the book's nor empty.
    """

    def __init__(self, part: type[Part], data: dict, typed: dict[str, str], house: House | None = None,
                 bounds: Callable[[str], Bounds] = lambda _path: (None, None),
                 given: Mapping[str, Data] = MappingProxyType({})) -> None:
        self.part, self.data, self.typed, self.house, self.bounds = part, deepcopy(data), dict(typed), house, bounds
        self.given = given

    def apply(self, action: str, path: str, extra: str = "") -> str:
        """Apply the action of a button to a path, such as "add" to "attacks"; return the path to be focused afterwards.

        Raise `BadRequest` if there is no such action or nothing at that path.
        """
        doing: dict[str, Callable[[str, str], str]] = {
            "add": self._add, "drop": self._drop, "copy": self._copy, "deal": self._deal, "only": self._only,
            "put": self._put_word, "up": partial(self._swap, by=-1), "down": partial(self._swap, by=1),
            "more": partial(self._step, by=1), "less": partial(self._step, by=-1),
        }
        if action not in doing:
            raise no_such_button()
        return doing[action](path, extra)

    def _node(self, path: str) -> Any:
        node = self.data
        for step in path.split(".") if path else ():
            node = node[int(step)] if isinstance(node, list) else node[step]
        return node

    def _row(self, path: str) -> tuple[str, list, int]:
        """Return (path of the list, the list, index of the row); raise `BadRequest` if the row is gone."""
        where, _dot, index = path.rpartition(".")
        slot = field_at(self.part, self.data, where) if where else None
        rows = self._node(where) if slot and slot.kind == "rows" else []
        if (number := row_index(rows, index)) is None:
            raise BadRequest(_("That row is no longer there."))
        return where, rows, number

    def _add(self, path: str, tag: str) -> str:
        if (slot := field_at(self.part, self.data, path)) and slot.kind == "part" and slot.nullable:
            return self._put(path, blank(slot.parts[0]))
        if slot is None or slot.kind != "rows":
            raise BadRequest(_("There is no such list."))
        rows = self._node(path)
        if len(rows) >= ROWS:
            raise BadRequest(_("No more than {n} rows are allowed.").format(n=ROWS))
        if tag in self.given:
            rows.append(deepcopy(self.given[tag]))
            return f"{path}.{len(rows) - 1}"
        # A button posts the tag of a catalogue's entry, the label of a preset, or "" for an empty row.
        known = {tag_of(part, slot.tag): {slot.tag: tag_of(part, slot.tag)} for part in slot.parts} if slot.tag else \
            {"": {}, **slot.ask.presets, **{label: row for rows in slot.ask.preset_groups.values()
                                            for label, row in rows.items()}}
        if tag not in known:
            raise BadRequest(_("The catalogue has no such entry."))
        given = {key: value if isinstance(value, int) else str(value) for key, value in known[tag].items()}
        rows.append(blank(slot.member(tag if slot.tag else None), **given))
        return f"{path}.{len(rows) - 1}"

    def _put(self, path: str, value: dict | None) -> str:
        """Add or remove (None) an optional part; invalid texts in it are removed."""
        where, _dot, key = path.rpartition(".")
        node = self._node(where)
        if value is None or node[key] is None:
            node[key] = value
            self.typed = {one: text for one, text in self.typed.items() if not one.startswith(f"{path}.")}
        return path

    def _drop(self, path: str, _extra: str) -> str:
        if (slot := field_at(self.part, self.data, path)) and slot.kind == "part" and slot.nullable:
            return self._put(path, None)
        where, rows, index = self._row(path)
        del rows[index]
        self._renumber(where, lambda i: None if i == index else i - (i > index))
        return f"{where}.{min(index, len(rows) - 1)}" if rows else where

    def _copy(self, path: str, _extra: str) -> str:
        where, rows, index = self._row(path)
        if len(rows) >= ROWS:
            raise BadRequest(_("No more than {n} rows are allowed.").format(n=ROWS))
        rows.insert(index + 1, deepcopy(rows[index]))
        self._renumber(where, lambda i: i + (i > index))
        return f"{where}.{index + 1}"

    def _swap(self, path: str, _extra: str, *, by: int) -> str:
        where, rows, index = self._row(path)
        other = index + by
        if not 0 <= other < len(rows):
            return path
        rows[index], rows[other] = rows[other], rows[index]
        self._renumber(where, lambda i: {index: other, other: index}.get(i, i))
        return f"{where}.{other}"

    def _step(self, path: str, _extra: str, *, by: int) -> str:
        """Raise or lower a number by one, unless it would leave its range or its input holds an invalid text."""
        if (slot := field_at(self.part, self.data, path)) is None or slot.kind != "number":
            raise BadRequest(_("There is no such number."))
        where, _dot, key = path.rpartition(".")
        node = self._node(where)
        value = (node[key] or 0) + by
        low, high = tighter((slot.low, slot.high), self.bounds(path))
        end = high if by > 0 else low
        if path not in self.typed and (end is None or value * by <= end * by):
            node[key] = value
        return path

    def _only(self, path: str, _extra: str) -> str:
        """Set a field that only one row of a list can have, and clear it in the other rows."""
        where, _dot, key = path.rpartition(".")
        if (slot := field_at(self.part, self.data, path)) is None or not slot.ask.single:
            raise no_such_button()
        _where, rows, index = self._row(where)
        for number, row in enumerate(rows):
            row[key] = number == index
        return path

    def _put_word(self, path: str, extra: str) -> str:
        """Set a text field to the text of a suggestion."""
        if (slot := field_at(self.part, self.data, path)) is None or slot.kind != "text":
            raise no_such_button()
        where, _dot, key = path.rpartition(".")
        try:
            self._node(where)[key] = parsed(slot, extra)
        except Broken:
            raise no_such_button() from None
        self.typed.pop(path, None)
        return path

    def _deal(self, path: str, extra: str) -> str:
        """Give a field one of the numbers to be distributed; if none is left, swap numbers with a field that has it."""
        where, _dot, key = path.rpartition(".")
        slot = field_at(self.part, self.data, where) if where else None
        numbers = getattr(self.house, slot.ask.deal, []) if slot and slot.ask.deal else []
        number = next((one for one in numbers if str(one) == extra), None)
        node = self._node(where) if number is not None else {}
        if key not in node:
            raise no_such_button()
        if node[key] != number:
            holders = [other for other in node if node[other] == number]
            if len(holders) >= numbers.count(number):
                node[holders[0]] = node[key] if node[key] in numbers else None
            node[key] = number
            self.typed.pop(path, None)
        return path

    def _renumber(self, where: str, moved: Callable[[int], int | None]) -> None:
        """Change the paths of invalid texts to the new indexes of their rows; drop those of a removed row."""
        typed = {}
        for path, text in self.typed.items():
            if path.startswith(f"{where}."):
                index, _dot, rest = path[len(where) + 1:].partition(".")
                if (new := moved(int(index))) is None:
                    continue
                path = f"{where}.{new}.{rest}"  # noqa: PLW2901 - the same text with its new path
            typed[path] = text
        self.typed = typed
