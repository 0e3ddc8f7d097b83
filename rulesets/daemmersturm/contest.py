"""A fight between two profiles, attack by attack (DS-20 to DS-24, DS-30, DS-40 to DS-42, DS-50)."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from typing import Annotated, Literal

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from rulesets.daemmersturm import rolls
from rulesets.daemmersturm.notices import EXHAUSTED
from rulesets.daemmersturm.texts import Bonus, Faces, Range
from rulesets.dice import Odds
from rulesets.fight import Blow, Turn
from rulesets.kit import HIGHEST, Contest, Count, Prospect, Vital, by_turns, field

SKILLS = {"melee": _("Melee (N)"), "ranged": _("Ranged (F)"), "magic": _("Magic (Z)")}
Reload = Annotated[int, Field(ge=0, le=3)]
Harm = Mapping[int, Fraction]
"""Chances by damage."""
Struck = Mapping[tuple[int, int], Fraction]
"""Chances by the life that a turn takes: one's own, the other's."""
WAIT: Struck = {(0, 0): Fraction(1)}


class Attacks(Contest):
    """DS-20 to DS-24, DS-30, DS-40 to DS-42, DS-50: each attacks in turn until one is out."""

    skill: Literal["melee", "ranged", "magic"] = field(_("Attacks with"), "melee", choices=SKILLS)
    bonus: Bonus = field(_("Attack bonus"), 0)
    damage: Range = field(_("Damage range"), "1-10")
    reload: Reload = field(_("Actions to reload"), 0)
    life: Vital = field(_("Life points left"), 20)
    melee: Count = field(_("Defence against melee"), 12)
    ranged: Count = field(_("Defence against shots"), 12)
    magic: Count = field(_("Defence against magic"), 12)
    shield: Count = field(_("Number of the shield"), 0, help=_("0: none."))
    shield_bonus: Bonus = field(_("Melee bonus for the shield"), 0)
    armour: Annotated[int, Field(ge=0, le=6)] = field(_("Number of the armour"), 0, help=_("0: none."))
    armour_most: Count = field(_("Up to damage"), 0, help=_("0: no limit."))
    criticals: Faces = field(_("Critical numbers"), "20")
    fumbles: Faces = field(_("Fumble numbers"), "1")
    title, rules = _("Exchange of attacks"), ("DS-20", "DS-21", "DS-22", "DS-30", "DS-40", "DS-41", "DS-42", "DS-50")
    assumptions = (
        _("Both stay within reach, face each other, and each turn is one attack, always the same one; a weapon that is "
          "reloaded skips the turns that this takes."),
        _("At 5 life or fewer each own turn begins with the exhaustion roll, and melee attacks on the exhausted repeat "
          "failed rolls."),
        _("A shield roll comes before the damage, an armour roll after it."),
        _("A melee fumble lets the opponent hit back by itself, if it fights in melee too; a fumble of magic turns the "
          "damage on the caster on an escalation roll of 1; a ranged fumble only misses."),
        _("No action, focus or magic points, no special abilities, no second weapon, no cover, no poison, no "
          "channelling. Nobody counts as a normal enemy whom a critical 6 fells at once."),
        _("Who is out first loses: at 0 life points, or by the exhaustion roll."),
    )

    @classmethod
    def of(cls, sheet, play):
        """Each weapon that strikes or shoots, then the bare skills, whose damage the profile does not know."""
        now = play.effective(sheet)
        given = {"life": play.left(sheet), "shield_bonus": now.melee.attack,
                 **{key: getattr(now, key).defence for key in SKILLS}}
        if now.shield:
            given["shield"] = now.shield.target
        if now.armour:
            given |= {"armour": now.armour.target, "armour_most": now.armour.max_damage}
        for index, weapon in enumerate(now.weapons):
            if weapon.kind and weapon.damage and not weapon.area:
                skill = "melee" if weapon.melee else "ranged"
                yield cls.asking(f"{weapon.label}: {weapon.damage}", f"weapons.{index}", skill=skill,
                                 bonus=getattr(now, skill).attack, damage=weapon.damage,
                                 reload=0 if weapon.melee else weapon.reload_actions, **given)
        for skill, title in SKILLS.items():
            yield cls.asking(_("{skill}, damage 1-10 assumed").format(skill=title), skill, skill=skill,
                             bonus=getattr(now, skill).attack, **given)

    def meet(self, other):
        """The whole fight, then an attack of each and its damage."""
        yield from by_turns((self.life, other.life), self.turns(other, 0), other.turns(self, 1))
        for one, target, titles in (
            (self, other, (_("An attack by {first}"), _("Damage that {second} takes"))),
            (other, self, (_("An attack by {second}"), _("Damage that {first} takes"))),
        ):
            taken = Counter()
            for (_own, damage), chance in one.struck(target, mercy=False).items():
                taken[damage] += chance
            yield Prospect.of(titles[0], one.attack(target, mercy=False))
            yield Prospect(titles[1], Odds.counted(taken), unit=rolls.Damage.unit)

    def attack(self, target, *, mercy: bool) -> rolls.Attack:
        """The roll; a failed one is repeated against the exhausted (DS-30)."""
        return rolls.Attack(bonus=self.bonus, defence=getattr(target, self.skill), criticals=self.criticals,
                            fumbles=self.fumbles, repeat=mercy and self.skill == "melee")

    @cached_property
    def plain(self) -> Harm:
        """The damage of a hit (DS-23)."""
        return dict(rolls.Damage(range=self.damage).odds().chances)

    @cached_property
    def critical(self) -> Harm:
        """The damage of a critical hit, over its own die (DS-21)."""
        found = Counter()
        for face, weight in rolls.Critical().odds().chances.items():
            for damage, chance in rolls.Damage(range=self.damage, critical=face).odds().chances.items():
                found[damage] += weight * chance
        return found

    def protected(self, harm: Harm) -> Harm:
        """What of it gets through shield and armour (DS-40 to DS-42)."""
        shield = _stops(rolls.Shield(bonus=self.shield_bonus, target=self.shield)) if self.shield else 0
        armour = rolls.Armour(target=self.armour, max_damage=self.armour_most) if self.armour else None
        stopped = _stops(armour) if armour else 0
        found = Counter()
        for damage, chance in harm.items():
            stops = stopped if armour and armour.model_copy(update={"damage": damage}).allowed else 0
            through = chance * (1 - shield) * (1 - stops)
            found[damage] += through
            found[0] += chance - through
        return found

    def struck(self, target, *, mercy: bool) -> Struck:
        """{(own loss of life, the target's): chance} of one attack, what a fumble does included (DS-22)."""
        chances = self.attack(target, mercy=mercy).odds().chances
        found = Counter()
        for outcome, harm in (("hit", self.plain), ("critical", self.critical)):
            for damage, chance in target.protected(harm).items():
                found[0, damage] += chance * chances.get(outcome, 0)
        back, harm = Fraction(0), {}
        if self.skill == "melee" and target.skill == "melee":
            back, harm = Fraction(1), target.plain
        elif self.skill == "magic":
            back, harm = rolls.Escalation().odds().chances[1], self.plain
        for damage, chance in self.protected(harm).items():
            found[damage, 0] += chance * back * chances.get("fumble", 0)
        found[0, 0] += 1 - sum(found.values())
        return found

    def turns(self, other, place: int) -> list[Turn]:
        """A turn with the attack, and one for each action of reloading; `place` is 0 for the first side."""
        blows = {}
        for tired, mercy in product((False, True), repeat=2):
            struck = self.struck(other, mercy=mercy)
            blows[True, tired, mercy] = _placed(_tired(struck) if tired else struck, place)
            blows[False, tired, mercy] = _placed(_tired(WAIT) if tired else WAIT, place)

        def turn(number: int, *lives: int) -> Blow:
            own, theirs = lives[place], lives[1 - place]
            return blows[number == 0, own <= EXHAUSTED, theirs <= EXHAUSTED]

        return [partial(turn, number) for number in range(1 + self.reload)]


def _stops(roll) -> Fraction:
    return roll.odds().chances.get("blocked", Fraction(0))


def _tired(chances: Struck) -> Struck:
    """The same after an exhaustion roll, which may end the fight (DS-50)."""
    falls = rolls.Exhaustion().odds().chances["down"]
    found = Counter({lost: chance * (1 - falls) for lost, chance in chances.items()})
    found[HIGHEST, 0] += falls
    return found


def _placed(chances: Struck, place: int) -> Blow:
    return Blow.of({lost[::-1] if place else lost: chance for lost, chance in chances.items()})
