"""The seats of a press: the sheet that acts, and the one that it is aimed at."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sheets.access import hold_as_read, hold_target, is_own
from sheets.models import Member, Sheet
from sheets.status.reviews import ReviewStatus, review_statuses


@dataclass(frozen=True)
class Seats:
    """The sheet that acts and the one that it is aimed at, as they were read together.

    `me` is who presses in their party; None where it is the owner, on the page of the sheet alone.
    """

    by: Sheet
    at: Sheet | None = None
    me: Member | None = None

    @property
    def own(self) -> bool:
        """True where who presses may know all that is secret in the sheet that acts."""
        return self.me is None or is_own(self.me, self.by)

    def hold(self, statuses: Mapping[Any, ReviewStatus], **new: Any) -> bool:
        """Hold both as they were read, with their party, and write `new` values into the one that acts.

        False where either has changed, `statuses` before the GMs included, or where whoever acts for another is no GM
        any more.
        """
        if not hold_as_read(self.by, **new):
            return False
        # A member's own sheet leaves the party with its owner.
        if self.me and self.by.owner_id != self.me.user_id and not Member.objects.filter(
                pk=self.me.pk, role=self.me.role).exists():
            return False
        # Who aims at itself has been held just now.
        if self.at and self.at.pk != self.by.pk and not hold_target(self.at):
            return False
        return review_statuses([one for one in (self.by, self.at) if one], statuses) == statuses
