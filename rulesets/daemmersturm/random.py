"""Random characters: no points are spent here, so one of the usual kinds is drawn (all within the rules)."""

from typing import Any

from rulesets.daemmersturm.catalogue import ABILITIES
from rulesets.kit import HIGHEST

FREE = ("Sprinten", "Zähigkeit", "Einschreiten", "Schildwall", "Zweite Haut", "Hart wie Stahl", "Heilende Hände")
WEAPONS = {
    "melee": (("Langschwert", "one-handed", 1, "1-10", 0), ("Dolch", "dagger", 1, "1-6", 0),
              ("Zweihänder", "two-handed", 2, "2-14", 0), ("Speer", "spear", 2, "1-10", 0)),
    "ranged": (("Jagdbogen", "bow", 2, "1-10", 0), ("Armbrust", "crossbow", 2, "3-14", 1),
               ("Pistole", "handgun", 1, "3-12", 1), ("Wurfmesser", "throwing-knife", 1, "1-6", 0)),
}
GRENADE = {"name": "Handgranate", "kind": "explosive", "hands": 1, "damage": "1-12", "w": 10, "targets": "1-4"}


def sampled(rng, house) -> dict:
    """Sheet data of a fighter, a marksman or a caster."""
    kind = rng.choice(("melee", "ranged", "magic"))
    data: dict[str, Any] = {key: _skill(rng, house, strong=key == kind) for key in ("melee", "ranged", "magic")}
    data["life"] = rng.randint(15, 35)
    data["resource"] = rng.choice(("mana", "light", "shadow", "elements")) if kind == "magic" else "none"
    data["armour_class"] = rng.choice(("none", "light") if kind == "magic" else ("none", "light", "medium", "heavy"))
    names = rng.sample([*ABILITIES] if kind == "ranged" else FREE, rng.randint(1, 3))
    data["abilities"] = [{"name": name} for name in names]
    data["weapons"] = [_weapon(rng.choice(WEAPONS["ranged" if kind == "ranged" else "melee"]))]
    if kind != "melee" and rng.random() < 0.5:
        data["weapons"].append(_weapon(WEAPONS["melee"][1]))
    if rng.random() < 0.2 and house.hands:
        data["weapons"].append({**GRENADE})
    if kind == "melee" and rng.random() < 0.6:
        data["shield"] = {"target": rng.randint(12, 17)}
    if data["armour_class"] == "heavy":
        data["armour"] = {"target": rng.randint(4, 6), "max_damage": rng.choice((0, 10, 15))}
    if house.most_life:
        data["life"] = min(data["life"], house.most_life)
    for weapon in data["weapons"] if house.most_damage else ():
        weapon["damage"] = "-".join(str(min(int(end), house.most_damage)) for end in weapon["damage"].split("-"))
    return data


def _skill(rng, house, *, strong: bool) -> dict:
    wish = rng.randint(2, 5) if strong else rng.randint(-3, 2)
    defence = min(rng.randint(10, 16), house.most_defence or HIGHEST)
    return {"attack": min(house.highest, max(house.lowest, wish)), "defence": defence}


def _weapon(figures: tuple) -> dict:
    return dict(zip(("name", "kind", "hands", "damage", "reload_actions"), figures, strict=True))
