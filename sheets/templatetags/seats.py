"""Addresses of a table by who acts there and whom that is aimed at."""

from urllib.parse import urlencode

from django.template import Library

from sheets.stage.acting import NOBODY

register = Library()


@register.filter
def acting(sheet, aiming) -> str:
    """The table with another sheet to act."""
    return _address(aiming, by=sheet, at=aiming.at.sheet.pk if aiming.at else NOBODY)


@register.filter
def aimed(sheet, aiming) -> str:
    """The table with another sheet aimed at; with none where it is this one that is."""
    was = aiming.at and aiming.at.sheet.pk
    return _address(aiming, by=aiming.by and aiming.by.sheet.pk, at=NOBODY if sheet == was else sheet)


def _address(aiming, by, at) -> str:
    chosen = {"_by": by, "_at": at}
    return f"{aiming.table.address}?{urlencode({key: value for key, value in chosen.items() if value})}"
