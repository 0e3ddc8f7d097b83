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
"""{(how many fields are written, (field, whether that is nothing) of these and of those that are asked for): query}."""


def read_row(model: type[Row], pk: Any) -> Row | None:
    """The row with this key, None without one; of a sheet that is one in the trash, too."""
    found = model.objects.raw(_by_key(model), [model.id.field.get_db_prep_value(pk, connection)])
    return next(iter(found), None)


@cache
def _by_key(model: type[Row]) -> str:
    asked: str = model.objects.filter(pk=UUID(int=0)).query.sql_with_params()[0]
    return asked


def read_sheet(pk: Any) -> Sheet | None:
    """The sheet with this key and its party as of one moment, None without one; one in the trash is one, too."""
    sheet = read_row(Sheet, pk)
    if sheet is None or not sheet.party_id:
        return sheet
    party = read_row(Party, sheet.party_id)
    if party and party.house == sheet.house:
        sheet.party = party
        return sheet
    # Each was read by itself: of two moments they would not be what anything can be held to.
    return Sheet.objects.select_related("party").filter(pk=pk).first()


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
