"""Help for another character's roll: its cost, and the helper's die until it is used or lapses (SZ-25)."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts import headings
from rulesets.augen_des_zwielichts.catalogue import COLOURS, Colour
from rulesets.augen_des_zwielichts.play.prices import NO_BONUS
from rulesets.augen_des_zwielichts.play.state import Face
from rulesets.augen_des_zwielichts.texts import faces, listed
from rulesets.dice import Outcome
from rulesets.kit import Act, Name, Offer, Play, Refused, Thrown, field

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
    from rulesets.augen_des_zwielichts.rolls.pool import Help
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts

HELPERS = 20
"""The most helpers' dice of one colour that a character may have."""


class Helped(Act):
    """SZ-25: pay for helping: a condition with or without its word, and a bonus die that was thrown."""

    condition: bool = field(_("A condition is due"))
    bonus: bool = field(_("It was a bonus die"))
    word: Name = field(_("Word for the condition that is due"), "")
    title, rules, group = _("Help was given"), ("SZ-25", "SZ-13"), headings.MOVES

    @classmethod
    def offers_after(cls, *, bonus: bool) -> Callable:
        """Return a function (roll, outcome) that offers the automatic act for the cost of helping, if there is any."""
        def lead(_roll: "Help", outcome: Outcome) -> Iterator[Offer]:
            condition = outcome.value == "condition"
            if condition or bonus:
                yield cls.offer(condition=condition, bonus=bonus, word="", automatic="always")

        return lead

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Use up the bonus die, and add the condition if there is one."""
        if self.bonus:
            play = play.with_spent("bonus_dice", 1, NO_BONUS)
        return play.with_condition(self.word) if self.condition else play

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the cost."""
        return ", ".join(str(text) for text, there in (
            (_("a white bonus die is used up"), self.bonus), (_("a condition is due"), self.condition)) if there)


class GetHelp(Act):
    """SZ-25: add a helper's die, with its colour, to the result of the character who is helped."""

    colour: Colour = field(_("Colour of the helper's die"), choices=COLOURS)
    face: Face = field(_("What does it show?"))
    title, rules, group = _("Accept help"), ("SZ-25",), headings.MOVES

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Store the helper's die until the result is applied."""
        key = f"help_{self.colour}"
        there = faces(getattr(play, key))
        if len(there) >= HELPERS:
            raise Refused(_("Nobody can have more helpers than that."))
        return play.evolve(**{key: listed((*there, self.face))})

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the die."""
        return f"{COLOURS[self.colour]}: {self.face}"


class HelpLapsed(Act):
    """SZ-25: drop the help for a roll whose result was not applied before the next roll."""

    title, rules, group = _("Help for the previous roll"), ("SZ-25",), headings.MOVES

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Remove the helpers' dice; undoing this brings them back."""
        return play.evolve(help_white="", help_black="")

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return that the help no longer counts."""
        return str(_("no longer counts: its result was not applied before the next roll"))
