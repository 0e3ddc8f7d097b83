"""A roll that was stored: what it says, its dice, its odds with what fell."""

from typing import Any

from pydantic import ValidationError

from rulesets.dice import Outcome
from rulesets.kit import Data, Ruleset
from sheets.rolls.odds_chart import OddsBar, odds_bars


def roll_text(ruleset: Ruleset, slug: str, given: Data, value: Any, figures: Data) -> str:
    """What a stored roll says, in the reader's language; the bare outcome if the system has lost the roll."""
    cls = ruleset.rolls.get(slug)
    try:
        return cls.model_validate(given).tell(Outcome(value, **figures)) if cls else str(value)
    except (ValidationError, KeyError):
        return str(value)


def roll_dice(ruleset: Ruleset, slug: str, given: Data, faces: list[int]) -> list[tuple[int, str]]:
    """(face, colour) of each die of a stored roll."""
    cls = ruleset.rolls.get(slug)
    try:
        colours = cls.model_validate(given).colours() if cls else ()
    except ValidationError:
        colours = ()
    return list(zip(faces, colours if len(colours) == len(faces) else [""] * len(faces), strict=True))


def roll_chart(ruleset: Ruleset, slug: str, given: Data, value: Any) -> tuple[OddsBar, ...]:
    """The odds of a stored roll with what fell."""
    cls = ruleset.rolls.get(slug)
    try:
        return odds_bars(cls.model_validate(given), value) if cls else ()
    except ValidationError:
        return ()

