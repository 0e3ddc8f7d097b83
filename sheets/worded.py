"""Questions to the database that each page and press asks, worded once: to word one takes longer than to answer it."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models.sql import UpdateQuery

from sheets.models import Party, Sheet

Row = TypeVar("Row", Sheet, Party)
_WRITING: dict[tuple[Any, ...], str] = {}
"""How values are written into a sheet, {(what is written, what is asked for and whether that is nothing): query}."""


def read_row(model: type[Row], pk: Any) -> Row | None:
    """The row with this key, None without one; of a sheet that is one in the trash, too."""
    found = model.objects.raw(_by_key(model), [model.id.field.get_db_prep_value(pk, connection)])
    return next(iter(found), None)


@cache
def _by_key(model: type[Row]) -> str:
    asked: str = model.objects.filter(pk=UUID(int=0)).query.sql_with_params()[0]
    return asked


def with_party(sheet: Sheet) -> Sheet | None:
    """A sheet that was just read with its party, None where it is gone by now."""
    party = read_row(Party, sheet.party_id)
    if party and party.house == sheet.house:
        sheet.party = party
        return sheet
    # Each was read by itself: of two moments they would not be what anything can be held to.
    return Sheet.objects.select_related("party").filter(pk=sheet.pk).first()


def write_where(stands: Mapping[str, Any], new: Mapping[str, Any]) -> int:
    """Writes values into the sheet of which all of this `stands`, {field: value}; answers how many there are."""
    if "house" in stands:
        # What stands in JSON each database asks for in its own way.
        return Sheet.objects.filter(**stands).update(**new)
    asked = {key: value for key, value in sorted(stands.items()) if value is not None}
    shape = (*new, None, *stands, None, *asked)
    if shape not in _WRITING:
        _WRITING[shape] = _writing(stands, new)
    with connection.cursor() as cursor:
        cursor.execute(_WRITING[shape], [_stored(key, value) for key, value in (*new.items(), *asked.items())])
        return int(cursor.rowcount)


def _writing(stands: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """The query of it; its values come in the order of what is new, then of the names of what stands."""
    found = Sheet.objects.filter(**stands).query.chain(UpdateQuery)
    found.add_update_values(new)
    asked: str = found.sql_with_params()[0]
    return asked


def _stored(key: str, value: Any) -> Any:
    field = getattr(Sheet, "id" if key == "pk" else key).field
    return field.get_db_prep_value(value, connection)
