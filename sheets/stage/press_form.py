"""What the form of a press posts."""

import uuid
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, QueryDict
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from rulesets.kit.row_marks import named
from sheets.forms.buttons import press_key
from sheets.forms.inputs import Answers
from sheets.models import Sheet


@dataclass(frozen=True)
class PressForm:
    """What a press posts: the widget, its answers, a key of its own, the fingerprint of the page that it stands on."""

    which: str
    row: str
    """The mark of the row that it is about, "" where it is about none."""
    answers: Answers
    key: uuid.UUID
    seen: str
    nudge: str
    """Which button at a gauge it is, "" for any other."""
    word: str
    """The last word that the page has of its sheet."""
    asked: bool
    """True if the page says that a GM waits for a roll, which may be this one."""

    @classmethod
    def of(cls, post: QueryDict) -> "PressForm":
        """The form as it was posted (`BadRequest` without a key)."""
        which, row = named(post.get("w", ""))
        return cls(which, row, dict(post.lists()), press_key(post), post.get("_seen", ""), post.get("_nudge", ""),
                   post.get("_word", ""), bool(post.get("_asked")))

    @property
    def place(self) -> str:
        """Where on the page it stands."""
        return self.nudge or f"w-{self.which}"

    def told_as_done(self, request: HttpRequest, sheet: Sheet) -> bool:
        """Whether the press has arrived before; then the page says when, and offers it anew."""
        earlier = sheet.events.filter(key=self.key).first()
        if earlier is None:
            return False
        message = _("That was done already, at {time}. Press again to do it once more.")
        messages.info(request, message.format(time=date_format(localtime(earlier.made), "TIME_FORMAT")))
        return True
