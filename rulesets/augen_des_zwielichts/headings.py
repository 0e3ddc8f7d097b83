"""The headings under which rolls and acts are listed, and the bands shown as a critical success or a fumble."""

from django.utils.translation import gettext_lazy as _

from rulesets.kit import Extreme

MOVES, FIGHT, CONDITIONS, ADVENTURE, SECTION = (
    _("Moves"), _("Fight"), _("Conditions"), _("Adventure"), _("Section and words"))

EXTREMES: dict[str, Extreme] = {"6&6": "critical", "1&1": "fumble"}
"""{band: the way the page marks it}: two sixes or two ones as the highest dice are critical (SZ-12)."""
