"""Decorators that mark a method as a rule or a derived value, and the passages that texts are read as."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rulesets.kit.asks import Data
from rulesets.kit.words import Wording

Method = TypeVar("Method", bound=Callable[..., Any])


def rule(*ids: str) -> Callable[[Method], Method]:
    """Mark a method `(self, house)` of a part that yields findings under these rule ids (the first by default)."""

    def mark(method: Method) -> Method:
        vars(method)["rules"] = ids
        return method

    return mark


def derived(key: str, title: Wording, *rules: str, how: Wording = "", tile: bool = True, of: str = "",
            copy: bool = False, words: str = "", drawn: bool = False) -> Callable[[Method], Method]:
    """Mark a method `(self, house)` of a sheet as the derived value `key`.

    `how` says in words where the figure comes from; it is formatted with the sheet as `{0}`. A sheet's page shows the
    value among its first figures unless `tile` is off. A value {name of a row: figure} is told with the rows of the
    list `of`. `copy` marks a text that is taken elsewhere to the letter; its method is `(self, house, name)`, for it
    bears the character's name. `words` names the sheet's method `(self, house)` that gives {key: label} of a value
    {key: number}, which is shown as bars. A number that is `drawn` is one of fields.
    """

    def mark(method: Method) -> Method:
        vars(method)["derived"] = Derived(key, title, rules, how, tile and not copy, of, method, copy, words, drawn)
        return method

    return mark


@dataclass(frozen=True)
class Derived:
    """A value that follows from the fields."""

    key: str
    title: Wording
    rules: tuple[str, ...]
    how: Wording
    tile: bool
    of: str
    method: Callable[..., Any]
    copy: bool = False
    words: str = ""
    drawn: bool = False


@dataclass(frozen=True)
class Passage:
    """A sheet that was found in a text: its name and data, or what makes it unreadable. Places are "line:column"."""

    place: str
    name: str = ""
    data: Data | None = None
    offences: tuple[tuple[str, str], ...] = ()
    """(place, message) of whatever cannot be read."""
    places: Mapping[str, str] = field(default_factory=dict)
    """{path in the data: where it stands in the text}."""
