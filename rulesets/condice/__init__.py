"""ConDice: thirty points, pools of six-sided dice, and abilities that players may invent."""

from django.utils.translation import gettext_lazy as _

from rulesets.kit import Ruleset

RULESET = Ruleset(
    package=__name__,
    slug="condice",
    prefix="CD",
    title="ConDice",
    summary=_(
        "Thirty points and a pile of d6s. Quick to build, quick to play."
    ),
    minutes=10,
)
