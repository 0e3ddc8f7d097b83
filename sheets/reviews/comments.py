"""The fields of a sheet one by one, to be commented on; and the comments that a GM has left at them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulesets.kit import Data, Ruleset, short
from sheets.forms.inputs import Input, element_id, inputs_of
from sheets.forms.paths import path_in_words
from sheets.models import Review
from sheets.outline import worded

MOST = 150
"""Fields that can be commented on one by one."""


@dataclass(frozen=True)
class CommentField:
    """A field with its value in words, the list or part that it is in, and what is said of it."""

    path: str
    group: str
    title: str
    value: str
    comment: str = ""

    @property
    def id(self) -> str:
        """The element's id."""
        return element_id(self.path)


def comment_fields(ruleset: Ruleset, data: Data, comments: Mapping[str, str]) -> list[CommentField]:
    """Every field that a sheet asks, in its order; of very many those beside rows, and the rows, or the lists.

    `comments` are {path: text} so far.
    """
    found = list(_fields(ruleset, data, comments))
    for depth in (2, 1):
        if len(found) > MOST:
            found = list(dict.fromkeys(_above(ruleset, data, one, depth, comments) for one in found))
    return found


def _above(ruleset: Ruleset, data: Data, one: CommentField, depth: int, comments: Mapping[str, str]) -> CommentField:
    """The row that a field lies in, or the list; itself where it lies in none."""
    path = ".".join(one.path.split(".")[:depth])
    if path == one.path:
        return one
    return CommentField(path, "", path_in_words(ruleset.sheet, data, path), short(one.group) if depth > 1 else "–",
                        comments.get(path, ""))


def _fields(ruleset: Ruleset, data: Data, comments: Mapping[str, str]) -> Iterator[CommentField]:
    shape = ruleset.sheet.model_validate(data)
    for one in inputs_of(ruleset.sheet, data):
        if one.slot.kind == "rows":
            for row in one.rows:
                label = str(getattr(shape, one.path)[row.index].label) or f"{one.slot.ask.title} {row.index + 1}"
                yield from (_place(leaf, label, comments) for part in row.inputs for leaf in part.parts or [part])
        else:
            group = str(one.slot.ask.title) if one.parts else ""
            yield from (_place(leaf, group, comments) for leaf in one.parts or [one])


def _place(leaf: Input, group: str, comments: Mapping[str, str]) -> CommentField:
    title = f"{leaf.group}: {leaf.slot.ask.title}" if leaf.group else str(leaf.slot.ask.title)
    value = worded(leaf.slot, leaf.value) if leaf.slot.kind not in ("rows", "part", "other") else ""
    return CommentField(leaf.path, group, title, value or "–", comments.get(leaf.path, ""))


def comments(entry: Review, ruleset: Ruleset) -> list[tuple[str, str, str]]:
    """(path, field in words, comment) of what an entry says at fields."""
    data: Any = entry.revision.data if entry.revision else {}
    return [(path, path_in_words(ruleset.sheet, data, path) if data else path, text)
            for path, text in entry.said.get("at", {}).items()]
