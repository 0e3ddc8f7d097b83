"""The named things of Dämmersturm: abilities that give focus points, kinds of weapons, pairs, tables."""

import re
from functools import lru_cache
from typing import Any, Literal

from django.utils.translation import gettext_lazy as _

from rulesets.folding import order_key

ACTION_POINTS = {-5: 0, -4: 0, -3: 0, -2: 0, -1: 1, 0: 2, 1: 3, 2: 5, 3: 6, 4: 7, 5: 8}
"""{melee bonus: action points} (DS-04)."""
MAGIC_POINTS = {-5: 0, -4: 0, -3: 0, -2: 0, -1: 0, 0: 2, 1: 3, 2: 4, 3: 5, 4: 6, 5: 8}
"""{magic bonus: magic points}, for characters with a resource (DS-06)."""

FOCUS_POINTS = {
    4: ("Meisterschütze",),
    3: ("Gezielter Schuss", "Fokus (Fernkampf)", "Adlerauge", "Waldläufer", "Tötungsmaschine", "Scharfschütze"),
    2: ("Tödliche Fehler", "Berittener Schütze", "Flinker Bogenschütze", "Messer/Axtwerfer", "Guerillakämpfer",
        "Plänkler", "Füsilier", "Treffsicherheit", "Trickschütze", "Analytiker", "Schleuderschütze"),
    1: ("Attentäter", "Belagerungsexperte", "Revolverheld", "Munitionsspezialist", "Ansturmsfeuer", "Grenadier",
        "Kugelhagel", "Jagdschütze", "Speerwerfer", "Pistolier", "Ballistiker", "Armbrustschütze",
        "Den Apfel vom Kopf", "Deckungsfeuer", "Sprengstoffexperte", "Späher"),
}
"""Special abilities by the focus points that they give (DS-05)."""
ABILITIES = {name: points for points, names in FOCUS_POINTS.items() for name in names}

_APART = re.compile(r"[\s\-–]+")
"""The separators in an ability's name, which has 200 characters at most."""


@lru_cache(1024)
def normalized_name(name: str) -> str:
    """Return an ability's name in the form in which names are compared, without case, spaces and hyphens."""
    return _APART.sub(" ", name).strip().casefold()


FOCUS = {normalized_name(name): points for name, points in ABILITIES.items()}

ACTIONS = {
    "nachsetzen": (1, "action_points", _("After a hit, one more melee attack on the same target, once per round.")),
    "volle-kraft": (2, "action_points", _("One attack with 5-15 extra damage; if it misses, the target hits back "
                                          "automatically; a shield must hold twice.")),
    "konzentration": (2, "action_points", _("Announced before the attack: a miss is rerolled.")),
    "durchbrechen": (2, "action_points", _("The thread on action abilities says what it does.")),
    "feuerbereitschaft": (0, "focus_points", _("The thread on action abilities says what it does.")),
}
"""{action ability: (cost, pool that pays it, effect)} (DS-05a)."""
ACTION_LABELS = {
    "nachsetzen": _("Nachsetzen (1 AP)"), "volle-kraft": _("Volle Kraft (2 AP)"),
    "konzentration": _("Konzentration (2 AP)"), "durchbrechen": _("Durchbrechen (2 AP)"),
    "feuerbereitschaft": _("Feuerbereitschaft (0 FP)"),
}
Action = Literal["nachsetzen", "volle-kraft", "konzentration", "durchbrechen", "feuerbereitschaft"]
KNOWN: dict[Any, dict[str, dict[str, Any]]] = {
    title: {name: {"name": name, "text": ACTIONS[slug][2], "cost": cost} for slug, name in names}
    for title, cost, names in (
        (_("Melee: each costs 1 action point"), "1 AP", [("nachsetzen", "Nachsetzen")]),
        (_("Melee: each costs 2 action points"), "2 AP", [
            ("volle-kraft", "Volle Kraft"), ("konzentration", "Konzentration"), ("durchbrechen", "Durchbrechen")]),
        (_("Ranged: costs 0 focus points"), "0 FP", [("feuerbereitschaft", "Feuerbereitschaft")]),
    )
} | {
    title: {name: {"name": name} for name in sorted(FOCUS_POINTS[points], key=order_key)}
    for points, title in (
        (1, _("Ranged: each gives 1 focus point")), (2, _("Ranged: each gives 2 focus points")),
        (3, _("Ranged: each gives 3 focus points")), (4, _("Ranged: each gives 4 focus points")))
}
"""Abilities that the source names, by what they are used for."""
FULL_FORCE = "5-15"
"""The extra damage of Volle Kraft."""

