"""The details that a field states beyond its type, and the step of the wizard that asks for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any

from rulesets.kit.words import Wording

Data = dict[str, Any]
"""A part as JSON data, {key: value}."""
FORMER = {"known": "preset_groups", "ready": "initial_rows", "place": "is_path", "target": "target_figure",
          "one": "row_name", "another": "add_label"}
"""{former name of a detail: name}; a system may use the former ones for one more release, with a warning."""


@dataclass(frozen=True)
class Step:
    """A page of the wizard: fields that name the same step are asked together, in the order they are declared."""

    slug: str
    title: Wording
    intro: Wording = ""


@dataclass(frozen=True)
class Ask:
    """The details of a field beyond its type. Called by pydantic to put the words into the JSON Schema."""

    do_not_call_in_templates = True

    title: Wording
    help: Wording = ""
    step: Step | None = None
    choices: Mapping[Any, Wording] | None = None
    """Labels of the choices {value: label} where the values alone do not read well."""
    samples: tuple[Any, ...] = ()
    """Sample texts for random sheets, for a text field or a list of texts; for a list of parts, sample rows in the
    same form as those in `presets`."""
    presets: Mapping[str, Mapping[str, Any]] = attribute(default_factory=dict)
    """Rows that a list offers ready-made, {label: {field: value}}."""
    preset_groups: Mapping[Wording, Mapping[str, Mapping[str, Any]]] = attribute(default_factory=dict)
    """More ready-made rows, {heading: {label: {field: value}}}: too many for buttons, so they are
    chosen from a list; random sheets ignore them."""
    row_name: Wording = ""
    """The name of one row of the list, used on the button that adds it and before the number of a row."""
    add_label: Wording = ""
    """The text of that button where other buttons beside it add ready-made rows."""
    terms: Mapping[Wording, Wording] = attribute(default_factory=dict)
    """A glossary for choosing a row of the list, {word: one-line explanation}."""
    initial_rows: int = 0
    """The number of empty rows that a list has at first in the builder."""
    single: bool = False
    """True if only one row of the list can have this field set."""
    deal: str = ""
    """The house rule whose numbers are dealt out to the fields of this part, each number once."""
    suggestions: tuple[str, ...] = ()
    """Texts that are suggested while the user types."""
    addends: Mapping[Wording, int] | None = None
    """The amounts that a number is often the sum of, {label: amount}; each can be ticked in a roll."""
    long: bool = False
    price: int | None = None
    """The points that raising the field by one costs; None if the system does not price it."""
    included: int = 0
    """The number that the base price includes."""
    counted: str = ""
    """The field of this list's rows that holds a quantity; the catalogue then has plus and minus buttons."""
    least: int | None = None
    """The smallest number that makes sense; a smaller one causes a finding, not a validation error."""
    is_path: bool = False
    """True if the text is a path in the sheet, shown to people as the name of the field or row at that path."""
    secret: bool = False
    """True if only the owner of the sheet sees it, like a hand of cards (see `redacted`)."""
    unwritten: bool = False
    """True if nobody fills it in by hand, so that a printed sheet leaves it out."""
    target_figure: str = ""
    """The key of the figure that a roll asks for of the character that is its target: a field of the system's Contest,
    or another key, shared by the rolls that ask for the same figure."""
    momentary: bool = False
    """True if every roll asks for it anew because it depends on the target or the moment; otherwise the last answer is
    prefilled."""
    start: int | None = None
    """The initial value on a page if it is not the default, such as a typical opponent's figure."""

    def __call__(self, schema: Data) -> None:
        schema["title"] = str(self.title)
        if self.help:
            schema["description"] = str(self.help)
