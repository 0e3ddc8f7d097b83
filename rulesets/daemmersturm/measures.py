"""Measures that compare a profile with a party: best attack, chance of standing, best skill (DS-20, DS-23, DS-40)."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.daemmersturm import rolls
from rulesets.daemmersturm.contest import SKILLS, Attacks
from rulesets.dice import Odds
from rulesets.kit import MEAN_DAMAGE, Measure, Wording, best, mean_of, survival_chance

if TYPE_CHECKING:
    from rulesets.daemmersturm.equipment import Weapon
    from rulesets.daemmersturm.sheet import Daemmersturm

Skill = Literal["melee", "ranged", "magic"]
USUAL = Attacks()
"""A usual opponent: no bonus, damage 1-10, defences of 12, neither shield nor armour."""
HITS = 5
"""The number of attacks in the measure "stands"."""
_ATTACK = _("Damage with the best attack against defence {defence}")
_STANDS = ngettext_lazy("Still standing after {n} melee attack without a bonus",
                        "Still standing after {n} melee attacks without a bonus", "n")
_TEST = _("Hits defence {defence} with the best skill")


def for_sheet(sheet: "Daemmersturm") -> Iterator[Measure]:
    """Yield the measures; a character without weapons attacks with a bare skill, whose damage is assumed."""
    arms = [(_skill(weapon), weapon.damage, f"weapons.{index}", weapon.label)
            for index, weapon in enumerate(sheet.weapons) if weapon.kind and weapon.damage and not weapon.area]
    mean, way = best((_damage(skill, getattr(sheet, skill).attack, damage), (path, label))
                                for skill, damage, path, label in arms or _bare())
    path, source = way or ("", "")
    yield Measure("attack", _ATTACK.format(defence=USUAL.melee), mean, path=path, source=source,
                  short=MEAN_DAMAGE)
    shield, armour = sheet.shield, sheet.armour
    protected = (shield.target if shield else 0, sheet.melee.attack, armour.target if armour else 0,
                 armour.max_damage if armour else 0)
    yield Measure("stands", _STANDS.format(n=HITS), _stands(sheet.life, sheet.melee.defence, *protected), chance=True,
                  path="life")
    hit, skill = best((_hits(getattr(sheet, skill).attack), skill) for skill in SKILLS)
    yield Measure("test", _TEST.format(defence=USUAL.melee), hit, chance=True, path=f"{skill}.attack" if skill else "",
                  source=SKILLS[skill] if skill else "")


def _skill(weapon: "Weapon") -> Skill:
    return "melee" if weapon.melee else "ranged"


def _bare() -> Iterator[tuple[Skill, str, str, Wording]]:
    for skill in get_args(Skill):
        yield skill, USUAL.damage, f"{skill}.attack", SKILLS[skill]


@lru_cache(1024)
def _damage(skill: Skill, bonus: int, damage: str) -> Fraction:
    """Return the mean damage of an attack to the target, misses included; damage to the attacker is left out."""
    found: dict[int, int] = {}
    for _own, taken, weight in Attacks(skill=skill, bonus=bonus, damage=damage).blow_against(USUAL, mercy=False).rows:
        found[taken] = found.get(taken, 0) + weight
    return mean_of(Odds.counted(found))


@lru_cache(1024)
def _stands(life: int, melee: int, shield: int, shield_bonus: int, armour: int, armour_most: int) -> Fraction:
    target = Attacks(skill="ranged", melee=melee, shield=shield, shield_bonus=shield_bonus, armour=armour,
                     armour_most=armour_most)
    found: dict[int, int] = {}
    for _own, taken, weight in USUAL.blow_against(target, mercy=False).rows:
        found[taken] = found.get(taken, 0) + weight
    return survival_chance(life, Odds.counted(found), HITS)


@lru_cache(256)
def _hits(bonus: int) -> Fraction:
    chances = rolls.Attack(bonus=bonus, defence=USUAL.melee).odds().chances
    return chances.get("hit", Fraction(0)) + chances.get("critical", Fraction(0))
