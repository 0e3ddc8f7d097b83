"""The victim's side of mind control and aggro: being held by another sheet, and breaking free (CD-54).

In this module `by` is the name of the holder, and `source` the key of the holder's sheet.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _

from rulesets.condice import rolls
from rulesets.condice.play.names import named
from rulesets.condice.play.state import HOLDING, PARTS, Bond, Holding
from rulesets.kit import (
    Act,
    Count,
    Name,
    Offer,
    Play,
    Refused,
    RemoveRow,
    Roll,
    SheetKey,
    Thrown,
    Wording,
    added,
    field,
    row,
    without,
)

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice

BREAKING = {"action": _("Break free from {by}: give up the action"),
            "movement": _("Break free from {by}: give up the movement")}
NO_ROOM = _("That is no longer possible this turn; end it to start the next one.")
TOLD = {"mindcontrol": _("Controlled by {by}"), "aggro-ziehen": _("Has to attack {by}")}
HELD_BY, KEY = _("Held by"), _("Holder's sheet")


class BeHeld(Act):
    """CD-54: a mental attack has worked, and its attacker now holds this character."""

    ability: Holding = field(_("Ability"), choices=HOLDING)
    dice: Count = field(_("Dice"))
    by: Name = field(HELD_BY, "")
    source: SheetKey = field(KEY, "")
    title, rules, group, names_source = _("I am being held"), ("CD-54", "CD-22", "CD-23"), rolls.EFFECTS, True

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Add the bond, in place of an old one of the same ability and holder."""
        same = self.ability, self.source, self.by
        others = [one for one in play.bonds if (one.ability, one.source, one.by) != same]
        return play.model_copy(update={"bonds": added(others, Bond(**self.model_dump()))})

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Name the holder, and the ability in words."""
        return str(TOLD[self.ability].format(by=named(self.by)))


class BreakLoose(Act):
    """CD-54: this character, being held, gives up its action or movement to try to break free, once a round."""

    index: Count = field(_("Held"))
    gives: Literal["action", "movement"] = field(_("What is given up?"), "action", choices=PARTS)
    ability: Holding = field(_("Ability"), "mindcontrol", choices=HOLDING)
    source: SheetKey = field(KEY, "")
    title, rules, group = _("Try to break free"), ("CD-54", "CD-42", "CD-52"), rolls.EFFECTS

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it for each bond not tried in this round, and each part of the turn that is still open."""
        for index, bond in enumerate(play.bonds):
            for gives, words in BREAKING.items() if not bond.tried else ():
                if play.may_give_up(sheet)[gives]:
                    yield cls.asking(words.format(by=named(bond.by)), f"bonds.{index}.{gives}", HOLDING[bond.ability],
                                     index=index, gives=gives, ability=bond.ability, source=bond.source)

    def about(self) -> str:
        """Return the sheet of the holder, whatever target is chosen on the page."""
        return self.source

    def roll(self, sheet: "ConDice", play: "ConDicePlay") -> Roll:
        """Return the holder's attack against this character's resistance.

        Raise `Refused` if it was tried in this round, or that part of the turn is spent.
        """
        bond = row(play.bonds, self.index)
        if bond.tried:
            raise Refused(_("You have already tried that this round; you may try again next round."))
        if not play.may_give_up(sheet)[self.gives]:
            raise Refused(NO_ROOM)
        return rolls.BreakLoose(dice=bond.dice, resistance=play.effective(sheet).mental_resistance)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Spend the part of the turn either way; remove the bond if the attack failed."""
        paid = play.giving_up(self.gives)
        if outcome.value == "free":
            return paid.model_copy(update={"bonds": without(play.bonds, self.index)})
        tried = play.bonds[self.index].model_copy(update={"tried": True})
        return paid.model_copy(update={"bonds": [*play.bonds[:self.index], tried, *play.bonds[self.index + 1:]]})

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Name the part of the turn that was given up."""
        return str(_("Gave up {what} to break free")).format(what=str(PARTS[self.gives]))


class Released(Act):
    """CD-54: the holder has let this character go."""

    ability: Holding = field(_("Ability"), choices=HOLDING)
    by: Name = field(HELD_BY, "")
    source: SheetKey = field(KEY, "")
    title, rules, group, names_source = _("Be free again"), ("CD-54",), rolls.EFFECTS, True

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Remove the bonds of that ability and holder."""
        return play.model_copy(update={"bonds": [
            one for one in play.bonds if (one.ability, one.source) != (self.ability, self.source)]})


class EndBond(RemoveRow):
    """CD-54: a bond ends for another reason: the holder is gone, or the GM says so."""

    index: Count = field(_("Held"))
    title, rules, rows, group, rare = _("Be free again"), ("CD-54",), "bonds", rolls.EFFECTS, True

    @classmethod
    def naming(cls, row: Any) -> Wording:
        """Name the holder."""
        return _("No longer held by {by}").format(by=named(row.by))
