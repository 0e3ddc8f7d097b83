"""Rolls of white and black dice: moves, the conditions they may bring, and help (SZ-10 to SZ-14, SZ-20 to SZ-25)."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, ClassVar, Literal

from django.utils.translation import gettext_lazy as _
from pydantic import ConfigDict, ValidationInfo, field_validator

from rulesets.augen_des_zwielichts import catalogue, headings
from rulesets.augen_des_zwielichts.catalogue import (
    BANDS,
    COLOURS,
    MOVE_COLOURS,
    MOVES,
    WITH_ABILITY,
    Colour,
    band_label,
    effect,
)
from rulesets.augen_des_zwielichts.texts import SHOWN, Faces, faces
from rulesets.dice import Odds, Outcome, Tray, Value
from rulesets.kit import Extreme, Luck, Offer, Roll, Wording, field, percent

SECOND = {"none": _("none"), **COLOURS}
CONDITION = _("condition")
CONDITIONS: dict[str, Wording] = {"condition": CONDITION, "none": _("no condition")}
WITH_CONDITION = _("with a condition")
EACH_BLACK = _("{chance} condition per black die")


def band(dice: tuple[int, ...]) -> str:
    """Return the band of the highest die; two sixes and two ones have bands of their own (SZ-12)."""
    first, *rest = sorted(dice, reverse=True)
    if first in (1, 6) and rest[:1] == [first]:
        return f"{first}&{first}"
    return "1-2" if first < 3 else "3-4" if first < 5 else "5-6"


def brings_condition(white: list[int] | tuple[int, ...], black: list[int] | tuple[int, ...]) -> bool:
    """Return True if a condition falls due: the highest black die is at least the highest white one (SZ-13)."""
    return max(black, default=0) >= max(white, default=1)


def dice_by_colour(white: list[int] | tuple[int, ...], black: list[int] | tuple[int, ...]) -> str:
    """Return the highest die of each colour in words."""
    text = _("black {black} against white {white}") if white and black else \
        _("white only") if white else _("black only")
    return str(text.format(black=max(black, default=0), white=max(white, default=0)))


def result_text(brought: catalogue.Effect, shown: str, white: list[int] | tuple[int, ...],
                black: list[int] | tuple[int, ...]) -> str:
    """Return a result in words: the effects, the band `shown`, and if the colours bring a condition."""
    first, *more = brought.in_words()
    why = dice_by_colour(white, black)
    if brings_condition(white, black):
        first = f"{first}, {WITH_CONDITION}"
    else:
        why = f"{CONDITIONS['none']} ({why})"
    return f"{first}: {', '.join([*more, shown, why])}"


class Move(Roll):
    """SZ-10, SZ-11: roll the die of a move and the dice added to it."""

    model_config = ConfigDict(validate_default=True)

    move: catalogue.Move = field(_("Move"), choices=MOVES)
    attribute: Literal["none", "white", "black"] = field(
        _("Second die"), "none", choices=SECOND,
        help=_("An attribute or item has its own colour; for an ability, agree on one with the GM."))
    fear: bool = field(_("Fear or condition: +1 black die"), default=False, momentary=True)
    bonus: bool = field(_("Bonus die (white)"), default=False)
    improve: bool = field(_("Improved roll (one more black die)"), default=False)
    literal: bool = field(_("Two sixes weaken the enemy by 1 and 3"), default=False)
    title = _("Move")
    rules: ClassVar[tuple[str, ...]] = ("SZ-10", "SZ-11", "SZ-12", "SZ-13", "SZ-14", "SZ-20", "SZ-21",
                                        "SZ-22", "SZ-23", "SZ-24")
    outcomes, group, applied_by = BANDS, headings.MOVES, "settle"
    good: ClassVar[tuple[str, ...]] = ("5-6", "6&6")
    chance_label: ClassVar[Wording] = _("5+")
    second_reading: ClassVar[tuple[str, Any, Wording] | None] = "condition", True, WITH_CONDITION

    @field_validator("attribute")
    @classmethod
    def a_second_die(cls, attribute: str, info: ValidationInfo) -> str:
        """Raise ValueError if a move with an ability has no second die (SZ-11)."""
        if info.data.get("move") in WITH_ABILITY and attribute == "none":
            raise ValueError(_("This move has a second die, from the ability or the risk; it is white or black."))
        return attribute

    @field_validator("fear")
    @classmethod
    def no_fear(cls, fear: Any, info: ValidationInfo) -> Any:
        """Raise ValueError if a fear or condition adds a die to a move with an ability (SZ-11)."""
        if fear and info.data.get("move") in WITH_ABILITY:
            raise ValueError(_("Neither a fear nor a condition adds a die to this move."))
        return fear

    @field_validator("literal")
    @classmethod
    def weakening(cls, literal: Any, info: ValidationInfo) -> Any:
        """Raise ValueError if the literal reading is chosen for another move than weakening (SZ-24)."""
        if literal and info.data.get("move") != "weaken":
            raise ValueError(_("Two sixes are read to the letter only when weakening the enemy, not in any other "
                               "move."))
        return literal

    def both_colours(self) -> tuple[int, int]:
        """Return the numbers of white and black dice."""
        dice = [MOVE_COLOURS[self.move], self.attribute, *["black"] * (self.fear + self.improve),
                *["white"] * self.bonus]
        return dice.count("white"), dice.count("black")

    def pool(self) -> int:
        """Return the number of dice of both colours."""
        return sum(self.both_colours())

    def colours(self) -> tuple[str, ...]:
        """Return the colours of the dice; the white ones come first."""
        white, black = self.both_colours()
        return ("white",) * white + ("black",) * black

    def fall(self, tray: Tray) -> tuple[str, bool, dict]:
        """Throw the dice; return (band, True if a condition falls due, faces by colour)."""
        white, black = (tray.pool(count, 6) for count in self.both_colours())
        return band(white + black), brings_condition(white, black), {"white": list(white), "black": list(black)}

    def throw(self, tray: Tray) -> Outcome:
        """Return the band; the figure `condition` is True if the same dice bring one."""
        shown, condition, dice = self.fall(tray)
        return Outcome(shown, condition=condition, **dice)

    def gist(self, odds: Odds) -> str:
        """Return the chance of the two best bands, and that of a condition (SZ-12, SZ-13)."""
        return f"{super().gist(odds)}, {percent(sum(self.joint_chances().values()), 0)} {CONDITION}"

    def extreme(self, outcome: Outcome) -> Extreme:
        """SZ-12: return the mark of two sixes or two ones as the highest dice, else ""."""
        return headings.EXTREMES.get(outcome.value, "")

    def label(self, value: Value) -> str:
        """Return the label of the band; bands with the same effect share one."""
        return str(band_label(self.move, str(value)))

    def meaning(self, value: Value) -> str:
        """Return all effects of a band."""
        return ", ".join(effect(self.move, str(value), literal=self.literal).in_words())

    def headline(self, outcome: Outcome) -> str:
        """Return the first effect of the band, with which the story goes on."""
        return effect(self.move, outcome.value, literal=self.literal).in_words()[0]

    def tell(self, outcome: Outcome) -> str:
        """Return the effects, the band, and if a condition falls due."""
        dice = outcome.figures["white"], outcome.figures["black"]
        return result_text(effect(self.move, outcome.value, literal=self.literal), self.label(outcome.value), *dice)

    def follow(self, outcome: Outcome) -> Iterator[Offer]:
        """Offer to improve the roll, once and while it is open, if a white die is above all black ones (SZ-14)."""
        white, black = outcome.figures["white"], outcome.figures["black"]
        if not self.improve and max(white, default=0) > max(black, default=0):
            yield type(self).offer(_("Improve the roll"), "improve", _("One more black die; reroll all of them."),
                                   rare=True, **self.model_dump() | {"improve": True})


class Condition(Move):
    """SZ-13: the same throw as a move, with only the condition as its outcome."""

    title, rules, second_reading = _("Condition from a move"), ("SZ-13",), None
    outcomes = CONDITIONS
    good, chance_label = ("condition",), ""
    luckiest: ClassVar[Luck] = "none", "condition"

    def gist(self, odds: Odds) -> str:
        """Return the chance of a condition alone."""
        return Roll.gist(self, odds)

    def extreme(self, outcome: Outcome) -> Extreme:
        """SZ-12: return the mark of the band that the same dice have, else ""."""
        return headings.EXTREMES.get(outcome.figures["band"], "")

    def label(self, value: Value) -> str:
        """Return the label of the outcome, instead of that of a band."""
        return Roll.label(self, value)

    def meaning(self, value: Value) -> str:
        """Return "", because the label says it all."""
        return ""

    def headline(self, outcome: Outcome) -> str:
        """Return the label."""
        return self.label(outcome.value)

    def throw(self, tray: Tray) -> Outcome:
        """Return "condition" if one falls due, else "none"."""
        shown, condition, dice = self.fall(tray)
        return Outcome("condition" if condition else "none", band=shown, condition=condition, **dice)

    def tell(self, outcome: Outcome) -> str:
        """Return the outcome, and the highest die of each colour."""
        return f"{self.label(outcome.value)} ({dice_by_colour(outcome.figures['white'], outcome.figures['black'])})"


class Help(Roll):
    """SZ-25: roll a die for another character; a black one, or the face of a black die there, costs a condition."""

    colour: Colour = field(
        _("Colour of your die"), choices=COLOURS,
        help=_("A fitting attribute or item gives the die its colour; a bonus die is white, and a mere idea is black."))
    helped_black: Faces = field(_("Black dice of the person you help"), "", help=SHOWN, momentary=True)
    title, rules = _("Offer help"), ("SZ-25",)
    outcomes, good, group = CONDITIONS, ("none",), headings.MOVES

    def pool(self) -> int:
        """Return 1: helpers throw one die."""
        return 1

    def colours(self) -> tuple[str, ...]:
        """Return the colour of the die."""
        return (self.colour,)

    def gist(self, odds: Odds) -> str:
        """Return the chance; for a white die and unknown black dice, that of a condition for each of these."""
        if self.colour == "black" or self.helped_black:
            return super().gist(odds)
        return EACH_BLACK.format(chance=percent(Fraction(1, 6), 0))

    def throw(self, tray: Tray) -> Outcome:
        """Return "condition" if the helper takes one, else "none"; it is never more than one."""
        face = tray.die(6)
        struck = self.colour == "black" or face in faces(self.helped_black)
        return Outcome("condition" if struck else "none", face=face)

    def tell(self, outcome: Outcome) -> str:
        """Return the face, which counts for the character who is helped."""
        text = _("{n} for the person being helped; no condition for the helper.")
        if outcome.value == "condition":
            text = _("{n} for the person being helped; the helper takes a condition.")
        return str(text.format(n=outcome.figures["face"]))
