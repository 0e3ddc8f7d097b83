"""One roll that ends in a number, one that ends in a word."""

from django.utils.translation import gettext_lazy as _

from rulesets.dice import Outcome
from rulesets.kit import Count, Roll, field


class Throw(Roll):
    """TY-04: the eyes of four-sided dice."""

    dice: Count = field(_("Dice"))
    title, rules = _("Throw"), ("TY-04",)

    def throw(self, tray):
        """All eyes together."""
        return Outcome(tray.total(self.dice, range(1, 5)))


class Test(Roll):
    """TY-05: a six-sided die up to the luck."""

    luck: Count = field(_("Luck"))
    title, rules = _("Test of luck"), ("TY-05",)
    outcomes = {"lucky": _("lucky"), "unlucky": _("unlucky")}

    def throw(self, tray):
        """Low is good."""
        return Outcome("lucky" if tray.die(6) <= self.luck else "unlucky")
