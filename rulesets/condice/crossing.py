"""Effects across the table in ConDice: damage, healing, life, boosts (CD-29, CD-33, CD-41 to CD-43, CD-48, CD-53)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rulesets.condice import rolls
from rulesets.condice.ability import ATTRIBUTES
from rulesets.condice.contest import Blows
from rulesets.condice.play import (
    AreaAttack,
    BeHeld,
    BoostOther,
    BreakBond,
    ChangeAttributes,
    ChangeSize,
    Damage,
    Escaped,
    Explode,
    GiveLife,
    GiveUpTurnPart,
    Heal,
    HoldTarget,
    LetGo,
    LoseLife,
    PayLife,
    ReceiveLife,
    Released,
    RepeatRoll,
    ResizeOther,
    TakeLife,
    TargetBreaksFree,
)
from rulesets.condice.sheet import ConDice
from rulesets.dice import Outcome
from rulesets.kit import KEY, NAME, Count, Crossing, Data, Offer, PositiveLife, Thrown, blank, field, slots
from rulesets.kit.offers import Offered

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay


def offer_damage(_made: Any, outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-45: offer the target the damage, from which its protection is deducted already."""
    if outcome.value:
        yield Damage.offer(points=outcome.value, against="nothing")


def offer_healing(_made: rolls.Healing, outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-48: offer the target as many life points as the die shows."""
    yield Heal.offer(points=outcome.value)


def offer_given_life(made: Any, _outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-29: offer the target the life that the actor gives."""
    yield ReceiveLife.offer(points=made.points)


def offer_loss_of_life(made: Any, _outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-29: offer a willing target the loss."""
    yield LoseLife.offer(points=made.points)


def offer_drained_life(made: Any, outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-29: offer an unwilling target the loss, from which its mental resistance is deducted already."""
    if points := min(outcome.value, made.missing):
        yield LoseLife.offer(points=points)


def offer_taken_life(_made: LoseLife, sheet: ConDice, before: "ConDicePlay", after: "ConDicePlay") -> Iterator[Offer]:
    """CD-29: offer the taker the life points actually lost."""
    if lost := before.life_left(sheet) - after.life_left(sheet):
        yield Heal.offer(points=lost)


def offer_payment(_made: ReceiveLife, sheet: ConDice, before: "ConDicePlay", after: "ConDicePlay") -> Iterator[Offer]:
    """CD-29: offer the giver the loss of the life points actually received."""
    if received := after.life_left(sheet) - before.life_left(sheet):
        yield PayLife.offer(points=received)


def offer_explosion_damage(_made: rolls.Explosion, outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-53: offer each neighbour the successes of one pool as damage, less its own defence."""
    if outcome.figures["successes"]:
        yield Damage.offer(points=outcome.figures["successes"], against="defence")


def offer_area_damage(made: Any, _outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-35: offer the target damage that ignores its protection."""
    yield Damage.offer(points=made.damage, against="nothing")


def offer_attribute_change(made: BoostOther, _outcome: Thrown, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-33, CD-50: offer the target the change of its attributes for some rounds."""
    yield ChangeAttributes.offer(name=str(made.title), attributes=list(made.attributes), abilities=made.abilities,
                                 by=made.signed_amount, rounds=made.rounds, most=made.most, own=False)


def offer_size_change(made: Any, _outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-28: offer the target the change of its size."""
    yield ChangeSize.offer(size=made.size, rounds=made.rounds, own=False)


def offer_giving_up_part(made: TargetBreaksFree, _outcome: Thrown, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-54: offer the held target the act that gives up its action or movement for the attempt to break free."""
    if made.held in ("", figures.get(NAME)):
        yield GiveUpTurnPart.offer(gives=made.gives)


def offer_bond(made: Any, _outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-22, CD-23, CD-54: offer the held target its bond, which it can try to break."""
    if made.source and made.source == figures.get(KEY):
        yield BeHeld.offer(ability=made.ability, dice=made.dice)


def offer_release(made: Any, _outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-54: offer the released target the end of its bond."""
    if made.source and made.source == figures.get(KEY):
        yield Released.offer(ability=made.ability)


def offer_escape(made: Any, outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-54: offer the holder the end of its hold, once the victim has broken free."""
    if outcome.value == "free" and made.source and made.source == figures.get(KEY):
        yield Escaped.offer(ability=made.ability)


class Opponent(Blows):
    """A quick opponent made of a few figures, without a full sheet.

    It has mental resistance and movement besides the figures of an exchange of blows (CD-05, CD-06).
    """

    dice: Count = field(slots(Blows)["dice"].ask.title, slots(Blows)["dice"].default)
    defence: Count = field(slots(Blows)["defence"].ask.title, slots(Blows)["defence"].default)
    mental_resistance: Count = field(_("Mental resistance"), rolls.TYPICAL_RESISTANCE)
    life: PositiveLife = field(slots(Blows)["life"].ask.title, slots(Blows)["life"].default)
    movement: Count = field(ATTRIBUTES["movement"], 3)
    title = _("Opponent")


class ConDiceCrossing(Crossing):
    """The figures and effects of ConDice across the table; protection is the current one (CD-03, CD-05)."""

    side = Opponent
    for_others = (BoostOther, GiveLife, TakeLife, rolls.DrainLife, HoldTarget, Explode, rolls.Explosion)
    by_consent = (TakeLife,)
    rethrows = RepeatRoll
    for_friends = (rolls.Healing, GiveLife)
    card_figures = {"defence": (pgettext_lazy("abbreviation", "D"), _("Defence")),
                    "mental_resistance": (pgettext_lazy("abbreviation", "MR"), _("Mental resistance"))}
    effects_on_target = {
        rolls.Attack: offer_damage, rolls.MentalDamage: offer_damage, rolls.DrainLife: offer_drained_life,
        rolls.Explosion: offer_explosion_damage, Explode: offer_explosion_damage, AreaAttack: offer_area_damage,
        rolls.Healing: offer_healing, rolls.OwnHealing: offer_healing,
        GiveLife: offer_given_life, TakeLife: offer_loss_of_life,
        BoostOther: offer_attribute_change, ResizeOther: offer_size_change,
        HoldTarget: offer_bond, LetGo: offer_release, BreakBond: offer_escape, TargetBreaksFree: offer_giving_up_part,
    }

    effects_in_return = {LoseLife: offer_taken_life, ReceiveLife: offer_payment}

    @classmethod
    def figures(cls, sheet: ConDice, play: "ConDicePlay") -> Mapping[str, Any]:
        """Return defence and mental resistance after boosts and losses, and the life points left."""
        now = play.effective(sheet)
        return {"defence": now.defence, "mental_resistance": now.mental_resistance,
                "life_points": play.life_left(sheet)}

    @classmethod
    def with_target_figures(cls, offer: Offer, figures: Mapping[str, Any], *, veiled: bool = False) -> Offer:
        """Return the offer with its target filled in; an attempt to break free only for the target that is held."""
        if offer.cls is HoldTarget and figures.get(NAME):
            return replace(offer, filled={**offer.filled, "target": figures[NAME], "source": figures.get(KEY, "")})
        if offer.cls in (GiveLife, TakeLife) and figures.get(KEY):
            offer = replace(offer, filled={**offer.filled, "source": figures[KEY]})
        if offer.cls in (AreaAttack, BoostOther) and figures.get(KEY):
            return replace(offer, filled={**offer.filled, "target": figures[NAME], "source": figures[KEY]})
        if offer.cls is TargetBreaksFree and offer.filled.get("held") != figures.get(NAME):
            return offer
        return super().with_target_figures(offer, figures, veiled=veiled)

    @classmethod
    def only_others(cls, made: Offered) -> bool:
        """Return whether it may be aimed only at others, as an area attack of one square may (CD-35)."""
        return super().only_others(made) or (isinstance(made, AreaAttack) and made.squares == 1)

    @classmethod
    def most_targets(cls, roll: Any) -> int | None:
        """Return the maximum number of targets of a roll; None for no limit (CD-24, CD-29, CD-41, CD-43, CD-53)."""
        if isinstance(roll, rolls.Healing):
            return roll.characters - isinstance(roll, rolls.OwnHealing)
        return None if isinstance(roll, rolls.Explosion) else 1

    @classmethod
    def opponent(cls, side: Any) -> tuple[Data, Data]:
        """Return (sheet data, play data) of a quick opponent; its life points may be odd, unlike a sheet's (CD-04)."""
        attacks = [{"name": str(rolls.Attack.title), "dice": side.dice}] if side.dice else []
        data = blank(ConDice, attacks=attacks, defence=side.defence, life=-(-side.life // 2),
                     mental_resistance=side.mental_resistance, movement=side.movement)
        return data, {"full_life": side.life} if side.life % 2 else {}
