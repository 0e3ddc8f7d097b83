"""Random characters: concepts as data, vocabularies in the reader's language, and random values drawn from both."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rulesets.kit.former_names import accept_former_arguments

TRIES = 50
"""The number of names to draw before a name that is already taken is accepted."""


@accept_former_arguments({"often": "weight"})
@dataclass(frozen=True)
class Concept:
    """A kind of character: its fixed sheet data, and preferences for spending the remaining points.

    Its title is looked up in the vocabularies by its slug.
    """

    has: Mapping[str, Any]
    """Partial sheet data, with a `Draw` for each value that is random."""
    likes: Mapping[str, float | tuple[float, int]] = field(default_factory=dict)
    """{path of a figure: weight, or (weight, highest value)}; a * in a path stands for the index of any row."""
    weight: float = 1
    """Its weight in the random choice among all concepts."""
    tells: Callable[[Mapping[str, Any], Mapping[str, Any]], list[str]] | None = None
    """A function (vocabulary, sheet data) that returns descriptive lines; None for the vocabulary's lines by slug."""

    def liking(self, path: str, value: int, *, bounded: bool) -> float:
        """Return the weight for raising the figure at a path.

        It is 0 if the figure has no weight, or if `bounded` and the figure is at its maximum.
        """
        starred = ".".join("*" if step.isdecimal() else step for step in path.split("."))
        found = self.likes.get(path, self.likes.get(starred, 0))
        weight, most = found if isinstance(found, tuple) else (found, value + 1)
        return 0 if bounded and value >= most else weight


class Draw:
    """A placeholder for a random value in a concept's data."""

    def drawn(self, drawing: "Drawing") -> Any:
        """Return a random value; `Several` are inserted as rows into the list around it."""
        raise NotImplementedError


class Several(list[Any]):
    """Rows that a draw inserts into the list around it."""


class Drawing:
    """The random choices for one character; the same seed gives the same figures in every language."""

    def __init__(self, rng: Random, house: Any, vocabulary: Mapping[str, Any]):
        self.rng, self.house, self.vocabulary = rng, house, vocabulary
        self._entries: dict[tuple[str, str], Any] = {}

    def pick(self, options: Sequence[Any]) -> Any:
        """Return one of the options, using one random number however many there are."""
        return options[int(self.rng.random() * len(options))]

    def entry(self, kind: str, place: str = "", ways: Sequence[Any] = ()) -> Any:
        """Return the vocabulary's entry of a kind, or one of `ways`, for a place.

        The same place always gets the same entry, different places different ones while there are any left.
        """
        place = place or str(len(self._entries))
        if (kind, place) not in self._entries:
            every = ways or self.vocabulary.get(kind) or [kind]
            used = [entry for (of, _place), entry in self._entries.items() if of == kind]
            self._entries[kind, place] = self.pick([entry for entry in every if entry not in used] or every)
        return self._entries[kind, place]

    def made(self, value: Any) -> Any:
        """Return data with a random value in place of each `Draw`."""
        if isinstance(value, Draw):
            return self.made(value.drawn(self))
        if isinstance(value, Mapping):
            return {key: self.made(item) for key, item in value.items()}
        if isinstance(value, Several):
            return Several(map(self.made, value))
        if isinstance(value, list | tuple):
            rows = [self.made(item) for item in value]
            return [row for item in rows for row in (item if isinstance(item, Several) else [item])]
        return value


@dataclass(frozen=True)
class RandomInt(Draw):
    """A random whole number from `least` to `most`."""

    least: int
    most: int

    def drawn(self, drawing: Drawing) -> int:
        """Return a number; all are equally likely."""
        return self.least + int(drawing.rng.random() * (self.most - self.least + 1))


@dataclass(frozen=True)
class OneOf(Draw):
    """One of several options."""

    options: tuple[Any, ...]

    def drawn(self, drawing: Drawing) -> Any:
        """Return one option; all are equally likely."""
        return drawing.pick(self.options)


