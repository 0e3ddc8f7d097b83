"""Acts that give life to another or take it from another (CD-29).

At a table life moves only once the other side has applied its part: what the other really loses or receives.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.condice import rolls
from rulesets.condice.play.acts import owned
from rulesets.dice import Outcome
from rulesets.kit import HIGHEST, Act, Count, Name, Offer, Play, Refused, SheetKey, Thrown, field

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice


class _Transfer(Act):
    """CD-29: a transfer of life points, at most as many as the ability allows."""

    points: Count = field(_("How many life points?"))
    most: Count = field(_("At most"))
    source: SheetKey = field(_("Target's sheet"), "")
    group = rolls.LIFE

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it once for each such ability."""
        for index, one in owned(sheet, play, "leben-transferieren"):
            yield cls.asking(key=f"abilities.{index}", note=rolls.LIFE_POINTS.format(n=one.life_points),
                             most=one.life_points, source="")

    def moved(self, play: "ConDicePlay", sheet: "ConDice", sign: int) -> "ConDicePlay":
        """Return the state with life changed by the points (`Refused` if they exceed the ability or the life left).

        With a target at the table it changes only after the target's part.
        """
        if self.points > self.most or (sign < 0 and self.points > play.left(sheet)):
            many = ngettext_lazy("{n} life point is too much; you can move at most {most}.",
                                 "{n} life points are too many; you can move at most {most}.", "n")
            raise Refused(many.format(
                n=self.points, most=self.most if sign > 0 else min(self.most, play.left(sheet))))
        play = play.having_acted()
        if self.source:
            return play
        return play.hurt(sheet, self.points) if sign < 0 else play.with_life(sheet, play.left(sheet) + self.points)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the points and the life left in words."""
        text = _("{n} to be moved, life {left}") if self.source else _("{n} moved, life {left}")
        return text.format(n=self.points, left=play.left(sheet))


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

    there: Count = field(_("The other's life points"), HIGHEST, target_figure="life_points", start=10)

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it while life is missing."""
        if play.left(sheet) < play.most(sheet):
            yield from super().offered(sheet, play)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Move points from another to this character.

        Raise `Refused` if the other has fewer, or if this character's life is full.
        """
        if self.points > self.there:
            raise Refused(_("The other has only {life}; you cannot take more.").format(
                life=rolls.LIFE_POINTS.format(n=self.there)))
        if play.left(sheet) >= play.most(sheet):
            raise Refused(_("You have all your life points, so you would gain nothing."))
        return self.moved(play, sheet, 1)


class DrawLife(TakeLife):
    """CD-29: this character gains the life that its mental attack took from a target without a sheet at the table."""

    title = _("Take life by force")

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it only after such an attack."""
        return iter(())

    @classmethod
    def drawn(cls, _roll: rolls.DrainLife, outcome: Outcome) -> Iterator[Offer]:
        """Offer to gain the life that a mental attack took, which may exceed the ability's limit (CD-29)."""
        if taken := outcome.figures["taken"]:
            yield cls.asking(_("Take {life}").format(life=rolls.LIFE_POINTS.format(n=taken)), alone=True,
                             points=taken, most=taken, there=taken, source="")


class LoseLife(Act):
    """CD-29: another takes life from this character, and gains what is really lost."""

    points: Count = field(_("How many life points?"))
    by: Name = field(_("Who takes them"), "")
    source: SheetKey = field(_("Their sheet"), "")
    title, rules, group, names_source = _("Lose life"), ("CD-29",), rolls.LIFE, True

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Lower life by the points, not below 0."""
        return play.hurt(sheet, self.points)

    def tell_change(self, sheet: "ConDice", before: "ConDicePlay", after: "ConDicePlay") -> str:
        """Count the life points that really went."""
        return self.model_copy(update={"points": before.left(sheet) - after.left(sheet)}).tell(sheet, after)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the points and the life left in words."""
        return _("{n} damage taken, life {left}").format(n=self.points, left=play.left(sheet))


class ReceiveLife(Act):
    """CD-29: another gives life to this character, and loses it once it is received."""

    points: Count = field(_("How many life points?"))
    by: Name = field(_("Who gives them"), "")
    source: SheetKey = field(_("Their sheet"), "")
    title, rules, group, names_source = _("Receive life"), ("CD-29",), rolls.LIFE, True

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Raise life by the points, not above the maximum."""
        return play.with_life(sheet, play.left(sheet) + self.points)

    def tell_change(self, sheet: "ConDice", before: "ConDicePlay", after: "ConDicePlay") -> str:
        """Count the life points that really came."""
        return self.model_copy(update={"points": after.left(sheet) - before.left(sheet)}).tell(sheet, after)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the points and the life left in words."""
        return _("{n} regained, life {left}").format(n=self.points, left=play.left(sheet))


class PayLife(Act):
    """CD-29: this character loses the life that another has received from it."""

    points: Count = field(_("How many life points?"))
    title, rules, group = _("Pay with life"), ("CD-29",), rolls.LIFE

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Lower life by the points (`Refused` if fewer are left)."""
        if self.points > play.left(sheet):
            raise Refused(_("The other has only {life}; you cannot take more.").format(
                life=rolls.LIFE_POINTS.format(n=play.left(sheet))))
        return play.hurt(sheet, self.points)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the points and the life left in words."""
        return _("{n} moved, life {left}").format(n=self.points, left=play.left(sheet))
