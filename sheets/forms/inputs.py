"""Inputs: what a form shows of a part's fields, and what it reads back; one place for builder, rolls and acts.

Names of inputs are document paths ("attacks.0.dice"). A value that cannot be read stays in its input with its message
(`typed`), and the field keeps its last good value.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias
from zlib import crc32

from django.core.exceptions import BadRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import ValidationError

from rulesets.kit import TYPED, Data, Part, Slot, join, shape_message, short, slots, whole
from rulesets.kit.words import NAMED
from sheets.forms.paths import field_at

LONGEST = 64 * 1024
"""Characters of one input; more is no person's typing."""

MOST = 4 * LONGEST
"""Characters that are no values, over all inputs of a draft."""

Answers: TypeAlias = Mapping[str, list[str]]
"""{name of an input: its texts}, as somebody sent them and nobody has read them yet."""

BRIEF, LINE = ("text", "number", "choice"), 3
"""The kinds of fields that a row of one line has, and how many of them at most."""
BOTH = 2
"""Choices of which each is in view."""


class Broken(ValueError):
    """A text that is no value of its field; the message says what was found and what is allowed."""


Bounds: TypeAlias = tuple[int | None, int | None]
"""(least, most); None where there is no such."""


@dataclass
class Input:
    """One field on a page: where it stands, what it shows, what is wrong with it."""

    slot: Slot
    path: str
    value: Any = None
    text: str = ""
    fault: str = ""
    rows: list["Row"] = field(default_factory=list)
    parts: list["Input"] = field(default_factory=list)
    deal: list[int] = field(default_factory=list)
    """The different numbers that are dealt out to the parts."""
    group: Any = ""
    """What the part says of itself that it belongs to, within a part that is made of parts."""
    hint: str = ""
    pages: Sequence[Any] = ()
    """The pages that a long list of rows has; `rows` are those of one of them."""
    page: int = 1
    """Which of them that is."""
    unseen: int = 0
    """Rows within a row that a page has no room for."""
    addends: list[tuple[Any, int, bool]] = field(default_factory=list)
    """(label, how much, whether ticked) of what is added to the number typed."""

    @property
    def id(self) -> str:
        """The element's id."""
        return element_id(self.path)

    @property
    def choices(self) -> list[tuple[str, Any]]:
        """(value, label) of each choice; labels may hold what people wrote, and are cut."""
        return [(value, short(self.slot.label(value), NAMED)) for value in self.slot.choices]

    @property
    def options(self) -> list[tuple[str, Any, bool]]:
        """(what a form posts, label, whether it is chosen) of each choice; of a row that is where and what it is."""
        posted = option_of if self.slot.positional else lambda _slot, value: value
        return [(posted(self.slot, value), label, value == self.value) for value, label in self.choices]

    @property
    def brief(self) -> bool:
        """Whether each of its rows is but a line: a few short fields."""
        return all(slot.kind in BRIEF and not slot.ask.long for part in self.slot.parts
                   for slot in slots(part).values()) and all(len(slots(part)) <= LINE for part in self.slot.parts)

    @property
    def segmented(self) -> bool:
        """Whether all that can be chosen lies open side by side: one of two words."""
        return self.slot.kind == "choice" and len(self.slot.choices) == BOTH and not self.slot.nullable

    @property
    def multiline(self) -> bool:
        """Whether the text needs room; a line break would be lost in an input of one line."""
        return self.slot.ask.long or self.slot.kind == "lines" or "\n" in self.text


def option_of(slot: Slot, value: Any) -> str:
    """What a form posts for a row to choose: where it stands, and a mark of what it is called."""
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
        """Its points in words, "" where it has none."""
        return "" if self.points is None else ngettext("{n} point", "{n} points", self.points).format(n=self.points)


def element_id(path: str) -> str:
    """An id that needs no escaping anywhere: "f-attacks-0-dice".

    What stands beside it adds two hyphens and a word, "f-attacks-0-dice--fault", which no field's own id can end in.
    """
    return "f-" + path.replace(".", "-")


def tighter(one: Bounds, other: Bounds) -> Bounds:
    """Both bounds at once."""
    (low, high), (least, most) = one, other
    return (max((n for n in (low, least) if n is not None), default=None),
            min((n for n in (high, most) if n is not None), default=None))


def input_text(value) -> str:
    """A value as an input shows it."""
    if isinstance(value, list):
        return "\n".join(map(str, value))
    return "" if value is None else "on" if value is True else "" if value is False else str(value)


