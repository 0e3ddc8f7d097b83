"""What one does to others and keeps nothing of: attributes raised or lowered, an area attacked (CD-33, CD-35)."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from pydantic import model_validator

from rulesets.condice import rolls
from rulesets.condice.ability import ATTRIBUTES, Attribute, variant_text
from rulesets.condice.play.acts import owned
from rulesets.condice.play.state import Change
from rulesets.condice.play.table import lasting
from rulesets.kit import Act, Count, field, signed


class BoostOther(Act):
    """CD-33: attributes of another, raised, or lowered once a mental attack has worked."""

    attributes: list[Attribute] = field(_("Which attributes change?"), choices=ATTRIBUTES)
    way: Literal["raise", "lower"] = field(_("Raise or lower?"), "raise", choices={
        "raise": _("Raise"), "lower": _("Lower (after a mental attack that works)")})
    by: Change = field(_("By how much?"))
    rounds: Count = field(_("For how many rounds?"))
    most: Count = field(_("Attributes at most"), len(ATTRIBUTES))
    title, rules, group = _("Boost or debuff others"), ("CD-33", "CD-50"), rolls.EFFECTS

    @model_validator(mode="after")
    def sane(self):
        """At least one attribute, none twice, no more than the variant allows."""
        if not 0 < len(set(self.attributes)) == len(self.attributes) <= self.most:
            raise ValueError(_("Choose between 1 and {n} attributes, each once.").format(n=min(self.most, 5)))
        return self

    @classmethod
    def offered(cls, sheet, play):
        """Each such ability whose variant is chosen."""
        for index, one in owned(sheet, play, "boost-debuff"):
            if one.variant:
                rounds, count, by = one.variants[one.variant]
                yield cls.asking(one.label, f"abilities.{index}", variant_text(rounds, count, by),
                                 by=by, rounds=rounds, most=count)

    @property
    def change(self) -> int:
        """What is added to each attribute."""
        return self.by if self.way == "raise" else -self.by

    def apply(self, sheet, play, outcome=None):
        """Nothing stays with who does it."""
        return play

    def tell(self, sheet, play):
        """Attributes, by how much, how long."""
        return lasting(f"{', '.join(str(ATTRIBUTES[key]) for key in self.attributes)} {signed(self.change)}",
                       self.rounds)


class AreaAttack(Act):
    """CD-35: fixed damage to everything on its fields, whatever protects."""

    damage: Count = field(_("Damage"))
    title, rules, group = _("Area attack"), ("CD-35",), rolls.LIFE

    @classmethod
    def offered(cls, sheet, play):
        """Each such ability."""
        for index, one in owned(sheet, play, "flaechenangriff"):
            yield cls.asking(one.label, f"abilities.{index}", one.what(), damage=one.damage)

    def apply(self, sheet, play, outcome=None):
        """Nothing stays with who does it."""
        return play

    def tell(self, sheet, play):
        """The damage to each."""
        return rolls.DAMAGE.format(n=self.damage)
