"""Cover and its roll (DS-43, DS-44)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import headings, rolls
from rulesets.kit import Act, Count, Offer, Play, Refused, Roll, Thrown, field

if TYPE_CHECKING:
    from rulesets.daemmersturm.play.state import DaemmersturmPlay
    from rulesets.daemmersturm.sheet import Daemmersturm


class TakeCover(Act):
    """DS-43: take cover, with the number that the GM sets."""

    number: Count = field(_("Cover number"), 10, help=_("Set by the GM; it counts as long as you stay in "
                                                               "cover."))
    title, rules, group = _("Take cover"), ("DS-43",), headings.DEFENCE

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it while the character is in the fight and not in cover."""
        if not play.down and not play.cover:
            yield cls.offer()

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Store the cover, which lasts until it is left."""
        if not self.number:
            raise Refused(_("Cover that is any use has a number of at least 1."))
        return play.evolve(cover=self.number)

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Return the number."""
        return _("In cover, {n}+").format(n=self.number)


class LeaveCover(Act):
    """DS-43: leave the cover."""

    title, rules, group = _("Leave cover"), ("DS-43",), headings.DEFENCE

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it while the character is in cover."""
        if play.cover:
            yield cls.offer()

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Remove the cover."""
        return play.evolve(cover=0)


class ProtectionRoll(Act):
    """DS-43, DS-44: the cover roll of a character in cover or seeking protection."""

    title, rules, group = _("Cover roll"), ("DS-44", "DS-43"), headings.DEFENCE

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it while the character has cover or seeks protection."""
        if play.cover_roll:
            yield cls.offer(_("Cover roll {n}+").format(n=play.cover_roll))

    def roll(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Roll:
        """Return a roll of a twenty-sided die against the cover's number."""
        if not play.cover_roll:
            raise Refused(_("There is no cover to roll for."))
        return rolls.Cover(target=play.cover_roll)

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Return the state unchanged."""
        return play
