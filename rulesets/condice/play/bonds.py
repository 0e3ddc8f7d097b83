"""Somebody who is held by mind control or aggro: by whom, what that asks for, how one breaks free (CD-54)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _

from rulesets.condice import rolls
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
NO_ROOM = _("The turn has no room for that any more; end it, and the next one begins.")
TOLD = {"mindcontrol": _("Controlled by {by}"), "aggro-ziehen": _("Has to attack {by}")}
HELD_BY, KEY = _("Held by"), _("Sheet of whoever holds")


class BeHeld(Act):
    """CD-54: a mental attack has worked, and whoever made it holds one."""

    ability: Holding = field(_("Ability"), choices=HOLDING)
    dice: Count = field(_("Dice"))
    by: Name = field(HELD_BY, "")
    source: SheetKey = field(KEY, "")
    title, rules, group, whence = _("Be held"), ("CD-54", "CD-22", "CD-23"), rolls.EFFECTS, True

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """One bond more; a new one of the same ability and holder takes the place of the old one."""
        same = self.ability, self.source, self.by
        others = [one for one in play.bonds if (one.ability, one.source, one.by) != same]
        return play.model_copy(update={"bonds": added(others, Bond(**self.model_dump()))})

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say by whom, and what that asks for."""
        return str(TOLD[self.ability].format(by=self.by))


class BreakLoose(Act):
    """CD-54: whoever is held gives up action or movement, which is paid at once, and tries anew; once a round."""

    index: Count = field(_("Held"))
    gives: Literal["action", "movement"] = field(_("What is given up?"), "action", choices=PARTS)
    ability: Holding = field(_("Ability"), "mindcontrol", choices=HOLDING)
    source: SheetKey = field(KEY, "")
    title, rules, group = _("Try to break free"), ("CD-54", "CD-42", "CD-52"), rolls.EFFECTS

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it for each hold that one has not tried to break in this round, what the turn still has to give."""
        for index, bond in enumerate(play.bonds):
            for gives, words in BREAKING.items() if not bond.tried else ():
                if play.may_give_up(sheet)[gives]:
                    yield cls.asking(words.format(by=bond.by), f"bonds.{index}.{gives}", HOLDING[bond.ability],
                                     index=index, gives=gives, ability=bond.ability, source=bond.source)

    def about(self) -> str:
        """Whoever holds, wherever one aims."""
        return self.source

    def roll(self, sheet: "ConDice", play: "ConDicePlay") -> Roll:
        """The attack's dice and one's own resistance, both anew (`Refused` where there is nothing to pay with)."""
        bond = row(play.bonds, self.index)
        if bond.tried:
            raise Refused(_("You have tried that in this round already; once it is over you may try again."))
        if not play.may_give_up(sheet)[self.gives]:
            raise Refused(NO_ROOM)
        return rolls.BreakLoose(dice=bond.dice, resistance=play.effective(sheet).mental_resistance)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """It is paid either way; free if the attack fails."""
        paid = play.giving_up(self.gives)
        if outcome.value == "free":
            return paid.model_copy(update={"bonds": without(play.bonds, self.index)})
        tried = play.bonds[self.index].model_copy(update={"tried": True})
        return paid.model_copy(update={"bonds": [*play.bonds[:self.index], tried, *play.bonds[self.index + 1:]]})

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Name the part of the turn that was given up."""
        return str(_("Gave up {what} to break free")).format(what=str(PARTS[self.gives]))


class Released(Act):
    """CD-54: whoever held one has let go."""

    ability: Holding = field(_("Ability"), choices=HOLDING)
    by: Name = field(HELD_BY, "")
    source: SheetKey = field(KEY, "")
    title, rules, group, whence = _("No longer be held"), ("CD-54",), rolls.EFFECTS, True

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Whatever bound one to that ability of theirs is gone."""
        return play.model_copy(update={"bonds": [
            one for one in play.bonds if (one.ability, one.source) != (self.ability, self.source)]})


class EndBond(RemoveRow):
    """CD-54: a hold is over for another reason: whoever held is gone, or the GM says so."""

    index: Count = field(_("Held"))
    title, rules, rows, group, rare = _("No longer be held"), ("CD-54",), "bonds", rolls.EFFECTS, True

    @classmethod
    def naming(cls, row: Any) -> Wording:
        """Name the one who holds."""
        return _("No longer held by {by}").format(by=row.by)
