"""Concepts for random decks of Battle Dice: each plan with the lists of cards that follow it (BD-01, BD-02)."""

from collections.abc import Mapping
from itertools import permutations
from typing import Any

from rulesets.battle_dice.cards import OWN
from rulesets.kit import Concept, Draw
from rulesets.kit.concepts import Drawing

CORONA, PINA, SNOW, FAN = KINDS = ("the-corona-look", "pina-rohkinar", "snowbuddies", "the-biggest-fan")

List = dict[str, int]


class Deck(Draw):
    """One of a plan's lists; where a house's decks are larger or smaller, as near to it as they allow."""

    def __init__(self, lists: tuple[List, ...]) -> None:
        self.lists = lists

    def drawn(self, drawing: Drawing) -> Any:
        """As many cards as the house's decks have; a deck that the list cannot fill stays short."""
        plan, size, most = drawing.pick(self.lists), drawing.house.deck_size, drawing.house.same_card
        copies = {slug: min(most, plan.get(slug, 0)) for slug in OWN}
        while sum(copies.values()) > size:
            copies[max(copies, key=copies.__getitem__)] -= 1
        while sum(copies.values()) < size and (room := [slug for slug in OWN if copies[slug] < most]):
            liked = [slug for slug in room if plan.get(slug)] or room
            chosen, = drawing.rng.choices(liked, [plan.get(slug, 1) for slug in liked])
            copies[chosen] += 1
        return [{"card": slug, "copies": n} for slug, n in copies.items() if n]


def _pair(one: str, other: str) -> tuple[List, ...]:
    """Return two cards thrice: with a third one twice, or with both others once."""
    third, fourth = (slug for slug in KINDS if slug not in (one, other))
    both = {one: 3, other: 3}
    return {**both, third: 2}, {**both, fourth: 2}, {**both, third: 1, fourth: 1}


def _alone(*themes: str) -> tuple[List, ...]:
    """Return a card thrice, two that support it, one for the end."""
    others = [(theme, end) for theme, end in permutations(KINDS, 2) if theme in themes]
    return tuple({slug: {theme: 3, end: 1}.get(slug, 2) for slug in KINDS} for theme, end in others)


def _plan(slug: str, lists: tuple[List, ...]) -> Concept:
    def tells(vocabulary: Mapping[str, Any], data: Mapping[str, Any]) -> list[str]:
        """Return how it is played: the plan, and the purpose of the cards that it has fewest of."""
        copies = {row["card"]: row.get("copies") or 0 for row in data.get("cards", ()) if row.get("card") in KINDS}
        least = min(copies.values(), default=0)
        key = "-".join(str(KINDS.index(card) + 1) for card in KINDS if copies.get(card) == least)
        ends = vocabulary["ends"].get(f"{key}x{least}", ()) if copies in lists else ()
        return [f"{start} {end}" for start in vocabulary["lines"][slug] for end in ends]

    # A plan that has as many lists as "four" comes more seldom, as others have the same ones with a theme.
    return Concept({"cards": Deck(lists)}, often=0.5 if len(lists) > len(KINDS) else 1, tells=tells)


CONCEPTS = {slug: _plan(slug, lists) for slug, lists in {
    "fast": _pair(CORONA, PINA),
    "walls": _pair(CORONA, SNOW),
    "cakes": _pair(CORONA, FAN),
    "four": (*_alone(*KINDS), dict.fromkeys(KINDS, 2)),
    "frost": _pair(PINA, SNOW),
    "steel": _alone(PINA),
    "patience": _pair(SNOW, FAN),
    "counter": _pair(PINA, FAN),
    "bank": _alone(CORONA),
    "snow": _alone(SNOW),
    "jokes": _alone(FAN),
}.items()}
"""By slug; what each is called stands in the vocabularies."""
