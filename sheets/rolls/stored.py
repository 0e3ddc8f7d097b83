"""A roll that was stored: what it says, its dice, its odds with what fell."""

from collections import Counter
from typing import Any, cast

from pydantic import ValidationError

from rulesets.dice import Outcome
from rulesets.kit import Data, Roll, Ruleset
from sheets.models import Event
from sheets.rolls.fallen_dice import MOST
from sheets.rolls.odds_chart import OddsBar, odds_bars


def stored_roll(ruleset: Ruleset, slug: str, given: Data) -> Roll | None:
    """The roll that was made; None if the system has lost it."""
    try:
        return ruleset.rolls[slug].model_validate(given)
    except (ValidationError, KeyError):
        return None


def roll_text(ruleset: Ruleset, slug: str, given: Data, value: Any, figures: Data) -> str:
    """What a stored roll says, in the reader's language; the bare outcome if the system has lost the roll."""
    roll = stored_roll(ruleset, slug, given)
    try:
        return str(roll.tell(Outcome.stored(value, figures)) if roll else value)
    except KeyError:
        return str(value)


def event_text(ruleset: Ruleset, event: Event) -> str:
    """What the roll of an event says, "" where nothing was rolled; of veiled figures no more than what came of it."""
    if not event.roll:
        return ""
    if event.veiled:
        roll, value = stored_roll(ruleset, event.roll, event.parameters), cast("Any", event.outcome)
        return str(roll.label(value) if roll else value)
    return roll_text(ruleset, event.roll, event.given, event.outcome, event.figures)


def roll_dice(ruleset: Ruleset, slug: str, given: Data, faces: list[int]) -> list[tuple[int, str, int]]:
    """(face, colour, times) of the dice of a stored roll: of each die, of many of each heap of equal ones.

    So a line of a log costs little, however many fell.
    """
    roll = stored_roll(ruleset, slug, given)
    colours = roll.colours() if roll else ()
    dice = zip(faces, colours if len(colours) == len(faces) else [""] * len(faces), strict=True)
    if len(faces) <= MOST:
        return [(face, colour, 1) for face, colour in dice]
    return [(face, colour, times) for (face, colour), times in sorted(Counter(dice).items(), reverse=True)]


def roll_chart(ruleset: Ruleset, slug: str, given: Data, value: Any) -> tuple[OddsBar, ...]:
    """The odds of a stored roll with what fell."""
    roll = stored_roll(ruleset, slug, given)
    return odds_bars(roll, value) if roll else ()
