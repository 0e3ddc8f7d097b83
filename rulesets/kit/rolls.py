"""Rolls: dice mechanics, their exact odds and the texts about them."""

from collections.abc import Container, Iterator, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Literal

from django.utils.translation import gettext_lazy as _

from rulesets import dice
from rulesets.kit.former_names import accept_former_names, rename_former
from rulesets.kit.offers import Labels, Offer, Offered
from rulesets.kit.words import Wording, decimal, percent

Extreme = Literal["critical", "fumble", ""]
"""The highlight of an outcome: a critical success, a fumble, or none."""
ATTACK_PHRASES: tuple[Wording, Wording] = (_("hits {name}"), _("misses {name}"))
"""The log phrases of an attack (see `Roll.log_phrases`)."""
Luck = Literal["", "more", "less", "none"] | tuple[dice.Value, ...]
"""The outcomes that count as lucky: "more" for high numbers, "less" for low ones, "none", or all outcomes, best first.

"" stands for the hoped-for outcomes or, if there are none, for high numbers.
"""
FORMER = {"deed": "log_phrases", "promise": "chance_label", "onward": "leads_on", "given_up": "forfeited",
          "calls_off": "cancels", "line": "chain", "anew": "repeat_label", "cards_fall": "draws_cards",
          "beside": "second_reading", "own": "own_dice", "heaps": "pool_sizes", "both": "joint_chances",
          "brings": "meaning", "hoped": "hoped_for", "meets": "is_hoped_for", "done_to": "log_phrase",
          "with_fallen": "beside_dice_only", "taken_by": "applied_by"}
"""{former name in a Roll: name}; a system may use the former ones for one more release, with a warning."""
_ABOVE = _("above 0")
_ALIKE = _("{n} possible outcomes")
_MEAN = _("avg. {n}")


