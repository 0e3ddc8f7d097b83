"""The house rules of Dice Rumble: points, talents, fate, weapons, the values of attributes (DR-01, DR-02, DR-06)."""

from typing import Annotated

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from rulesets.dice_rumble.talents import ATTRIBUTES
from rulesets.kit import Ask, House, Points, field


class DiceRumbleHouse(House):
    """The figures that a party may change; the defaults are the book's."""

    budget: Points = field(_("Points for talents"), 40)
    talent_cap: Points = field(_("Maximum points in one talent"), 6)
    fate_points: Points = field(_("Fate points at the start of an adventure"), 2)
    npc_fate_points: Points = field(_("Fate points for the GM's characters"), 0,
                                    help=_("For opponents made from a few numbers."))
    weapon_damage: Points | None = field(_("Maximum weapon damage"), None, help=_("Leave empty for no limit."))
    attributes: Annotated[list[Points], Field(min_length=len(ATTRIBUTES), max_length=len(ATTRIBUTES))] = Field(
        default_factory=lambda: [3, 2, 1, 1], json_schema_extra=Ask(_("Attribute values")))
