"""Acts that give life to another or take it from another (CD-29)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.condice import rolls
from rulesets.condice.play.acts import owned
from rulesets.dice import Outcome
from rulesets.kit import HIGHEST, Act, Count, Offer, Play, Refused, Thrown, field

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice


class _Transfer(Act):
    """CD-29: a transfer of life points, at most as many as the ability allows."""

    points: Count = field(_("How many life points?"))
    most: Count = field(_("At most"))
    group = rolls.LIFE

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it once for each such ability."""
        for index, one in owned(sheet, play, "leben-transferieren"):
            yield cls.asking(key=f"abilities.{index}", note=rolls.LIFE_POINTS.format(n=one.life_points),
                             most=one.life_points)

    def moved(self, play: "ConDicePlay", sheet: "ConDice", sign: int) -> "ConDicePlay":
        """Return the state with life changed by the points (`Refused` if they exceed the ability or the life left)."""
        if self.points > self.most or (sign < 0 and self.points > play.left(sheet)):
            many = ngettext_lazy("{n} life point is too much; you can move at most {most}.",
                                 "{n} life points are too many; you can move at most {most}.", "n")
            raise Refused(many.format(
                n=self.points, most=self.most if sign > 0 else min(self.most, play.left(sheet))))
        play = play.having_acted()
        return play.hurt(sheet, self.points) if sign < 0 else play.with_life(sheet, play.left(sheet) + self.points)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the points and the life left in words."""
        return _("{n} moved, life {left}").format(n=self.points, left=play.left(sheet))


class GiveLife(_Transfer):
    title, rules = _("Give life"), ("CD-29",)

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it while there is life to give."""
        if play.left(sheet):
            yield from super().offered(sheet, play)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Move points from this character to another."""
        return self.moved(play, sheet, -1)


class TakeLife(_Transfer):
    title, rules = _("Take life"), ("CD-29",)

    there: Count = field(_("The other's life points"), HIGHEST, target="life_points", start=10)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Move points from another to this character (`Refused` if the other has fewer)."""
        if self.points > self.there:
            raise Refused(_("The other has only {life}; you cannot take more.").format(
                life=rolls.LIFE_POINTS.format(n=self.there)))
        return self.moved(play, sheet, 1)


class DrawLife(TakeLife):
    """CD-29: this character gains the life that its mental attack took; the target has lost it by that attack."""

    title = _("Take life by force")

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it only after such an attack."""
        return iter(())

    @classmethod
    def drawn(cls, _roll: rolls.DrainLife, outcome: Outcome) -> Iterator[Offer]:
        """Offer to gain the life that a mental attack took, which may exceed the ability's limit (CD-29)."""
        if taken := outcome.figures["taken"]:
            yield cls.asking(_("Take {life}").format(life=rolls.LIFE_POINTS.format(n=taken)),
                             points=taken, most=taken, there=taken)
