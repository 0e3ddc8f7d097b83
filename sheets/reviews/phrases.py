"""A GM's phrases: texts that they often send to players, to be inserted into a comment."""

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from rulesets.names import one_line
from sheets.models import Phrases
from sheets.reviews.services import Blocked

MAX_PHRASES, MAX_LENGTH = 20, 200
"""The most phrases of a user, and the most characters of each."""


def phrases_of(user: User) -> list[str]:
    """Return the phrases of a user in their order."""
    phrases = getattr(user, "phrases", None)
    return [str(line) for line in phrases.lines] if phrases else []


def save_phrases(user: User, text: str) -> None:
    """Save the distinct lines of a text as a user's phrases; raise `Blocked` if they are too many or too long."""
    lines = list(dict.fromkeys(filter(None, map(one_line, text.splitlines()))))
    if len(lines) > MAX_PHRASES or any(len(line) > MAX_LENGTH for line in lines):
        raise Blocked(_("You can save at most {n} phrases of {most} characters each.").format(
            n=MAX_PHRASES, most=MAX_LENGTH))
    Phrases.objects.update_or_create(user=user, defaults={"lines": lines})
