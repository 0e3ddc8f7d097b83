"""Augen des Zwielichts: words with a die's colour, a demon within, and conditions that change the character."""

from django.utils.translation import gettext_lazy as _

from rulesets.kit import Ruleset

RULESET = Ruleset(
    package=__name__,
    slug="augen-des-zwielichts",
    prefix="SZ",
    title="Augen des Zwielichts",
    summary=_(
        "Seven words, white and black dice, a demon within. Whatever the black dice do to you is permanent."
    ),
    minutes=10,
)
