"""The verdict and the points of a stored sheet under house rules, by the one check that all code uses."""

from dataclasses import dataclass

from pydantic import ValidationError

from rulesets.kit import House, Ledger, Ruleset, Verdict, Wording
from sheets.models import Sheet
from sheets.status.party_catalogue import PartyCatalogue, agreed
from sheets.status.reviews import ReviewStatus, shown_state
from sheets.verdicts import VERDICTS


@dataclass(frozen=True)
class SheetCheck:
    """A sheet with the rules' findings; `verdict` is None if the system can no longer read it."""

    sheet: Sheet
    verdict: Verdict | None = None
    ledger: Ledger | None = None
    review_status: ReviewStatus | None = None
    name: str = ""
    """The sheet's name in the state that was checked."""

    @property
    def status(self) -> str:
        """The verdict as commands and the API word it."""
        return self.verdict.verdict if self.verdict else "unreadable"

    @property
    def title(self) -> Wording:
        """The verdict as people read it."""
        return VERDICTS[self.status]

    @property
    def tone(self) -> str:
        """The tone of the verdict in the style sheet."""
        return {"legal": "good", "needs-approval": "ask"}.get(self.status, "error")


def check_sheet(ruleset: Ruleset, sheet: Sheet, house: House, review_status: ReviewStatus | None = None, *,
                catalogue: PartyCatalogue | None = None) -> SheetCheck:
    """Check a sheet against the rules, and its reviews if given; its status is computed, never stored.

    An approved sheet is checked as it is played, without its draft. The party's catalogue counts, or `catalogue` in its
    place.
    """
    state = shown_state(sheet, review_status) if review_status else sheet
    try:
        shape = ruleset.sheet.model_validate(state.data)
    except ValidationError:
        return SheetCheck(sheet, review_status=review_status, name=state.name)
    verdict = agreed(sheet, ruleset.check(shape, house, state.name, mends=False), shape, catalogue)
    return SheetCheck(sheet, verdict, shape.ledger(house), review_status, state.name)
