"""Spells, whose figures are in other threads; they are noted once at the table for rolls (DS-03, DS-20, DS-27)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import headings
from rulesets.daemmersturm.play.state import Spell
from rulesets.daemmersturm.texts import OpenRange
from rulesets.kit import Act, Count, Name, Offer, Play, Refused, RemoveRow, Thrown, Wording, field, with_row

if TYPE_CHECKING:
    from rulesets.daemmersturm.play.state import DaemmersturmPlay
    from rulesets.daemmersturm.sheet import Daemmersturm


class NoteSpell(Act):
    """DS-03: note a spell with its figures; it replaces a spell of the same name."""

    name: Name = field(_("What is it called?"))
    number: Count | None = field(_("W number"), None, help=_("Leave empty if it needs no W roll."))
    damage: OpenRange = field(_("Damage"), "", help=_("A range, such as 1-10; leave empty for none."))
    targets: OpenRange = field(_("Targets"), "", help=_("For an area: a range, such as 1-4."))
    healing: OpenRange = field(_("Healing"), "", help=_("A range, such as 1-10; leave empty for none."))
    title, rules, group = _("Note a spell"), ("DS-03", "DS-20", "DS-27"), headings.MAGIC

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Always offer it."""
        yield cls.offer(rare=True)

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Add the spell."""
        figures = self.model_dump(exclude={"name", "number"})
        spell = Spell(name=" ".join(self.name.split()), w=self.number, **figures)
        if not spell.name or not spell.what():
            raise Refused(_("Say what it is called, and its W number, damage or healing."))
        others = [one for one in play.spells if one.name.casefold() != spell.name.casefold()]
        return play.evolve(spells=with_row(others, spell))

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Return the spell and its figures."""
        return f"{play.spells[-1].name}: {play.spells[-1].what()}"


class ForgetSpell(RemoveRow):
    """DS-03: remove a noted spell."""

    index: Count = field(_("Spell"))
    title, rules, rows, group = _("Forget a spell"), ("DS-03",), "spells", headings.MAGIC

    @classmethod
    def naming(cls, row: Any) -> Wording:
        """Name the spell."""
        return _("Forget {spell}").format(spell=row.name)
