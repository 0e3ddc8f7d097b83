"""The victim's side of mind control and aggro: being held by another character, and breaking free (CD-54).

The stored fields `by` and `source` have the name of the holder and the key of the holder's sheet.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _

from rulesets.condice import rolls
from rulesets.condice.play.names import name_or_somebody
from rulesets.condice.play.state import HOLDING, TURN_PARTS, Bond, Holding
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
    field,
    row,
    with_row,
    without_row,
)

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice

BREAK_FREE_TITLES = {"action": _("Break free from {by}: give up the action"),
            "movement": _("Break free from {by}: give up the movement")}
PART_SPENT = _("That is no longer possible this turn; end it to start the next one.")
HELD_TEXTS = {"mindcontrol": _("Controlled by {by}"), "aggro-ziehen": _("Has to attack {by}")}
HELD_BY, HOLDER_SHEET = _("Held by"), _("Holder's sheet")


class BeHeld(Act):
    """CD-54: a mental attack has worked, and its attacker now holds this character."""

    ability: Holding = field(_("Ability"), choices=HOLDING)
    dice: Count = field(_("Dice"))
    by: Name = field(HELD_BY, "")
    source: SheetKey = field(HOLDER_SHEET, "")
    title, rules, group, names_source = _("I am being held"), ("CD-54", "CD-22", "CD-23"), rolls.EFFECTS_HEADING, True

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Add the bond, replacing an earlier one with the same ability and holder."""
        same = self.ability, self.source, self.by
        others = [one for one in play.bonds if (one.ability, one.source, one.by) != same]
        return play.model_copy(update={"bonds": with_row(others, Bond(**self.model_dump()))})

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say what the holder does with this character."""
        return str(HELD_TEXTS[self.ability].format(by=name_or_somebody(self.by)))


class BreakBond(Act):
    """CD-54: the held character gives up its action or movement to try to break free, once per round."""

    index: Count = field(_("Held"))
    gives: Literal["action", "movement"] = field(_("What is given up?"), "action", choices=TURN_PARTS)
    ability: Holding = field(_("Ability"), "mindcontrol", choices=HOLDING)
    source: SheetKey = field(HOLDER_SHEET, "")
    slug = "break-loose"
    title, rules, group = _("Try to break free"), ("CD-54", "CD-42", "CD-52"), rolls.EFFECTS_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it for each bond not yet tried in this round, with each part of the turn that can be given up."""
        for index, bond in enumerate(play.bonds):
            for gives, title in BREAK_FREE_TITLES.items() if not bond.tried else ():
                if play.may_give_up(sheet)[gives]:
                    yield cls.offer(
                        title.format(by=name_or_somebody(bond.by)), f"bonds.{index}.{gives}", HOLDING[bond.ability],
                        index=index, gives=gives, ability=bond.ability, source=bond.source)

    def about(self) -> str:
        """Return the key of the holder's sheet, regardless of the target chosen on the page."""
        return self.source

    def roll(self, sheet: "ConDice", play: "ConDicePlay") -> Roll:
        """Return the holder's attack against this character's resistance.

        Raise `Refused` if it was tried in this round, or if that part of the turn is used.
        """
        bond = row(play.bonds, self.index)
        if bond.tried:
            raise Refused(_("You have already tried that this round; you may try again next round."))
        if not play.may_give_up(sheet)[self.gives]:
            raise Refused(PART_SPENT)
        return rolls.BreakFreeAsVictim(dice=bond.dice, resistance=play.effective(sheet).mental_resistance)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Use up the part of the turn; remove the bond if the attack failed, else mark it as tried."""
        paid = play.with_part_given_up(self.gives)
        if outcome.value == "free":
            return paid.model_copy(update={"bonds": without_row(play.bonds, self.index)})
        tried = play.bonds[self.index].model_copy(update={"tried": True})
        return paid.model_copy(update={"bonds": [*play.bonds[:self.index], tried, *play.bonds[self.index + 1:]]})

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Name the part of the turn that was given up."""
        return str(_("Gave up {what} to break free")).format(what=str(TURN_PARTS[self.gives]))


class Released(Act):
    """CD-54: the holder has let this character go."""

    ability: Holding = field(_("Ability"), choices=HOLDING)
    by: Name = field(HELD_BY, "")
    source: SheetKey = field(HOLDER_SHEET, "")
    title, rules, group, names_source = _("Be free again"), ("CD-54",), rolls.EFFECTS_HEADING, True

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Remove the bonds with that ability and holder."""
        return play.model_copy(update={"bonds": [
            one for one in play.bonds if (one.ability, one.source) != (self.ability, self.source)]})


class EndBond(RemoveRow):
    """CD-54: end a bond for another reason: the holder is gone, or the GM says so."""

    index: Count = field(_("Held"))
    title, rules, rows, group, rare = _("Be free again"), ("CD-54",), "bonds", rolls.EFFECTS_HEADING, True

    @classmethod
    def naming(cls, row: Any) -> Wording:
        """Name the holder."""
        return _("No longer held by {by}").format(by=name_or_somebody(row.by))
