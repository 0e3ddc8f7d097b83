"""The values of a sheet one by one, the comments that GMs leave at them, and the replies to those."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet, prefetch_related_objects

from rulesets.kit import Data, Ruleset, short
from sheets.diff.places import place_now
from sheets.fitting import fitted
from sheets.forms.inputs import Input, element_id
from sheets.forms.part_inputs import inputs_of
from sheets.forms.paths import path_in_words
from sheets.models import Reply, Review, Sheet
from sheets.models.reviews import APPROVED, RETURNED
from sheets.outline import Outline, worded

MOST = 150
"""Fields that can be commented on one by one."""
ENTRIES = 50
"""The most decisions whose comments still count, the newest."""
REPLIES = 50
"""The most replies to a comment."""
ROOM = 64 * 1024
"""Bytes for all texts of comments and replies."""


@dataclass(frozen=True)
class Comment:
    """A GM's comment on a field: where that stood in what the GM saw, and where it is now, "" if it is gone."""

    entry: Review
    path: str
    at: str
    title: str
    text: str
    replies: Sequence[Reply] = ()

    @property
    def done(self) -> bool:
        """True if the matter is settled, according to the last reply."""
        return bool(self.replies) and self.replies[-1].done

    @property
    def about(self) -> str:
        """The value that identifies it in a button."""
        return f"{self.entry.number}:{self.path}"

    @property
    def id(self) -> str:
        """The element's id."""
        return f"c-{self.entry.number}-{element_id(self.path)}"


@dataclass(frozen=True)
class CommentField:
    """A field with its value in words, the row or part that it is in, and the text being written to it."""

    path: str
    row: str
    group: str
    title: str
    value: str
    comment: str = ""
    said: tuple[Comment, ...] = ()

    @property
    def id(self) -> str:
        """The element's id."""
        return element_id(self.path)


@dataclass(frozen=True)
class FieldGroup:
    """The fields of a row or a part, with its text and cost; "" stands for those that are in none."""

    path: str
    title: str
    text: str
    points: int | None
    fields: tuple[CommentField, ...]
    comment: str = ""
    said: tuple[Comment, ...] = ()

    @property
    def id(self) -> str:
        """The element's id."""
        return element_id(self.path)

    @property
    def answered(self) -> bool:
        """True if anything was said of it or of a field of it, done or not."""
        return bool(self.said) or any(field.said for field in self.fields)

    @property
    def told(self) -> bool:
        """True if something is said of it, or of a field of it, that is not done yet, or is being written."""
        return bool(self.comment or any(not one.done for one in self.said)) or self.field_told

    @property
    def field_told(self) -> bool:
        """The same for its fields alone."""
        return any(field.comment or any(not one.done for one in field.said) for field in self.fields)


def field_groups(ruleset: Ruleset, data: Data, read: Outline, typed: Mapping[str, str],
                 said: Iterable[Comment]) -> tuple[list[FieldGroup], list[Comment]]:
    """Return every field by row and part, each with its comments; and the comments whose place is gone.

    `typed` are {path: text} of comments that are being written.
    """
    rows = {entry.path: entry for section in read.sections for entry in section.entries}
    by_path: dict[str, list[Comment]] = {}
    for one in said:
        by_path.setdefault(one.at, []).append(one)
    groups: list[FieldGroup] = []
    for field in comment_fields(ruleset, data, typed):
        shown = replace(field, said=tuple(by_path.pop(field.path, ())))
        if groups and groups[-1].path == field.row:
            groups[-1] = replace(groups[-1], fields=(*groups[-1].fields, shown))
        else:
            row = rows.get(field.row)
            said_of_row = tuple(by_path.pop(field.row, ())) if field.row else ()
            groups.append(FieldGroup(field.row, field.group, row.text if row else "", row.points if row else None,
                                     (shown,), typed.get(field.row, "") if field.row else "", said_of_row))
    return groups, [one for many in by_path.values() for one in many]


def comment_fields(ruleset: Ruleset, data: Data, typed: Mapping[str, str]) -> list[CommentField]:
    """Return every field that a sheet asks, in order; of very many those beside rows, and the rows, or the lists."""
    found = list(_fields(ruleset, data, typed))
    for depth in (2, 1):
        if len(found) > MOST:
            found = list(dict.fromkeys(_above(ruleset, data, one, depth, typed) for one in found))
    return found


