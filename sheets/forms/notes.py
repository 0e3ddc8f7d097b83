"""Notes that people write: checked, and kept only if nobody has changed them elsewhere in the meantime."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

NOTES = 4000
"""Characters of a note."""
WAS = "_was"
"""The field that holds the text that was there when the page was drawn or last saved."""


@dataclass(frozen=True)
class SentNotes:
    """Notes as they were sent, what is `stored` of them now, and why they cannot be kept, "" if they can."""

    text: str
    stored: str
    fault: str = ""
    overtaken: bool = False
    """True if they were changed elsewhere since, so that there are two texts to choose from."""

    @classmethod
    def of(cls, post: Mapping[str, str], name: str, stored: str) -> "SentNotes":
        """Return the notes sent in a field; without a word of what stood there they replace what does."""
        text, was = _lines(post.get(name, "")), _lines(post.get(WAS, stored))
        return cls(text, stored, notes_fault(text), overtaken=stored.strip() not in (was.strip(), text.strip()))

    @property
    def saved(self) -> bool:
        """True if the notes can be kept."""
        return not (self.fault or self.overtaken)

    @property
    def status(self) -> int:
        """The status of the page that shows them to browsers without scripts."""
        return 409 if self.overtaken else 422


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n")


def notes_fault(notes: str) -> str:
    """Return the reason why notes cannot be kept, "" if they can."""
    if "\0" in notes:
        return _("The text holds a NUL, which no sheet can keep; remove it.")
    if len(notes) > NOTES:
        return _("Notes have at most 4,000 characters; yours have {n}.").format(n=len(notes))
    return ""
