"""The headings under which rolls and acts stand, and what looks like a critical success or a fumble."""

from django.utils.translation import gettext_lazy as _

from rulesets.kit import Extreme

MOVES, FIGHT, CONDITIONS, ADVENTURE, SECTION = (
    _("Moves"), _("Fight"), _("Conditions"), _("Adventure"), _("Section and words"))

EXTREMES: dict[str, Extreme] = {"6&6": "critical", "1&1": "fumble"}
"""By band: two sixes and two ones at the top are critical (SZ-12)."""
