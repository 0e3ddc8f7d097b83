"""Conditions, which last some turns, and damage over time (DS-45, DS-58)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from pydantic import model_validator

from rulesets.daemmersturm import headings, rolls
from rulesets.daemmersturm.play.state import CONDITIONS, Condition, ConditionKind, DaemmersturmPlay
from rulesets.kit import Act, Count, Name, Offer, Play, Refused, RemoveRow, Roll, Thrown, Wording, field, row, with_row

if TYPE_CHECKING:
    from rulesets.daemmersturm.sheet import Daemmersturm


class AddCondition(Act):
    """DS-45, DS-58: note a condition."""

    kind: ConditionKind = field(_("What kind of condition?"), "other", choices=CONDITIONS)
    name: Name = field(_("What is it called?"), "")
    turns: Count | None = field(_("For how many turns?"), None, help=_("Leave empty to last until you end it."))
    lowest: Count = field(_("Damage over time from"), 0)
    highest: Count = field(_("to"), 0, help=_("0: none."))
    title, rules, group = _("Note a condition"), ("DS-45", "DS-58"), headings.DEFENCE

    @model_validator(mode="after")
    def in_order(self) -> "AddCondition":
        """Raise ValueError unless the lower end of the range comes first."""
        if self.lowest > self.highest:
            message = _("{low} is above {high}; the lower end comes first.")
            raise ValueError(message.format(low=self.lowest, high=self.highest))
        return self

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: DaemmersturmPlay) -> Iterator[Offer]:
        """Always offer it."""
        yield cls.offer()

    def apply(self, sheet: "Daemmersturm", play: DaemmersturmPlay, outcome: Thrown = None) -> Play:
        """Add the condition."""
        damage = f"{self.lowest}-{self.highest}" if self.highest else ""
        new = Condition(kind=self.kind, name=self.name, turns=self.turns, damage=damage)
        return play.evolve(conditions=with_row(play.conditions, new))

    def tell(self, sheet: "Daemmersturm", play: DaemmersturmPlay) -> str:
        """Say what it is."""
        return str(play.conditions[-1].label)


class DamageOverTime(Act):
    """DS-45: roll a condition's damage for this turn; no protection roll stops it."""

    index: Count = field(_("Condition"))
    reduced: Count = field(_("How much is it reduced by?"), 0)
    title, rules, group = _("Damage over time"), ("DS-45",), headings.DEFENCE

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: DaemmersturmPlay) -> Iterator[Offer]:
        """Offer one for each condition that does damage; `rare` if the damage is not due in this turn."""
        for index, one in enumerate(play.conditions):
            if one.damage and not play.down:
                yield cls.offer(_("{name}: {range} damage").format(name=one.label, range=one.damage),
                                f"conditions.{index}", rare=not one.due, index=index)

    def roll(self, sheet: "Daemmersturm", play: DaemmersturmPlay) -> Roll:
        """Return a roll of the condition's range of damage."""
        one = row(play.conditions, self.index)
        if not one.damage:
            raise Refused(_("{name} does no damage.").format(name=one.label))
        return rolls.Damage(range=one.damage)

    def apply(self, sheet: "Daemmersturm", play: DaemmersturmPlay, outcome: Thrown = None) -> Play:
        """Lower life; the condition does no more damage until the next turn."""
        not_due = row(play.conditions, self.index).model_copy(update={"due": False})
        play = play.evolve(conditions=[*play.conditions[:self.index], not_due, *play.conditions[self.index + 1:]])
        return play.with_damage(sheet, max(0, outcome.value - self.reduced))

    def tell(self, sheet: "Daemmersturm", play: DaemmersturmPlay) -> str:
        """Say how much life is left."""
        return _("Life {left}").format(left=play.life_left(sheet))


class EndCondition(RemoveRow):
    """DS-45: end a condition before its time, or because the character has left its area."""

    index: Count = field(_("Condition"))
    title, rules, rows = _("End a condition"), ("DS-45",), "conditions"
    group = headings.DEFENCE

    @classmethod
    def naming(cls, row: Any) -> Wording:
        """Name the condition."""
        return _("End {name}").format(name=row.label)

    def tell(self, sheet: "Daemmersturm", play: DaemmersturmPlay) -> str:
        """Return "", because the title says everything."""
        return ""


def _has_run_out(one: Condition) -> bool:
    """Return True if a condition is in its last turn and has no damage due."""
    return one.turns == 0 and not one.due


class EndLasting(Act):
    """DS-45, DS-58: end the conditions that are in their last turn, unless they have damage due."""

    title, rules, group = _("End what has run out"), ("DS-58", "DS-45"), headings.DEFENCE

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: DaemmersturmPlay) -> Iterator[Offer]:
        """Offer it in a turn at whose end a condition is over."""
        if any(_has_run_out(one) for one in play.conditions):
            yield cls.offer()

    def apply(self, sheet: "Daemmersturm", play: DaemmersturmPlay, outcome: Thrown = None) -> Play:
        """Remove the conditions that have run out."""
        return play.evolve(conditions=[one for one in play.conditions if not _has_run_out(one)])

    def tell_change(self, sheet: "Daemmersturm", before: DaemmersturmPlay, after: DaemmersturmPlay) -> str:
        """Return the names of the conditions that have ended."""
        over = [str(one.label) for one in before.conditions if _has_run_out(one)]
        return _("Over: {what}").format(what=", ".join(over))
