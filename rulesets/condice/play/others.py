"""Acts whose effect is on others only: size, attributes, area attacks (CD-28, CD-33, CD-35)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import model_validator

from rulesets.condice import rolls
from rulesets.condice.ability import ATTRIBUTES, SIXTH, Attribute
from rulesets.condice.play.acts import owned
from rulesets.condice.play.state import Change, Reached
from rulesets.condice.play.table import GROWN, WAYS, Size, changed, lasting, some_attributes, variants
from rulesets.kit import HIGHEST, Act, Count, Name, Offer, Play, Refused, SheetKey, Thrown, added, field

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice


class _OnSeveral(Act):
    """An action on up to `targets` targets at the table, each of them once a turn for each ability."""

    ability: Name = field(_("Ability"), "")
    target: Name = field(_("Target"), "")
    source: SheetKey = field(_("Target's sheet"), "")
    targets: Count = field(_("Maximum targets"), HIGHEST)

    @classmethod
    def asking(cls, *words: Any, **known: Any) -> Offer:
        """Return an offer that does not ask for the target; the target chosen at the table fills it in."""
        nobody: dict[str, Any] = {"ability": "", "target": "", "source": "", "targets": HIGHEST}
        return super().asking(*words, **nobody | known)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Record the action of the turn and the target it reached, if that has a sheet at the table.

        Raise `Refused` if the ability has reached the target in this turn already, or may reach no further target.
        """
        if not self.source:
            return play.having_acted()
        before = [one.source for one in play.reached if one.ability == self.ability]
        if self.source in before:
            message = _("It has already hit {name} this turn, and hits everybody only once.")
            raise Refused(message.format(name=self.target))
        if len(before) >= self.targets:
            message = ngettext_lazy("It hits {n} target, and has already done so this turn.",
                                    "It hits {n} targets, and has already done so this turn.", self.targets)
            raise Refused(message.format(n=self.targets))
        reached = added(play.reached, Reached(ability=self.ability, name=self.target, source=self.source))
        return play.having_acted().model_copy(update={"reached": reached})


class BoostOther(_OnSeveral):
    """CD-33: raise attributes of another, or lower them after a mental attack that worked."""

    attributes: list[Attribute] = field(_("Which attributes change?"), choices=ATTRIBUTES)
    way: Literal["raise", "lower"] = field(_("Raise or lower?"), "raise", choices={
        "raise": _("Raise"), "lower": _("Lower (after a successful mental attack)")})
    by: Change = field(_("By how much?"))
    rounds: Count = field(_("For how many rounds?"))
    abilities: bool = field(SIXTH, default=False, help=_("They count as one more attribute."))
    most: Count = field(_("Maximum attributes"), len(ATTRIBUTES))
    title, rules, group = _("Boost or debuff others"), ("CD-33", "CD-50"), rolls.EFFECTS

    sane = model_validator(mode="after")(some_attributes)

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer one for each boost or debuff whose variant is chosen."""
        yield from (cls.asking(one.label, key, note, ability=key, targets=1 + one.extra_targets, **known)
                    for one, key, note, known in variants(sheet, play, "boost-debuff"))

    @property
    def change(self) -> int:
        """The points added to each attribute."""
        return self.by if self.way == "raise" else -self.by

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the attributes, the change and its rounds in words."""
        return changed(self, self.change)


class ResizeOther(Act):
    """CD-28: another who is willing, or was hit by a mental attack, grows or shrinks."""

    size: Size = field(_("Grow or shrink?"), choices=WAYS)
    rounds: Count | None = field(_("For how many rounds?"), None, help=_("Leave empty to last until you end it."))
    title, rules, group = _("Change someone else's size"), ("CD-28", "CD-50", "CD-09"), rolls.EFFECTS

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer one for each ability to change size."""
        yield from (cls.asking(key=f"abilities.{index}") for index, _one in owned(sheet, play, "groesse-aendern"))

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Record the action of the turn; only the target changes."""
        return play.having_acted()

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say in which direction and for how long."""
        return lasting(str(GROWN[self.size]), self.rounds)


class AreaAttack(_OnSeveral):
    """CD-35: fixed damage to everything on its fields, which no protection reduces."""

    damage: Count = field(_("Damage"))
    squares: Count = field(_("Squares"), HIGHEST)
    title, rules, group = _("Area attack"), ("CD-35",), rolls.LIFE

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer one for each area attack."""
        yield from (cls.asking(one.label, f"abilities.{index}", one.what(), ability=f"abilities.{index}",
                               damage=one.damage, squares=one.fields)
                    for index, one in owned(sheet, play, "flaechenangriff"))

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the damage to each target in words."""
        return rolls.DAMAGE.format(n=self.damage)
