"""The headings of rolls and acts, and the outcomes shown as critical successes or fumbles."""

from django.utils.translation import gettext_lazy as _

from rulesets.kit import Extreme

ATTACK, SPECIAL, DEFENCE, SENSES, MAGIC, TABLE = (
    _("Attack"), _("Special situations"), _("Protection and life"), _("Senses and hiding"), _("Magic and points"),
    _("At the table"))
AFTER, THINGS = _("Damage and what follows"), _("Potions, poisons, items")

EXTREMES: dict[str, Extreme] = {"critical": "critical", "fumble": "fumble", "friend-and-fumble": "fumble"}
"""{outcome: critical or fumble} (DS-21, DS-22, DS-27, DS-28, DS-52)."""
