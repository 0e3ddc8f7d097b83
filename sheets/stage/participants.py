"""A sheet at a party's table as one of its members sees it."""

from collections.abc import Set
from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from rulesets.kit import Finding, Gauge
from sheets.character import Character
from sheets.models import PRIVATE, Sheet


@dataclass(frozen=True)
class Participant:
    """A sheet at the table; `character` is None where the system cannot read it any more."""

    sheet: Sheet
    mine: bool
    character: Character | None = None
    place: int | None = None
    unseen: Set[str] = frozenset()
    """The gauges of it that are not shown with it."""
    shown: bool = True
    """Whether whoever looks sees its figures; of an opponent that is not shown one sees name and wounds."""
    readable: bool = True
    """Whether whoever looks may read the sheet itself, too; its picture is a part of that."""

    @cached_property
    def gauges(self) -> list[Gauge]:
        """What of it goes up and down at the table."""
        found = self.character.play.gauges(self.character.written) if self.character else ()
        return [one for one in found if one.key not in self.unseen]

    @property
    def wounds(self) -> str:
        """How it is, as far as everybody sees that."""
        gauge = next((one for one in self.gauges if one.most), None)
        if gauge is None:
            return ""
        if gauge.burden:
            return _("down") if gauge.left >= gauge.most else ""
        if gauge.left >= gauge.most:
            return _("unhurt")
        return _("down") if gauge.left <= 0 else _("wounded") if 2 * gauge.left > gauge.most else _("badly wounded")

    @property
    def left(self) -> str:
        """What is left of the first gauge that has an end, "7/10"; "" where whoever looks sees none."""
        found = self.gauges if self.shown else ()
        return next((f"{one.left}/{one.most}" for one in found if one.most), "")

    @property
    def name(self) -> str:
        """What the character is called."""
        return (self.character.name if self.character else self.sheet.name).strip() or _("Without a name")

    @property
    def private(self) -> bool:
        """Whether the other players see nothing of it, or of an opponent its wounds alone."""
        return self.sheet.seen_by == PRIVATE and not self.sheet.at_table

    @property
    def undecided(self) -> bool:
        """Whether its owner is to be asked whether the party sees its figures."""
        return self.mine and self.private and self.sheet.at_table is None and not self.sheet.opponent

    @property
    def notices(self) -> list[Finding]:
        """What the state of play means for the turn at hand."""
        return list(self.character.play.notices(self.character.written)) if self.character else []
