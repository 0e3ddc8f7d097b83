"""Exact odds: the chance of each outcome, computed from counted weights."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, TypedDict

from django.utils.functional import cached_property

from rulesets.work import STEP, digits, spend

Value = int | str
"""An outcome: a number, or one of a roll's words."""


class Chances(Mapping[Value, Fraction]):
    """Chances by outcome as fractions, which are reduced only when they are accessed."""

    def __init__(self, weights: Mapping[Value, int], whole: int) -> None:
        self.weights, self.whole = weights, whole

    def __getitem__(self, value: Value) -> Fraction:
        return Fraction(self.weights[value], self.whole)

    def __iter__(self) -> Iterator[Value]:
        return iter(self.weights)

    def __len__(self) -> int:
        return len(self.weights)


class OddsLine(TypedDict):
    """One outcome in the API's form: its chance as a reduced fraction, and as a float."""

    outcome: Value
    probability: str
    value: float


class OddsData(TypedDict):
    """Odds in the form that commands and the API return."""

    outcomes: list[OddsLine]
    mean: str | None


@dataclass(frozen=True)
class Odds:
    """Exact chances by outcome: words in their declared order, then numbers ascending, without impossible ones."""

    chances: Mapping[Value, Fraction]

    @classmethod
    def counted(cls, weights: Mapping[Any, int | Fraction], order: tuple[str, ...] = ()) -> "Odds":
        """Return odds from weights with any sum."""
        spend(len(weights) * 8 * STEP)
        if any(isinstance(weight, Fraction) for weight in weights.values()):
            common = lcm(*(Fraction(weight).denominator for weight in weights.values()))
            weights = {key: int(weight * common) for key, weight in weights.items()}
        words = [key for key in order if key in weights]
        ordered = [*words, *sorted(weights.keys() - set(words))]
        whole = {key: int(weights[key]) for key in ordered if weights[key]}
        return cls(Chances(whole, sum(whole.values())))

    @cached_property
    def whole(self) -> int:
        """The sum of the weights of all outcomes."""
        if isinstance(self.chances, Chances):
            return self.chances.whole
        return lcm(*(chance.denominator for chance in self.chances.values()))

    @cached_property
    def weights(self) -> Mapping[Value, int]:
        """Whole weights by outcome, for further computation: sums of fractions would be far slower."""
        if isinstance(self.chances, Chances):
            return self.chances.weights
        return {value: chance.numerator * (self.whole // chance.denominator) for value, chance in self.chances.items()}

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """The whole weights of the outcomes that are numbers."""
        return {value: weight for value, weight in self.weights.items() if isinstance(value, int)}

    @cached_property
    def mean(self) -> Fraction | None:
        """The mean outcome; None if outcomes are words."""
        if len(self.numbers) < len(self.weights):
            return None
        return Fraction(sum(value * weight for value, weight in self.numbers.items()), self.whole)

    def at_least(self, least: int) -> Fraction:
        """Return the chance of a number that is at least `least`."""
        return Fraction(sum(weight for value, weight in self.numbers.items() if value >= least), self.whole)

    def asdict(self, least: int | None = None, most: int | None = None) -> OddsData:
        """Return the odds in the API's form, without numbers outside `least` to `most`."""
        wanted = [value for value in self.weights if not isinstance(value, int) or (
            (least is None or value >= least) and (most is None or value <= most))]
        spend(len(wanted) * (20 * STEP + 4 * digits(self.whole) ** 2))
        return {
            "outcomes": [
                {"outcome": value, "probability": str(chance), "value": float(chance)}
                for value, chance in ((value, self.chances[value]) for value in wanted)
            ],
            "mean": None if self.mean is None else str(self.mean),
        }
