"""Acts that affect only others: changes of size and attributes, area attacks (CD-28, CD-33, CD-35).

The stored field `source` has the key of the target's sheet, "" for a target without a sheet at the table.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import model_validator

from rulesets.condice import rolls
from rulesets.condice.ability import ATTRIBUTES, SPECIAL_ABILITIES, Attribute
from rulesets.condice.play.acts import usable_abilities
from rulesets.condice.play.state import SIZE_NAMES, Delta, Reached
from rulesets.condice.play.table import (
    SIZE_CHOICES,
    Size,
    abilities_with_variant,
    change_text,
    check_attribute_count,
    with_duration,
)
from rulesets.kit import HIGHEST, Act, Count, Name, Offer, Play, Refused, SheetKey, Thrown, field, with_row

if TYPE_CHECKING:
    from rulesets.condice.play.state import ConDicePlay
    from rulesets.condice.sheet import ConDice


class _OnTargets(Act):
    """An action on up to `targets` targets at the table, each at most once per turn and ability."""

    ability: Name = field(_("Ability"), "")
    target: Name = field(_("Target"), "")
    source: SheetKey = field(_("Target's sheet"), "")
    targets: Count = field(_("Maximum targets"), HIGHEST)

    @classmethod
    def offer(cls, *title_key_note: Any, **known: Any) -> Offer:
        """Return an offer that does not ask for the target; the target chosen at the table fills it in."""
        no_target: dict[str, Any] = {"ability": "", "target": "", "source": "", "targets": HIGHEST}
        return super().offer(*title_key_note, **no_target | known)

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Record the action of the turn, and the target if it has a sheet at the table.

        Raise `Refused` if the ability has already reached this target in this turn, or can reach no more targets.
        """
        if not self.source:
            return play.with_action_done()
        reached_sheets = [one.source for one in play.reached if one.ability == self.ability]
        if self.source in reached_sheets:
            message = _("It has already hit {name} this turn, and hits everybody only once.")
            raise Refused(message.format(name=self.target))
        if len(reached_sheets) >= self.targets:
            message = ngettext_lazy("It hits {n} target, and has already done so this turn.",
                                    "It hits {n} targets, and has already done so this turn.", self.targets)
            raise Refused(message.format(n=self.targets))
        reached = with_row(play.reached, Reached(ability=self.ability, name=self.target, source=self.source))
        return play.with_action_done().model_copy(update={"reached": reached})


class BoostOther(_OnTargets):
    """CD-33: raise another character's attributes, or lower them after a successful mental attack."""

    attributes: list[Attribute] = field(_("Which attributes change?"), choices=ATTRIBUTES)
    way: Literal["raise", "lower"] = field(_("Raise or lower?"), "raise", choices={
        "raise": _("Raise"), "lower": _("Lower (after a successful mental attack)")})
    by: Delta = field(_("By how much?"))
    rounds: Count = field(_("For how many rounds?"))
    abilities: bool = field(SPECIAL_ABILITIES, default=False, help=_("They count as one more attribute."))
    most: Count = field(_("Maximum attributes"), len(ATTRIBUTES))
    title, rules, group = _("Boost or debuff others"), ("CD-33", "CD-50"), rolls.EFFECTS_HEADING

    check_attributes = model_validator(mode="after")(check_attribute_count)

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it for each boost or debuff whose variant is chosen."""
        yield from (cls.offer(one.label, key, note, ability=key, targets=1 + one.extra_targets, **known)
                    for one, key, note, known in abilities_with_variant(sheet, play, "boost-debuff"))

    @property
    def signed_amount(self) -> int:
        """The points added to each attribute; negative if it is lowered."""
        return self.by if self.way == "raise" else -self.by

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the attributes, the change and its duration in words."""
        return change_text(self, self.signed_amount)


class ResizeOther(Act):
    """CD-28: a character that is willing, or was hit by a mental attack, grows or shrinks."""

    size: Size = field(_("Grow or shrink?"), choices=SIZE_CHOICES)
    rounds: Count | None = field(_("For how many rounds?"), None, help=_("Leave empty to last until you end it."))
    title, rules, group = _("Change someone else's size"), ("CD-28", "CD-50", "CD-09"), rolls.EFFECTS_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it for each ability to change size."""
        yield from (cls.offer(key=f"abilities.{index}")
                    for index, _one in usable_abilities(sheet, play, "groesse-aendern"))

    def apply(self, sheet: "ConDice", play: "ConDicePlay", outcome: Thrown = None) -> Play:
        """Record the action of the turn; only the target changes."""
        return play.with_action_done()

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Say in which direction and for how long."""
        return with_duration(str(SIZE_NAMES[self.size]), self.rounds)


class AreaAttack(_OnTargets):
    """CD-35: fixed damage to everything on its squares, which no protection reduces."""

    damage: Count = field(_("Damage"))
    squares: Count = field(_("Squares"), HIGHEST)
    title, rules, group = _("Area attack"), ("CD-35",), rolls.LIFE_HEADING

    @classmethod
    def offered(cls, sheet: "ConDice", play: "ConDicePlay") -> Iterator[Offer]:
        """Offer it for each area attack."""
        yield from (cls.offer(one.label, f"abilities.{index}", one.what(), ability=f"abilities.{index}",
                              damage=one.damage, squares=one.fields)
                    for index, one in usable_abilities(sheet, play, "flaechenangriff"))

    def tell(self, sheet: "ConDice", play: "ConDicePlay") -> str:
        """Return the damage to each target in words."""
        return rolls.DAMAGE.format(n=self.damage)
