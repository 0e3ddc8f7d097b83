"""The target of a melee fumble decides: a counter-attack that hits by itself, or a free movement (DS-22)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import headings
from rulesets.dice import Outcome
from rulesets.kit import HIGHEST, Act, Offer, Play, Refused, Thrown, field

if TYPE_CHECKING:
    from rulesets.daemmersturm.play.state import DaemmersturmPlay
    from rulesets.daemmersturm.sheet import Daemmersturm

ANSWERS = {"strike": _("Strike back; that hits by itself"), "move": _("Move off, free of Überrennen and Reflexschlag")}
STEPS = {"made": _("Counter-attack made"), "over": _("Counter-attack over"), "move": _("Moves off instead")}
MOVED = _("It moves off, free of Überrennen and Reflexschlag")


class AnswerFumble(Act):
    """DS-22: somebody fumbled in melee against this one."""

    answer: Literal["strike", "move"] = field(_("What is done?"), "strike", choices=ANSWERS)
    title, rules, group = _("Answer a fumble"), ("DS-22",), headings.ATTACK

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it while the character is in the fight; at a table it comes by itself."""
        if not play.down:
            yield cls.asking(_("Answer a melee fumble"), rare=True)

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """A counter-attack is due, or nothing more."""
        if play.down:
            raise Refused(_("Who is out of the fight does not strike back."))
        return play.now(counters=min(HIGHEST, play.counters + 1)) if self.answer == "strike" else play

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Say which of the two it is."""
        return str(MOVED if self.answer == "move" else _("It may strike back, or move off freely"))


class EndCounter(Act):
    """DS-22: a counter-attack is made, its damage is rolled, or it is given up for the movement."""

    step: Literal["made", "over", "move"] = field(_("What happens?"), "move", choices=STEPS)
    title, rules, group = _("Counter-attack"), ("DS-22",), headings.ATTACK

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it while one is due, or its damage still open."""
        if play.counters:
            yield cls.asking(_("Move off instead"), note=_("Free of Überrennen and Reflexschlag"), step="move")
        elif play.struck:
            yield cls.asking(STEPS["over"], rare=True, step="over")

    @classmethod
    def made(cls, _roll: Any, _outcome: Thrown) -> Iterator[Offer]:
        """Yield what the counter-attack does by itself; that of its damage may follow still."""
        yield cls.asking(STEPS["made"], itself="always", step="made")

    @classmethod
    def over(cls, _roll: Any, _outcome: Outcome) -> Iterator[Offer]:
        """Yield what its damage does by itself."""
        yield cls.asking(STEPS["over"], itself="always", step="over")

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """One less is due; its damage follows, or nothing."""
        due = play.counters if self.step == "over" else max(0, play.counters - 1)
        return play.now(counters=due, struck=self.step == "made")

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Return the movement."""
        return str(MOVED) if self.step == "move" else ""
