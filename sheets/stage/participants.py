"""A sheet at a party's table, as one of its members sees it."""

from collections.abc import Set
from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from rulesets.kit import Finding, Gauge
from sheets.character import Character
from sheets.models import PRIVATE, Sheet


@dataclass(frozen=True)
class Participant:
    """A sheet at the table; `character` is None if the system cannot read the sheet any more."""

    sheet: Sheet
    mine: bool
    character: Character | None = None
    place: int | None = None
    unseen: Set[str] = frozenset()
    """The keys of its gauges that are hidden."""
    shown: bool = True
    """True if the reader sees its figures; otherwise only name and wounds."""
    readable: bool = True
    """True if the reader may read the sheet itself, including its picture."""

    @cached_property
    def gauges(self) -> list[Gauge]:
        """The gauges shown at the table."""
        found = self.character.play.gauges(self.character.written) if self.character else ()
        return [one for one in found if one.key not in self.unseen]

    @property
    def wounds(self) -> str:
        """Its condition in a word, which everybody may see; "" if it has none."""
        if (gauge := next((one for one in self.gauges if one.most), None)) is None:
            return ""
        if gauge.burden:
            return _("down") if gauge.current >= gauge.most else ""
        if gauge.current >= gauge.most:
            return _("unhurt")
        if gauge.current <= 0:
            return _("down")
        return _("wounded") if 2 * gauge.current > gauge.most else _("badly wounded")

    @property
    def first_gauge(self) -> Gauge | None:
        """The first gauge with a maximum that the reader sees, or None."""
        return next((one for one in self.gauges if self.shown and one.most), None)

    @property
    def name(self) -> str:
        """The name of the character."""
        return (self.character.name if self.character else self.sheet.name).strip() or _("Unnamed")

    @property
    def private(self) -> bool:
        """True if the other players see nothing of it or, for an opponent, only its wounds."""
        return self.sheet.seen_by == PRIVATE and not self.sheet.at_table

    @property
    def undecided(self) -> bool:
        """True if its owner is to be asked whether the party sees its figures."""
        return self.mine and self.private and self.sheet.at_table is None and not self.sheet.opponent

    @property
    def notices(self) -> list[Finding]:
        """The notices of the state of play for the current turn."""
        return list(self.character.play.notices(self.character.written)) if self.character else []
