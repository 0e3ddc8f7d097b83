"""Comments that GMs leave at the fields of a sheet, and the replies to them."""

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
from sheets.models.compiled_queries import compiled
from sheets.models.reviews import APPROVED, RETURNED
from sheets.outline import Outline, worded

MAX_FIELDS = 150
"""The most fields that can be commented on one by one."""
DECISIONS = RETURNED, APPROVED
MAX_DECISIONS = 50
"""The most decisions whose comments still count, the newest."""
MAX_REPLIES = 50
"""The most replies to a comment."""
ROOM = 64 * 1024
"""The most bytes of all comments and replies."""


@dataclass(frozen=True)
class Comment:
    """A GM's comment on a field: its `path` in the revision that the GM saw and `at` now, "" if it is gone."""

    entry: Review
    path: str
    at: str
    title: str
    text: str
    replies: Sequence[Reply] = ()

    @property
    def done(self) -> bool:
        """True if the last reply marked the comment as done."""
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
    """A field with its value as text, the row or part that contains it, its comments and the one being written."""

    path: str
    row: str
    group: str
    title: str
    value: str
    comment: str = ""
    comments: tuple[Comment, ...] = ()

    @property
    def id(self) -> str:
        """The element's id."""
        return element_id(self.path)


@dataclass(frozen=True)
class FieldGroup:
    """The fields of a row or a part, with its text and cost; one with the path "" has a field outside of these."""

    path: str
    title: str
    text: str
    points: int | None
    fields: tuple[CommentField, ...]
    comment: str = ""
    comments: tuple[Comment, ...] = ()

    @property
    def id(self) -> str:
        """The element's id."""
        return element_id(self.path)

    @property
    def has_comments(self) -> bool:
        """True if it or one of its fields has a comment, done or not."""
        return bool(self.comments) or any(field.comments for field in self.fields)

    @property
    def has_open_comments(self) -> bool:
        """True if it or one of its fields has a comment that is not done or being written."""
        return bool(self.comment or any(not one.done for one in self.comments)) or self.has_open_field_comments

    @property
    def has_open_field_comments(self) -> bool:
        """True if one of its fields has a comment that is not done or being written."""
        return any(field.comment or any(not one.done for one in field.comments) for field in self.fields)


def field_groups(ruleset: Ruleset, data: Data, outline: Outline, typed: Mapping[str, str],
                 comments: Iterable[Comment]) -> tuple[list[FieldGroup], list[Comment]]:
    """Return the groups of all fields with their comments, and the comments whose field is gone.

    `typed` are {path: text} of comments that are being written.
    """
    rows = {entry.path: entry for section in outline.sections for entry in section.entries}
    by_path: dict[str, list[Comment]] = {}
    for one in comments:
        by_path.setdefault(one.at, []).append(one)
    groups: list[FieldGroup] = []
    for field in comment_fields(ruleset, data, typed):
        shown = replace(field, comments=tuple(by_path.pop(field.path, ())))
        if groups and groups[-1].path == field.row:
            groups[-1] = replace(groups[-1], fields=(*groups[-1].fields, shown))
        else:
            row = rows.get(field.row)
            row_comments = tuple(by_path.pop(field.row, ())) if field.row else ()
            groups.append(FieldGroup(field.row, field.group, row.text if row else "", row.points if row else None,
                                     (shown,), typed.get(field.row, "") if field.row else "", row_comments))
    return groups, [one for left in by_path.values() for one in left]


def comment_fields(ruleset: Ruleset, data: Data, typed: Mapping[str, str]) -> list[CommentField]:
    """Return every field of a sheet in order; with more than `MAX_FIELDS`, rows or lists replace their fields."""
    fields = list(_fields(ruleset, data, typed))
    for depth in (2, 1):
        if len(fields) > MAX_FIELDS:
            fields = list(dict.fromkeys(_row_or_list_of(ruleset, data, field, depth, typed) for field in fields))
    return fields


def _row_or_list_of(ruleset: Ruleset, data: Data, field: CommentField, depth: int,
                    typed: Mapping[str, str]) -> CommentField:
    """Return the row (depth 2) or list (depth 1) that contains a field; the field itself if there is none."""
    path = ".".join(field.path.split(".")[:depth])
    if path == field.path:
        return field
    value = short(field.group) if depth > 1 else "–"
    return CommentField(path, "", "", path_in_words(ruleset.sheet, data, path), value, typed.get(path, ""))