def parsed(slot: Slot, text: str) -> Any:
    """The value that a text means (`Broken` if it means none)."""
    text = text.replace("\r\n", "\n")
    if slot.kind == "text":
        value = text
    elif slot.kind == "lines":
        value = [line.strip() for line in text.split("\n") if line.strip()]
    elif slot.kind == "check":
        value = text == "on"
    elif not text.strip():
        if not slot.nullable:
            raise Broken(_("This is empty; a whole number is needed.") if slot.kind == "number"
                         else _("This is empty; choose one."))
        value = None
    elif slot.kind == "number":
        value = whole(text.strip())
        if value is None or (slot.high is None and abs(value) > 10**9):
            raise Broken(_("“{text}” is no whole number.").format(text=text.strip()[:40]))
    elif slot.kind == "figure":
        number = whole(text.strip())
        value = text.strip() if number is None else number
    else:
        value = next((one for one in slot.choices if str(one) == text), text)
    try:
        return slot.adapter.validate_python(value, context=TYPED)
    except ValidationError as error:
        raise Broken(shape_message(error.errors()[0])) from None


def listed(slot: Slot, row: Data) -> bool:
    """Whether a row of a list is there with its inputs; of what asks but how many there are, the catalogue tells."""
    counted, member = slot.ask.counted, slot.member(row.get(slot.tag or ""))
    return not counted or any(key != counted and len(one.choices) != 1 for key, one in slots(member).items())


def field_answers(answers: Answers) -> Answers:
    """Those that answer fields; the others protect the form or say what is to be done."""
    return {name: texts for name, texts in answers.items()
            if not name.startswith("_") and name not in ("csrfmiddlewaretoken", "do")}


def read_answers(
    part: type[Part], data: dict, typed: Mapping[str, str], answers: Answers, *, lenient=False,
) -> tuple[dict, dict[str, str], dict[str, Slot]]:
    """Data, typed and {path: field} of the values that are others, after what a form answers.

    `BadRequest` for a path that is not there, unless `lenient`.
    """
    data, typed, changed = deepcopy(data), dict(typed), {}
    for path, values in field_answers(answers).items():
        slot = field_at(part, data, path)
        if slot is None and lenient:
            continue
        if slot is None or not _asked(slot) or len(values[-1]) > LONGEST or "\0" in values[-1]:
            raise refused(path)
        *steps, last = path.split(".")
        node = data
        for step in steps:
            node = node[int(step)] if isinstance(node, list) else node[step]
        if slot.kind != "choices" and values[-1] == input_text(node[last]) and path not in typed:
            continue
        try:
            was, node[last] = node[last], (slot.adapter.validate_python([v for v in values if v])
                                           if slot.kind == "choices" else parsed(slot, values[-1]))
            typed.pop(path, None)
            if node[last] != was:
                changed[path] = slot
        except (Broken, ValidationError):
            typed[path] = values[-1]
            if sum(map(len, typed.values())) > MOST:
                raise refused(path) from None
    return data, typed, changed


def _asked(slot: Slot) -> bool:
    """Whether the field has an input of its own; what has one value needs none."""
    return slot.kind not in ("rows", "part", "other") and len(slot.choices) != 1


def refused(path: str) -> BadRequest:
    """What is answered to an input that there is not, or to a text that no input takes."""
    return BadRequest(_("There is no field “{path}” here, or it cannot take this.").format(path=path[:80]))


def input_fault(slot: Slot, text: str) -> str:
    """What is wrong with a typed text, "" if nothing."""
    try:
        parsed(slot, text)
    except Broken as error:
        return str(error)
    return _("The sheet would become too large for a document; shorten it.")


def inputs_of(
    part: type[Part], data: dict, typed: Mapping[str, str] = MappingProxyType({}), prefix: str = "",
    keys: Container[str] | None = None,
) -> Iterator[Input]:
    """The inputs of a part in the order of its fields, or of those of its fields that are named."""
    for key, slot in slots(part).items():
        if keys is not None and key not in keys:
            continue
        path = join(prefix, key)
        value = data[key]
        if slot.kind == "rows":
            rows = [Row(here := join(path, index), index,
                        list(inputs_of(slot.member(row.get(slot.tag)), row, typed, here)), last=index == len(value) - 1)
                    for index, row in enumerate(value)]
            yield Input(slot, path, value, rows=rows)
        elif slot.kind == "part":
            inner = [] if value is None else list(inputs_of(slot.parts[0], value, typed, path))
            yield Input(slot, path, value, parts=[leaf for one in inner for leaf in _leaves(one)])
        elif len(slot.choices) != 1:
            text = typed.get(path, input_text(value))
            yield Input(slot, path, value, text, input_fault(slot, text) if path in typed else "")


def _leaves(one: Input) -> list[Input]:
    """An input of a part; those of a part within it, each with its name."""
    if one.slot.kind != "part":
        return [one]
    for leaf in one.parts:
        leaf.group = one.slot.ask
    return one.parts
