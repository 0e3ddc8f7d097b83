"""The effects of changed house rules on a party's sheets, told before they are saved by the check that then counts."""

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
    """One sheet under the old and under the new house rules."""

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
    def more(self) -> str:
        """The change in points, in words."""
        return _more(self.points) if self.points else ""

    @property
    def turned(self) -> bool:
        """True if the verdict changes."""
        return self.before.status != self.after.status

    @property
    def news(self) -> list[Finding]:
        """The findings that are new, or whose severity changes."""
        if not (self.before.verdict and self.after.verdict):
            return []
        known = Counter((one.key, one.path, one.message) for one in self.before.verdict.findings)
        return [one for one in self.after.verdict.findings if not known[one.key, one.path, one.message]]

    @property
    def changed(self) -> bool:
        """True if the sheet is affected."""
        return self.turned or bool(self.points) or bool(self.news)


def house_impacts(ruleset: Ruleset, sheets: Iterable[Sheet], before: House, after: House) -> list[HouseImpact]:
    """Return the effect on each sheet."""
    return [HouseImpact(sheet, check_sheet(ruleset, sheet, before), check_sheet(ruleset, sheet, after))
            for sheet in sheets]


def impact_in_words(found: list[HouseImpact]) -> str:
    """Return all of it in a sentence: "3 sheets: 1 becomes illegal, 2 have 2 points more."."""
    if not found:
        return _("The party has no sheets yet; nothing changes for anybody.")
    turns = Counter(one.after.status for one in found if one.turned)
    parts = [
        ngettext("{n} becomes illegal", "{n} become illegal", turns["illegal"]).format(n=turns["illegal"]),
        ngettext("{n} then needs approval", "{n} then need approval", turns["needs-approval"])
        .format(n=turns["needs-approval"]),
        ngettext("{n} becomes legal", "{n} become legal", turns["legal"]).format(n=turns["legal"]),
    ]
    parts = [text for text, status in zip(parts, ("illegal", "needs-approval", "legal"), strict=True) if turns[status]]
    for points, n in sorted(Counter(one.points for one in found if one.points).items()):
        parts.append(ngettext("{n} has {points}", "{n} have {points}", n).format(n=n, points=_more(points)))
    if same := sum(not one.changed for one in found):
        parts.append(ngettext("{n} stays as it is", "{n} stay as they are", same).format(n=same))
    if noted := sum(one.changed and not one.turned and not one.points for one in found):
        parts.append(ngettext("{n} gets other findings", "{n} get other findings", noted).format(n=noted))
    whole = ngettext("{n} sheet: {what}.", "{n} sheets: {what}.", len(found))
    return whole.format(n=len(found), what=", ".join(parts))


def _more(points: int) -> str:
    if points > 0:
        return ngettext("{n} point more", "{n} points more", points).format(n=points)
    return ngettext("{n} point fewer", "{n} points fewer", -points).format(n=-points)


def impact_digest(house: House, found: list[HouseImpact]) -> str:
    """Return a digest of these house rules and their effects: only what was shown may be saved."""
    rows: Any = [[str(one.sheet.pk), one.before.status, one.after.status, one.points] for one in found]
    return hashlib.sha256(canonical([house_data(house), rows])).hexdigest()[:16]