def _fields(ruleset: Ruleset, data: Data, typed: Mapping[str, str]) -> Iterator[CommentField]:
    shape = ruleset.sheet.model_validate(data)
    for input_ in inputs_of(ruleset.sheet, data):
        if input_.slot.kind == "rows":
            for row in input_.rows:
                label = str(getattr(shape, input_.path)[row.index].label) or f"{input_.slot.ask.title} {row.index + 1}"
                yield from (_comment_field(leaf, row.path, label, typed)
                            for part in row.inputs for leaf in part.parts or [part])
        elif input_.parts:
            yield from (_comment_field(leaf, input_.path, str(input_.slot.ask.title), typed) for leaf in input_.parts)
        else:
            yield _comment_field(input_, "", "", typed)


def _comment_field(leaf: Input, row: str, group: str, typed: Mapping[str, str]) -> CommentField:
    title = f"{leaf.group.title}: {leaf.slot.ask.title}" if leaf.group else str(leaf.slot.ask.title)
    value = worded(leaf.slot, leaf.value) if leaf.slot.kind not in ("rows", "part", "other") else ""
    return CommentField(leaf.path, row, group, title, value or "–", typed.get(leaf.path, ""))


def comments_with_fields(entry: Review, ruleset: Ruleset) -> list[tuple[str, str, str]]:
    """Return (path, title of the field, comment) of an entry's comments at fields."""
    data: Any = entry.revision.data if entry.revision else {}
    return [(path, path_in_words(ruleset.sheet, data, path) if data else path, text)
            for path, text in entry.said.get("at", {}).items()]


def newest_entries(sheet: Sheet) -> list[Review]:
    """Return the newest entries about a sheet in its party, the newest first, each with its revision and its user."""
    return _newest_entries(sheet.pk, sheet.party_id) if sheet.party_id else []


@compiled
def _newest_entries(sheet: Any, party: Any) -> QuerySet[Review]:
    return _entries(sheet, party)[:MAX_DECISIONS]


@compiled
def _newest_decisions(sheet: Any, party: Any) -> QuerySet[Review]:
    return _entries(sheet, party).filter(kind__in=DECISIONS).prefetch_related("replies__author")[:MAX_DECISIONS]


def _entries(sheet: Any, party: Any) -> QuerySet[Review]:
    found = Review.objects.filter(sheet=sheet, party=party).select_related("by", "revision").defer("seen")
    return found.order_by("-number")


def standing_comments(sheet: Sheet, data: Data | None = None, known: Sequence[Review] = ()) -> list[Comment]:
    """Return the comments at fields that still count, oldest first, placed in the sheet's data or in `data`.

    An approval settles all comments before it. A sheet in no party has none, and the database is not queried. `known`
    are those `newest_entries` that the caller has already loaded.
    """
    if not sheet.party_id:
        return []
    now: Data = sheet.data if data is None else data
    comments = []
    for entry in _decisions(sheet, known):
        comments += [*_comments_of(sheet.system, entry, now)][::-1]
        if entry.kind == APPROVED:
            break
    comments.reverse()
    # The texts are cut to the size of a page, so the replies must not be saved.
    texts = fitted([(comment.text, [reply.text for reply in comment.replies]) for comment in comments], ROOM)[0]
    for comment, (_text, reply_texts) in zip(comments, texts, strict=True):
        for reply, text in zip(comment.replies, reply_texts, strict=True):
            reply.text = text
    return [replace(comment, text=text) for comment, (text, _replied) in zip(comments, texts, strict=True)]


def _decisions(sheet: Sheet, known: Sequence[Review]) -> list[Review]:
    """Return the newest decisions with their replies, from `known` if that reaches back to the last approval."""
    if not known or (len(known) >= MAX_DECISIONS and all(one.kind != APPROVED for one in known)):
        return _newest_decisions(sheet.pk, sheet.party_id)
    decisions = [one for one in known if one.kind in DECISIONS]
    prefetch_related_objects([one for one in decisions if one.said.get("at")], "replies__author")
    return decisions


def _comments_of(ruleset: Ruleset, entry: Review, now: Data) -> Iterator[Comment]:
    at = entry.said.get("at", {})
    if not at or entry.revision is None:
        return
    data: Data = entry.revision.data
    place, replies = place_now(ruleset, data, now), sorted(entry.replies.all(), key=lambda one: one.pk)
    for path, text in at.items():
        current = place(path)
        title = path_in_words(ruleset.sheet, dict(now if current else data), current or path)
        yield Comment(entry, path, current, title, text, [one for one in replies if one.path == path])
