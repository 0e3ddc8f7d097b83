"""Automatic counter-attacks after a melee fumble or a missed Volle Kraft, or a movement instead (DS-22, DS-05a)."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from django.utils.translation import gettext_lazy as _

from rulesets.daemmersturm import headings
from rulesets.daemmersturm.play.state import PendingCounterAttack
from rulesets.dice import Outcome
from rulesets.kit import Act, Name, Offer, Play, Refused, SheetKey, Thrown, field, with_row

if TYPE_CHECKING:
    from rulesets.daemmersturm.play.state import DaemmersturmPlay
    from rulesets.daemmersturm.sheet import Daemmersturm

Step = Literal["made", "over", "move"]
ANSWERS = {"strike": _("Strike back (hits automatically)"), "move": _("Move away, safe from Überrennen and "
                                                                      "Reflexschlag")}
STEPS = {"made": _("Counter-attack made"), "over": _("Counter-attack over"), "move": _("Moves away instead")}
MOVED = _("Moves away, safe from Überrennen and Reflexschlag")
WHO, KEY = _("Who fumbled"), _("Sheet of the one who fumbled")


def one_per_attacker(counters: Iterable[PendingCounterAttack]) -> list[PendingCounterAttack]:
    """Return one counter-attack for each attacker that fumbled: the first that is due, else the one already made."""
    found: dict[str, PendingCounterAttack] = {}
    for one in sorted(counters, key=lambda one: one.made):
        found.setdefault(one.source, one)
    return [*found.values()]


class AnswerFumble(Act):
    """DS-22: respond to an attacker's melee fumble."""

    answer: Literal["strike", "move"] = field(_("What do you do?"), "strike", choices=ANSWERS)
    by: Name = field(WHO, "")
    source: SheetKey = field(KEY, "")
    title, group, names_source = _("Respond to a fumble"), headings.ATTACK, True
    rules: ClassVar[tuple[str, ...]] = ("DS-22",)

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it while the character can respond; at a party's table, the fumble itself brings it."""
        if not (play.down or play.faint):
            yield cls.offer(_("Respond to a melee fumble"), rare=True, by="", source="")

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Add a counter-attack that is due; moving away drops a due one instead, unless `source` names the attacker."""
        if play.down or play.faint:
            raise Refused(_("Nobody out of the fight or unconscious can strike back."))
        if self.answer == "move":
            due = [] if self.source else [one for one in one_per_attacker(play.counters) if not one.made]
            return play.evolve(counters=_without(play.counters, due[0])) if due else play
        return play.evolve(counters=with_row(play.counters, self.counter()))

    def counter(self) -> PendingCounterAttack:
        """Return the counter-attack that is due."""
        return PendingCounterAttack(by=self.by, source=self.source)

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Say whether the character may strike back or moves away."""
        return str(MOVED if self.answer == "move" else _("May strike back, or move away freely"))


class AnswerMiss(AnswerFumble):
    """DS-05a: respond to an attacker's miss with Volle Kraft; nobody moves away after that."""

    answer: Literal["strike"] = field(_("What do you do?"), "strike", choices={"strike": ANSWERS["strike"]})
    title, rules = _("Respond to a miss"), ("DS-05a", "DS-22")

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer nothing: the miss brings it, and outside a party `AnswerFumble` does the same."""
        return iter(())

    def counter(self) -> PendingCounterAttack:
        """Return a counter-attack without the choice to move away."""
        return PendingCounterAttack(by=self.by, source=self.source, moves=False)

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Say that the character may strike back."""
        return str(_("May strike back"))


class EndCounter(Act):
    """DS-22: note that a counter-attack is made, that its damage is rolled, or that the character moves instead."""

    step: Step = field(_("What happens?"), "move", choices=STEPS)
    by: Name = field(WHO, "")
    source: SheetKey = field(KEY, "")
    title, rules, group = _("Counter-attack"), ("DS-22",), headings.ATTACK

    @classmethod
    def offered(cls, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> Iterator[Offer]:
        """Offer it for each attacker that fumbled, while a counter-attack is due or its damage has not been rolled."""
        for one in one_per_attacker(() if play.faint else play.counters):
            known: dict[str, Any] = {"by": one.by, "source": one.source}
            if one.made:
                yield cls.offer(STEPS["over"], one.source, one.by, rare=True, step="over", **known)
            elif one.moves:
                title = _("Move away from {name} instead").format(name=one.by) if one.by else _("Move away instead")
                yield cls.offer(title, one.source, _("Safe from Überrennen and Reflexschlag"), step="move", **known)

    @classmethod
    def offers_after(cls, step: Step, one: PendingCounterAttack) -> Callable[[Any, Thrown], Iterator[Offer]]:
        """Return the function that yields this act, done automatically after a counter-attack or its damage roll."""
        def lead(_roll: Any, _outcome: Outcome | None) -> Iterator[Offer]:
            yield cls.offer(STEPS[step], automatic="always", step=step, by=one.by, source=one.source)
        return lead

    def apply(self, sheet: "Daemmersturm", play: "DaemmersturmPlay", outcome: Thrown = None) -> Play:
        """Mark the counter-attack as made, or remove it if it is given up or its damage is rolled."""
        same = [one for one in play.counters if one.source == self.source and one.made == (self.step == "over")]
        if not same:
            return play
        if self.step != "made":
            return play.evolve(counters=_without(play.counters, same[0]))
        # If two were made, only the damage of the later one is still to be rolled.
        rest = [one for one in _without(play.counters, same[0]) if one.source != self.source or not one.made]
        return play.evolve(counters=[*rest, same[0].model_copy(update={"made": True})])

    def tell(self, sheet: "Daemmersturm", play: "DaemmersturmPlay") -> str:
        """Return the movement in words, "" for the other steps."""
        return str(MOVED) if self.step == "move" else ""


def _without(counters: list[PendingCounterAttack], gone: PendingCounterAttack) -> list[PendingCounterAttack]:
    """Return the list without one counter-attack; equal ones are interchangeable."""
    place = counters.index(gone)
    return counters[:place] + counters[place + 1:]
