"""ConDice: thirty points, pools of six-sided dice, and abilities one may invent."""

from django.utils.translation import gettext_lazy as _

from rulesets.kit import Ruleset

RULESET = Ruleset(
    package=__name__,
    slug="condice",
    prefix="CD",
    title="ConDice",
    summary=_(
        "Thirty points buy attacks, toughness, speed and special abilities. Quick to build, quick to play: every roll "
        "is a handful of six-sided dice."
    ),
    minutes=10,
)
