"""A GM's own phrases: what one often says to players, to be put where one writes."""

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from rulesets.names import one_line
from sheets.models import Phrases
from sheets.reviews.services import Blocked

MOST, LONGEST = 20, 200
"""Phrases that somebody may keep, and the characters of each."""


def phrases_of(user: User) -> list[str]:
    """Return the phrases of a user in their order."""
    kept = getattr(user, "phrases", None)
    return [str(one) for one in kept.lines] if kept else []


def keep_phrases(user: User, text: str) -> None:
    """Keep the lines of a text as the phrases of a user, each once (`Blocked` for too many, or too long ones)."""
    lines = list(dict.fromkeys(filter(None, map(one_line, text.splitlines()))))
    if len(lines) > MOST or any(len(line) > LONGEST for line in lines):
        raise Blocked(_("At most {n} phrases of {most} characters each are kept here.").format(n=MOST, most=LONGEST))
    Phrases.objects.update_or_create(user=user, defaults={"lines": lines})
