"""Rolls of body and senses: exhaustion, climbing, perception, stealth (DS-50 to DS-53)."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import prod

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from rulesets.daemmersturm import headings
from rulesets.daemmersturm.texts import Bonus, Repeats
from rulesets.dice import Outcome, Tray
from rulesets.kit import Extreme, Roll, field, numeral

PARTS = (7, 10, 15)
"""The totals that the rolls of the three climbing stages must reach (DS-51)."""
MODIFIERS = {
    _("Uses clues"): 3,
    _("Uses very helpful clues"): 5,
    _("Poor camouflage or good visibility"): 3,
    _("Good camouflage or poor visibility"): -3,
    _("Superb camouflage or very poor visibility"): -5,
    _("Next to no visibility"): -8,
}
"""The source's list for perception and stealth (DS-52); a GM may add to it."""


class Exhaustion(Roll):
    """DS-50: whether the character stays on its feet."""

    title, rules, sides = _("Exhaustion roll"), ("DS-50",), 10
    group = headings.AFTER
    outcomes, good = {"down": _("goes down"), "stands": _("fights on")}, ("stands",)
    chance_label = pgettext_lazy("daemmersturm chance", "still up")

    def throw(self, tray: Tray) -> Outcome:
        """Throw a ten-sided die; 1 to 5 means down."""
        return Outcome("down" if tray.die(10) <= 5 else "stands")


class Climbing(Roll):
    """DS-51: rolls for up to three stages; help gives rerolls, hindrances make rolls fail automatically."""

    rope: bool = field(_("Fixed rope"), default=False)
    gear: bool = field(_("Climbing gear"), default=False)
    weapon: bool = field(_("Weapon stuck in the creature"), default=False)
    weather: bool = field(_("Foul weather"), default=False)
    deadly: bool = field(_("Deadly surroundings"), default=False)
    shaking: bool = field(_("The creature shakes"), default=False)
    modifier: Bonus = field(_("Modifier to each stage roll"), 0,
                            help=_("What the GM adds to or subtracts from the roll."))
    repeats: Repeats = field(_("More rerolls"), 0, help=_("Anything else that helps, if the GM says so."))
    title, rules, sides = _("Climbing"), ("DS-51",), 20
    group = headings.SENSES
    outcomes = {"up": _("makes it up"), "falls": _("falls")}
    chance_label = pgettext_lazy("daemmersturm chance", "success")

    def throw(self, tray: Tray) -> Outcome:
        """Throw for one stage after the other, until one succeeds."""
        throws = throws_per_stage(self.rope, self.gear + self.weapon + self.repeats, self.automatic_failures(),
                                  self.modifier)
        for part, (least, times) in enumerate(zip(PARTS, throws, strict=True), 1):
            for _try in range(times):
                if tray.total(1, [int(face + self.modifier >= least) for face in range(1, 21)]):
                    return Outcome("up", part=part)
        return Outcome("falls", part=0)

    def automatic_failures(self) -> tuple[int, int, int]:
        """Return how many rolls of each stage fail automatically."""
        first = self.weather + self.shaking
        second = int(self.shaking)
        if self.deadly:
            first, second = (first, second + 1) if first else (1, second)
        return first, second, 0

    def tell(self, outcome: Outcome) -> str:
        """Return the stage that succeeded, or that the character falls."""
        if part := outcome.figures["part"]:
            return _("Stage {n} ({least}+): makes it up").format(n=part, least=PARTS[part - 1])
        return self.label("falls")


@lru_cache(1024)
def throws_per_stage(rope: bool, free: int, failing: tuple[int, int, int],  # noqa: FBT001 - as in DS-51
                     modifier: int = 0) -> tuple[int, ...]:
    """Return how often each stage is thrown, with the free rerolls where they raise the chance most (DS-51)."""
    found = (tuple(max(0, 1 + again - lost) for again, lost in zip(repeats, failing, strict=True))
             for repeats in _placed((int(rope), 0, 0), free, failing))
    missed = [Fraction(min(20, max(0, least - 1 - modifier)), 20) for least in PARTS]
    return min(found, key=lambda times: prod(miss ** n for miss, n in zip(missed, times, strict=True)))


def _placed(repeats: tuple[int, ...], free: int, failing: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield every way to place the free rerolls: on a stage without one, or with more failures than rerolls."""
    yield repeats
    if free:
        for part, (again, lost) in enumerate(zip(repeats, failing, strict=True)):
            if not again or lost > again:
                placed = (*repeats[:part], again + 1, *repeats[part + 1:])
                yield from _placed(placed, free - 1, failing)


def thresholds_reached(total: int) -> int:
    """Return how many of the perception thresholds a total reaches: weak, success, critical (DS-52)."""
    return sum(total >= least for least in (12, 15, 18))


class _Sensing(Roll):
    """A d20 plus either the ranged or the magic bonus."""

    bonus: Bonus = field(_("Ranged or magic bonus"))
    modifier: Bonus = field(_("Modifier"), 0, addends=MODIFIERS)
    sides = 20

    def total(self, tray: Tray) -> int:
        """Return the total of the die, the bonus and the modifier."""
        return tray.die(20) + self.bonus + self.modifier

    def tell(self, outcome: Outcome) -> str:
        """Return the total, then what it means."""
        return f"{numeral(outcome.figures['total'])}: {self.label(outcome.value)}"


class Perception(_Sensing):
    """DS-52: the roll of a character that searches."""

    title, rules = _("Perception"), ("DS-52",)
    group = headings.SENSES
    outcomes = {"nothing": _("nothing is found"), "weak": _("weak success"), "success": _("success"),
                "critical": _("critical success")}
    good, chance_label = ("weak", "success", "critical"), _("something found")

    def throw(self, tray: Tray) -> Outcome:
        """Return the threshold that the total reaches: 12, 15 or 18."""
        total = self.total(tray)
        return Outcome(list(self.outcomes)[thresholds_reached(total)], total=total)

    def extreme(self, outcome: Outcome) -> Extreme:
        """DS-52: mark a total of 18 or more as critical."""
        return headings.EXTREMES.get(outcome.value, "")


class Stealth(_Sensing):
    """DS-53: the roll of a character that hides, for which a low total is good."""

    bonus: Bonus = field(_("The searcher's ranged or magic bonus"), target_figure="senses", start=0)
    title, rules = _("Stealth"), ("DS-53", "DS-52")
    group = headings.SENSES
    outcomes = {"hidden": _("stays hidden"), "guessed": _("stays hidden, but something is noticed"),
                "seen": _("is seen"), "exposed": _("is seen in every detail")}
    good, chance_label = ("hidden", "guessed"), pgettext_lazy("daemmersturm chance", "hidden")

    def throw(self, tray: Tray) -> Outcome:
        """Return the result: hidden below 15; the thresholds are those of perception, 12, 15 and 18 (DS-52)."""
        total = self.total(tray)
        return Outcome(list(self.outcomes)[thresholds_reached(total)], total=total)
