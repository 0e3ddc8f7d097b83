"""Attacks with two weapons (DS-29)."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import headings
from rulesets.daemmersturm.catalogue import PAIR_LABELS, PAIRS, Pair
from rulesets.daemmersturm.rolls.attack import BEHIND, SHOT, Attack
from rulesets.daemmersturm.texts import Bonus, OpenRange, bounded
from rulesets.dice import Outcome, Tray
from rulesets.kit import Offer, Roll, field, numeral


def penalty(pair: Pair, *, heavy_opponent: bool) -> int:
    """Return the modifier that a pair of weapons gives to the attack bonus, 0 or negative (DS-29)."""
    _number, always, heavy = PAIRS[pair]
    return always + (heavy if heavy_opponent else 0)


class PairedAttack(Attack):
    """DS-29: an attack with two weapons; if the total is high enough, a second attack follows."""

    pair: Pair = field(_("Weapons in both hands"), choices=PAIR_LABELS)
    heavy_opponent: bool = field(
        _("The opponent has a two-handed melee weapon or a lance"), default=False, momentary=True)
    second_damage: OpenRange = field(_("Damage of the second weapon"), "")
    behind: bool = field(_("From behind"), default=False, help=_("Bonus +3, a reroll and two damage rolls, for both."))
    slug = "paired-attack"
    title, rules = _("Attack with two weapons"), ("DS-29", "DS-20", "DS-21", "DS-22", "DS-24")

    @property
    def bonus_now(self) -> int:
        """The bonus with the modifiers of the pair, from behind (DS-24), and of this roll."""
        return self.bonus_of_both + self.modifier

    @property
    def bonus_of_both(self) -> int:
        """The bonus of both attacks, without the modifier that counts for this roll only."""
        return self.bonus + penalty(self.pair, heavy_opponent=self.heavy_opponent) + (BEHIND if self.behind else 0)

    @property
    def source(self) -> str:
        """The source of the damage, which decides on protection (DS-41 to DS-43)."""
        return "behind" if self.behind else "other" if self.skill == "any" else self.skill

    def repeats(self) -> bool:
        """Return True for an attack from behind as well (DS-24)."""
        return self.repeat or self.behind

    def allows_second_attack(self, outcome: Outcome) -> bool:
        """Return True if the total of the roll that counted, hit or not, is enough for the second weapon."""
        return outcome.figures["natural"] + self.bonus_now >= PAIRS[self.pair][0]

    def tell(self, outcome: Outcome) -> str:
        """Return the sum, and whether the second weapon follows."""
        words = _("{told}; {number}+ reached: a second attack") if self.allows_second_attack(outcome) else _(
            "{told}; {number}+ not reached: no second attack")
        return words.format(told=super().tell(outcome).rstrip("."), number=PAIRS[self.pair][0])

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield what follows from the first attack, then the second one with the same penalty."""
        yield from super().follow(outcome)
        if self.allows_second_attack(outcome):
            harm: dict[str, Any] = {"source": self.source} | (
                {"range": self.second_damage} if self.second_damage else {})
            more: dict[str, Any] = {"repeat": True} if self.behind else {}
            more |= {"targets": ""} | ({"full_force": False} if self.skill == "ranged" else {})
            yield Attack.offer(_("Attack with the second weapon"), "second", own_target=True,
                               then={"damage": {**harm, "rolls": 2} if self.behind else harm},
                               aims=SHOT if self.pair == "handguns" else {}, bonus=bounded(self.bonus_of_both),
                               skill=self.skill, **more)


class TwoWeapons(Roll):
    """DS-29: whether a second attack follows, rolled on its own instead of with the first attack."""

    pair: Pair = field(_("Weapons in both hands"), choices=PAIR_LABELS)
    bonus: Bonus = field(_("Attack bonus"), help=_("As in the profile; the pair's penalty is added here."))
    heavy_opponent: bool = field(
        _("The opponent has a two-handed melee weapon or a lance"), default=False, momentary=True)
    title, rules, sides = _("Second weapon"), ("DS-29",), 20
    group = headings.ATTACK
    outcomes = {"second": _("a second attack"), "none": _("no second attack")}

    @property
    def bonus_now(self) -> int:
        """The bonus with the modifier of the pair."""
        return self.bonus + penalty(self.pair, heavy_opponent=self.heavy_opponent)

    def throw(self, tray: Tray) -> Outcome:
        """Throw a die with the bonus of the pair against the number of the pair."""
        total = tray.die(20) + self.bonus_now
        return Outcome("second" if total >= PAIRS[self.pair][0] else "none", total=total)

    def tell(self, outcome: Outcome) -> str:
        """Return the total and the number that it must reach, in words."""
        return _("{total} against {target}+: {outcome}").format(
            total=numeral(outcome.figures["total"]), target=PAIRS[self.pair][0], outcome=self.label(outcome.value))

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Yield the second attack, with the same penalty."""
        if outcome.value == "second":
            guns = self.pair == "handguns"
            yield Attack.offer(_("Attack with the second weapon"), own_target=True, aims=SHOT if guns else {},
                               bonus=bounded(self.bonus_now), skill="ranged" if guns else "melee")
