"""The decorators that mark a method as a rule or a derived value, and the sheets found in texts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from warnings import warn

from rulesets.kit.asks import Data
from rulesets.kit.former_names import accept_former_arguments
from rulesets.kit.words import Wording

Method = TypeVar("Method", bound=Callable[..., Any])


def rule(*ids: str) -> Callable[[Method], Method]:
    """Mark a method `(self, house)` of a part that yields findings under these rule ids (the first by default)."""

    def mark(method: Method) -> Method:
        vars(method)["rules"] = ids
        return method

    return mark


def derived(key: str, title: Wording, *rules: str, how: Wording = "", tile: bool = True, of: str = "",
            copy: bool = False, words: str = "", as_squares: bool = False,
            drawn: bool = False) -> Callable[[Method], Method]:
    """Mark a method `(self, house)` of a sheet as the derived value `key`.

    `how` explains the value; it is formatted with the sheet as `{0}`. `tile` shows the value among the main figures of
    the sheet's page. `of` names a list: the value {name of a row: figure} is then shown with its rows. `copy` marks a
    text to be copied elsewhere verbatim; its method is `(self, house, name)`. `words` names the method `(self, house)`
    that returns {key: label} for a value {key: number}, which is shown as bars. `as_squares` marks a number
    that is drawn as so many squares; `drawn` is its former name, kept for a release.
    """
    if drawn:
        warn("drawn of a derived value is called as_squares.", DeprecationWarning, stacklevel=2)

    def mark(method: Method) -> Method:
        vars(method)["derived"] = Derived(key, title, rules, how, tile and not copy, of, method, copy, words,
                                          as_squares or drawn)
        return method

    return mark


@dataclass(frozen=True)
class Derived:
    """A value that is computed from the fields of a sheet."""

    key: str
    title: Wording
    rules: tuple[str, ...]
    how: Wording
    tile: bool
    of: str
    method: Callable[..., Any]
    copy: bool = False
    words: str = ""
    as_squares: bool = False


@dataclass(frozen=True)
class Reading:
    """One way to read an ambiguous part of a text, and an unambiguous wording to replace it with.

    `start` and `end` are offsets in the text.
    """

    label: str
    start: int
    end: int
    words: str


@dataclass(frozen=True)
class Ambiguity:
    """An ambiguous part of a text: its place, the question, and the possible readings."""

    place: str
    question: str
    readings: tuple[Reading, ...]


@accept_former_arguments({"doubts": "ambiguities"})
@dataclass(frozen=True)
class ParsedSheet:
    """A sheet as parsed from a text: its name and data, or why there are none. Places are "line:column"."""

    place: str
    name: str = ""
    data: Data | None = None
    offences: tuple[tuple[str, str], ...] = ()
    """(place, message) of everything that cannot be read."""
    places: Mapping[str, str] = field(default_factory=dict)
    """{path in the data: place in the text}."""
    ambiguities: tuple[Ambiguity, ...] = ()
    """Everything that is ambiguous."""
    left: Mapping[str, int] = field(default_factory=dict)
    """{key of a gauge, such as "life": what is left of it according to the text}."""
