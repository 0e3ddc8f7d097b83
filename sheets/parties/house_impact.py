"""The effects of changed house rules on a party's sheets, which are shown before the rules are saved."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rulesets.document import canonical, house_data
from rulesets.kit import Finding, House, Ruleset
from sheets.models import Sheet
from sheets.status.sheet_check import SheetCheck, check_sheet


@dataclass(frozen=True)
class HouseImpact:
    """The check of a sheet under the old and under the new house rules."""

    sheet: Sheet
    before: SheetCheck
    after: SheetCheck

    @property
    def points(self) -> int:
        """The change in the points left to spend; negative if there are fewer."""
        if not (self.before.ledger and self.after.ledger):
            return 0
        return self.after.ledger.left - self.before.ledger.left

    @property
    def points_text(self) -> str:
        """The change in points as text, "" if there is none."""
        return _points_text(self.points) if self.points else ""

    @property
    def verdict_changes(self) -> bool:
        """True if the verdict changes."""
        return self.before.status != self.after.status

    @property
    def new_findings(self) -> list[Finding]:
        """The findings that the old house rules do not have with the same text."""
        if not (self.before.verdict and self.after.verdict):
            return []
        known = Counter((one.key, one.path, one.message) for one in self.before.verdict.findings)
        return [one for one in self.after.verdict.findings if not known[one.key, one.path, one.message]]

    @property
    def changed(self) -> bool:
        """True if the sheet is affected."""
        return self.verdict_changes or bool(self.points) or bool(self.new_findings)


def house_impacts(ruleset: Ruleset, sheets: Iterable[Sheet], before: House, after: House) -> list[HouseImpact]:
    """Return the impact of new house rules on each sheet."""
    return [HouseImpact(sheet, check_sheet(ruleset, sheet, before), check_sheet(ruleset, sheet, after))
            for sheet in sheets]


def impact_in_words(impacts: list[HouseImpact]) -> str:
    """Return the impacts as a sentence: "3 sheets: 1 becomes illegal, 2 have 2 points more."."""
    if not impacts:
        return _("The party has no sheets yet, so nothing changes for anybody.")
    changes = Counter(one.after.status for one in impacts if one.verdict_changes)
    parts = [
        ngettext("{n} becomes illegal", "{n} become illegal", changes["illegal"]).format(n=changes["illegal"]),
        ngettext("{n} then needs approval", "{n} then need approval", changes["needs-approval"])
        .format(n=changes["needs-approval"]),
        ngettext("{n} becomes legal", "{n} become legal", changes["legal"]).format(n=changes["legal"]),
    ]
    statuses = ("illegal", "needs-approval", "legal")
    parts = [text for text, status in zip(parts, statuses, strict=True) if changes[status]]
    for points, n in sorted(Counter(one.points for one in impacts if one.points).items()):
        parts.append(ngettext("{n} has {points}", "{n} have {points}", n).format(n=n, points=_points_text(points)))
    if unchanged := sum(not one.changed for one in impacts):
        parts.append(ngettext("{n} stays as it is", "{n} stay as they are", unchanged).format(n=unchanged))
    if other_findings := sum(one.changed and not one.verdict_changes and not one.points for one in impacts):
        parts.append(ngettext("{n} gets different findings", "{n} get different findings", other_findings).format(
            n=other_findings))
    sentence = ngettext("{n} sheet: {what}.", "{n} sheets: {what}.", len(impacts))
    return sentence.format(n=len(impacts), what=", ".join(parts))


def _points_text(points: int) -> str:
    if points > 0:
        return ngettext("{n} point more", "{n} points more", points).format(n=points)
    return ngettext("{n} point fewer", "{n} points fewer", -points).format(n=-points)


def impact_digest(house: House, impacts: list[HouseImpact]) -> str:
    """Return a digest of house rules and their impacts, by which a form shows which ones its user has seen."""
    rows: Any = [[str(one.sheet.pk), one.before.status, one.after.status, one.points] for one in impacts]
    return hashlib.sha256(canonical([house_data(house), rows])).hexdigest()[:16]