class Roll(Offered):
    """A mechanic: its fields are exactly the parameters that commands and API take. It knows no sheet."""

    outcomes: ClassVar[Labels] = {}
    """Outcomes that are words, in their order, with their labels; all others are numbers."""
    unit: ClassVar[Wording] = "{n}"
    """The text that is shown for a number: "{n} damage"."""
    sides: ClassVar[int] = 6
    """The number of sides of its dice as they are drawn."""
    draws_cards: ClassVar[bool] = False
    """True if it draws cards instead of throwing dice, so that no dice are shown."""
    pools_called: ClassVar[tuple[Wording, ...]] = ()
    """The names of its pools, in order, if it throws more than one."""
    second_reading: ClassVar[tuple[str, Any, Wording] | None] = None
    """A second reading of the same throw: (key in the outcome's figures, value that is counted, its title)."""

    good: ClassVar[tuple[dice.Value, ...]] = ()
    """The outcomes that count as success; if empty, all numbers from `lowest` or the first word."""
    lowest: ClassVar[int] = 1
    """The lowest number that counts as success."""
    chance_label: ClassVar[Wording] = ""
    """The words shown after the chance of success, such as "hits"; if empty, "above 0" or the label of the first good
    outcome."""
    luckiest: ClassVar[Luck] = ""
    """The outcomes that are lucky for the roller, if they are not those of `good` and `outcomes`."""
    log_phrases: ClassVar[tuple[Wording, Wording] | None] = None
    """(phrase for a success, phrase for a failure) for the log, with {name} for the target."""
    leads_on: ClassVar[Container[dice.Value]] = ()
    """Outcomes after which the next steps include what comes after this roll in the list of all that followed the same
    one."""
    cancels: ClassVar[Mapping[dice.Value, Container[str]]] = {}
    """{outcome: slugs of the rolls that it cancels, among its siblings and the rolls from which it follows}."""

    applied_by: ClassVar[str] = ""
    """The slug of the act that applies its result; if it is not done, the sheet's next roll first applies it unchanged.

    The act follows from the roll without a key of its own. Once it is done the roll cannot be repeated any more.
    """
    chain: ClassVar[str] = ""
    """A name shared by the rolls of a chain: making the next of them forfeits what a success of the previous one would
    have led to."""
    forfeited: ClassVar[bool] = False
    """True for a roll that is forfeited in that way (see `chain`)."""
    repeatable: ClassVar[bool] = True
    """False if no act repeats it (see `Act.repeats`), because somebody else has thrown its dice."""
    repeat_label: ClassVar[Wording] = ""
    """The label of the button that makes the roll once more, for rolls that follow one another, as in an exchange of
    blows."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        rename_former(cls, FORMER)

    def throw(self, tray: dice.Tray) -> dice.Outcome:
        """Throw the dice and return the outcome; this is the only place where the dice rule is written."""
        raise NotImplementedError

    def count(self) -> Mapping[Any, int | Fraction] | None:
        """Return the roll's own exact count {outcome: weight} if its pools are too large to replay; else None."""
        return None

    def odds(self) -> dice.Odds:
        """Return the exact odds of every outcome."""
        return dice.Odds.counted(self.count() or dice.replayed(self.throw), tuple(self.outcomes))

    def colours(self) -> tuple[str, ...]:
        """Return the colour of each die in the order thrown ("white" or "black"); empty if all are alike."""
        return ()

    def own_dice(self, thrown: int) -> Container[int]:
        """Return the indexes of the actor's own dice among those thrown; a repeat throws only these again."""
        return range(thrown)

    def pool_sizes(self) -> tuple[int, ...]:
        """Return the number of dice thrown for each pool, in order; empty if there is only one pool."""
        return ()

    def aims(self) -> Mapping[str, str]:
        """Return {field: figure key} for fields that ask for another figure of the target than their `Ask` states."""
        return {}

    def joint_chances(self) -> Mapping[dice.Value, Fraction]:
        """Return the chance of each outcome together with the second reading (see `second_reading`)."""
        if self.second_reading is None:
            return {}
        key, counted, _title = self.second_reading
        weights = dice.replayed(self.throw, lambda outcome: (outcome.value, outcome.figures[key] == counted))
        whole = sum(weights.values())
        return {value: Fraction(weight, whole) for (value, holds), weight in weights.items() if holds}

    def label(self, value: dice.Value) -> str:
        """Return the label of an outcome."""
        return str(self.outcomes[value]) if value in self.outcomes else str(self.unit.format(n=value))

    def meaning(self, value: dice.Value) -> str:
        """Return the meaning of an outcome whose label is a mere figure, for large type and the chart; else ""."""
        return ""

    def headline(self, outcome: dice.Outcome) -> str:
        """Return the large text beside the dice: by default the outcome's meaning, else its label."""
        return self.meaning(outcome.value) or self.label(outcome.value)

    def tell(self, outcome: dice.Outcome) -> str:
        """Return the outcome in one short sentence."""
        return self.label(outcome.value)

    def gist(self, odds: dice.Odds) -> str:
        """Return the odds in a few words: the chance of the hoped-for outcomes, the mean."""
        if odds.numbers and not self.good:
            mean = Fraction(sum(value * weight for value, weight in odds.numbers.items()), odds.whole)
            average = _MEAN.format(n=decimal(mean, 1))
            if len(odds.numbers) == len(odds.weights) and 0 not in odds.numbers:
                return average
            return f"{percent(odds.at_least(self.lowest), 0)} {self.chance_label or _ABOVE}, {average}"
        if not (good := self.hoped_for(odds)):
            return str(_ALIKE.format(n=len(odds.weights)))
        chance = Fraction(sum(odds.weights.get(value, 0) for value in good), odds.whole)
        return f"{percent(chance, 0)} {self.chance_label or self.label(good[0])}"

    def hoped_for(self, odds: dice.Odds) -> tuple[dice.Value, ...]:
        """Return the outcomes that are hoped for; none if higher numbers are better or all outcomes are alike."""
        if self.good:
            return tuple(self.good)
        alike = not self.chance_label and len(odds.weights) > 2 and len({*odds.weights.values()}) == 1
        return () if odds.numbers or alike else tuple(self.outcomes)[:1]

    def what_is_luck(self) -> Luck:
        """Return the outcomes that count as lucky with these parameters."""
        return self.luckiest

    def ranks(self, odds: dice.Odds) -> Mapping[dice.Value, int]:
        """Return a rank for each outcome, the highest for the luckiest; all equal if none is luckier than another."""
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
        """Return the ranks by the hoped-for outcomes; if these come first or last in `outcomes`, by its order."""
        hoped, words = self.hoped_for(odds), [*self.outcomes]
        for best_first in (words, words[::-1]):
            if self.good and {*best_first[:len(hoped)]} == {*hoped}:
                return {value: -best_first.index(value) for value in odds.weights}
        return {value: int(value in hoped) for value in odds.weights}

    def is_hoped_for(self, value: dice.Value, odds: dice.Odds) -> bool:
        """Return whether an outcome is among those hoped for."""
        return value in self.hoped_for(odds) or (
            value in odds.numbers and isinstance(value, int) and value >= self.lowest)

    @classmethod
    def log_phrase(cls, name: str, value: Any) -> str:
        """Return the log phrase for this outcome against {name}; "" if the title is enough."""
        if cls.log_phrases is None:
            return ""
        came_off = value in cls.good or (isinstance(value, int) and value >= cls.lowest)
        return str(cls.log_phrases[0 if came_off else 1].format(name=name))

    def pool(self) -> int | None:
        """Return how many dice are thrown, for the small die at the head of the row; None if no number is shown."""
        thrown: int | None = getattr(self, "dice", None)
        return thrown

    def head(self) -> int | None:
        """Return the number on that die: the number of dice, or the sides of a single die that is not six-sided."""
        pool = self.pool()
        return pool if self.sides == 6 or (pool or 1) > 1 else self.sides

    def extreme(self, outcome: dice.Outcome) -> Extreme:
        """Return the highlight of an outcome: critical success, fumble or, by default, none."""
        return ""

    def afterwards(self, outcome: dice.Outcome) -> Wording:
        """Return a hint on what comes next if this outcome leads to no roll or act; mostly ""."""
        return ""

    def follow(self, outcome: dice.Outcome) -> Iterator[Offer]:
        """Yield the rolls that this outcome leads to."""
        return iter(())


accept_former_names(Roll, FORMER)
