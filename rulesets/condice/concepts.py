"""Concepts for random characters of ConDice, and how their remaining points are spent (CD-01 to CD-36)."""

from typing import TYPE_CHECKING, Any

from rulesets.condice.ability import ATTRIBUTES
from rulesets.condice.catalogue import BOOST, BOOST_OTHERS
from rulesets.kit import Concept, Draw, between, one_of, row_from, some_of
from rulesets.kit.concepts import Drawing

if TYPE_CHECKING:
    from rulesets.kit.concepts import RandomInt, RowFrom

Likes = dict[str, float | tuple[float, int]]
"""{path of a figure: weight, or (weight, highest value)}, see `Concept.likes`."""


class RandomCustomAbility(Draw):
    """A custom ability or none, at random; the chances depend on the house rules (CD-08)."""

    def drawn(self, drawing: Drawing) -> Any:
        """Return one custom ability or none; if it is one that the party has agreed on, it has the agreed cost."""
        house = drawing.house
        if house.agreed and drawing.rng.random() < 0.5:
            agreed = drawing.pick(house.agreed)
            return some_of(1, 1, _ability("custom", name=agreed.name, cost=agreed.cost))
        if house.consent or drawing.rng.random() < 0.6:
            return some_of(0, 0)
        return some_of(1, 1, row_from("custom", "name", "description", ability="custom", cost=between(2, 4)))


MAYBE_CUSTOM = RandomCustomAbility()


def _ability(slug: str, **bought: Any) -> dict:
    return {"ability": slug, **bought}


def _attack(kind: str, dice: "int | RandomInt", reach: "int | RandomInt" = 0) -> "RowFrom":
    return row_from(kind, "name", "description", dice=dice, range=reach)


def _concept(attacks: tuple, abilities: tuple, likes: Likes, **values: Any) -> Concept:
    defaults = {"defence": between(3, 4), "life": between(4, 5), "mental_resistance": 2, "movement": between(3, 4)}
    default_likes: Likes = {"life": 1, "defence": 1, "mental_resistance": (0.7, 4), "movement": (0.7, 6),
                            "attacks.*.dice": (0.7, 7)}
    has = {**defaults, **values, "attacks": attacks, "abilities": (*abilities, MAYBE_CUSTOM)}
    return Concept(has, {**default_likes, **likes})


DISTANT_DEFENCE = between(2, 3)
"""The defence of characters who fight from a distance; most others have more."""

