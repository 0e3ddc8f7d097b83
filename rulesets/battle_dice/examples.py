"""Decks that show the possibilities of Battle Dice, and decks that break one rule each."""

from typing import Any

from rulesets.battle_dice import RULESET
from rulesets.kit import patched

CORONA, PINA, SNOW, FAN = "the-corona-look", "pina-rohkinar", "snowbuddies", "the-biggest-fan"


def _document(name: str, *cards: tuple[str, int], own: tuple[dict, ...] = (), **house: Any) -> dict:
    """Return a full document with listed cards (slug, copies) and custom cards."""
    rows = [{"card": card, "copies": copies} for card, copies in cards]
    data = RULESET.sheet.model_validate({"cards": [*rows, *({"card": "custom", **one} for one in own)]}).model_dump()
    return RULESET.document(name, data) | ({"house": house} if house else {})


WEEB = {
    "name": "The Weeb", "copies": 1, "cost": 6,
    "keywords": [{"keyword": "lebenskraft", "value": 3}, {"keyword": "angriff", "value": 2},
                 {"keyword": "flink", "value": 1}],
    "effects": [{"kind": "passive", "name": "Untertitel an", "cost": None,
                 "text": "Reaktionen des Gegners kosten 1 Zeitmana."}],
}

EXAMPLES = {
    "frost": _document("Frostkuchen", (CORONA, 3), (SNOW, 3), (FAN, 2)),
    "attack": _document("Rohkost nach acht", (CORONA, 3), (PINA, 3), (FAN, 2)),
    "cake": _document("Drei Stück Torte", (CORONA, 3), (FAN, 3), (SNOW, 2)),
    "quick": _document("Kurze Nacht im Norden", (CORONA, 3), (PINA, 3), (SNOW, 2)),
    "own-card": _document("Mit Untertiteln", (CORONA, 2), (PINA, 3), (SNOW, 2), own=(WEEB,)),
}
"""Five decks of eight cards; the one with a custom card needs consent (BD-04)."""


def _offender(*cards: tuple[str, int], title: str = "Sünder", **given: Any) -> dict:
    return _document(title, *cards, **given)


def _weeb_with(**keyword: Any) -> dict:
    """Return a card with another third keyword."""
    return patched(WEEB, {"keywords.2": keyword})


OFFENDERS = {
    "BD-00": _offender((CORONA, 3), (PINA, 3), (SNOW, 2), title=" "),
    "BD-01": _offender((CORONA, 3), (PINA, 3), (SNOW, 3)),
    "BD-02": _offender((CORONA, 4), (PINA, 2), (SNOW, 2)),
    "BD-03": _offender((CORONA, 3), (PINA, 3), (SNOW, 1), ("dice-minion-boost", 1)),
    "BD-04": _offender((CORONA, 3), (PINA, 3), (SNOW, 1), own=(WEEB,)),
    "BD-20": _offender((CORONA, 3), (PINA, 3), (SNOW, 1), own=(_weeb_with(keyword="flink", value=None),),
                       consent=False),
}
"""{rule: deck that breaks this rule only}."""
