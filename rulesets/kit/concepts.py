"""The makings of random characters: a concept as data, words of the reader's language, and what is drawn from both."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

TRIES = 50
"""Names that are drawn before one that is taken already has to do."""


@dataclass(frozen=True)
class Concept:
    """A character to play: what makes it what it is, and what the rest of its points goes into.

    What it is called stands in the vocabularies, by its slug.
    """

    has: Mapping[str, Any]
    """Sheet data in part; a `Draw` stands where it differs from one character to the next."""
    likes: Mapping[str, float | tuple[float, int]] = field(default_factory=dict)
    """{path of a figure, of all rows with a * for the row's number: how much it is liked, perhaps up to how many}."""
    often: float = 1
    """The weight with which it is drawn beside others."""
    tells: Callable[[Mapping[str, Any], Mapping[str, Any]], list[str]] | None = None
    """The lines of who it is, by a vocabulary and sheet data; without it those of its slug."""

    def liking(self, path: str, value: int, *, bounded: bool) -> float:
        """Return how much one more at a path is liked; 0 where it is not, or (if `bounded`) where there is enough."""
        starred = ".".join("*" if step.isdecimal() else step for step in path.split("."))
        found = self.likes.get(path, self.likes.get(starred, 0))
        weight, most = found if isinstance(found, tuple) else (found, value + 1)
        return 0 if bounded and value >= most else weight


class Draw:
    """A placeholder in a concept's data for what is drawn."""

    def drawn(self, drawing: "Drawing") -> Any:
        """Return the value drawn this time; `Several` become rows of the list around it."""
        raise NotImplementedError


class Several(list[Any]):
    """Rows that a draw puts into the list around it."""


class Drawing:
    """One character as it is drawn; both languages draw the same figures from the same chance."""

    def __init__(self, rng: Random, house: Any, vocabulary: Mapping[str, Any]):
        self.rng, self.house, self.vocabulary = rng, house, vocabulary
        self._entries: dict[tuple[str, str], Any] = {}

    def pick(self, ways: Sequence[Any]) -> Any:
        """One of them; as much chance is used up whatever their number is."""
        return ways[int(self.rng.random() * len(ways))]

    def entry(self, kind: str, place: str = "", ways: Sequence[Any] = ()) -> Any:
        """The vocabulary's entry of a kind, or one of the ways, for a place: always the same, and for each another."""
        place = place or str(len(self._entries))
        if (kind, place) not in self._entries:
            every = ways or self.vocabulary.get(kind) or [kind]
            there = [one for (of, _place), one in self._entries.items() if of == kind]
            self._entries[kind, place] = self.pick([one for one in every if one not in there] or every)
        return self._entries[kind, place]

    def made(self, value: Any) -> Any:
        """Data with everything drawn."""
        if isinstance(value, Draw):
            return self.made(value.drawn(self))
        if isinstance(value, Mapping):
            return {key: self.made(one) for key, one in value.items()}
        if isinstance(value, Several):
            return Several(map(self.made, value))
        if isinstance(value, list | tuple):
            rows = [self.made(one) for one in value]
            return [row for some in rows for row in (some if isinstance(some, Several) else [some])]
        return value


@dataclass(frozen=True)
class Few(Draw):
    """A whole number from the least to the most."""

    least: int
    most: int

    def drawn(self, drawing: Drawing) -> int:
        """Each alike."""
        return self.least + int(drawing.rng.random() * (self.most - self.least + 1))


@dataclass(frozen=True)
class One(Draw):
    """One of several ways."""

    ways: tuple[Any, ...]

    def drawn(self, drawing: Drawing) -> Any:
        """Each alike."""
        return drawing.pick(self.ways)


@dataclass(frozen=True)
class Some(Draw):
    """So many different ones, as rows of the list around them."""

    least: int
    most: int
    ways: tuple[Any, ...]

    def drawn(self, drawing: Drawing) -> Several:
        """Each alike, in the order they are drawn."""
        left, found = [*self.ways], Several()
        for _number in range(min(len(left), Few(self.least, self.most).drawn(drawing))):
            found.append(left.pop(int(drawing.rng.random() * len(left))))
        return found


@dataclass(frozen=True)
class Told(Draw):
    """A row whose texts are an entry of the vocabulary, field by field, and which has other fields beside."""

    kind: str | Draw
    texts: tuple[str, ...]
    fields: Mapping[str, Any]

    def drawn(self, drawing: Drawing) -> dict[str, Any]:
        """Every row another entry, as long as there are any."""
        entry = drawing.entry(drawing.made(self.kind))
        return {**dict(zip(self.texts, [entry] if isinstance(entry, str) else entry, strict=False)), **self.fields}


@dataclass(frozen=True)
class Word(Draw):
    """A text of the vocabulary, or a part of an entry; at one place all parts are of the same entry."""

    kind: str
    part: int | None = None
    place: str = "here"

    def drawn(self, drawing: Drawing) -> Any:
        """The text."""
        entry = drawing.entry(self.kind, self.place)
        return entry if self.part is None else entry[self.part]


def few(least: int, most: int) -> Few:
    """A whole number from the least to the most."""
    return Few(least, most)


def one(*ways: Any) -> One:
    """One of several ways."""
    return One(ways)


def some(least: int, most: int, *ways: Any) -> Some:
    """So many different ones of several rows."""
    return Some(least, most, ways)


def told(kind: str | Draw, /, *texts: str, **fields: Any) -> Told:
    """A row whose texts (`name`, if none is stated) are an entry of the vocabulary."""
    return Told(kind, texts or ("name",), fields)


def word(kind: str, part: int | None = None, place: str = "here") -> Word:
    """A text of the vocabulary."""
    return Word(kind, part, place)


def called(vocabulary: Mapping[str, Any], rng: Random, taken: Collection[str] = (), slug: str = "") -> str:
    """A name from the vocabulary's parts, of a concept's own if it has some, that is not taken; "" without parts."""
    every = _parts(vocabulary)
    parts = every.get(slug) or (rng.choice([*every.values()]) if every else {})
    name = ""
    for _try in range(TRIES if parts else 0):
        name = rng.choice(parts["patterns"]).format_map(_Parts(parts, rng))
        if name not in taken:
            break
    return name


def _parts(vocabulary: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The parts of names by concept: those for all, and what the concept has of its own instead; "" if none has any."""
    names = dict(vocabulary.get("names", {}))
    own = names.pop("of", {})
    return {slug: {**names, **parts} for slug, parts in own.items()} or ({"": names} if names else {})


class _Parts(dict[str, Any]):
    """The parts of names, each drawn where a pattern asks for it."""

    def __init__(self, parts: Mapping[str, Any], rng: Random):
        super().__init__()
        self.parts, self.rng = parts, rng

    def __missing__(self, key: str) -> str:
        return str(self.rng.choice(self.parts[key]))


def names(vocabulary: Mapping[str, Any]) -> list[str]:
    """Every name that the vocabulary's parts make."""
    found: dict[str, None] = {}
    for parts in _parts(vocabulary).values():
        for pattern in parts.get("patterns", ()):
            made = [pattern]
            for key, words in parts.items():
                if "{" + key + "}" in pattern:
                    made = [one.replace("{" + key + "}", word) for one in made for word in words]
            found |= dict.fromkeys(made)
    return [*found]


def lines_of(vocabulary: Mapping[str, Any], slug: str) -> list[str]:
    """The lines of who somebody is, of those of a concept and of those for all."""
    lines = vocabulary.get("lines", {})
    return [*lines.get(slug, ()), *lines.get("all", ())]