CONCEPTS = {
    "duellist": _concept(
        (_attack("blade", 7), some_of(0, 1, _attack("shot", 3, 2))),
        (some_of(1, 1, _ability("wurf-wiederholen"), _ability("boost-debuff", variant=one_of(*BOOST_OTHERS)),
                 _ability("teleportieren", fields=between(1, 2))),),
        {"attacks.0.dice": (2, 9), "defence": 2, "movement": (1, 6)}, movement=4, life=4, defence=3),
    "runner": _concept(
        (_attack("blunt", between(5, 6)),),
        (some_of(1, 1, _ability("durch-waende-gehen", fields=between(1, 2)), _ability("teleportieren", fields=1),
                 _ability("zaubern")),),
        {"life": 2, "movement": (2, 9)}, movement=between(6, 7), life=between(6, 7), defence=3),
    "healer": _concept(
        (_attack("mercy", 5, between(0, 1)),),
        (_ability("heilung", extra_characters=between(1, 2), range=between(0, 1)),
         some_of(1, 1, _ability("aura", attribute=one_of("life", "defence")), _ability("zaubern"),
                 _ability("leben-transferieren", life_points=2))),
        {"abilities.0.extra_characters": (1.5, 4), "abilities.0.range": (1, 3), "mental_resistance": 1},
        defence=3),
    "summoner": _concept(
        (_attack("beast", 5, 2), _attack("beast", 6)),
        (_ability("portal-erschaffen", fields=between(1, 2), extra_persons=between(0, 1)),
         some_of(0, 1, _ability("zaubern"))),
        {"abilities.0.fields": (0.7, 3), "attacks.0.range": (1, 4), "defence": 1.5}, defence=2, life=4, movement=3),
    "shield": _concept(
        (_attack("bulwark", between(5, 6)),),
        (_ability("aggro-ziehen", dice=between(3, 4), extra_targets=between(0, 1)),
         some_of(1, 1, _ability("groesse-aendern"), _ability("heilung"), _ability("zaubern"))),
        {"defence": 2, "life": 2, "abilities.0.dice": (1, 5)}, defence=between(4, 5), life=between(5, 6), movement=3),
    "fire": _concept(
        (_attack("spell", 5, 2),),
        (_ability("flaechenangriff", fields=1, damage=one_of(0, 1), distance=between(1, 2)),
         some_of(0, 1, _ability("zaubern"))),
        {"attacks.0.dice": (2, 8), "attacks.0.range": (1, 4), "abilities.0.distance": (1, 4)},
        defence=DISTANT_DEFENCE, life=4, movement=3),
    "minds": _concept(
        (_attack("slight", 5),),
        (_ability("mindcontrol", dice=5, range=1), some_of(1, 1, _ability("zaubern"), _ability("wurf-wiederholen"))),
        {"mental_resistance": 2, "abilities.0.dice": (2, 8), "abilities.0.range": (1, 4)},
        mental_resistance=between(3, 4), defence=3, life=4, movement=3),
    "ghost": _concept(
        (_attack("chill", between(5, 6)),),
        (_ability("durch-waende-gehen", fields=between(1, 3)),
         some_of(1, 1, _ability("teleportieren", fields=between(2, 3)), _ability("fliegen"))),
        {"attacks.0.dice": (1.5, 7), "movement": (1.5, 7), "mental_resistance": 1.5}, life=4, defence=3,
        mental_resistance=between(2, 3)),
    "bomb": _concept(
        (_attack("bang", 5, between(1, 2)),),
        (_ability("explosion"), some_of(0, 1, _ability("teleportieren", fields=1), _ability("heilung"))),
        {"life": 3, "movement": (1, 6), "attacks.0.dice": (1, 6)}, life=between(6, 7), defence=3),
    "archer": _concept(
        (_attack("shot", between(6, 7), between(3, 4)),),
        (some_of(1, 1, _ability("wurf-wiederholen"), _ability("flaechenkontrolle", fields=1, range=between(1, 2)),
                 _ability("fliegen")),),
        {"attacks.0.range": (1.5, 5), "attacks.0.dice": (2, 8), "movement": (1.5, 6)},
        defence=DISTANT_DEFENCE, life=4),
    "flyer": _concept(
        (_attack("wing", 6), some_of(0, 1, _attack("shot", 3, 2))),
        (_ability("fliegen"),), {"movement": (2, 9), "attacks.0.dice": (1.5, 8)}, movement=5, life=4, defence=3),
    "lucky": _concept(
        (_attack("luck", between(5, 6), between(0, 1)),),
        (_ability("wurf-wiederholen"),
         some_of(1, 1, _ability("boost-debuff", variant=one_of(*BOOST_OTHERS)), _ability("teleportieren", fields=2),
                 _ability("zaubern"))),
        {"attacks.0.dice": (1.5, 8), "movement": (1, 6), "defence": 1.5}),
    "giant": _concept(
        (_attack("blunt", between(6, 7)),),
        (_ability("groesse-aendern", dice=between(0, 1)),
         some_of(1, 1, _ability("aggro-ziehen", dice=between(2, 3)), _ability("wurf-wiederholen"))),
        {"attacks.0.dice": (2, 8), "life": 1.5, "abilities.0.dice": (0.7, 3)}, life=5),
    "vampire": _concept(
        (_attack("fang", between(5, 6)),),
        (_ability("leben-transferieren", life_points=3),
         some_of(1, 1, _ability("fliegen"), _ability("mindcontrol", dice=3), _ability("zaubern"))),
        {"abilities.0.life_points": (1, 5), "life": 1.5, "abilities.0.range": (1, 2)}, defence=3, life=4),
    "banner": _concept(
        (_attack("blade", between(5, 6)),),
        (_ability("aura", attribute=one_of(*ATTRIBUTES)),
         some_of(1, 1, _ability("boost-debuff", variant=one_of(*BOOST_OTHERS), extra_targets=between(0, 1)),
                 _ability("heilung", extra_characters=1))),
        {"defence": 1.5, "life": 1.5, "abilities.1.extra_targets": (0.7, 2)}, defence=3, life=4),
    "changed": _concept(
        (_attack("beastly", between(5, 6)),),
        (_ability("boost", variant=one_of(*BOOST)), some_of(0, 1, _ability("heilung"))),
        {"life": 1.5, "attacks.0.dice": (1.5, 8), "movement": (1, 6)}),
    "ground": _concept(
        (_attack("earth", 5, between(1, 2)),),
        (_ability("flaechenkontrolle", fields=2, range=between(1, 2)),
         some_of(1, 1, _ability("portal-erschaffen", fields=1), _ability("zaubern"))),
        {"abilities.0.fields": (1, 4), "abilities.0.range": (1.5, 3), "attacks.0.dice": (1.5, 7), "movement": (1, 6)},
        defence=DISTANT_DEFENCE, life=4),
}
"""{slug: concept}; the vocabularies (concepts.en.toml, concepts.de.toml) have their titles."""
