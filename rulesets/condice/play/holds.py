"""The holder's side of mind control and aggro: targets that this character holds (CD-22, CD-23, CD-54).

In this module `source` is the key of the target's sheet, or "" for a target without one at the table.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _

from rulesets.condice import rolls
from rulesets.condice.play.acts import owned
from rulesets.condice.play.bonds import NO_ROOM
from rulesets.condice.play.names import named
from rulesets.condice.play.state import HOLDING, PARTS, Hold, Holding
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
    from rulesets.condice.ability import Ability
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice

PAID = {"action": _("Their action was given up for it"), "movement": _("Their movement was given up for it")}


class HoldTarget(Act):
    """CD-54: after a mental attack that worked, this character holds its target (CD-22, CD-23)."""

    ability: Holding = field(_("Ability"), choices=HOLDING)
    dice: Count = field(_("Dice"))
    target: Name = field(_("Who do you hold?"))
    source: SheetKey = field(_("Target's sheet"), "")
    title, rules, group = _("Hold a target"), ("CD-54", "CD-22", "CD-23"), rolls.EFFECTS

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it for each mind control (while it holds nobody) and each aggro (while a target is free)."""
        for slug in HOLDING:
            if free(play.effective(sheet).abilities, play, slug):
                yield from (cls.by(one, f"abilities.{index}") for index, one in owned(sheet, play, slug))

    @classmethod
    def by(cls, one: Any, key: str = "") -> Offer:
        """Return the offer for an ability; it asks for the target."""
        return cls.asking(_("{ability} took hold").format(ability=one.label), key, ability=one.ability, dice=one.dice,
                          source="")

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Add the hold; this is the action of the turn (`Refused` if the ability can hold no more targets)."""
        now = play.effective(sheet).abilities
        if not free(now, play, self.ability):
            most = room(now, self.ability)
            message = _("{ability} can hold {n} at a time; let one go first.")
            raise Refused(message.format(ability=HOLDING[self.ability], n=most))
        return play.having_acted().model_copy(update={"holds": added(play.holds, Hold(**self.model_dump()))})

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Name the target."""
        return _("{target} is held").format(target=named(self.target))


def free(abilities: "list[Ability]", play: "ConDicePlay", slug: str) -> int:
    """Return the number of further targets that the abilities of one kind can hold."""
    return max(0, room(abilities, slug) - sum(hold.ability == slug for hold in play.holds))


def room(abilities: "list[Ability]", slug: str) -> int:
    """Return the number of targets that abilities of one kind hold in all.

    Mind control holds one (CD-22), each aggro one and its extra targets (CD-23).
    """
    many = [1 + getattr(one, "extra_targets", 0) for one in abilities if one.ability == slug]
    return min(1, len(many)) if slug == "mindcontrol" else sum(many)


class TryFree(Act):
    """CD-54: a held target gives up its action or movement to try to break free; the holder rolls for both."""

    index: Count = field(_("Held"))
    resistance: Count = field(_("Mental resistance of the target"), rolls.RESISTANCE, target_figure="mental_resistance")
    gives: Literal["action", "movement"] = field(_("What do they give up for it?"), "action", choices=PARTS)
    held: Name = field(_("Who is held"), "")
    title, rules, group = _("Another try to break free"), ("CD-54", "CD-42", "CD-52"), rolls.EFFECTS

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it once a round for each target without a sheet at the table; a sheet has `BreakLoose` for it."""
        for index, hold in enumerate(play.holds):
            if not (hold.source or hold.tried):
                yield cls.asking(_("{target} tries to break free").format(target=named(hold.target)), f"holds.{index}",
                                 index=index, held=hold.target)

    def roll(self, sheet: "ConDice", play: "ConDicePlay") -> Roll:
        """Return the attack against the target's resistance."""
        return rolls.BreakFree(dice=row(play.holds, self.index).dice, resistance=self.resistance)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Remove the hold if the attack failed, else mark it as tried in this round."""
        left = without(play.holds, self.index)
        if outcome.value == "held":
            left.insert(self.index, row(play.holds, self.index).model_copy(update={"tried": True}))
        return play.model_copy(update={"holds": left})

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Name the part of the turn that the target gave up."""
        return str(PAID[self.gives])


class LetGo(RemoveRow):
    """CD-54: this character lets a target go."""

    index: Count = field(_("Held"))
    ability: Holding = field(_("Ability"), "mindcontrol", choices=HOLDING)
    source: SheetKey = field(_("Target's sheet"), "")
    title, rules, rows, group = _("Let go"), ("CD-54",), "holds", rolls.EFFECTS

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer one for each target, with the sheet that has to learn of it."""
        for hold, offer in zip(play.holds, super().offered(sheet, play), strict=True):
            yield replace(offer, filled={**offer.filled, "ability": hold.ability, "source": hold.source})

    def about(self) -> str:
        """Return the sheet of the released target, whatever target is chosen on the page."""
        return self.source

    @classmethod
    def naming(cls, row: Any) -> Wording:
        """Name the target."""
        return _("Let {target} go").format(target=named(row.target))


class GiveUp(Act):
    """CD-54: this character, being held, has given up its action or movement to try to break free."""

    gives: Literal["action", "movement"] = field(_("What is given up?"), "action", choices=PARTS)
    title, rules, group = _("Give it up to break free"), ("CD-54", "CD-52"), rolls.TABLE

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Spend that part of the turn (`Refused` if it is spent already)."""
        if not play.may_give_up(sheet)[self.gives]:
            raise Refused(NO_ROOM)
        return play.giving_up(self.gives)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Name the part of the turn that was given up."""
        return _("Gave up {what} to break free").format(what=str(PARTS[self.gives]))


class Escaped(Act):
    """CD-54: a target that this character held has broken free; `by` is its name."""

    by: Name = field(_("Who is free"), "")
    source: SheetKey = field(_("Target's sheet"), "")
    ability: Holding = field(_("Ability"), choices=HOLDING)
    title, rules, group, names_source = _("Stop holding"), ("CD-54",), rolls.EFFECTS, True

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Remove the holds of that ability on that target."""
        return play.model_copy(update={"holds": [
            one for one in play.holds if (one.ability, one.source) != (self.ability, self.source)]})

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Name the target that is free."""
        return str(_("{target} is free").format(target=named(self.by)))
