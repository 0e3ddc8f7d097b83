"""Five points over two values and tricks (TY-01 to TY-04)."""

from typing import Literal

from django.utils.translation import gettext_lazy as _

from rulesets.kit import (
    House,
    Ledger,
    Mend,
    Name,
    Points,
    Sheet,
    Spent,
    Spoken,
    Step,
    derived,
    error,
    field,
    rows,
    rule,
    warning,
)
from rulesets.toy import rolls

VALUES = Step("values", _("Values"))
CALLINGS = {"bear": _("Bear"), "doll": _("Doll")}


class ToyHouse(House):
    """The book's figure."""

    budget: Points = field(_("Points to spend"), 5)


class Trick(Spoken):
    """A trick and how well it is known."""

    name: Name = field(_("Name of the trick"), samples=("Purzelbaum", "Kuckuck"))
    level: Points = field(_("Level"), price=1)

    @rule("TY-03")
    def named(self, house):
        """Tricks are told apart by their names."""
        if not self.name.strip():
            yield warning(_("The trick has no name yet."), "name")


class Toy(Sheet):
    """A toy."""

    strength: Points = field(_("Strength"), 0, price=1, step=VALUES)
    luck: Points = field(_("Luck"), 0, price=1, step=VALUES)
    calling: Literal["bear", "doll"] | None = field(_("Calling"), choices=CALLINGS, step=VALUES)
    tricks: list[Trick] = rows(_("Tricks"), [], step=VALUES)

    def ledger(self, house):
        """Two values and all tricks."""
        return Ledger(house.budget, (
            Spent(_("Strength"), "strength", self.strength),
            Spent(_("Luck"), "luck", self.luck),
            Spent(_("Tricks"), "tricks", sum(trick.level for trick in self.tricks)),
        ))

    @derived("points_left", _("Points left"), "TY-01")
    def points_left(self, house):
        """Points unspent."""
        return self.ledger(house).left

    @rule("TY-01")
    def budget(self, house):
        """More points than there are."""
        over = -self.ledger(house).left
        if over > 0:
            yield error(
                _("{over} too many points are spent; {budget} are allowed."), "strength",
                [Mend(_("Lower strength"), {"strength": max(0, self.strength - over)})],
                over=over, budget=house.budget,
            )

    @rule("TY-02")
    def called(self, house):
        """Every toy is something."""
        if self.calling is None:
            yield error(_("The calling is not chosen."), "calling",
                        [Mend(label, {"calling": key}) for key, label in CALLINGS.items()])

    def widgets(self, play):
        """One roll of each kind."""
        yield rolls.Throw.asking(dice=self.strength)
        yield rolls.Test.asking(luck=self.luck)
