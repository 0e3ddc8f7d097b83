"""The titles and times of scenes."""

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from sheets.models import Scene


def scene_title(scene: Scene) -> str:
    """Return the title of a scene: its name, else its date."""
    if scene.before:
        return _("Before the first scene")
    return scene.name or date_format(localtime(scene.begun), "DATE_FORMAT")


def scene_time(scene: Scene) -> str:
    """Return the time from its beginning to its end."""
    begun = localtime(scene.begun)
    since = f"{date_format(begun, 'SHORT_DATE_FORMAT')} {date_format(begun, 'H:i')}"
    if scene.ended is None:
        return _("since {time}").format(time=since)
    ended = localtime(scene.ended)
    day = "" if ended.date() == begun.date() else f"{date_format(ended, 'SHORT_DATE_FORMAT')} "
    return f"{since} – {day}{date_format(ended, 'H:i')}"
