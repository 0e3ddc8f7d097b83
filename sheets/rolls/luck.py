"""The luck in rolls: how their outcomes compare with their odds, with the best and the worst of the rolls."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rulesets.cached import cached_by_size
from rulesets.kit import Roll, Ruleset
from rulesets.luck import Chance, RollLuck, percentile
from rulesets.work import WORK, TooMuch, compute_limit
from sheets.models import Event
from sheets.rolls.odds_chart import frequency, odds_of
from sheets.rolls.stored import roll_of_event

MAX_ROLLS_COUNTED = 1000
"""The most rolls that count; newer ones come first."""
MIN_ROLLS_FOR_CHART = 3
"""The fewest rolls for which a chart is drawn."""
WIDTH, HEIGHT, MARGIN = 320, 96, 6
"""The size of the chart of a course, and the room for the dot at its end."""
MAX_POINTS = 120
"""The most points of a line in it."""


@dataclass(frozen=True)
class CountedRoll:
    """A roll that counts as luck, with its event as the reader sees it."""

    roll: Roll
    event: Event
    luck: RollLuck
    chance: Chance
    roller: str = ""

    @property
    def text(self) -> str:
        """The label of its outcome."""
        return self.roll.label(self.event.fell.value)

    @property
    def as_good_text(self) -> str:
        """The chance of an outcome at least as good, as text."""
        return _("as good or better {often}").format(often=frequency(self.chance.as_good))

    @property
    def as_bad_text(self) -> str:
        """The chance of an outcome at least as bad, as text."""
        return _("as bad or worse {often}").format(often=frequency(self.chance.as_bad))


@dataclass(frozen=True)
class Course:
    """The chart of luck from roll to roll, above and below the mean of the odds, as points of lines.

    Two in three courses end within the `near` band, nearly all within the `far` one: one and two standard deviations.
    """

    line: str
    near: str
    far: str
    end: tuple[str, str]
    text: str
    """The course in words."""


@dataclass(frozen=True)
class Luck:
    """The luck in some rolls, oldest first; `uncounted` is how many others do not count."""

    rolls: Sequence[CountedRoll]
    uncounted: int = 0

    @cached_property
    def percentile(self) -> float:
        """The chance of less luck with the same rolls, and half the chance of as much."""
        return percentile((one.luck.scores for one in self.rolls), sum(one.chance.score for one in self.rolls))

    @property
    def text(self) -> str:
        """The luck in a sentence."""
        if not self.rolls:
            return _("No roll counts yet.")
        n = round(100 * self.percentile)
        if n == 50:
            return _("About as much luck as the odds promise.")
        more = n > 50
        if (others := n if more else 100 - n) == 100:
            return _("Luckier than over 99 out of 100 people making the same rolls.") if more else _(
                "Unluckier than over 99 out of 100 people making the same rolls.")
        text = _("Luckier than {n} out of 100 people making the same rolls.") if more else _(
            "Unluckier than {n} out of 100 people making the same rolls.")
        return text.format(n=others)

    @property
    def count_text(self) -> str:
        """The number of rolls that count, and the number of others, as text."""
        n = len(self.rolls)
        text = ngettext("{n} roll counts.", "{n} rolls count.", n).format(n=n)
        more = ngettext("{n} does not: none of its outcomes is better than another, or you do not see all of it.",
                        "{n} do not: none of their outcomes is better than another, or you do not see all of them.",
                        self.uncounted).format(n=self.uncounted) if self.uncounted else ""
        return f"{text} {more}".strip()

    @property
    def best(self) -> CountedRoll | None:
        """The roll with the rarest good outcome, the newest of several; None if none is better than most."""
        found = min(reversed(self.rolls), key=lambda one: one.chance.as_good, default=None)
        return found if found and 2 * found.chance.as_good < 1 else None

    @property
    def worst(self) -> CountedRoll | None:
        """The roll with the rarest bad outcome, the newest of several; None if none is worse than most."""
        found = min(reversed(self.rolls), key=lambda one: one.chance.as_bad, default=None)
        return found if found and 2 * found.chance.as_bad < 1 else None

    @cached_property
    def course(self) -> Course | None:
        """The course of the rolls; None if there are too few."""
        if len(self.rolls) < MIN_ROLLS_FOR_CHART:
            return None
        so_far = [0.0, *accumulate(float(one.chance.score - one.luck.mean) for one in self.rolls)]
        variances = accumulate((float(one.luck.variance) for one in self.rolls), initial=0.0)
        spread = [variance ** 0.5 for variance in variances]
        highest, roll_count = max(2 * spread[-1], *map(abs, so_far)), len(self.rolls)
        numbers = sorted({round(roll_count * part / MAX_POINTS) for part in range(MAX_POINTS + 1)})

        def point(number: int, value: float) -> tuple[str, str]:
            return (f"{(WIDTH - MARGIN) * number / roll_count:.1f}",
                    f"{HEIGHT / 2 - (HEIGHT / 2 - MARGIN) * value / highest:.1f}")

        def line(values: Iterable[tuple[int, float]]) -> str:
            return " ".join(",".join(point(*one)) for one in values)

        def band(times: int) -> str:
            return line([*((number, times * spread[number]) for number in numbers),
                         *((number, -times * spread[number]) for number in reversed(numbers))])

        text = _("Luck over {n} rolls: highest after roll {high}, lowest after roll {low}").format(
            n=roll_count, high=so_far.index(max(so_far)), low=so_far.index(min(so_far)))
        return Course(line((number, so_far[number]) for number in numbers), band(1), band(2),
                      point(roll_count, so_far[-1]), text)


def luck_of_events(ruleset: Ruleset, events: Iterable[tuple[Event, str]], uncounted: int = 0) -> Luck:
    """Return the luck in rolls that may count, (event as its reader sees it, who rolled), newest first.

    A roll does not count if its parameters or its dice are secret to the reader, the system no longer has it, its
    outcomes do not differ in luck, or there are too many of them.
    """
    found = []
    with compute_limit(WORK):
        for event, roller in events:
            roll, value = None if event.veiled else roll_of_event(ruleset, event), event.fell.value
            luck = _roll_luck(roll) if roll else None
            if roll and luck and value in luck.outcomes:
                found.append(CountedRoll(roll, event, luck, luck.outcomes[value], roller))
            else:
                uncounted += 1
    return Luck(found[::-1], uncounted)


def _roll_luck(roll: Roll) -> RollLuck | None:
    try:
        return _cached_roll_luck(type(roll), roll.model_dump_json())
    except TooMuch:
        return None


@cached_by_size
def _cached_roll_luck(cls: type[Roll], parameters: str) -> RollLuck | None:
    roll = cls.model_validate_json(parameters)
    odds = odds_of(roll)
    return RollLuck.of(odds, roll.ranks(odds))
