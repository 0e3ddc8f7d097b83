"""Dice Rumble: four attributes, forty points of talents, one ten-sided die, and duels."""

from django.utils.translation import gettext_lazy as _

from rulesets.kit import Ruleset

RULESET = Ruleset(
    package=__name__,
    slug="dice-rumble",
    prefix="DR",
    title="Dice Rumble",
    summary=_(
        "One ten-sided die, roll low, and duel. Talents are what you name them."
    ),
    minutes=10,
)
