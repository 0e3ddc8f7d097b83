"""Notes that users write, which are validated and saved only if they were not changed elsewhere in the meantime."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

MAX_NOTES = 4000
"""The most characters of notes."""
WAS = "_was"
"""The form field with the text as it was when the page was drawn or last saved."""


@dataclass(frozen=True)
class SentNotes:
    """Posted notes, the text that is `stored` now, and the `fault` that prevents saving them, "" if there is none."""

    text: str
    stored: str
    fault: str = ""
    overtaken: bool = False
    """True if the stored text was changed elsewhere, so that the user must choose between two texts."""

    @classmethod
    def of(cls, post: Mapping[str, str], name: str, stored: str) -> "SentNotes":
        """Return the notes posted in a field; if the form does not state the previous text, they are not overtaken."""
        text, was = _with_unix_newlines(post.get(name, "")), _with_unix_newlines(post.get(WAS, stored))
        return cls(text, stored, notes_fault(text), overtaken=stored.strip() not in (was.strip(), text.strip()))

    @property
    def can_save(self) -> bool:
        """True if the notes can be saved."""
        return not (self.fault or self.overtaken)

    @property
    def error_status(self) -> int:
        """The HTTP status of the page that shows them again because they could not be saved."""
        return 409 if self.overtaken else 422


def _with_unix_newlines(text: str) -> str:
    return text.replace("\r\n", "\n")


def notes_fault(notes: str) -> str:
    """Return the reason why notes cannot be saved, "" if they can."""
    if "\0" in notes:
        return _("The text contains a NUL, which no sheet can store; remove it.")
    if len(notes) > MAX_NOTES:
        return _("Notes may have at most 4,000 characters; yours have {n}.").format(n=len(notes))
    return ""
