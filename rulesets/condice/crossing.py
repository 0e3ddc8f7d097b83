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
    BreakLoose,
    ChangeAttributes,
    ChangeSize,
    Damage,
    Escaped,
    Explode,
    GiveLife,
    GiveUp,
    Heal,
    HoldTarget,
    LetGo,
    Released,
    ResizeOther,
    TakeLife,
    TryFree,
)
from rulesets.condice.sheet import ConDice
from rulesets.dice import Outcome
from rulesets.kit import KEY, NAME, Count, Crossing, Data, Offer, Thrown, Vital, blank, field, slots

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay


def hurt(_made: Any, outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-45: what is left after the target's protection arrives as it is."""
    if outcome.value:
        yield Damage.asking(points=outcome.value, against="nothing")


def healed(_made: rolls.Healing, outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-48: the eyes are the life points that come back."""
    yield Heal.asking(points=outcome.value)


def given(made: Any, _outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-29: life goes over to another."""
    yield Heal.asking(points=made.points)


def taken(made: Any, _outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-29: life comes from a willing other; the unwilling has lost it by the mental attack already."""
    yield Damage.asking(points=made.points, against="nothing")


def exploded(_made: rolls.Explosion, outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-53: each neighbour's own defence takes off what it can of the successes of one pool."""
    if outcome.figures["successes"]:
        yield Damage.asking(points=outcome.figures["successes"], against="defence")


def swept(made: Any, _outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-35: damage that ignores what protects."""
    yield Damage.asking(points=made.damage, against="nothing")


def changed(made: BoostOther, _outcome: Thrown, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-33, CD-50: attributes raised or lowered for some rounds."""
    yield ChangeAttributes.asking(name=str(made.title), attributes=list(made.attributes), abilities=made.abilities,
                                  by=made.change, rounds=made.rounds, most=made.most, own=False)


def resized(made: Any, _outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-28: another is grown or shrunk for as long."""
    yield ChangeSize.asking(size=made.size, rounds=made.rounds, own=False)


def given_up(made: TryFree, _outcome: Thrown, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-54: a new try costs the one who is held an action or a movement."""
    if made.held in ("", figures.get(NAME)):
        yield GiveUp.asking(gives=made.gives)


def held(made: Any, _outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-22, CD-23, CD-54: the target is held, and decides about breaking free."""
    if made.source and made.source == figures.get(KEY):
        yield BeHeld.asking(ability=made.ability, dice=made.dice)


def let_go(made: Any, _outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-54: who was held is held no longer."""
    if made.source and made.source == figures.get(KEY):
        yield Released.asking(ability=made.ability)


def broken_loose(made: Any, outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """CD-54: whoever held learns that they do so no longer."""
    if outcome.value == "free" and made.source and made.source == figures.get(KEY):
        yield Escaped.asking(ability=made.ability)


class Opponent(Blows):
    """CD-05, CD-06: somebody of a few figures has a mind and moves, too, which no exchange of blows asks for."""

    dice: Count = field(slots(Blows)["dice"].ask.title, slots(Blows)["dice"].default)
    defence: Count = field(slots(Blows)["defence"].ask.title, slots(Blows)["defence"].default)
    mental_resistance: Count = field(_("Mental resistance"), rolls.RESISTANCE)
    life: Vital = field(slots(Blows)["life"].ask.title, slots(Blows)["life"].default)
    movement: Count = field(ATTRIBUTES["movement"], 3)
    title = _("Opponent")


class ConDiceCrossing(Crossing):
    """CD-03, CD-05: defence and mental resistance are those of this moment."""

    side = Opponent
    card_figures = {"defence": (pgettext_lazy("abbreviation", "D"), _("Defence")),
                    "mental_resistance": (pgettext_lazy("abbreviation", "MR"), _("Mental resistance"))}
    effects_on_target = {
        rolls.Attack: hurt, rolls.MentalDamage: hurt, rolls.DrainLife: hurt, rolls.Explosion: exploded,
        Explode: exploded, rolls.Healing: healed, GiveLife: given, TakeLife: taken, BoostOther: changed,
        AreaAttack: swept, ResizeOther: resized, TryFree: given_up,
        HoldTarget: held, LetGo: let_go, BreakLoose: broken_loose,
    }

    @classmethod
    def figures(cls, sheet: ConDice, play: "ConDicePlay") -> Mapping[str, Any]:
        """Return the figures that protect, boosts and losses included, with the life points left."""
        now = play.effective(sheet)
        return {"defence": now.defence, "mental_resistance": now.mental_resistance,
                "life_points": play.left(sheet)}

    @classmethod
    def meeting(cls, offer: Offer, figures: Mapping[str, Any], *, veiled: bool = False) -> Offer:
        """Fill in the target of a hold, an area and a boost; a try to break free meets the one who is held alone."""
        if offer.cls is HoldTarget and figures.get(NAME):
            return replace(offer, filled={**offer.filled, "target": figures[NAME], "source": figures.get(KEY, "")})
        if offer.cls in (AreaAttack, BoostOther) and figures.get(KEY):
            return replace(offer, filled={**offer.filled, "target": figures[NAME], "source": figures[KEY]})
        if offer.cls is TryFree and offer.filled.get("held") != figures.get(NAME):
            return offer
        return super().meeting(offer, figures, veiled=veiled)

    @classmethod
    def most_targets(cls, roll: Any) -> int | None:
        """CD-24, CD-29, CD-41, CD-43, CD-53: all neighbours, as many as healing was bought for, else one."""
        return None if isinstance(roll, rolls.Explosion) else roll.characters if isinstance(roll, rolls.Healing) else 1

    @classmethod
    def opponent(cls, side: Any) -> tuple[Data, Data]:
        """CD-04: a point of life is two life points; somebody of a few figures has as many as were said, odd or not."""
        attacks = [{"name": str(rolls.Attack.title), "dice": side.dice}] if side.dice else []
        data = blank(ConDice, attacks=attacks, defence=side.defence, life=-(-side.life // 2),
                     mental_resistance=side.mental_resistance, movement=side.movement)
        return data, {"full_life": side.life} if side.life % 2 else {}
