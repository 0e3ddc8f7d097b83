"""How a stored sheet stands under some house rules: its verdict and its points, by the check that everybody uses."""

from dataclasses import dataclass

from pydantic import ValidationError

from rulesets.kit import House, Ledger, Ruleset, Verdict, Wording
from sheets.models import Sheet
from sheets.status.reviews import ReviewStatus, shown_state
from sheets.verdicts import VERDICTS


@dataclass(frozen=True)
class SheetCheck:
    """A sheet with what the rules say of it; `verdict` is None where the system cannot read it any more."""

    sheet: Sheet
    verdict: Verdict | None = None
    ledger: Ledger | None = None
    review_status: ReviewStatus | None = None
    name: str = ""
    """What it is called in the state that was judged."""

    @property
    def status(self) -> str:
        """The verdict as commands and API word it."""
        return self.verdict.verdict if self.verdict else "unreadable"

    @property
    def title(self) -> Wording:
        """The verdict as people read it."""
        return VERDICTS[self.status]

    @property
    def tone(self) -> str:
        """The verdict as the style sheet knows it."""
        return {"legal": "good", "needs-approval": "ask"}.get(self.status, "error")


def check_sheet(ruleset: Ruleset, sheet: Sheet, house: House, review_status: ReviewStatus | None = None) -> SheetCheck:
    """How a sheet stands by the rules, and with its GMs where that is given; status is computed, never stored.

    What its GMs have approved is judged as it is played, whatever became of the sheet since.
    """
    kept = shown_state(sheet, review_status) if review_status else sheet
    try:
        shape = ruleset.sheet.model_validate(kept.data)
    except ValidationError:
        return SheetCheck(sheet, review_status=review_status, name=kept.name)
    verdict = ruleset.check(shape, house, kept.name, mends=False)
    return SheetCheck(sheet, verdict, shape.ledger(house), review_status, kept.name)
