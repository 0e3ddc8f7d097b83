"""The seats of a press: the sheet that acts and the one that it is aimed at, held only if they stand as they were read.

What is written into the one that acts is worded once: to word it takes longer than the database takes to do it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Manager, Model
from django.db.models.sql import UpdateQuery

from sheets.models import Member, Party, Sheet
from sheets.status.reviews import ReviewStatus, review_statuses

_WRITING: dict[tuple[Any, ...], str] = {}
"""{(how many fields are written, (field, whether that is nothing) of these and of those that are asked for): query}."""


@dataclass(frozen=True)
class Seats:
    """The sheet that acts and the one that it is aimed at, as they were read together.

    `me` is who presses in their party; None where it is the owner, on the page of the sheet alone.
    """

    by: Sheet
    at: Sheet | None = None
    me: Member | None = None
    own: bool = True
    """True where who presses may know all that is secret in the sheet that acts."""

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
        if self.at and self.at.pk != self.by.pk and not _same(
                self.at, Sheet.objects, ("version", "party_id", "deleted", "seen_by", "played")):
            return False
        return review_statuses([one for one in (self.by, self.at) if one], statuses) == statuses


def hold_as_read(sheet: Sheet, **new: Any) -> bool:
    """Holds a sheet that was read before, with its party, until the transaction ends, and writes `new` values into it.

    Answers False, with nothing of it held, if whose it is, its party, what it says or what is played has changed since.
    """
    if sheet.party_id and not _same(sheet.party, Party.objects, ("version", "table", "order", "approval")):
        return False
    # A sheet's house rules change with its party's, and alone where it has none of them any more. A guest's is in no
    # party, and keeps its guest until it has an owner.
    house = {"house": sheet.house} if sheet.house else {}
    whose = {"owner": sheet.owner_id, "party": sheet.party_id} if sheet.owner_id else {"guest": sheet.guest}
    stands = {"pk": sheet.pk, "deleted": None, "version": sheet.version, "played": sheet.played, **whose, **house}
    if not write_where(stands, new):
        return False
    for key, value in new.items():
        setattr(sheet, key, value)
    return True


def _same(was: Model, there: Manager, keys: tuple[str, ...]) -> bool:
    """Holds a row until the transaction ends, and tells whether it says there what was read before."""
    now = next(iter(there.filter(pk=was.pk).select_for_update().values_list(*keys)), None)
    return now == tuple(getattr(was, key) for key in keys)


def write_where(stands: Mapping[str, Any], new: Mapping[str, Any]) -> int:
    """Writes values into the sheet of which all of this `stands`, {field: value}; answers how many there are."""
    if "house" in stands:
        # What stands in JSON each database asks for in its own way.
        return Sheet.objects.filter(**stands).update(**new)
    with connection.cursor() as cursor:
        cursor.execute(*writing(stands, new))
        return int(cursor.rowcount)


def writing(stands: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """The query of it and its values as Django orders them: what is new, then what stands by name; nothing is none."""
    pairs = (*new.items(), *sorted(stands.items()))
    shape = (len(new), *((key, value is None) for key, value in pairs))
    if shape not in _WRITING:
        found: Any = Sheet.objects.filter(**stands).query.chain(UpdateQuery)
        found.add_update_values(new)
        _WRITING[shape] = found.sql_with_params()[0]
    return _WRITING[shape], [_stored(key, value) for key, value in pairs if value is not None]


def _stored(key: str, value: Any) -> Any:
    field = getattr(Sheet, "id" if key == "pk" else key).field
    return field.get_db_prep_save(value, connection)
