"""The details that a field states beyond its type, and the step of the wizard that asks for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any

from rulesets.kit.words import Wording

Data = dict[str, Any]
"""A part as JSON data, {key: value}."""


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
    """Texts that a random sheet may carry, in a text or as a line of a list of texts; for a list of parts its rows,
    stated as `presets` are."""
    presets: Mapping[str, Mapping[str, Any]] = attribute(default_factory=dict)
    """Rows that a list offers by their label, {label: what is filled in}."""
    known: Mapping[Wording, Mapping[str, Mapping[str, Any]]] = attribute(default_factory=dict)
    """Rows as `presets` are, {heading: them}: more than can stand side by side, and nothing for the dice."""
    one: Wording = ""
    """The name of one row of the list, on the button that adds it and where it is told by its number."""
    another: Wording = ""
    """The text of that button, where it stands beside others that add known rows."""
    terms: Mapping[Wording, Wording] = attribute(default_factory=dict)
    """Words that one meets when choosing a row of the list, {word: a line that says what it does}."""
    ready: int = 0
    """Empty rows with which the builder begins."""
    single: bool = False
    """True if one alone of all rows of the list has it."""
    deal: str = ""
    """The house rule whose numbers are dealt out to the fields of this part, each number once."""
    suggestions: tuple[str, ...] = ()
    """Texts that are offered while one types."""
    addends: Mapping[Wording, int] | None = None
    """The amounts that a number is often made up of, {label: how much}: to be ticked in a roll."""
    long: bool = False
    price: int | None = None
    """Points that one more of this costs, where the system prices the field."""
    included: int = 0
    """The number of these that come with the base price."""
    counted: str = ""
    """The field of this list's rows that says how many there are of one: its catalogue has plus and minus."""
    least: int | None = None
    """The fewest that make sense; fewer is a finding, not a wrong shape."""
    place: bool = False
    """True if the text is a path in the sheet, read by people as what stands there."""
    secret: bool = False
    """True if only the owner of the sheet sees it, like a hand of cards at the table: see `opened`."""
    unwritten: bool = False
    """True if nobody writes it by hand: it has no place on paper."""
    target: str = ""
    """The figure of the other side that a roll asks for here: a field of the system's Contest, or a word of its own
    that all rolls share which ask for the same."""
    momentary: bool = False
    """True if each roll asks it again, for it belongs to this target or moment; else what was answered last stands
    there."""
    start: int | None = None
    """The value that a page begins with where that is not the default: a typical opponent, a usual number."""

    def __call__(self, schema: Data) -> None:
        schema["title"] = str(self.title)
        if self.help:
            schema["description"] = str(self.help)
