"""The time zones of users, and dates as they are written in them."""

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import pgettext

from sheets.models import UserZone


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of the zones that one may choose: UTC, and those of places."""
    return ("UTC", *sorted(one for one in available_timezones()
                           if "/" in one and not one.startswith(("Etc/", "posix/", "right/", "SystemV/", "US/"))))


def zone_of(user: Any) -> str:
    """Return the time zone of a user (or of the key of one): the chosen one, else the site's."""
    return zones_of([user])[getattr(user, "pk", user)]


def zones_of(users: Iterable[Any]) -> dict[Any, str]:
    """Return {key of a user: time zone}."""
    keys = [getattr(one, "pk", one) for one in users]
    chosen = dict(UserZone.objects.filter(user__in=keys).values_list("user", "name"))
    return {key: chosen.get(key, settings.TIME_ZONE) for key in keys}


def written(start: datetime, zone: str) -> str:
    """Return a date with its time of day, as it is written in a time zone."""
    return date_format(start.astimezone(ZoneInfo(zone)), pgettext("date format", "D, j F, H:i"))


def local_text(start: datetime, zone: str) -> str:
    """Return a date as forms hold it: the local time of a time zone."""
    return start.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")