def _above(ruleset: Ruleset, data: Data, one: CommentField, depth: int, typed: Mapping[str, str]) -> CommentField:
    """Return the row that a field is in, or the list; the field itself if it is in neither."""
    path = ".".join(one.path.split(".")[:depth])
    if path == one.path:
        return one
    return CommentField(path, "", "", path_in_words(ruleset.sheet, data, path), short(one.group) if depth > 1 else "–",
                        typed.get(path, ""))


def _fields(ruleset: Ruleset, data: Data, typed: Mapping[str, str]) -> Iterator[CommentField]:
    shape = ruleset.sheet.model_validate(data)
    for one in inputs_of(ruleset.sheet, data):
        if one.slot.kind == "rows":
            for row in one.rows:
                label = str(getattr(shape, one.path)[row.index].label) or f"{one.slot.ask.title} {row.index + 1}"
                yield from (_place(leaf, row.path, label, typed)
                            for part in row.inputs for leaf in part.parts or [part])
        elif one.parts:
            yield from (_place(leaf, one.path, str(one.slot.ask.title), typed) for leaf in one.parts)
        else:
            yield _place(one, "", "", typed)


def _place(leaf: Input, row: str, group: str, typed: Mapping[str, str]) -> CommentField:
    title = f"{leaf.group.title}: {leaf.slot.ask.title}" if leaf.group else str(leaf.slot.ask.title)
    value = worded(leaf.slot, leaf.value) if leaf.slot.kind not in ("rows", "part", "other") else ""
    return CommentField(leaf.path, row, group, title, value or "–", typed.get(leaf.path, ""))


def comments(entry: Review, ruleset: Ruleset) -> list[tuple[str, str, str]]:
    """Return (path, field in words, comment) of an entry's comments at fields."""
    data: Any = entry.revision.data if entry.revision else {}
    return [(path, path_in_words(ruleset.sheet, data, path) if data else path, text)
            for path, text in entry.said.get("at", {}).items()]


def newest_entries(sheet: Sheet) -> QuerySet[Review]:
    """Return the entries about a sheet in its party, the newest first, each with its revision and whose it is."""
    found = Review.objects.filter(sheet=sheet, party=sheet.party_id).exclude(party=None)
    return found.select_related("by", "revision").defer("seen").order_by("-number")


def standing_comments(sheet: Sheet, data: Data | None = None, known: Sequence[Review] = ()) -> list[Comment]:
    """Return the comments at fields that still count, oldest first, placed in the sheet as it is or in other data.

    An approval settles all comments before it. A sheet in no party has none, and the database is not queried. `known`
    are its `newest_entries`, as many as somebody has read.
    """
    if not sheet.party_id:
        return []
    now: Data = sheet.data if data is None else data
    found = []
    for entry in _decisions(sheet, known):
        found += [*_comments(sheet.system, entry, now)][::-1]
        if entry.kind == APPROVED:
            break
    found.reverse()
    # Cut to what a page has room for; they are not to be saved.
    texts = fitted([(one.text, [reply.text for reply in one.replies]) for one in found], ROOM)[0]
    for one, (_text, replied) in zip(found, texts, strict=True):
        for reply, text in zip(one.replies, replied, strict=True):
            reply.text = text
    return [replace(one, text=text) for one, (text, _replied) in zip(found, texts, strict=True)]


def _decisions(sheet: Sheet, known: Sequence[Review]) -> list[Review]:
    """Return the newest decisions with the replies to them, from what is known if that reaches back far enough."""
    kinds = (RETURNED, APPROVED)
    if not known or (len(known) >= ENTRIES and all(one.kind != APPROVED for one in known)):
        return [*newest_entries(sheet).filter(kind__in=kinds).prefetch_related("replies__author")[:ENTRIES]]
    found = [one for one in known if one.kind in kinds]
    prefetch_related_objects([one for one in found if one.said.get("at")], "replies__author")
    return found


def _comments(ruleset: Ruleset, entry: Review, now: Data) -> Iterator[Comment]:
    at = entry.said.get("at", {})
    if not at or entry.revision is None:
        return
    then: Data = entry.revision.data
    place, replies = place_now(ruleset, then, now), sorted(entry.replies.all(), key=lambda one: one.pk)
    for path, text in at.items():
        here = place(path)
        title = path_in_words(ruleset.sheet, dict(now if here else then), here or path)
        yield Comment(entry, path, here, title, text, [one for one in replies if one.path == path])
