"""Acts that note and remove conditions, and that bring a character back into action (SZ-07, SZ-09c, SZ-37)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.augen_des_zwielichts import headings
from rulesets.kit import Act, Count, Name, Offer, Play, Refused, Thrown, field, row, without_row

if TYPE_CHECKING:
    from rulesets.augen_des_zwielichts.play.state import AugenDesZwielichtsPlay
    from rulesets.augen_des_zwielichts.sheet import AugenDesZwielichts


def _conditions_left(play: "AugenDesZwielichtsPlay") -> str:
    return _("Conditions now: {n}").format(n=1 + len(play.conditions) + play.conditions_due)


class NoteCondition(Act):
    """SZ-07: give a condition its word, and the next free place."""

    word: Name = field(_("Which condition?"))
    title, rules, group = _("Note a condition"), ("SZ-07", "SZ-13", "SZ-25", "SZ-32"), headings.CONDITIONS

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it while a place is free or a condition is due."""
        if play.free and (play.conditions_due or not play.full):
            yield cls.offer()

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Add the condition; if one was due, this is its word."""
        if play.full and not play.conditions_due:
            raise Refused(_("All six places are taken; a dark section is due."))
        if not self.word.strip():
            raise Refused(_("A condition needs a word."))
        return play.with_word_for_condition(self.word) if play.conditions_due else play.with_condition(self.word)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the word and its place."""
        return _("Condition {n}: {word}").format(n=1 + len(play.conditions), word=self.word)


class EndCondition(Act):
    """SZ-07: remove a condition for a reason in the story."""

    index: Count = field(_("Condition"))
    title, rules, group = _("Remove a condition"), ("SZ-07",), headings.CONDITIONS

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it for each condition but the demon."""
        yield from (cls.offer(_("Remove “{word}”").format(word=one.word), f"conditions.{index}", index=index)
                    for index, one in enumerate(play.conditions if play.free else ()))

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Remove the condition."""
        return play.evolve(conditions=without_row(play.conditions, self.index), brought_back=False)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the number of conditions left, including the demon."""
        return _conditions_left(play)


class AskQuestion(Act):
    """SZ-09c: remove one condition by answering the adventure question, once an adventure."""

    index: Count = field(_("Condition"))
    title, rules, group = _("Answer the adventure question"), ("SZ-09c",), headings.CONDITIONS

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it once, for each condition but the demon."""
        if play.free and not play.question:
            for index, one in enumerate(play.conditions):
                title = _("Adventure question: remove “{word}”").format(word=one.word)
                yield cls.offer(title, f"conditions.{index}", index=index)

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Remove the condition without a roll."""
        if play.question:
            raise Refused(_("The adventure question has already been answered in this adventure."))
        row(play.conditions, self.index)
        return play.evolve(conditions=without_row(play.conditions, self.index), question=True, brought_back=False)

    def tell(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> str:
        """Return the number of conditions left, including the demon."""
        return _conditions_left(play)


class BringBack(Act):
    """SZ-37: bring a character back into action after another character's successful “Take a risk”."""

    title, rules, group = _("Brought back by someone else"), ("SZ-37",), headings.CONDITIONS

    @classmethod
    def offered(cls, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay") -> Iterator[Offer]:
        """Offer it while the character is out of action."""
        if play.free and play.out_of_action:
            yield cls.offer(note=_("After a successful “Take a risk” by somebody who is not out of action."))

    def apply(self, sheet: "AugenDesZwielichts", play: "AugenDesZwielichtsPlay", outcome: Thrown = None) -> Play:
        """Bring the character back into action; its conditions stay."""
        return play.evolve(brought_back=True)
