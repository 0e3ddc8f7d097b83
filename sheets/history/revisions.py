"""Revisions: numbered states of a sheet that are stored for good and never changed.

Callers must have locked the sheet.
"""

from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from sheets.audit_log.signing import STORED, sign_revision
from sheets.documents import sealable
from sheets.history import saves
from sheets.models import Revision, Sheet, State
from sheets.models.compiled_queries import compiled, insert
from sheets.models.reviews import RESTORED


def save_revision(sheet: Sheet, kind: str, user: User | None, content: dict[str, Any] | None = None) -> Revision:
    """Save and return a revision of a locked sheet, or of other content; return the last one if that is the same."""
    whole = sealable(sheet, content)
    last: Revision | None = next(iter(_last(sheet.pk)), None)
    if last and last.seal == whole["seal"]:
        return last
    revision = Revision(sheet=sheet, number=last.number + 1 if last else 1, version=sheet.version, kind=kind,
                        author=user, **whole)
    sign_revision(revision, STORED)
    insert(revision)
    return revision


@compiled
def _last(sheet: Any) -> QuerySet[Revision]:
    return Revision.objects.filter(sheet=sheet).order_by("-number")[:1]


def restore(sheet: Sheet, revision: Revision, user: User | None) -> Revision:
    """Restore a revision as a change of the draft under today's house rules, and return the revision saved of that.

    Raise pydantic's ValidationError if the rules can no longer read it.
    """
    content = sealable(sheet, {"name": revision.name, "data": revision.data, "house": sheet.house})
    saves.save(sheet, State(content["name"], content["data"], {}, sheet.concept))
    return save_revision(sheet, RESTORED, user)


def merged(before: Any, after: Any, other: Any) -> Any:
    """Return `other` with the change from `before` to `after` applied, as in a three-way merge."""
    if other == before:
        return after
    if all(isinstance(one, dict) for one in (before, after, other)):
        return {key: merged(before.get(key), after.get(key), value) for key, value in other.items()}
    if all(isinstance(one, list) for one in (before, after, other)) and len(before) == len(after) == len(other):
        return [merged(*three) for three in zip(before, after, other, strict=True)]
    return other
