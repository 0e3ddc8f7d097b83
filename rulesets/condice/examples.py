"""Sheets that show what ConDice can do, and sheets that each break one rule."""

from typing import Any

from rulesets.condice import RULESET
from rulesets.kit import DROP, patched


def _attack(name: str, dice: int, range_: int = 0, description: str = "") -> dict:
    return {"name": name, "dice": dice, "range": range_, "description": description}


def _document(name: str, values: tuple[int, int, int, int], attacks: list, abilities: list) -> dict:
    """Return a complete document; `values` are defence, life, mental resistance and movement."""
    keys = ("defence", "life", "mental_resistance", "movement")
    data = dict(zip(keys, values, strict=True)) | {"attacks": attacks, "abilities": abilities}
    return RULESET.document(name, RULESET.sheet.model_validate(data).model_dump())


EXAMPLES = {
    "juan": _document(
        "Juan", (4, 5, 2, 4),
        [_attack("Einhornpiranhas", 4, 2, "Rosa, geflügelt, in allen Farben des Regenbogens, und sie haben Hunger."),
         _attack("Faustschlag", 5, 0, "Wenn die Piranhas gerade satt sind.")],
        [{"ability": "zaubern"}, {"ability": "durch-waende-gehen", "fields": 1}, {"ability": "heilung"}],
    ),
    "healer": _document(
        "Moosmutter Grete", (3, 5, 3, 3),
        [_attack("Knorriger Stock", 4, 0, "Er ist älter als das Dorf und schlechter gelaunt.")],
        [{"ability": "heilung", "extra_characters": 2}, {"ability": "aura", "attribute": "life"},
         {"ability": "flaechenkontrolle", "fields": 1, "range": 1}, {"ability": "zaubern"}],
    ),
    "mind-control": _document(
        "Doktor Nebel", (2, 4, 5, 3),
        [_attack("Stockdegen", 4, 0, "Steckt in einem Spazierstock mit silbernem Rabenkopf.")],
        [{"ability": "mindcontrol", "dice": 6, "range": 2}, {"ability": "teleportieren", "fields": 2}],
    ),
    "explosion": _document(
        "Bombastus Krawall", (2, 6, 0, 4),
        [_attack("Knallfrosch", 3, 2, "Aus eigener Zucht. Hüpft ein letztes Mal.")],
        [{"ability": "explosion"}, {"ability": "flaechenangriff", "fields": 2, "damage": 1, "distance": 1}],
    ),
    "flying": _document(
        "Federike Sturmwind", (2, 4, 2, 4),
        [_attack("Sturzflug", 4, 0, "Erst der Schatten, dann der Schnabel."),
         _attack("Federpfeile", 2, 2, "Wachsen nach, aber nicht gern.")],
        [{"ability": "fliegen"}, {"ability": "boost", "variant": "V"}],
    ),
    "guardian": _document(
        "Brocken", (5, 6, 2, 2),
        [_attack("Schulterstoß", 4, 0, "Der Türsteher des „Goldenen Molchs“ bittet höflich hinaus.")],
        [{"ability": "aggro-ziehen", "dice": 4, "extra_targets": 1}, {"ability": "groesse-aendern"},
         {"ability": "wurf-wiederholen"}],
    ),
    "life-and-portal": _document(
        "Gräfin Morana", (2, 4, 2, 2),
        [_attack("Krallenhandschuh", 3, 0, "Schwarze Spitze, innen mit Samt gefüttert.")],
        [{"ability": "leben-transferieren", "life_points": 3},
         {"ability": "portal-erschaffen", "fields": 3, "extra_persons": 1},
         {"ability": "boost-debuff", "variant": "I"}],
    ),
    "own-ability": _document(
        "Uhrmacherin Tick", (3, 4, 3, 4),
        [_attack("Zahnradwurf", 4, 2, "Kommt meistens zurück.")],
        [{"ability": "custom", "name": "Zeit anhalten", "cost": 8,
          "description": "Einmal im Kampf hält sie einen Zug lang die Zeit an: Alle anderen setzen aus."},
         {"ability": "durch-waende-gehen", "fields": 2}],
    ),
}
"""Each spends all 30 points; together they use every ability. The one with a custom ability needs approval (CD-08)."""


def _offender(patch: dict | None = None, *, title: str = "Sünder", **ability: Any) -> dict:
    """Return the example "explosion" without its abilities (13 points unspent), with a patch or another ability."""
    base = patched(EXAMPLES["explosion"]["data"], {"abilities.0": DROP, "abilities.1": DROP})
    data = patched(base, (patch or {}) | ({"abilities": [ability]} if ability else {}))
    return RULESET.document(title, RULESET.sheet.model_validate(data).model_dump())


OFFENDERS = {
    "CD-00": _offender(title=" "),
    "CD-01": _offender({"life": 20}),
    "CD-02": _offender({"attacks.0.name": ""}),
    "CD-07": _offender(ability="teleportieren", fields=1, range=2),
    "CD-08": _offender(ability="custom", name="Zeit anhalten", cost=6),
    "CD-10": _offender({"movement": 0}),
    "CD-21": _offender(ability="durch-waende-gehen", fields=0),
    "CD-22": _offender(ability="mindcontrol", dice=0),
    "CD-23": _offender(ability="aggro-ziehen", dice=0, extra_targets=1),
    "CD-25": _offender(ability="teleportieren", fields=0),
    "CD-26": _offender(ability="portal-erschaffen", fields=0),
    "CD-27": _offender(ability="flaechenkontrolle", fields=0),
    "CD-29": _offender(ability="leben-transferieren", life_points=0),
    "CD-32": _offender(ability="aura", attribute=None),
    "CD-33": _offender(ability="boost-debuff", variant=None),
    "CD-35": _offender(ability="flaechenangriff", damage=0),
    "CD-36": _offender(ability="boost", variant=None),
}
"""{rule: a sheet that breaks only this rule}."""
