"""Avatars in play, and damage that waits to be taken (BD-13, BD-24)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from pydantic import model_validator

from rulesets.kit import Count, Name, Part, field

if TYPE_CHECKING:
    from rulesets.battle_dice.play.state import BattleDicePlay


class Avatar(Part):
    """An avatar in play: its card, damage marks, and tokens (BD-13, BD-16, BD-25, BD-26)."""

    card: Name = field(_("Avatar"))
    damage: Count = field(_("Damage marks"), 0)
    cakes: Count = field(_("Cake tokens"), 0)
    frost: Count = field(_("Frost tokens"), 0)
    fresh: Count = field(_("Frost tokens of this Zeitchaosphase"), 0)
    paid: Count = field(_("Time mana paid for X"), 0)

    @model_validator(mode="before")
    @classmethod
    def upgrade_frosted(cls, data: dict[str, int | str]) -> dict[str, Any]:
        """Convert data stored before an avatar could have several frost tokens."""
        if isinstance(data, dict) and isinstance(data.get("frosted"), bool):
            data = dict(data)
            data.setdefault("frost", int(data.pop("frosted")))
        return data

    def melt_frost(self) -> "Avatar":
        """Return the avatar at the end of a Zeitchaosphase, without the frost of earlier turns (BD-25)."""
        return self.model_copy(update={"frost": min(self.frost, self.fresh), "fresh": 0})

    def tokens(self) -> Iterator[str]:
        """Yield the labels of the tokens on it."""
        if self.cakes:
            yield _("Cake tokens: {n}").format(n=self.cakes)
        if self.frost:
            yield _("Frost tokens: {n}").format(n=self.frost) if self.frost > 1 else str(_("Frost token"))

    @property
    def is_frosted(self) -> bool:
        """True if it has a frost token."""
        return self.frost > 0


class PendingDamage(Part):
    """Damage to a target that waits until a Steel Guardian is used or not (BD-17, BD-24)."""

    target: Name = field(_("Target"))
    points: Count = field(_("Damage"))


def avatar_names(play: "BattleDicePlay") -> list[str]:
    """Return the names of the avatars; equal names are numbered."""
    names = [one.card for one in play.avatars]
    return [f"{name} {names[:index].count(name) + 1}" if names.count(name) > 1 else name
            for index, name in enumerate(names)]
