"""The errors and ambiguities found while a profile is read, with their places (DS-07)."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm.line.cleaning import Post
from rulesets.kit import HIGHEST, Ambiguity, Reading, Wording, short

OFFENCES = 500
"""A text with more offences than this is not taken for a post of profiles; the rest of it is left unread."""


class Notes:
    """Collects offences and ambiguities, with their places in the post."""

    def __init__(self, post: Post) -> None:
        self.post = post
        self.offences: list[tuple[str, str]] = []
        self.ambiguities: list[Ambiguity] = []
        self.places: dict[str, str] = {}

    def place(self, path: str, at: int) -> None:
        """Store the place in the post of the value at a path in the data."""
        self.places[path] = self.post.place(at)

    def add_offence(self, at: int, message: Wording, **figures: Any) -> None:
        """Note an offence at its place, unless there are far too many."""
        if len(self.offences) <= OFFENCES:
            self.offences.append((self.post.place(at), str(message.format(**figures))))

    def add_ambiguity(self, start: int, end: int, readings: Iterable[tuple[Any, str]], question: Wording = "",
                      **figures: Any) -> None:
        """Note that a part of the text can be read in several ways, each a (label, what to write instead)."""
        first, last = self.post.span(start, end)
        found = tuple(Reading(str(label), first, last, words) for label, words in readings)
        question = question or _("“{piece}” can be read in several ways.")
        said = question.format(piece=short(self.post.text[start:end].strip(), 60), **figures)
        if len(self.ambiguities) <= OFFENCES:
            self.ambiguities.append(Ambiguity(self.post.place(start), str(said), found))

    def number(self, at: int, text: str, message: Wording) -> int | None:
        """Return the whole number in a text; None, with an offence, if it is not one or too large for a sheet."""
        at += len(text) - len(text.lstrip())
        number = text.strip()
        if number.isascii() and number.isdigit():
            if len(number) <= 3:
                return int(number)
            message = _("{value} is too large; the maximum is {most}.")
        self.add_offence(at, message, value=number[:40], most=HIGHEST)
        return None
