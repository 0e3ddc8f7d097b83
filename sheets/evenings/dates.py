"""Dates as GMs type them, in their own time zone."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

MOST = 6
"""The most dates to choose from."""
AHEAD = timedelta(days=366)
"""The time within which a date must be."""


class UnusablePlan(ValueError):
    """A date or a text of a plan cannot be used; the message tells why."""


def dates_of(texts: Iterable[str], zone: str) -> list[datetime]:
    """Return the dates, each once and in order, that were typed as local times of a zone; empty texts are left out.

    Raise `UnusablePlan` if there are none or too many, or one cannot be used.
    """
    found = sorted({date_of(text, zone) for text in texts if text.strip()})
    if not found:
        raise UnusablePlan(_("Choose at least one date."))
    if len(found) > MOST:
        raise UnusablePlan(_("There may be at most {n} dates to choose from.").format(n=MOST))
    return found


def date_of(text: str, zone: str) -> datetime:
    """Return a date that was typed as the local time of a zone; raise `UnusablePlan` if it cannot be used."""
    try:
        local = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UnusablePlan(_("One of the dates cannot be read; choose day and time.")) from None
    now = timezone.now()
    if local.tzinfo or not now.year - 1 <= local.year <= now.year + 2:
        raise UnusablePlan(_("A date must be in the future, within a year."))
    local = local.replace(second=0, microsecond=0)
    start = local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    if start.astimezone(ZoneInfo(zone)).replace(tzinfo=None) != local:
        raise UnusablePlan(_("One of the dates does not exist: the clocks go forward in that night."))
    if not now < start <= now + AHEAD:
        raise UnusablePlan(_("A date must be in the future, within a year."))
    return start