RESOURCES = {
    "none": _("None"), "mana": _("Mana"), "light": _("Light"), "shadow": _("Shadow"), "elements": _("Elements"),
}
Resource = Literal["none", "mana", "light", "shadow", "elements"]
ARMOUR_CLASSES = {"none": _("No armour"), "light": _("Light armour"), "medium": _("Medium armour"),
                  "heavy": _("Heavy armour")}
ArmourClass = Literal["none", "light", "medium", "heavy"]
PROHIBITIONS = {
    "medium": _("No Überrennen in medium armour."),
    "heavy": _("No Reflexschlag and no Überrennen in heavy armour."),
}
"""The prohibition of each armour class (DS-08)."""

KINDS = {
    "knife": _("Knife"), "dagger": _("Dagger"), "hidden-blade": _("Hidden blade"), "fist": _("Fist weapon"),
    "one-handed": _("One-handed weapon"), "two-handed": _("Two-handed weapon"), "lance": _("Lance"),
    "spear": _("Spear"), "bow": _("Bow"), "crossbow": _("Crossbow"), "throwing-knife": _("Throwing knife"),
    "blowpipe": _("Blowpipe"), "handgun": _("Handgun"), "gun": _("Gun"), "explosive": _("Explosive"),
    "artillery": _("Artillery"), "tactical-artillery": _("Tactical artillery"),
}
Kind = Literal[
    "knife", "dagger", "hidden-blade", "fist", "one-handed", "two-handed", "lance", "spear", "bow", "crossbow",
    "throwing-knife", "blowpipe", "handgun", "gun", "explosive", "artillery", "tactical-artillery",
]
SHORT = ("knife", "dagger", "hidden-blade")
"""Short weapons (DS-09, DS-60)."""
MELEE = (*SHORT, "fist", "one-handed", "two-handed", "lance", "spear")
AREA = ("explosive", "artillery")
"""Kinds that are fired by the W roll (DS-27)."""
UNPOISONED = ("artillery", "tactical-artillery", "handgun", "gun")
"""Kinds that take no poison (DS-59)."""
Poisonable = Literal[
    "none", "knife", "dagger", "hidden-blade", "fist", "one-handed", "two-handed", "lance", "spear", "bow",
    "crossbow", "throwing-knife", "blowpipe", "explosive",
]
POISON_BONUS = {**dict.fromkeys(SHORT, 5), "bow": 3, "crossbow": 3, "throwing-knife": 3, "blowpipe": 5, "spear": 1}

PAIRS = {
    "fists": (10, 0, -5),
    "daggers": (10, 0, -5),
    "one-handed-dagger": (14, 0, 0),
    "one-handed-fist": (14, -2, 0),
    "one-handed": (14, -2, 0),
    "two-handed": (20, -4, 0),
    "fist-handgun": (14, -1, 0),
    "dagger-handgun": (14, -1, 0),
    "one-handed-handgun": (14, -2, 0),
    "handguns": (0, -4, 0),
}
"""{pair: (number that the first attack must reach, its modifier, further modifier against heavy weapons)}."""
PAIR_LABELS = {
    "fists": _("Two fist weapons"), "daggers": _("Two daggers"),
    "one-handed-dagger": _("One-handed weapon and dagger"), "one-handed-fist": _("One-handed and fist weapon"),
    "one-handed": _("Two one-handed weapons"), "two-handed": _("Two two-handed weapons (exceptions only)"),
    "fist-handgun": _("Fist weapon and handgun"), "dagger-handgun": _("Dagger and handgun"),
    "one-handed-handgun": _("One-handed weapon and handgun"), "handguns": _("Two handguns"),
}
Pair = Literal[
    "fists", "daggers", "one-handed-dagger", "one-handed-fist", "one-handed", "two-handed", "fist-handgun",
    "dagger-handgun", "one-handed-handgun", "handguns",
]
PAIRED = {
    ("fist", "fist"): "fists", ("dagger", "dagger"): "daggers", ("dagger", "one-handed"): "one-handed-dagger",
    ("fist", "one-handed"): "one-handed-fist", ("one-handed", "one-handed"): "one-handed",
    ("two-handed", "two-handed"): "two-handed", ("fist", "handgun"): "fist-handgun",
    ("dagger", "handgun"): "dagger-handgun", ("handgun", "one-handed"): "one-handed-handgun",
    ("handgun", "handgun"): "handguns",
}
"""{(kind, kind) in alphabetical order: pair}."""
HEAVY = frozenset(pair for pair, (_number, _always, heavy) in PAIRS.items() if heavy)
"""The pairs with a further modifier against heavy weapons."""
