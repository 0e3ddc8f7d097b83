"""Rolls: dice mechanics, their exact odds and the texts about them."""

from collections.abc import Container, Iterator, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Literal

from django.utils.translation import gettext_lazy as _

from rulesets import dice
from rulesets.kit.offers import Labels, Offer, Offered
from rulesets.kit.words import Wording, decimal, percent

Extreme = Literal["critical", "fumble", ""]
"""The looks of an outcome: a critical success, a fumble, or neither."""
BLOW: tuple[Wording, Wording] = (_("hits {name}"), _("misses {name}"))
"""The deed of an attack."""
Luck = Literal["", "more", "less", "none"] | tuple[dice.Value, ...]
"""The outcomes that count as luck: more or less of a number, none, or all of them from the best to the worst.

"" stands for those that are hoped for, and more of a number.
"""
_ABOVE = _("above 0")
_ALIKE = _("{n} possible outcomes")
_MEAN = _("avg. {n}")


class Roll(Offered):
    """A mechanic: its fields are exactly the parameters that commands and API take. Sees no sheet, writes nothing."""

    outcomes: ClassVar[Labels] = {}
    """Outcomes that are words, in their order, with their labels; all others are numbers."""
    unit: ClassVar[Wording] = "{n}"
    """The words that people read for a number: "{n} damage"."""
    sides: ClassVar[int] = 6
    """Sides of its dice, for those who draw them."""
    cards_fall: ClassVar[bool] = False
    """True if it draws cards instead of throwing dice, so that no dice are shown."""
    pools_called: ClassVar[tuple[Wording, ...]] = ()
    """The names of its pools, in their order, where dice of several fall."""
    beside: ClassVar[tuple[str, Any, Wording] | None] = None
    """A second reading of the same throw: (figure of the outcome, the value that is counted, what that is called)."""

    good: ClassVar[tuple[dice.Value, ...]] = ()
    """The outcomes that count as success; if empty, all numbers from `lowest` or the first word."""
    lowest: ClassVar[int] = 1
    """The lowest number that counts as success."""
    promise: ClassVar[Wording] = ""
    """The words for those after their chance: "hits"; without it "above 0", or the label of the first."""
    luckiest: ClassVar[Luck] = ""
    """The outcomes that are luck for whoever rolls, where `good` and `outcomes` do not say it."""
    deed: ClassVar[tuple[Wording, Wording] | None] = None
    """Words of a log for whoever made it at {name}: where it came to what one rolls for, and where not."""
    onward: ClassVar[Container[dice.Value]] = ()
    """Outcomes after which the next step is what stands behind it among all that followed the same roll."""
    calls_off: ClassVar[Mapping[dice.Value, Container[str]]] = {}
    """{outcome: slugs of the rolls beside it, or from which it follows, that then come to nothing}."""

    taken_by: ClassVar[str] = ""
    """The slug of the act that takes its result; if nobody does, the sheet's next roll first takes it as it stands.

    The act follows from the roll without a key of its own. Afterwards the roll cannot be thrown anew any more.
    """
    line: ClassVar[str] = ""
    """A name that several rolls share if the next of them gives up what a success of the one before leads to."""
    given_up: ClassVar[bool] = False
    """True for a roll that is given up then."""
    anew: ClassVar[Wording] = ""
    """The words for throwing it once more where one such roll follows another, as when blows are exchanged."""

    def throw(self, tray: dice.Tray) -> dice.Outcome:
        """Throw the dice and return the outcome; this is the only place where the dice rule is written."""
        raise NotImplementedError

    def count(self) -> Mapping[Any, int | Fraction] | None:
        """Return the roll's own exact count {outcome: weight} where pools are too large to replay; else None."""
        return None

    def odds(self) -> dice.Odds:
        """Return the exact odds of every outcome."""
        return dice.Odds.counted(self.count() or dice.replayed(self.throw), tuple(self.outcomes))

    def colours(self) -> tuple[str, ...]:
        """The colour of each die as it falls ("white" or "black"), none where all are alike."""
        return ()

    def own(self, fallen: int) -> Container[int]:
        """Return the indexes of the actor's own dice among those thrown; a repeat throws only these again."""
        return range(fallen)

    def heaps(self) -> tuple[int, ...]:
        """The numbers of dice that fall of its pools, in their order; none where they all are of one."""
        return ()

    def aims(self) -> Mapping[str, str]:
        """Return {field: target} where it used another figure of the target than the field's own `Ask` states."""
        return {}

    def both(self) -> Mapping[dice.Value, Fraction]:
        """The exact chance of each outcome together with the second reading that `beside` names."""
        if self.beside is None:
            return {}
        key, counted, _title = self.beside
        weights = dice.replayed(self.throw, lambda outcome: (outcome.value, outcome.figures[key] == counted))
        whole = sum(weights.values())
        return {value: Fraction(weight, whole) for (value, holds), weight in weights.items() if holds}

    def label(self, value: dice.Value) -> str:
        """Return the label of an outcome."""
        return str(self.outcomes[value]) if value in self.outcomes else str(self.unit.format(n=value))

    def brings(self, value: dice.Value) -> str:
        """Return what an outcome means if its label is a mere figure, to be told large and in the chart; else ""."""
        return ""

    def headline(self, outcome: dice.Outcome) -> str:
        """Return the large text where the roll fell: by default what the outcome brings, else its label."""
        return self.brings(outcome.value) or self.label(outcome.value)

    def tell(self, outcome: dice.Outcome) -> str:
        """Return the outcome in one short sentence."""
        return self.label(outcome.value)

    def gist(self, odds: dice.Odds) -> str:
        """Return the roll's promise in a few words, read from its odds: the chance of what one hopes for, the mean."""
        if odds.numbers and not self.good:
            mean = Fraction(sum(value * weight for value, weight in odds.numbers.items()), odds.whole)
            average = _MEAN.format(n=decimal(mean, 1))
            if len(odds.numbers) == len(odds.weights) and 0 not in odds.numbers:
                return average
            return f"{percent(odds.at_least(self.lowest), 0)} {self.promise or _ABOVE}, {average}"
        if not (good := self.hoped(odds)):
            return str(_ALIKE.format(n=len(odds.weights)))
        chance = Fraction(sum(odds.weights.get(value, 0) for value in good), odds.whole)
        return f"{percent(chance, 0)} {self.promise or self.label(good[0])}"

    def hoped(self, odds: dice.Odds) -> tuple[dice.Value, ...]:
        """The outcomes that one hopes for; none where more is better, or all are alike."""
        if self.good:
            return tuple(self.good)
        alike = not self.promise and len(odds.weights) > 2 and len({*odds.weights.values()}) == 1
        return () if odds.numbers or alike else tuple(self.outcomes)[:1]

    def what_is_luck(self) -> Luck:
        """Return what is luck with these parameters."""
        return self.luckiest

    def ranks(self, odds: dice.Odds) -> Mapping[dice.Value, int]:
        """Return a rank for each outcome, the luckiest with the highest; all have the same where luck says nothing."""
        luck, numbers = self.what_is_luck(), sorted(odds.numbers)
        if luck == "none":
            return dict.fromkeys(odds.weights, 0)
        if isinstance(luck, tuple):
            return {value: -luck.index(value) for value in odds.weights}
        if not luck and (self.good or not numbers):
            return self._ranks_of_hoped(odds)
        # A word beside numbers is a failure.
        ranks: dict[dice.Value, int] = {
            value: rank for rank, value in enumerate(numbers[::-1] if luck == "less" else numbers)}
        return {value: ranks.get(value, -1) for value in odds.weights}

    def _ranks_of_hoped(self, odds: dice.Odds) -> Mapping[dice.Value, int]:
        """Return the ranks by what is hoped for: in the order of all outcomes if those begin or end with it."""
        hoped, words = self.hoped(odds), [*self.outcomes]
        for best_first in (words, words[::-1]):
            if self.good and {*best_first[:len(hoped)]} == {*hoped}:
                return {value: -best_first.index(value) for value in odds.weights}
        return {value: int(value in hoped) for value in odds.weights}

    def meets(self, value: dice.Value, odds: dice.Odds) -> bool:
        """Return whether an outcome is among those hoped for."""
        return value in self.hoped(odds) or (value in odds.numbers and isinstance(value, int) and value >= self.lowest)

    @classmethod
    def done_to(cls, name: str, value: Any) -> str:
        """Return its deed with this outcome, done to somebody of this name; "" where the title says that."""
        if cls.deed is None:
            return ""
        came_off = value in cls.good or (isinstance(value, int) and value >= cls.lowest)
        return str(cls.deed[0 if came_off else 1].format(name=name))

    def pool(self) -> int | None:
        """Return how many dice are thrown, for the small die at the head of the row; None where that says nothing."""
        thrown: int | None = getattr(self, "dice", None)
        return thrown

    def head(self) -> int | None:
        """Return the number on that die: how many dice if six-sided or several, else how many sides the one has."""
        pool = self.pool()
        return pool if self.sides == 6 or (pool or 1) > 1 else self.sides

    def extreme(self, outcome: dice.Outcome) -> Extreme:
        """Return whether an outcome looks like a critical success or a fumble; most systems know neither."""
        return ""

    def afterwards(self, outcome: dice.Outcome) -> Wording:
        """Return what comes next if this outcome leads to nothing that one presses; mostly there is nothing to say."""
        return ""

    def follow(self, outcome: dice.Outcome) -> Iterator[Offer]:
        """The rolls that this outcome leads on to."""
        return iter(())
