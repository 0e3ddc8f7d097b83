"""What random decks of Battle Dice can be: the cards that make them, and what the rest is filled up with (BD-01)."""

from rulesets.battle_dice.cards import OWN
from rulesets.kit import Concept, Draw

CORONA, PINA, SNOW, FAN = "the-corona-look", "pina-rohkinar", "snowbuddies", "the-biggest-fan"


class Deck(Draw):
    """As many cards as the house's decks have: the copies that it must have, then others as they are liked."""

    def __init__(self, least: dict[str, int], likes: dict[str, float]):
        self.least, self.likes = least, likes

    def drawn(self, drawing):
        """A row a card, as the list has them; a deck that the list cannot fill stays short."""
        size, most = drawing.house.deck_size, drawing.house.same_card
        copies = {slug: min(most, self.least.get(slug, 0)) for slug in OWN}
        while sum(copies.values()) < size and (room := [slug for slug in OWN if copies[slug] < most]):
            liked = [slug for slug in room if slug in self.likes] or room
            chosen, = drawing.rng.choices(liked, [self.likes.get(slug, 1) for slug in liked])
            copies[chosen] += 1
        return [{"card": slug, "copies": n} for slug, n in copies.items() if n]


def _deck(least: dict[str, int], likes: dict[str, float]) -> Concept:
    return Concept({"cards": Deck(least, likes)})


CONCEPTS = {
    "fast": _deck({CORONA: 3, PINA: 2}, {PINA: 1, SNOW: 2, FAN: 1}),
    "walls": _deck({SNOW: 3, CORONA: 2}, {CORONA: 1, PINA: 1, FAN: 2}),
    "cakes": _deck({FAN: 3}, {CORONA: 2, PINA: 1, SNOW: 1}),
    "four": _deck({CORONA: 1, PINA: 1, SNOW: 1, FAN: 1}, {CORONA: 1, PINA: 1, SNOW: 1, FAN: 1}),
    "frost": _deck({SNOW: 3}, {CORONA: 1, PINA: 2, FAN: 1}),
    "steel": _deck({PINA: 3}, {CORONA: 1, SNOW: 2, FAN: 1}),
    "patience": _deck({FAN: 2, SNOW: 2}, {FAN: 2, SNOW: 2, CORONA: 1}),
    "counter": _deck({PINA: 2, FAN: 2}, {PINA: 1, FAN: 1, SNOW: 1, CORONA: 0.5}),
    "bank": _deck({CORONA: 3, FAN: 1}, {FAN: 1, SNOW: 1, PINA: 1}),
}
"""By slug; what each is called stands in the vocabularies."""
