"""Times as people say them: today 18:40, yesterday 22:10, Mon 18:40, 3 Nov."""

from datetime import datetime

from django.template import Library
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

register = Library()

WEEK = 7
"""The days after which a weekday alone is ambiguous."""


@register.filter
def moment(when: datetime | None) -> str:
    """Return a time in words, with the exact one as its title; "" for None.

    The words stay true for the rest of the day, even if the page stays open.
    """
    if when is None:
        return ""
    local = localtime(when)
    return format_html('<time datetime="{}" title="{}">{}</time>', local.isoformat(timespec="seconds"),
                       date_format(local, "SHORT_DATETIME_FORMAT"), in_words(local, localtime()))


@register.filter
def deadline(when: datetime | None) -> str:
    """Return a future time in words, with the exact one as its title; "" for None."""
    if when is None:
        return ""
    local, days = localtime(when), (localtime(when).date() - localtime().date()).days
    said = _("today {time}") if not days else _("tomorrow {time}") if days == 1 else _("{weekday} {time}")
    words = said.format(weekday=date_format(local, "D"), time=date_format(local, "TIME_FORMAT"))
    if not 0 <= days < WEEK:
        words = date_format(local, "SHORT_DATETIME_FORMAT")
    return format_html('<time datetime="{}" title="{}">{}</time>', local.isoformat(timespec="seconds"),
                       date_format(local, "SHORT_DATETIME_FORMAT"), words)


def in_words(when: datetime, now: datetime) -> str:
    """Return a past time in words, as seen from `now`; both are in the reader's time zone."""
    days = (now.date() - when.date()).days
    if 0 <= days < WEEK:
        said = _("today {time}") if not days else _("yesterday {time}") if days == 1 else _("{weekday} {time}")
        return said.format(weekday=date_format(when, "D"), time=date_format(when, "TIME_FORMAT"))
    return date_format(when, "MONTH_DAY_FORMAT" if when.year == now.year else "SHORT_DATE_FORMAT")
