"""Dämmersturm: a role-play forum's combat system on a twenty-sided die; the sheet is the profile."""

from django.utils.translation import gettext_lazy as _

from rulesets.kit import Ruleset

RULESET = Ruleset(
    package=__name__,
    slug="daemmersturm",
    prefix="DS",
    title="Dämmersturm",
    summary=_(
        "The combat rules of a role-play forum, on a d20. The profile line is right to the letter."
    ),
    minutes=10,
    needs_approval=True,
)
