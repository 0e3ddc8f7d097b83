"""Sheets that show what Dice Rumble can do, and sheets that break one rule each."""

from rulesets.dice_rumble import RULESET
from rulesets.kit import patched

_KEYS = ("strength", "dexterity", "mind", "charisma")


def _document(name: str, values: tuple, talents: list[tuple], weapons: list[tuple]) -> dict:
    """Return a full document; `values` are strength, dexterity, mind and charisma."""
    return RULESET.document(name, {
        "attributes": dict(zip(_KEYS, values, strict=True)),
        "talents": [{"name": name, "attribute": attribute, "points": points} for name, attribute, points in talents],
        "weapons": [{"name": name, "talent": talent, "damage": damage} for name, talent, damage in weapons],
    })


EXAMPLES = {
    "aunt": _document(
        "Tante Hedwig", (1, 1, 2, 3),
        [("Konstitution", "strength", 4), ("Willenskraft", "mind", 6), ("Nahkampf", "strength", 5),
         ("Überreden", "charisma", 6), ("Empörung", "charisma", 6), ("Kuchen backen", "mind", 6),
         ("Tratsch", "charisma", 5), ("Falschparker entdecken", "mind", 2)],
        [("Handtasche mit Ziegelstein", "Nahkampf", 3), ("Regenschirm", "Nahkampf", 1)],
    ),
    "captain": _document(
        "Kapitän Knurrhahn", (3, 1, 1, 2),
        [("Konstitution", "strength", 6), ("Willenskraft", "mind", 3), ("Nahkampf", "strength", 6),
         ("Ballistik", "dexterity", 4), ("Akrobatik", "dexterity", 3), ("Seefahrt", "mind", 6),
         ("Brüllen", "charisma", 6), ("Seemannsgarn spinnen", "charisma", 6)],
        [("Entermesser", "Nahkampf", 2), ("Steinschlosspistole", "Ballistik", 3)],
    ),
    "inventor": _document(
        "Ada Zahnrad", (1, 2, 3, 1),
        [("Konstitution", "strength", 3), ("Willenskraft", "mind", 5), ("Ballistik", "dexterity", 6),
         ("Akrobatik", "dexterity", 2), ("Mechanik", "mind", 6), ("Sprengstoffe", "mind", 6),
         ("Fingerfertigkeit", "dexterity", 6), ("Ungefragt erklären", "charisma", 6)],
        [("Druckluftkanone", "Ballistik", 4), ("Schraubenschlüssel", "Nahkampf", 1)],
    ),
    "baker": _document(
        "Bruno Backhaus", (3, 1, 1, 2),
        [("Konstitution", "strength", 5), ("Willenskraft", "mind", 5), ("Nahkampf", "strength", 6),
         ("Ballistik", "dexterity", 3), ("Akrobatik", "dexterity", 1), ("Früh aufstehen", "strength", 6),
         ("Brotkunde", "mind", 6), ("Trösten", "charisma", 6), ("Nachtwache", "mind", 2)],
        [("Nudelholz", "Nahkampf", 2), ("Steinharte Brezel", "Ballistik", 1)],
    ),
    "burglar": _document(
        "Nachtfalter", (1, 3, 1, 2),
        [("Konstitution", "strength", 2), ("Willenskraft", "mind", 4), ("Nahkampf", "dexterity", 4),
         ("Ballistik", "dexterity", 5), ("Akrobatik", "dexterity", 6), ("Schleichen", "dexterity", 6),
         ("Schlösser knacken", "dexterity", 6), ("Unschuldig schauen", "charisma", 6),
         ("Kronleuchter schwingen", "strength", 1)],
        [("Wurfstern", "Ballistik", 1), ("Brecheisen", "Nahkampf", 2)],
    ),
}
"""Each spends all 40 points; Nachtfalter fights with dexterity."""


def _offender(patch: dict, *, title: str = "Sünder") -> dict:
    """Return the example Nachtfalter with one change."""
    return RULESET.document(title, patched(EXAMPLES["burglar"]["data"], patch))


OFFENDERS = {
    "DR-00": _offender({}, title=" "),
    "DR-01": _offender({"attributes.strength": 2}),
    "DR-02": _offender({"talents.0.points": 3}),
    "DR-03": _offender({"talents.8.name": "akrobatik "}),
    "DR-18": _offender({"weapons.0.talent": "Weitwurf"}),
}
"""{rule: sheet that breaks this rule only}."""
