"""Inputs of forms in the builder, for rolls and for acts: how a field is shown, and how its text is read.

Names of inputs are document paths ("attacks.0.dice").
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from zlib import crc32

from django.core.exceptions import BadRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import ValidationError

from rulesets.kit import FROM_FORM, Slot, parse_whole_number, shape_message, short, slots
from rulesets.kit.words import MESSAGE_LENGTH
from rulesets.names import one_line

MAX_ROLL_ANSWER = 8_000
"""The most characters of an answer to a roll or an act.

It is only twice the longest field, because a page contains each answer several times and would become too large.
"""
Answers: TypeAlias = Mapping[str, list[str]]
"""{name of an input: its texts}, as posted and not yet validated."""

ONE_LINE_KINDS = ("text", "number", "choice")
"""The kinds of fields that a row on a single line may have."""
MAX_ON_LINE = 3
"""The most fields that such a row may have."""
SIDE_BY_SIDE = 2
"""The number of choices that are shown side by side."""


class Broken(ValueError):
    """The error for a text that is not a valid value of its field; the message says what is allowed."""


@dataclass
class Input:
    """A field on a page: its path, its value and text, and its fault."""

    slot: Slot
    path: str
    value: Any = None
    text: str = ""
    fault: str = ""
    rows: list["Row"] = field(default_factory=list)
    parts: list["Input"] = field(default_factory=list)
    deal: list[int] = field(default_factory=list)
    """The numbers that are distributed among the parts, each once."""
    group: Any = ""
    """The `Ask` of the inner part that this input belongs to, if parts are nested."""
    hint: str = ""
    pages: Sequence[Any] = ()
    """The pages of a long list; `rows` are those of one page."""
    page: int = 1
    """The number of the page that is shown."""
    unseen: int = 0
    """The number of rows within a row that are not shown."""
    addends: list[tuple[Any, int, bool]] = field(default_factory=list)
    """(label, amount, True if ticked) of what is added to the typed number."""

    @property
    def id(self) -> str:
        """The element's id."""
        return element_id(self.path)

    @property
    def choices(self) -> list[tuple[str, Any]]:
        """(value, label) of each choice; labels are cut, because they may contain users' texts."""
        return [(value, short(self.slot.label(value), MESSAGE_LENGTH)) for value in self.slot.choices]

    @property
    def options(self) -> list[tuple[str, Any, bool]]:
        """(posted value, label, True if chosen) of each choice; a row's posted value is that of `option_of`."""
        posted = option_of if self.slot.positional else lambda _slot, value: value
        return [(posted(self.slot, value), label, value == self.value) for value, label in self.choices]

    @property
    def one_line_rows(self) -> bool:
        """True if each of its rows is a single line of a few short fields."""
        rows = [slots(part) for part in self.slot.parts]
        return all(len(row) <= MAX_ON_LINE for row in rows) and all(
            slot.kind in ONE_LINE_KINDS and not slot.ask.long for row in rows for slot in row.values())

    @property
    def segmented(self) -> bool:
        """True if all choices are shown side by side, because there are only two."""
        return self.slot.kind == "choice" and len(self.slot.choices) == SIDE_BY_SIDE and not self.slot.nullable

    @property
    def digits(self) -> bool:
        """True if it takes only digits: numeric keyboards of some phones have no minus."""
        return self.slot.kind == "number" and self.slot.low is not None and self.slot.low >= 0

    @property
    def multiline(self) -> bool:
        """True if the text needs several lines; an input of one line would lose its line breaks."""
        return self.slot.ask.long or self.slot.kind == "lines" or "\n" in self.text


def option_of(slot: Slot, value: Any) -> str:
    """Return the posted value for the choice of a row: its index and a hash of its label."""
    return f"{value}~{crc32(str(slot.label(value)).encode()):08x}"


@dataclass
class Row:
    """One row of a list."""

    path: str
    index: int
    inputs: list[Input]
    label: Any = ""
    points: int | None = None
    hint: str = ""
    text: Any = ""
    last: bool = False

    @property
    def id(self) -> str:
        """The element's id."""
        return element_id(self.path)

    @property
    def cost(self) -> str:
        """Its points as text, "" if it has none."""
        return "" if self.points is None else ngettext("{n} point", "{n} points", self.points).format(n=self.points)


