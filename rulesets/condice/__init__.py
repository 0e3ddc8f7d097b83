"""ConDice: thirty points, pools of six-sided dice, and abilities one may invent."""

from django.utils.translation import gettext_lazy as _

from rulesets.kit import Ruleset

RULESET = Ruleset(
    package=__name__,
    slug="condice",
    prefix="CD",
    title="ConDice",
    summary=_(
        "Thirty points and as many six-sided dice as you like. Quick to build, quick to play."
    ),
    minutes=10,
)
