"""Verification of an approval against the later entries of its sheet."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy

from rulesets import systems
from rulesets.kit import Ruleset
from sheets.audit_log.chain import flawed
from sheets.audit_log.check_codes import grouped
from sheets.audit_log.stored import read_entries
from sheets.models import Review, Revision
from sheets.models.reviews import APPROVED, PLAYED, WITHDRAWN
from sheets.status.reviews import granted

ANSWERS = {
    "holds": ("good", gettext_lazy("Approved, and in force")),
    "played": ("good", gettext_lazy("Approved, in force, and changed at the table since")),
    "later": ("ask", gettext_lazy("No longer in force: a later revision has been approved")),
    "withdrawn": ("error", gettext_lazy("No longer in force: the approval was withdrawn")),
    "left": ("ask", gettext_lazy("No longer in force: the sheet has left the party whose GM approved it")),
    "gone": ("ask", gettext_lazy("No longer in force: the sheet is gone")),
    "broken": ("error", gettext_lazy("Not to be trusted")),
}
"""{answer: (tone, words)}."""


@dataclass(frozen=True)
class Proof:
    """The public facts of an approval; the names of the GM and of the owner are not among them."""

    code: str
    """The check code as it is shown."""
    answer: str
    entry: Review | None
    """The approval's entry; None if it cannot be read."""
    since: Review | None = None
    """The entry that ended it, or that changed what is played."""

    @property
    def tone(self) -> str:
        """The tone of the answer in the style sheet."""
        return ANSWERS[self.answer][0]

    @property
    def title(self) -> Any:
        """The answer as text."""
        return ANSWERS[self.answer][1]

    @property
    def broken(self) -> bool:
        """True if the stored data are not what was signed; the page then shows none of them."""
        return self.answer == "broken"

    @property
    def ruleset(self) -> Ruleset | None:
        """The system of the sheet; None if either no longer exists."""
        return systems().get(self.entry.sheet.ruleset) if self.entry and self.entry.sheet else None

    @property
    def revision(self) -> Revision | None:
        """The revision that was approved; None once its owner has deleted it."""
        return self.entry.revision if self.entry and self.answer != "gone" else None

    @property
    def exceptions(self) -> list[dict[str, str]]:
        """The {rule, reason} of each exception; empty if the revision is gone."""
        return granted(self.entry) if self.entry and self.revision else []

    @property
    def words_erased(self) -> bool:
        """True if texts of the approval were erased."""
        return bool(self.entry and self.entry.words and not self.entry.said)


def proof_of(code: str) -> Proof | None:
    """Return the proof for a plain check code; None if there is no such approval."""
    approvals = [one for _number, one in read_entries(Review.objects.filter(kind=APPROVED, code=code))]
    if not approvals:
        return None
    entry, shown = approvals[0], grouped(code)
    if entry is None:
        return Proof(shown, "broken", None)
    later = [one for _number, one in read_entries(
        Review.objects.filter(sheet_key=entry.sheet_key, number__gt=entry.number))]
    if flawed([entry, *later]):
        return Proof(shown, "broken", entry)
    return Proof(shown, *_state(entry, [one for one in later if one]))


def _state(entry: Review, later: list[Review]) -> tuple[str, Review, Review | None]:
    if entry.sheet is None or entry.sheet.deleted:
        return "gone", entry, None
    in_party = [one for one in later if one.party_key == entry.party_key]
    ended = next((one for one in in_party if one.kind in (APPROVED, WITHDRAWN)), None)
    if ended:
        return "later" if ended.kind == APPROVED else "withdrawn", entry, ended
    if entry.sheet.party_id != entry.party_key:
        return "left", entry, None
    played = next((one for one in reversed(in_party) if one.kind == PLAYED), entry)
    return ("holds", entry, None) if played.seal == entry.seal else ("played", entry, played)