@dataclass(frozen=True)
class SomeOf(Draw):
    """From `least` to `most` different options, as rows of the list around them."""

    least: int
    most: int
    options: tuple[Any, ...]

    def drawn(self, drawing: Drawing) -> Several:
        """Return the options in the order they are drawn; all are equally likely."""
        left, found = [*self.options], Several()
        for _number in range(min(len(left), RandomInt(self.least, self.most).drawn(drawing))):
            found.append(left.pop(int(drawing.rng.random() * len(left))))
        return found


@dataclass(frozen=True)
class RowFrom(Draw):
    """A row whose `texts` fields are filled from an entry of the vocabulary; `fields` are its other fields."""

    kind: str | Draw
    texts: tuple[str, ...]
    fields: Mapping[str, Any]

    def drawn(self, drawing: Drawing) -> dict[str, Any]:
        """Return the row; each gets a different entry while there are any left."""
        entry = drawing.entry(drawing.made(self.kind))
        return {**dict(zip(self.texts, [entry] if isinstance(entry, str) else entry, strict=False)), **self.fields}


@dataclass(frozen=True)
class TextFrom(Draw):
    """A text of the vocabulary, or one part of an entry; all parts for the same `place` come from the same entry."""

    kind: str
    part: int | None = None
    place: str = "here"

    def drawn(self, drawing: Drawing) -> Any:
        """Return the text."""
        entry = drawing.entry(self.kind, self.place)
        return entry if self.part is None else entry[self.part]


def between(least: int, most: int) -> RandomInt:
    """Return a draw of a whole number from `least` to `most`."""
    return RandomInt(least, most)


def one_of(*options: Any) -> OneOf:
    """Return a draw of one of several options."""
    return OneOf(options)


def some_of(least: int, most: int, *options: Any) -> SomeOf:
    """Return a draw of `least` to `most` different rows out of several."""
    return SomeOf(least, most, options)


def row_from(kind: str | Draw, /, *texts: str, **fields: Any) -> RowFrom:
    """Return a draw of a row whose fields `texts` (default: `name`) are filled from an entry of the vocabulary."""
    return RowFrom(kind, texts or ("name",), fields)


def text_from(kind: str, part: int | None = None, place: str = "here") -> TextFrom:
    """Return a draw of a text of the vocabulary."""
    return TextFrom(kind, part, place)


def random_name(vocabulary: Mapping[str, Any], rng: Random, taken: Collection[str] = (), slug: str = "") -> str:
    """Return a random name that is not taken; "" if the vocabulary has no name parts.

    It is made of the concept's name parts; if it has none of its own, of those of a random concept, or of the general
    ones if no concept has any.
    """
    every = _parts(vocabulary)
    parts = every.get(slug) or (rng.choice([*every.values()]) if every else {})
    name = ""
    for _try in range(TRIES if parts else 0):
        name = rng.choice(parts["patterns"]).format_map(_Parts(parts, rng))
        if name not in taken:
            break
    return name


def _parts(vocabulary: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return {slug: name parts} of the concepts that have parts of their own, or {"": general parts} if none has."""
    names = dict(vocabulary.get("names", {}))
    own = names.pop("of", {})
    return {slug: {**names, **parts} for slug, parts in own.items()} or ({"": names} if names else {})


class _Parts(dict[str, Any]):
    """A mapping for `str.format_map` that draws a random name part for each placeholder of a pattern."""

    def __init__(self, parts: Mapping[str, Any], rng: Random):
        super().__init__()
        self.parts, self.rng = parts, rng

    def __missing__(self, key: str) -> str:
        return str(self.rng.choice(self.parts[key]))


def names(vocabulary: Mapping[str, Any]) -> list[str]:
    """Return every name that can be made of the vocabulary's name parts."""
    found: dict[str, None] = {}
    for parts in _parts(vocabulary).values():
        for pattern in parts.get("patterns", ()):
            made = [pattern]
            for key, words in parts.items():
                if "{" + key + "}" in pattern:
                    made = [name.replace("{" + key + "}", word) for name in made for word in words]
            found |= dict.fromkeys(made)
    return [*found]


def lines_of(vocabulary: Mapping[str, Any], slug: str) -> list[str]:
    """Return the lines that describe a character: those of its concept, then those for all concepts."""
    lines = vocabulary.get("lines", {})
    return [*lines.get(slug, ()), *lines.get("all", ())]
