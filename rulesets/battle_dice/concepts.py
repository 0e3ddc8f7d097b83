"""Concepts for random decks, each with lists of cards that follow its plan (BD-01, BD-02)."""

from collections.abc import Mapping
from itertools import permutations
from typing import Any

from rulesets.battle_dice.cards import DECK_SLUGS
from rulesets.kit import Concept, Draw
from rulesets.kit.concepts import Drawing

CORONA, PINA, SNOW, FAN = KINDS = ("the-corona-look", "pina-rohkinar", "snowbuddies", "the-biggest-fan")

CardCounts = dict[str, int]
"""{slug: copies} of a deck's cards."""


class Deck(Draw):
    """A random choice of a plan's lists, adapted to the size of decks in the house rules."""

    def __init__(self, lists: tuple[CardCounts, ...]) -> None:
        self.lists = lists

    def drawn(self, drawing: Drawing) -> Any:
        """Return rows with as many cards as a deck has by the house rules, or fewer if the list does not suffice."""
        plan, size, most = drawing.pick(self.lists), drawing.house.deck_size, drawing.house.same_card
        copies = {slug: min(most, plan.get(slug, 0)) for slug in DECK_SLUGS}
        while sum(copies.values()) > size:
            copies[max(copies, key=copies.__getitem__)] -= 1
        while sum(copies.values()) < size and (room := [slug for slug in DECK_SLUGS if copies[slug] < most]):
            preferred = [slug for slug in room if plan.get(slug)] or room
            chosen, = drawing.rng.choices(preferred, [plan.get(slug, 1) for slug in preferred])
            copies[chosen] += 1
        return [{"card": slug, "copies": n} for slug, n in copies.items() if n]


def _pair_lists(one: str, other: str) -> tuple[CardCounts, ...]:
    """Return lists with three copies of two cards: with two of a third card, or with one of both others."""
    third, fourth = (slug for slug in KINDS if slug not in (one, other))
    both = {one: 3, other: 3}
    return {**both, third: 2}, {**both, fourth: 2}, {**both, third: 1, fourth: 1}


def _theme_lists(*themes: str) -> tuple[CardCounts, ...]:
    """Return lists with three copies of a theme's card, two of two others, and one of the last."""
    pairs = [(theme, last) for theme, last in permutations(KINDS, 2) if theme in themes]
    return tuple({slug: {theme: 3, last: 1}.get(slug, 2) for slug in KINDS} for theme, last in pairs)


def _concept(slug: str, lists: tuple[CardCounts, ...]) -> Concept:
    def tells(vocabulary: Mapping[str, Any], data: Mapping[str, Any]) -> list[str]:
        """Return lines on how to play the deck: its plan, and the purpose of the cards of which it has the fewest."""
        copies = {row["card"]: row.get("copies") or 0 for row in data.get("cards", ()) if row.get("card") in KINDS}
        least = min(copies.values(), default=0)
        key = "-".join(str(KINDS.index(card) + 1) for card in KINDS if copies.get(card) == least)
        ends = vocabulary["ends"].get(f"{key}x{least}", ()) if copies in lists else ()
        return [f"{start} {end}" for start in vocabulary["lines"][slug] for end in ends]

    # The concept "four" is drawn less often, because most of its lists belong to other concepts, too.
    return Concept({"cards": Deck(lists)}, weight=0.5 if len(lists) > len(KINDS) else 1, tells=tells)


CONCEPTS = {slug: _concept(slug, lists) for slug, lists in {
    "fast": _pair_lists(CORONA, PINA),
    "walls": _pair_lists(CORONA, SNOW),
    "cakes": _pair_lists(CORONA, FAN),
    "four": (*_theme_lists(*KINDS), dict.fromkeys(KINDS, 2)),
    "frost": _pair_lists(PINA, SNOW),
    "steel": _theme_lists(PINA),
    "patience": _pair_lists(SNOW, FAN),
    "counter": _pair_lists(PINA, FAN),
    "bank": _theme_lists(CORONA),
    "snow": _theme_lists(SNOW),
    "jokes": _theme_lists(FAN),
}.items()}
"""{slug: concept}; their names are in the vocabularies."""
