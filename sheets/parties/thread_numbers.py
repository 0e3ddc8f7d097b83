"""The numbers of a scene's rolls that posts of its thread leave out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from rulesets.grouping import by_key


@dataclass(frozen=True)
class NumberedRoll:
    """A numbered roll of a scene, with the facts that `left_out` needs."""

    number: int
    maker_key: str
    """The key of the sheet or user that made it."""
    counts: bool
    """False if it was taken back or repeated."""


def left_out(rolls: Mapping[int, NumberedRoll], read_before: Iterable[int],
             quoted: Iterable[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """Yield (number, line) of each roll that a post leaves out.

    That is a roll that stands and comes after every roll of its maker that earlier posts quote, while the post quotes a
    later one, on `line`, but not this one. `read_before` are the numbers quoted in posts read before, `quoted` is
    (post, number, line) in the order of the text.
    """
    last: dict[str, int] = {}
    for number in read_before:
        if roll := rolls.get(number):
            last[roll.maker_key] = max(last.get(roll.maker_key, 0), number)
    own = by_key((roll.maker_key, number) for number, roll in rolls.items() if roll.counts)
    for _post, group in groupby(quoted, key=lambda one: one[0]):
        lines = {number: line for _, number, line in group if number in rolls}
        tops: dict[str, int] = {}
        for number in lines:
            tops[rolls[number].maker_key] = max(tops.get(rolls[number].maker_key, 0), number)
        for maker, top in tops.items():
            yield from ((number, lines[top]) for number in own.get(maker, ())
                        if last.get(maker, 0) < number < top and number not in lines)
            last[maker] = max(last.get(maker, 0), top)