def element_id(path: str) -> str:
    """Return an id that needs no escaping anywhere: "f-attacks-0-dice".

    Ids of related elements append two hyphens and a word, "f-attacks-0-dice--fault"; no field's id can end like that.
    """
    return "f-" + path.replace(".", "-")


def input_text(value: Any) -> str:
    """Return a value as an input shows it."""
    if isinstance(value, list):
        return "\n".join(map(str, value))
    return "" if value is None else "on" if value is True else "" if value is False else str(value)


def parsed(slot: Slot, text: str, current_text: str = "") -> Any:
    """Return the value of a text; raise `Broken` if it is invalid.

    The text of a field that is a single line, or a list of lines, is cleaned unless it is the current text.
    """
    text = text.replace("\r\n", "\n")
    if slot.kind == "text":
        value = text if slot.ask.long or text == current_text else one_line(text)
    elif slot.kind == "lines":
        lines = text.split("\n") if text else []
        value = lines if text == current_text else list(filter(None, map(one_line, lines)))
    elif slot.kind == "check":
        value = text == "on"
    elif not text.strip():
        if not slot.nullable:
            raise Broken(_("This is empty; enter a whole number.") if slot.kind == "number"
                         else _("This is empty; choose one."))
        value = None
    elif slot.kind == "number":
        if (value := parse_whole_number(text)) is None or (slot.high is None and abs(value) > 10**9):
            raise Broken(_("“{text}” is not a whole number.").format(text=text.strip()[:40]))
    elif slot.kind == "figure":
        number = parse_whole_number(text)
        value = text.strip() if number is None else number
    else:
        value = next((one for one in slot.choices if str(one) == text), text)
    try:
        return slot.adapter.validate_python(value, context=FROM_FORM)
    except ValidationError as error:
        raise Broken(shape_message(error.errors()[0])) from None


def bad_field(path: str) -> BadRequest:
    """Return the error for an unknown input, or for a text that it cannot take."""
    return BadRequest(_("There is no field “{path}” here, or it cannot take this value.").format(path=path[:80]))


def answered_input(slot: Slot, name: str, answers: Answers, start: Any = ...) -> Input:
    """Return the input of a field with its answer, else with `start` or the field's default.

    An invalid answer is kept with its fault; ticked addends are added to a number. Raise `BadRequest` if an answer is
    too long.
    """
    texts = answers.get(name, [])
    if any(len(one) > MAX_ROLL_ANSWER for one in texts):
        raise bad_field(name)
    if slot.kind == "choices":
        return Input(slot, name, [one for one in texts or (() if start is ... else start) if one])
    start_text = input_text(_default_value(slot) if start is ... else start)
    text = texts[-1] if texts else start_text
    ticked = answers.get(f"{name}+", ()) if slot.ask.addends else ()
    addends = [(label, addend, str(index) in ticked)
               for index, (label, addend) in enumerate((slot.ask.addends or {}).items())]
    try:
        if slot.positional and "~" in text:
            text = _current_index(slot, text)
        value = parsed(slot, text, start_text)
        if ticked:
            value = parsed(slot, str((value or 0) + sum(addend for _label, addend, is_ticked in addends if is_ticked)))
    except Broken as error:
        return Input(slot, name, None, text, str(error), addends=addends)
    return Input(slot, name, value, text, addends=addends)


def _current_index(slot: Slot, text: str) -> str:
    """Return the current index of a row from the value of `option_of`; raise `Broken` if the row is gone."""
    mark = text.partition("~")[2]
    same = [option for value in slot.choices if (option := option_of(slot, value)).endswith(f"~{mark}")]
    if not same:
        raise Broken(_("What you chose is no longer there; choose again."))
    return (text if text in same else same[0]).partition("~")[0]


def _default_value(slot: Slot) -> Any:
    """Return the value of an input without an answer."""
    if not slot.required:
        return slot.default
    if slot.kind == "number":
        return max(slot.low or 0, slot.ask.least or 0) if slot.start is ... else slot.start
    if slot.kind == "text" and slot.ask.samples:
        return slot.ask.samples[0]
    return slot.choices[0] if slot.choices and not slot.nullable else None
