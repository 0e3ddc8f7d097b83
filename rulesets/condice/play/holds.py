"""The holder's side of mind control and aggro: targets that this character holds (CD-22, CD-23, CD-54).

The stored field `source` has the key of the target's sheet, "" for a target without a sheet at the table.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _

from rulesets.condice import rolls
from rulesets.condice.play.acts import usable_abilities
from rulesets.condice.play.bonds import PART_SPENT
from rulesets.condice.play.names import name_or_somebody
from rulesets.condice.play.state import HOLDING, TURN_PARTS, Hold, Holding
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
    from rulesets.condice.ability import Ability
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice

GIVEN_UP_TEXTS = {"action": _("Their action was given up for it"), "movement": _("Their movement was given up for it")}


class HoldTarget(Act):
    """CD-54: after a mental attack that worked, this character holds its target (CD-22, CD-23)."""

    ability: Holding = field(_("Ability"), choices=HOLDING)
    dice: Count = field(_("Dice"))
    target: Name = field(_("Who do you hold?"))
    source: SheetKey = field(_("Target's sheet"), "")
    title, rules, group = _("Hold a target"), ("CD-54", "CD-22", "CD-23"), rolls.EFFECTS_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it for each mind control and each aggro that can hold one more target."""
        for slug in HOLDING:
            if holds_left(play.effective(sheet).abilities, play, slug):
                yield from (cls.offer_for(one, f"abilities.{index}")
                            for index, one in usable_abilities(sheet, play, slug))

    @classmethod
    def offer_for(cls, ability: Any, key: str = "") -> Offer:
        """Return the offer to hold a target by an ability; it asks for the target."""
        return cls.offer(_("{ability} took hold").format(ability=ability.label), key, ability=ability.ability,
                         dice=ability.dice, source="")

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Add the hold, which is the action of the turn; raise `Refused` if the ability can hold no more targets."""
        abilities = play.effective(sheet).abilities
        if not holds_left(abilities, play, self.ability):
            most = capacity(abilities, self.ability)
            message = _("{ability} can hold {n} at a time; let one go first.")
            raise Refused(message.format(ability=HOLDING[self.ability], n=most))
        return play.with_action_done().model_copy(update={"holds": with_row(play.holds, Hold(**self.model_dump()))})

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Name the target."""
        return _("{target} is held").format(target=name_or_somebody(self.target))


def holds_left(abilities: "list[Ability]", play: "ConDicePlay", slug: str) -> int:
    """Return how many more targets the abilities of one kind can hold."""
    return max(0, capacity(abilities, slug) - sum(hold.ability == slug for hold in play.holds))


def capacity(abilities: "list[Ability]", slug: str) -> int:
    """Return how many targets the abilities of one kind can hold in all.

    Mind control can hold one (CD-22), each aggro one plus its extra targets (CD-23).
    """
    numbers = [1 + getattr(one, "extra_targets", 0) for one in abilities if one.ability == slug]
    return min(1, len(numbers)) if slug == "mindcontrol" else sum(numbers)


class TargetBreaksFree(Act):
    """CD-54: a held target gives up its action or movement to try to break free; the holder rolls for both."""

    index: Count = field(_("Held"))
    resistance: Count = field(
        _("Mental resistance of the target"), rolls.TYPICAL_RESISTANCE, target_figure="mental_resistance")
    gives: Literal["action", "movement"] = field(_("What do they give up for it?"), "action", choices=TURN_PARTS)
    held: Name = field(_("Who is held"), "")
    slug = "try-free"
    title, rules, group = _("Another try to break free"), ("CD-54", "CD-42", "CD-52"), rolls.EFFECTS_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it once per round for each target without a sheet at the table; one with a sheet uses `BreakBond`."""
        for index, hold in enumerate(play.holds):
            if not (hold.source or hold.tried):
                yield cls.offer(_("{target} tries to break free").format(target=name_or_somebody(hold.target)),
                                f"holds.{index}", index=index, held=hold.target)

    def roll(self, sheet: "ConDice", play: "ConDicePlay") -> Roll:
        """Return the attack against the target's resistance."""
        return rolls.BreakFree(dice=row(play.holds, self.index).dice, resistance=self.resistance)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Remove the hold if the attack failed, else mark it as tried in this round."""
        holds = without_row(play.holds, self.index)
        if outcome.value == "held":
            holds.insert(self.index, row(play.holds, self.index).model_copy(update={"tried": True}))
        return play.model_copy(update={"holds": holds})

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Name the part of the turn that the target gave up."""
        return str(GIVEN_UP_TEXTS[self.gives])


class LetGo(RemoveRow):
    """CD-54: this character lets a target go."""

    index: Count = field(_("Held"))
    ability: Holding = field(_("Ability"), "mindcontrol", choices=HOLDING)
    source: SheetKey = field(_("Target's sheet"), "")
    title, rules, rows, group = _("Let go"), ("CD-54",), "holds", rolls.EFFECTS_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it for each target, filled with the key of the target's sheet, where the bond then ends."""
        for hold, offer in zip(play.holds, super().offered(sheet, play), strict=True):
            yield replace(offer, filled={**offer.filled, "ability": hold.ability, "source": hold.source})

    def about(self) -> str:
        """Return the key of the released target's sheet, regardless of the target chosen on the page."""
        return self.source

    @classmethod
    def naming(cls, row: Any) -> Wording:
        """Name the target."""
        return _("Let {target} go").format(target=name_or_somebody(row.target))


class GiveUpTurnPart(Act):
    """CD-54: the held character gives up its action or movement for an attempt that the holder rolls."""

    gives: Literal["action", "movement"] = field(_("What is given up?"), "action", choices=TURN_PARTS)
    slug = "give-up"
    title, rules, group = _("Give it up to break free"), ("CD-54", "CD-52"), rolls.TABLE_HEADING

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Use up that part of the turn; raise `Refused` if it is used already."""
        if not play.may_give_up(sheet)[self.gives]:
            raise Refused(PART_SPENT)
        return play.with_part_given_up(self.gives)

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Name the part of the turn that was given up."""
        return _("Gave up {what} to break free").format(what=str(TURN_PARTS[self.gives]))


class Escaped(Act):
    """CD-54: a target has broken free from this character; the fields `by` and `source` name the target."""

    by: Name = field(_("Who is free"), "")
    source: SheetKey = field(_("Target's sheet"), "")
    ability: Holding = field(_("Ability"), choices=HOLDING)
    title, rules, group, names_source = _("Stop holding"), ("CD-54",), rolls.EFFECTS_HEADING, True

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Remove the holds with that ability on that target."""
        return play.model_copy(update={"holds": [
            one for one in play.holds if (one.ability, one.source) != (self.ability, self.source)]})

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Name the target that is free."""
        return str(_("{target} is free").format(target=name_or_somebody(self.by)))
