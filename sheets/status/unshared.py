"""The end of sharing for sheets that are no longer played as approved and have a draft that must not be shown."""

from collections.abc import Iterable

from django.db.models import Q
from pydantic import ValidationError

from sheets.documents import sealable
from sheets.models import PARTY, PRIVATE, PUBLIC, Sheet
from sheets.models.store import store
from sheets.status.reviews import ReviewStatus, review_statuses

SHARED = Q(share__isnull=False) | Q(seen_by=PUBLIC)
"""The condition for sheets that have a link or are public."""


def end_sharing_of_drafts(sheets: Iterable[Sheet], *, leaving: bool) -> list[Sheet]:
    """Revoke links and public access to sheets that would show a draft from now on; return these sheets.

    Call it before their approval ends, with the sheets locked. With `leaving` they leave their party, too.
    """
    shared = [one for one in sheets if one.share or one.seen_by == PUBLIC]
    statuses = review_statuses(shared)
    found = [one for one in shared if _has_draft(one, statuses[one.pk])]
    for one in found:
        store(one, share=None, seen_by=PRIVATE if leaving else PARTY)
    return found


def _has_draft(sheet: Sheet, status: ReviewStatus) -> bool:
    """Return True if a sheet differs from the revision in play, so that readers would see a draft without it."""
    if status.revision is None:
        return False
    try:
        return bool(sealable(sheet)["seal"] != status.revision.seal)
    except ValidationError:
        return True
