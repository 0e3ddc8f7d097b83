"""Acts that give life to another character or take it from one (CD-29).

At a table this character's life changes only after the other side has applied its effect, by the points actually moved.
The stored field `source` has the key of the other's sheet, "" if the other has none at the table.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from rulesets.condice import rolls
from rulesets.condice.play.acts import usable_abilities
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
    group = rolls.LIFE_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it for each ability to transfer life."""
        for index, one in usable_abilities(sheet, play, "leben-transferieren"):
            yield cls.offer(key=f"abilities.{index}", note=rolls.LIFE_POINTS.format(n=one.life_points),
                            most=one.life_points, source="")

    def with_life_transferred(self, sheet: "ConDice", play: "ConDicePlay", sign: int) -> "ConDicePlay":
        """Return the state after the action, with life raised or lowered (`sign` 1 or -1) by the points.

        With a target at the table, life changes only after the target has applied its effect. Raise `Refused` if the
        points exceed the ability or the life left.
        """
        if self.points > self.most or (sign < 0 and self.points > play.life_left(sheet)):
            message = ngettext_lazy("{n} life point is too much; you can move at most {most}.",
                                    "{n} life points are too many; you can move at most {most}.", "n")
            raise Refused(message.format(
                n=self.points, most=self.most if sign > 0 else min(self.most, play.life_left(sheet))))
        play = play.with_action_done()
        if self.source:
            return play
        if sign < 0:
            return play.with_damage(sheet, self.points)
        return play.with_life(sheet, play.life_left(sheet) + self.points)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the points and the life left in words."""
        text = _("{n} to be moved, life {left}") if self.source else _("{n} moved, life {left}")
        return text.format(n=self.points, left=play.life_left(sheet))


class GiveLife(_Transfer):
    """CD-29: give life to another character."""

    title, rules = _("Give life"), ("CD-29",)

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it while the character has life to give."""
        if play.life_left(sheet):
            yield from super().offered(sheet, play)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Move points from this character to the other."""
        return self.with_life_transferred(sheet, play, -1)


class TakeLife(_Transfer):
    """CD-29: take life from a willing character."""

    there: Count = field(_("The other's life points"), HIGHEST, target_figure="life_points", start=10)
    title, rules = _("Take life"), ("CD-29",)

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it while life is missing."""
        if play.life_left(sheet) < play.max_life(sheet):
            yield from super().offered(sheet, play)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Move points from the other to this character.

        Raise `Refused` if the other has fewer, or if this character's life is full.
        """
        if self.points > self.there:
            raise Refused(_("The other has only {life}; you cannot take more.").format(
                life=rolls.LIFE_POINTS.format(n=self.there)))
        if play.life_left(sheet) >= play.max_life(sheet):
            raise Refused(_("You have all your life points, so you would gain nothing."))
        return self.with_life_transferred(sheet, play, 1)


class GainDrainedLife(TakeLife):
    """CD-29: gain the life that a mental attack took from a target without a sheet at the table."""

    slug = "draw-life"
    title = _("Take life by force")

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Never offer it by itself, only after such an attack (see `offers_after_drain`)."""
        return iter(())

    @classmethod
    def offers_after_drain(cls, _roll: rolls.DrainLife, outcome: Outcome) -> Iterator[Offer]:
        """Yield the offer to gain the life that a mental attack took, which may exceed the ability's limit."""
        if taken := outcome.figures["taken"]:
            yield cls.offer(_("Take {life}").format(life=rolls.LIFE_POINTS.format(n=taken)), without_target=True,
                            points=taken, most=taken, there=taken, source="")


class LoseLife(Act):
    """CD-29: another character takes life from this one, and gains the points actually lost."""

    points: Count = field(_("How many life points?"))
    by: Name = field(_("Who takes them"), "")
    source: SheetKey = field(_("Their sheet"), "")
    title, rules, group, names_source = _("Lose life"), ("CD-29",), rolls.LIFE_HEADING, True

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Lower life by the points, not below 0."""
        return play.with_damage(sheet, self.points)

    def tell_change(self, sheet: "ConDice", before: "ConDicePlay", after: "ConDicePlay") -> str:
        """Report the life points actually lost."""
        return self.model_copy(update={"points": before.life_left(sheet) - after.life_left(sheet)}).tell(sheet, after)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the points and the life left in words."""
        return _("{n} damage taken, life {left}").format(n=self.points, left=play.life_left(sheet))


class ReceiveLife(Act):
    """CD-29: another character gives life to this one, and loses the points actually received."""

    points: Count = field(_("How many life points?"))
    by: Name = field(_("Who gives them"), "")
    source: SheetKey = field(_("Their sheet"), "")
    title, rules, group, names_source = _("Receive life"), ("CD-29",), rolls.LIFE_HEADING, True

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Raise life by the points, up to the maximum."""
        return play.with_life(sheet, play.life_left(sheet) + self.points)

    def tell_change(self, sheet: "ConDice", before: "ConDicePlay", after: "ConDicePlay") -> str:
        """Report the life points actually gained."""
        return self.model_copy(update={"points": after.life_left(sheet) - before.life_left(sheet)}).tell(sheet, after)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the points and the life left in words."""
        return _("{n} regained, life {left}").format(n=self.points, left=play.life_left(sheet))


class PayLife(Act):
    """CD-29: this character loses the life that it has given to another."""

    points: Count = field(_("How many life points?"))
    title, rules, group = _("Pay with life"), ("CD-29",), rolls.LIFE_HEADING

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Lower life by the points; raise `Refused` if fewer are left."""
        if self.points > play.life_left(sheet):
            raise Refused(_("The other has only {life}; you cannot take more.").format(
                life=rolls.LIFE_POINTS.format(n=play.life_left(sheet))))
        return play.with_damage(sheet, self.points)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the points and the life left in words."""
        return _("{n} moved, life {left}").format(n=self.points, left=play.life_left(sheet))
