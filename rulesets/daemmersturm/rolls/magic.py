"""Rolls of magic: channelling, light, elements (DS-54 to DS-56)."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from rulesets.daemmersturm import headings
from rulesets.daemmersturm.catalogue import ARMOUR_CLASSES, ArmourClass
from rulesets.daemmersturm.texts import Bonus
from rulesets.dice import Outcome, Tray
from rulesets.kit import Count, Roll, field


class Channelling(Roll):
    """DS-54: whether channelling continues after damage."""

    title, rules = _("Channelling disturbed"), ("DS-54",)
    group, chance_label = headings.AFTER, pgettext_lazy("daemmersturm chance", "held")
    outcomes = {"holds": _("the spell holds"), "breaks": _("the spell breaks")}

    def throw(self, tray: Tray) -> Outcome:
        """Throw a four-sided die; a 1 breaks the channelling."""
        return Outcome("breaks" if tray.die(4) == 1 else "holds")


class Light(Roll):
    """DS-55: whether light can be called."""

    bonus: Bonus = field(_("Magic bonus"))
    armour_class: ArmourClass = field(_("Armour type"), "none", choices=ARMOUR_CLASSES)
    action_points: Count = field(_("Action points to cover a shortfall"), 0)
    title, rules, chance_label = _("Light test"), ("DS-55",), pgettext_lazy("daemmersturm chance", "success")
    group = headings.MAGIC
    outcomes = {"works": _("works"), "fails": _("fails, no light points spent")}

    def throw(self, tray: Tray) -> Outcome:
        """Throw 0 to 5, which must not exceed the bonus; in light armour or none only a 5 can fail."""
        roll = tray.die(range(6))
        short = max(0, roll - self.bonus)
        if self.armour_class in ("none", "light") and roll < 5:
            short = 0
        return Outcome("works" if short <= self.action_points else "fails", roll=roll, short=short)

    def tell(self, outcome: Outcome) -> str:
        """Return the number thrown, by how much it exceeds the bonus, and the outcome."""
        short = outcome.figures["short"]
        words = _("{roll}: {outcome}") if not short else _("{roll}, {short} above the bonus: {outcome}")
        return words.format(roll=outcome.figures["roll"], short=short, outcome=self.label(outcome.value))


class Elements(Roll):
    """DS-56: the points that may be spent on one element this round."""

    maximum: Count = field(_("Maximum element points"))
    title, rules = _("Element points this round"), ("DS-56",)
    group = headings.MAGIC
    unit = ngettext_lazy("{n} point for one element", "{n} points for one element", "n")

    def throw(self, tray: Tray) -> Outcome:
        """Throw a number from 0 to the maximum."""
        return Outcome(tray.die(range(self.maximum + 1)))
