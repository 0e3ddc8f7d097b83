"""A special ability: what it is called, does, costs and gives (DS-03, DS-05, DS-05a, DS-07)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import line
from rulesets.daemmersturm.catalogue import ABILITIES, ACTIONS, FOCUS, normalized_name
from rulesets.kit import (
    CheckedPart,
    Count,
    EntryFields,
    Finding,
    Mend,
    Name,
    Text,
    Wording,
    approval,
    error,
    field,
    rule,
    warning,
)

if TYPE_CHECKING:
    from rulesets.daemmersturm.sheet import DaemmersturmHouse


class Ability(CheckedPart):
    """A special ability; its text is in the community's threads (DS-03, DS-05)."""

    name: Name = field(_("Name"), suggestions=tuple(ABILITIES), samples=(*ABILITIES, _("Sprint"), _("Step in")))
    text: Text = field(_("What it does"), "", long=True)
    focus_points: Count | None = field(
        _("Focus points"), None, help=_("Leave empty to use the community's list; the GM has to allow any other "
                                        "number."))
    cost: Name = field(_("Cost"), "", help=_("Such as 1 AP or 2 Mana."))

    party_entry = EntryFields(("name", "cost", "focus_points", "text"), "DS-05")

    @property
    def label(self) -> Wording:
        """The name, or a placeholder."""
        return self.name.strip() or _("Unnamed ability")

    @property
    def listed_focus_points(self) -> int | None:
        """The focus points in the community's list; None if the ability is not on it."""
        return FOCUS.get(normalized_name(self.name))

    @property
    def focus_points_given(self) -> int:
        """The focus points that it gives: the figure entered, else that of the list, else 0."""
        return (self.listed_focus_points or 0) if self.focus_points is None else self.focus_points

    @property
    def action_points(self) -> int:
        """The action points that one use costs, for an action ability that the source names (DS-05a)."""
        return next((cost for slug, (cost, pool, _text) in ACTIONS.items()
                     if pool == "action_points" and normalized_name(slug) == normalized_name(self.name)), 0)

    @property
    def worth(self) -> Wording:
        """Its cost, or the focus points that it gives (DS-05, DS-05a)."""
        return self.cost or (_("gives {n} FP").format(n=self.focus_points_given) if self.focus_points_given else "")

    @rule("DS-03")
    def without_name(self, house: "DaemmersturmHouse") -> Iterator[Finding]:
        """Yield a warning if the ability has no name, because names tell abilities apart."""
        if not self.name.strip():
            yield warning(_("The special ability has no name yet."), "name")

    @rule("DS-05")
    def own_figure(self, house: "DaemmersturmHouse") -> Iterator[Finding]:
        """Yield a request for approval of focus points that are not those of the list."""
        if self.focus_points is not None and self.focus_points != (self.listed_focus_points or 0):
            says = _("{n} focus points are entered for {ability}; the list gives none. The GM has to agree.")
            if self.listed_focus_points is not None:
                says = _("{n} focus points are entered for {ability}; the list gives {listed}. The GM has to agree.")
            yield approval(says, "focus_points", [Mend(_("Use the number from the list"), {"focus_points": None})],
                           n=self.focus_points, ability=self.label, listed=self.listed_focus_points)

    @rule("DS-07")
    def fits_the_line(self, house: "DaemmersturmHouse") -> Iterator[Finding]:
        """Yield an error for a name that keeps the profile line from being read back."""
        if held := line.splitting_characters(self.name):
            fitting = line.without_splitting_characters(self.name)
            yield error(
                _("The ability “{ability}” contains {signs}, which would split the profile line; write it "
                  "without."), "name",
                [Mend(_("Write “{name}”"), {"name": fitting}, name=fitting)],
                ability=" ".join(self.name.split())[:80], signs=held,
            )
