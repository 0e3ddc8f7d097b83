"""Concepts for random characters of Dice Rumble: the best talents use the best attribute (DR-01 to DR-03, DR-18)."""

from typing import Any

from rulesets.dice_rumble.talents import ATTRIBUTES, BRAWL, CONSTITUTION, KNOWN_TALENTS, WILLPOWER
from rulesets.kit import Concept, Draw, between, row_from
from rulesets.kit.concepts import Drawing

SHOOT, TUMBLE = "Ballistik", "Akrobatik"
MASTERED, GOOD, MINOR = (between(5, 6), (2, 6)), (between(3, 4), (1, 5)), (between(1, 2), (0.7, 4))
"""(points of a talent, (weight of raising it, highest points)) for three levels of skill."""


class Dealt(Draw):
    """A draw of attribute values: the highest for the attribute that is named first, the next for the second."""

    def __init__(self, *first: str) -> None:
        self.first = first

    def drawn(self, drawing: Drawing) -> Any:
        """Return {attribute: value}; the other attributes get the remaining values in one of two orders."""
        others = [key for key in ATTRIBUTES if key not in self.first]
        numbers = sorted(drawing.house.attributes, reverse=True)
        if drawing.rng.random() < 0.5:
            others.reverse()
        return dict(zip((*self.first, *others), numbers, strict=True))


def _talent_row(name: str, much: tuple) -> tuple:
    return {"name": name, "attribute": KNOWN_TALENTS[name], "points": much[0]}, much[1]


def _random_talent_row(kind: str, attribute: str, much: tuple) -> tuple:
    return row_from(kind, attribute=attribute, points=much[0]), much[1]


def _concept(slug: str, strong: str, second: str, arms: tuple) -> Concept:
    """Return a concept: three mastered talents of the strong attribute, two good ones of the second, and weapons."""
    talents = {CONSTITUTION: GOOD if strong == "strength" else MINOR, WILLPOWER: MINOR}
    talents |= {name: MASTERED if KNOWN_TALENTS[name] == strong else GOOD for name, _damage in arms}
    if "dexterity" in (strong, second):
        talents.setdefault(TUMBLE, MINOR)
    rows = [_random_talent_row(slug, strong, MASTERED) for _number in range(3 - (MASTERED in talents.values()))]
    fights = any(KNOWN_TALENTS[name] == second for name, _damage in arms)
    rows += [_random_talent_row(f"{slug}_beside", second, GOOD) for _number in range(2 - fights)]
    rows += [_talent_row(name, much) for name, much in talents.items()]
    rows.append(_random_talent_row(f"{slug}_hobby", _third(strong, second), MINOR))
    likes = {f"talents.{index}.points": liking for index, (_row, liking) in enumerate(rows)}
    return Concept({
        "attributes": Dealt(strong, second), "talents": [row for row, _liking in rows],
        "weapons": [row_from(f"{slug}_{VOCABULARY_KINDS[name]}", talent=name, damage=damage) for name, damage in arms],
    }, likes)


def _third(*others: str) -> str:
    """Return a further attribute, for a hobby."""
    return next(key for key in ("charisma", "mind", "dexterity") if key not in others)


VOCABULARY_KINDS = {BRAWL: "arms", SHOOT: "shots"}
"""The name of each talent's weapons in the vocabularies."""
FIST, BLADE, ODD = (BRAWL, 1), (BRAWL, between(2, 3)), (BRAWL, between(1, 2))
THROWN, GUN = (SHOOT, 1), (SHOOT, between(2, 3))

CONCEPTS = {
    slug: _concept(slug, strong, second, arms) for slug, strong, second, arms in (
        ("brawler", "strength", "charisma", (FIST,)),
        ("knight", "strength", "mind", (BLADE,)),
        ("baker", "strength", "charisma", (ODD,)),
        ("sailor", "strength", "dexterity", (ODD,)),
        ("burglar", "dexterity", "charisma", (FIST, THROWN)),
        ("marksman", "dexterity", "mind", (GUN,)),
        ("acrobat", "dexterity", "strength", (THROWN,)),
        ("coachman", "dexterity", "charisma", (GUN,)),
        ("inventor", "mind", "dexterity", (GUN,)),
        ("healer", "mind", "charisma", (FIST,)),
        ("detective", "mind", "charisma", (GUN,)),
        ("librarian", "mind", "strength", (ODD,)),
        ("captain", "charisma", "strength", (BLADE,)),
        ("swindler", "charisma", "dexterity", (THROWN,)),
        ("bard", "charisma", "mind", (ODD,)),
        ("noble", "charisma", "mind", (BLADE,)),
    )
}
"""{slug: concept}; their names are in the vocabularies."""
