"""Notes of people, as far as they can be kept."""

from django.utils.translation import gettext as _

NOTES = 4000
"""Characters of a note."""


def notes_fault(notes: str) -> str:
    """Why notes cannot be kept, "" if they can."""
    if "\0" in notes:
        return _("The text holds a NUL, which no sheet can keep; remove it.")
    if len(notes) > NOTES:
        return _("Notes have at most 4,000 characters; yours have {n}.").format(n=len(notes))
    return ""

