"""Kinderzimmer: a system as small as one can be, to prove that a folder is all that a system needs."""

from django.utils.translation import gettext_lazy as _

from rulesets.kit import Ruleset

RULESET = Ruleset(
    package=__name__,
    slug="toy",
    prefix="TY",
    title="Kinderzimmer",
    summary=_("Five points, a calling and a few tricks."),
    minutes=1,
)
