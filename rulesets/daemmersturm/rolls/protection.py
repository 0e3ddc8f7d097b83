"""Rolls that stop a hit: shield, armour, cover (DS-40 to DS-44)."""

from typing import Annotated, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from pydantic import AfterValidator, Field, ValidationInfo

from rulesets.daemmersturm import headings
from rulesets.daemmersturm.texts import Bonus
from rulesets.dice import Outcome, Tray
from rulesets.kit import FROM_FORM, Count, Roll, field, numeral

STOPS = {"blocked": _("blocked: no damage"), "open": _("not stopped")}


def _some(number: int, info: ValidationInfo) -> int:
    """Refuse 0 in a form; logs of older versions hold it."""
    if info.context == FROM_FORM and not number:
        raise ValueError(_("0 means that there is no shield, so there is nothing to roll; enter the shield's number."))
    return number


ShieldNumber = Annotated[Count, AfterValidator(_some)]
SidesOfSix = Annotated[int, Field(ge=1, le=6)]


class _Protection(Roll):
    outcomes, group, chance_label = STOPS, headings.DEFENCE, pgettext_lazy("daemmersturm chance", "blocked")
    leads_on = ("open",)
    cancels = {"blocked": ("damage", "critical")}

    def outcome_of(self, total: int, target: int, **figures: Any) -> Outcome:
        """Return the outcome: a total that reaches the number stops all damage."""
        return Outcome("blocked" if total >= target else "open", total=total, target=target, **figures)

    def tell(self, outcome: Outcome) -> str:
        """Return the total and the number that it must reach, in words."""
        return _("{total} against {target}+: {outcome}").format(
            total=numeral(outcome.figures["total"]), target=outcome.figures["target"],
            outcome=self.label(outcome.value))


class Shield(_Protection):
    """DS-41: the shield roll, to which the melee bonus is added."""

    bonus: Bonus = field(_("Melee bonus"))
    target: ShieldNumber = field(_("Shield number"))
    title, rules, sides = _("Shield roll"), ("DS-41", "DS-40"), 20

    def throw(self, tray: Tray) -> Outcome:
        """Throw one die and add the bonus."""
        return self.outcome_of(tray.die(20) + self.bonus, self.target)


class Armour(_Protection):
    """DS-42: the armour roll, without a bonus, and only against damage that the armour can stop."""

    target: SidesOfSix = field(_("Armour number"))
    damage: Count = field(_("Damage"), 0)
    max_damage: Count = field(_("Works up to … damage"), 0, help=_("0: no limit."))
    title, rules = _("Armour roll"), ("DS-42", "DS-40")

    def can_stop(self, damage: int) -> bool:
        """Return True if the armour can stop that much damage."""
        return not self.max_damage or damage <= self.max_damage

    @property
    def allowed(self) -> bool:
        """True if the armour can stop the damage."""
        return self.can_stop(self.damage)

    def pool(self) -> int:
        """Return 1: it is a single die."""
        return 1

    def head(self) -> int:
        """Return 6, to tell this die from the twenty-sided ones."""
        return 6

    def throw(self, tray: Tray) -> Outcome:
        """Throw one die, or none if the damage is too high."""
        if not self.allowed:
            return Outcome("open", total=0, target=self.target)
        return self.outcome_of(tray.die(6), self.target)

    def tell(self, outcome: Outcome) -> str:
        """Say why there was no roll, if there was none."""
        if not self.allowed:
            return _("{damage} damage is more than the {most} that the armour can stop: no roll").format(
                damage=self.damage, most=self.max_damage)
        return super().tell(outcome)


class Cover(_Protection):
    """DS-43, DS-44: the cover roll, without a bonus; its number is 10 for a character seeking protection."""

    target: Count = field(_("Cover number"), help=_("Set by the GM; 10 for anyone seeking "
                                                           "protection."), start=10)
    title, rules, sides = _("Cover roll"), ("DS-43", "DS-44", "DS-40"), 20

    def throw(self, tray: Tray) -> Outcome:
        """Throw one die."""
        return self.outcome_of(tray.die(20), self.target)
