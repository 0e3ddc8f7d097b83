"""Effects across the table in Augen des Zwielichts: help, and weak points that are handed over (SZ-25, SZ-36)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulesets.augen_des_zwielichts import rolls
from rulesets.augen_des_zwielichts.catalogue import HELPED
from rulesets.augen_des_zwielichts.play import BeginFight, GetHelp, LeaveFight, TakeOver, ThrowCombatDie
from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts
from rulesets.augen_des_zwielichts.texts import listed
from rulesets.dice import Outcome
from rulesets.kit import Crossing, Offer
from rulesets.kit.offers import Offered


def offer_help_die(made: rolls.Help, outcome: Outcome, _figures: Mapping[str, Any]) -> Iterator[Offer]:
    """SZ-25: offer the helper's die, with its colour, to the character who is helped."""
    yield GetHelp.offer(colour=made.colour, face=outcome.figures["face"])


def offer_taking_over(made: Any, _outcome: Outcome, figures: Mapping[str, Any]) -> Iterator[Offer]:
    """SZ-36: let another fighter who is in action take over the weak point of the fighter who leaves."""
    if made.weak_point and figures.get("takes_over", True):
        yield TakeOver.offer(weak_point=made.weak_point)


def black_dice(roll: Any, outcome: Outcome) -> Mapping[str, Any]:
    """SZ-25: return the black dice that were thrown; none for a move that nobody can help with."""
    return {"black_dice": listed(outcome.figures["black"])} if roll.move in HELPED else {}


class AugenDesZwielichtsCrossing(Crossing):
    """The effects across the table; danger level, clues and corruption belong to the party instead (SZ-09, SZ-31)."""

    effects_on_target = {rolls.Help: offer_help_die, LeaveFight: offer_taking_over}
    foremost = (BeginFight, ThrowCombatDie)
    encounter = BeginFight
    open_figures = {rolls.Move: black_dice}
    rolls_on_open_dice = (rolls.Help,)

    @classmethod
    def figures(cls, sheet: AugenDesZwielichts, play: AugenDesZwielichtsPlay) -> Mapping[str, Any]:
        """SZ-36: add "takes_over", which is True if the character can take over a weak point."""
        return {**super().figures(sheet, play), "takes_over": play.fighting and not play.out_of_action}

    @classmethod
    def reaches(cls, offered: type[Offered]) -> bool:
        """Return True if a roll or act has a target at the table; rolls against the danger level have none."""
        return offered in cls.effects_on_target

    @classmethod
    def with_target_figures(cls, offer: Offer, figures: Mapping[str, Any], *, veiled: bool = False) -> Offer:
        """SZ-25: fill in the black dice of the roll that is helped, if it has already been made at the table."""
        if offer.cls is rolls.Help:
            offer = replace(offer, aims={"helped_black": "black_dice"})
        return offer.with_target_figures(figures, veiled=veiled)
