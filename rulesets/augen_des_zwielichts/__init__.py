"""Augen des Zwielichts: words with a die's colour, a demon within, and conditions that change the character."""

from django.utils.translation import gettext_lazy as _

from rulesets.kit import Ruleset

RULESET = Ruleset(
    package=__name__,
    slug="augen-des-zwielichts",
    prefix="SZ",
    title="Augen des Zwielichts",
    summary=_(
        "No points: seven words, each with a white or a black die, two fears, three abilities and a demon. White and "
        "black dice fall together, and the black ones leave their mark."
    ),
    minutes=10,
)
