"""A fight between two profiles, attack by attack (DS-20 to DS-24, DS-30, DS-40 to DS-42, DS-50)."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from math import lcm
from typing import TYPE_CHECKING, Annotated, Any, Literal

from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from pydantic import Field

from rulesets.daemmersturm import rolls
from rulesets.daemmersturm.notices import EXHAUSTED
from rulesets.daemmersturm.texts import Bonus, Faces, Range
from rulesets.dice import Odds
from rulesets.fight import Blow, Turn
from rulesets.kit import HIGHEST, Contest, ContestOdds, Count, Offer, PositiveLife, Roll, by_turns, field

if TYPE_CHECKING:
    from rulesets.daemmersturm.play.state import DaemmersturmPlay
    from rulesets.daemmersturm.sheet import Daemmersturm

SKILLS = {"melee": _("Melee (N)"), "ranged": _("Ranged (F)"), "magic": _("Magic (Z)")}
Reload = Annotated[int, Field(ge=0, le=3)]
WAIT = Blow(((0, 0, 1),), 1)


class Attacks(Contest):
    """DS-20 to DS-24, DS-30, DS-40 to DS-42, DS-50: one side of a fight; both attack in turn until one is out."""

    skill: Literal["melee", "ranged", "magic"] = field(_("Attacks with"), "melee", choices=SKILLS)
    bonus: Bonus = field(_("Attack bonus"), 0)
    damage: Range = field(_("Damage range"), "1-10")
    reload: Reload = field(_("Actions to reload"), 0)
    life: PositiveLife = field(_("Life points now"), 20)
    start: Count = field(_("Life at the start of the fight"), 0, help=_("0: as many as are left now."))
    melee: Count = field(_("Defence against melee"), 12)
    ranged: Count = field(_("Defence against shots"), 12)
    magic: Count = field(_("Defence against magic"), 12)
    shield: Count = field(_("Shield number"), 0, help=_("0: none."))
    shield_bonus: Bonus = field(_("Melee bonus for the shield"), 0)
    armour: Annotated[int, Field(ge=0, le=6)] = field(_("Armour number"), 0, help=_("0: none."))
    armour_most: Count = field(_("Works up to … damage"), 0, help=_("0: no limit."))
    criticals: Faces = field(_("Critical numbers"), "20")
    fumbles: Faces = field(_("Fumble numbers"), "1")
    title, rules = _("Exchange of attacks"), ("DS-20", "DS-21", "DS-22", "DS-30", "DS-40", "DS-41", "DS-42", "DS-50")
    assumptions = (
        _("Both stay within reach and face each other, and each turn is one attack, always the same one; "
      "whoever has to reload misses as many turns as that takes."),
        _("Anyone down to 5 life or less starts each turn with the exhaustion roll, and a melee attack that "
      "misses somebody exhausted is rerolled."),
        _("A shield roll comes before the damage, an armour roll after it."),
        _("After a melee fumble the opponent hits back automatically, if it fights in melee too; after a magic "
          "fumble, an escalation roll of 1 turns the damage on the caster; a ranged fumble only misses."),
        _("No action, focus or magic points, no special abilities, no second weapon, no cover, no poison, no "
          "channelling. Neither side counts as a normal enemy (those roll for exhaustion on a critical 6)."),
        _("The first to go down loses, at 0 life points or by the exhaustion roll."),
    )

    @classmethod
    def offers_for(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Yield each weapon but area weapons, each noted spell without a W roll, each skill with damage assumed."""
        now = play.effective(sheet)
        given = {"life": play.life_left(sheet), "start": play.max_life(sheet), "shield_bonus": now.melee.attack,
                 **{key: getattr(now, key).defence for key in SKILLS}}
        if now.shield:
            given["shield"] = now.shield.target
        if now.armour:
            given |= {"armour": now.armour.target, "armour_most": now.armour.max_damage}
        for index, weapon in enumerate(now.weapons):
            if weapon.kind and weapon.damage and not weapon.area:
                skill = "melee" if weapon.melee else "ranged"
                yield cls.offer(f"{weapon.label}: {weapon.damage}", f"weapons.{index}", skill=skill,
                                bonus=getattr(now, skill).attack, damage=weapon.damage,
                                reload=0 if weapon.melee else weapon.reload_actions, **given)
        for index, spell in enumerate(play.spells):
            if spell.damage and spell.w is None:
                yield cls.offer(f"{spell.label}: {spell.damage}", f"spells.{index}", skill="magic",
                                bonus=now.magic.attack, damage=spell.damage, **given)
        for skill, title in SKILLS.items():
            yield cls.offer(_("{skill}, damage 1-10 assumed").format(skill=title), skill, skill=skill,
                            bonus=getattr(now, skill).attack, **given)

    def meet(self, other: Any) -> Iterator[ContestOdds]:
        """Yield the odds of the whole fight, then those of each side's attack and of its damage."""
        yield from by_turns((self.life, other.life), self.turns(other, 0), other.turns(self, 1))
        for one, target, titles in (
            (self, other, (_("An attack by {first}"), _("Damage taken by {second}"))),
            (other, self, (_("An attack by {second}"), _("Damage taken by {first}"))),
        ):
            taken = Counter()
            for _own, damage, weight in one.blow_against(target, mercy=False).rows:
                taken[damage] += weight
            yield ContestOdds.of(titles[0], one.attack(target, mercy=False))
            yield ContestOdds(titles[1], Odds.counted(taken), unit=rolls.Damage.unit)

    def attack(self, target: "Attacks", *, mercy: bool) -> rolls.Attack:
        """Return the attack roll; with `mercy`, a failed melee roll is repeated: the target is exhausted (DS-30)."""
        return rolls.Attack(bonus=self.bonus, defence=getattr(target, self.skill), criticals=self.criticals,
                            fumbles=self.fumbles, repeat=mercy and self.skill == "melee")

    def exhausted(self, life: int) -> bool:
        """Return True if life has sunk to 5 or less; starting with so little does not count as exhaustion (DS-50)."""
        return EXHAUSTED >= life < (self.start or self.life)

    @cached_property
    def hit_damage(self) -> Odds:
        """Return the damage of a hit (DS-23)."""
        return rolls.Damage(range=self.damage).odds()

    @cached_property
    def critical_damage(self) -> Odds:
        """Return the damage of a critical hit, with its own die (DS-21)."""
        faces = rolls.Critical().odds()
        return _weighted_sum([(weight, rolls.Damage(range=self.damage, critical=face).odds())
                              for face, weight in faces.numbers.items()])

    def after_protection(self, harm: Odds) -> Odds:
        """Return the odds of the damage that gets through shield and armour (DS-40 to DS-42)."""
        shield = _stops(rolls.Shield(bonus=self.shield_bonus, target=self.shield)) if self.shield else Fraction(0)
        armour = rolls.Armour(target=self.armour, max_damage=self.armour_most) if self.armour else None
        through = (1 - shield) * (1 - _stops(armour) if armour else 1), 1 - shield
        whole = lcm(*(chance.denominator for chance in through))
        behind, bare = (int(chance * whole) for chance in through)
        found = Counter()
        for damage, weight in harm.numbers.items():
            passes = behind if armour and armour.can_stop(damage) else bare
            found[damage] += weight * passes
            found[0] += weight * (whole - passes)
        return Odds.counted(found)

    def blow_against(self, target: "Attacks", *, mercy: bool) -> Blow:
        """Return the damage of one attack to the attacker and to the target, including that of a fumble (DS-22)."""
        rolled = self.attack(target, mercy=mercy).odds()
        back, harm = Fraction(0), self.hit_damage
        if self.skill == "melee" and target.skill == "melee":
            back, harm = Fraction(1), target.hit_damage
        elif self.skill == "magic":
            back = rolls.Escalation().odds().chances[1]
        parts = [(1, rolled.chances.get("hit", 0), target.after_protection(self.hit_damage)),
                 (1, rolled.chances.get("critical", 0), target.after_protection(self.critical_damage)),
                 (0, rolled.chances.get("fumble", 0) * back, self.after_protection(harm))]
        common = lcm(*(Fraction(chance).denominator * harm.whole for _side, chance, harm in parts))
        found = Counter()
        for side, chance, harm in parts:
            share = int(chance * common) // harm.whole
            for damage, weight in harm.weights.items():
                found[(0, damage) if side else (damage, 0)] += weight * share
        found[0, 0] += common - sum(found.values())
        return Blow.from_weights(found)

    def turns(self, other: "Attacks", place: int) -> list[Turn]:
        """Return a turn with the attack, then one for each reloading action; `place` is 0 for the first side, or 1."""
        blows = {}
        for mercy in (False, True):
            struck = self.blow_against(other, mercy=mercy)
            for tired in (False, True):
                blows[True, tired, mercy] = _placed(_after_exhaustion(struck) if tired else struck, place)
                blows[False, tired, mercy] = _placed(_after_exhaustion(WAIT) if tired else WAIT, place)

        def turn(number: int, *lives: int) -> Blow:
            own, theirs = lives[place], lives[1 - place]
            return blows[number == 0, self.exhausted(own), other.exhausted(theirs)]

        return [partial(turn, number) for number in range(1 + self.reload)]


def _weighted_sum(parts: list[tuple[int, Odds]]) -> Odds:
    """Return the weighted sum of several odds; `parts` are (weight, odds)."""
    common, found = lcm(*(odds.whole for _weight, odds in parts)), Counter()
    for share, odds in parts:
        for value, weight in odds.weights.items():
            found[value] += weight * share * (common // odds.whole)
    return Odds.counted(found)


def _stops(roll: Roll) -> Fraction:
    return roll.odds().chances.get("blocked", Fraction(0))


def _after_exhaustion(blow: Blow) -> Blow:
    """Return the blow preceded by an exhaustion roll, which may put the striking side out of the fight (DS-50)."""
    falls = rolls.Exhaustion().odds().chances["down"]
    stands = falls.denominator - falls.numerator
    found = {(own, theirs): weight * stands for own, theirs, weight in blow.rows}
    return Blow.from_weights(found | {(HIGHEST, 0): found.get((HIGHEST, 0), 0) + blow.whole * falls.numerator})


def _placed(blow: Blow, place: int) -> Blow:
    return Blow(tuple((theirs, own, weight) for own, theirs, weight in blow.rows), blow.whole) if place else blow
