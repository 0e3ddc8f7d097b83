"""Profiles that show what Dämmersturm can do, and profiles that break one rule each."""

from typing import Any

from rulesets.daemmersturm import RULESET
from rulesets.kit import patched


def _document(name: str, skills: tuple[int, ...], life: int, **more: Any) -> dict:
    """Return a complete document; `skills` are N, NV, F, FV, Z and ZW."""
    n, nv, f, fv, z, zw = skills
    data = {"melee": {"attack": n, "defence": nv}, "ranged": {"attack": f, "defence": fv},
            "magic": {"attack": z, "defence": zw}, "life": life, **more}
    return RULESET.document(name, RULESET.sheet.model_validate(data).model_dump())


def _weapon(name: str, kind: str, damage: str, **more: Any) -> dict:
    return {"name": name, "kind": kind, "damage": damage, **more}


EXAMPLES = {
    "hans-peter": _document("Hans-Peter", (3, 15, -3, 12, 0, 10), 20, abilities=[{"name": "Sprinten"}]),
    "marksman": _document(
        "Lioba Falkenblick", (-1, 12, 5, 14, -2, 11), 18, armour_class="light",
        abilities=[{"name": "Scharfschütze", "text": "Sie zielt, wenn andere laden."}, {"name": "Adlerauge"},
                   {"name": "Späher"}],
        weapons=[_weapon("Langbogen", "bow", "2-12", hands=2), _weapon("Jagdmesser", "knife", "1-6")],
    ),
    "knight": _document(
        "Ritter Osmund", (4, 17, -4, 13, -3, 12), 32, armour_class="heavy",
        abilities=[{"name": "Schildwall", "cost": "1 AP"}],
        weapons=[_weapon("Morgenstern", "one-handed", "3-12"), _weapon("Lanze", "lance", "4-16", hands=1)],
        shield={"target": 14}, armour={"target": 5, "max_damage": 10},
    ),
    "light-caster": _document(
        "Schwester Amalberga", (0, 13, -2, 12, 4, 15), 22, resource="light", armour_class="light",
        abilities=[{"name": "Heilende Hände", "cost": "2 Licht"}],
        weapons=[_weapon("Wanderstab", "two-handed", "1-8", hands=2)],
    ),
    "shaman": _document(
        "Tjark Wetterstein", (1, 13, 0, 12, 3, 14), 24, resource="elements",
        abilities=[{"name": "Ruf der Winde"}], weapons=[_weapon("Wurfspeer", "spear", "1-10")],
    ),
    "two-weapons": _document(
        "Die Elster", (3, 14, 2, 14, -2, 11), 19, armour_class="medium",
        abilities=[{"name": "Revolverheld"}, {"name": "Sprengstoffexperte"}],
        weapons=[_weapon("Stilett", "dagger", "1-6"), _weapon("Faustpistole", "handgun", "3-12", reload_actions=1),
                 _weapon("Handgranate", "explosive", "1-12", w=10, targets="1-4")],
    ),
}
"""The source's own Hans-Peter, and one for each way to fight."""


def _offender(patch: dict | None = None, *, name: str = "Sünder") -> dict:
    """Return the example Lioba changed by a patch."""
    data = patched(EXAMPLES["marksman"]["data"], patch or {})
    return RULESET.document(name, RULESET.sheet.model_validate(data).model_dump())


OFFENDERS = {
    "DS-00": _offender(name=" "),
    "DS-01": _offender({"melee.attack": 6}),
    "DS-02": _offender({"life": 0}),
    "DS-03": _offender({"abilities.0.name": ""}),
    "DS-05": _offender({"abilities.0.focus_points": 5}),
    "DS-07": _offender({"claimed": {"action_points": 6, "focus_points": 7, "magic_points": 0}}),
    "DS-09": _offender({"weapons.0.damage": ""}),
    "DS-29": _offender({"weapons": [{"name": "Axt", "kind": "two-handed", "damage": "2-14"},
                                    {"name": "Beil", "kind": "two-handed", "damage": "2-14"}]}),
}
"""{rule: a profile that breaks this rule and no other}."""
