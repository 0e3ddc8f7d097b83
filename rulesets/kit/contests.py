"""Contests: the figures of two sides, and the exact odds of each outcome when they meet."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Annotated, Any, ClassVar

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from rulesets.dice import Odds, Value
from rulesets.fight import Turn, outcome_chances
from rulesets.kit.fields import HIGHEST, Slot, slots
from rulesets.kit.former_names import accept_former_names, rename_former
from rulesets.kit.offers import Labels, Offer, Offered
from rulesets.kit.own import OwnPlay, OwnSheet
from rulesets.kit.packages import has_module, package_of, shapes_in
from rulesets.kit.rolls import Roll
from rulesets.kit.words import Wording
from rulesets.work import TooMuch

PositiveLife = Annotated[int, Field(ge=1, le=HIGHEST)]
"""The life of a side that can still fight."""
ENDS: Labels = {"first": _("{first} wins"), "second": _("{second} wins"), "neither": _("it never ends")}
"""The ways in which a fight may end."""
FORMER = {"of": "offers_for"}
"""{former name in a Contest: name}; a system may use the former one for one more release, with a warning."""
_LONG = _("With this much life the fight takes too long to calculate exactly; lower the life to see who wins.")
_MANY = _("These odds take too long to calculate exactly; lower the numbers.")
_EVEN = _("It makes no difference who starts.")


@dataclass(frozen=True)
class ContestOdds:
    """A question about a contest with its exact odds, such as who wins, or with a note that says why there are none.

    The title and the outcomes' labels may contain `{first}` and `{second}`.
    """

    title: Wording
    exact: Odds | None
    outcomes: Labels = field(default_factory=dict)
    """{outcome: label} for outcomes that are words; all others are numbers."""
    unit: Wording = "{n}"
    note: Wording = ""

    @classmethod
    def of(cls, title: Wording, roll: Roll, outcomes: Labels | None = None) -> "ContestOdds":
        """Return the odds of a roll as those of a contest; `outcomes` replaces the labels of its outcomes."""
        words = roll.outcomes if outcomes is None else outcomes
        try:
            return cls(title, roll.odds(), words, roll.unit)
        except TooMuch:
            return cls(title, None, words, roll.unit, _MANY)

    def odds(self) -> Odds | None:
        """Return the exact odds, as `Roll.odds` does; None if there are none."""
        return self.exact

    def label(self, value: Value) -> str:
        """Return the label of an outcome."""
        return str(self.outcomes[value]) if value in self.outcomes else str(self.unit.format(n=value))

    def named(self, first: str, second: str) -> "ContestOdds":
        """Return a copy with the names of both sides in its title and labels."""
        named = {value: str(label).format(first=first, second=second) for value, label in self.outcomes.items()}
        return replace(self, title=str(self.title).format(first=first, second=second), outcomes=named)


class Contest(Offered):
    """One side of a contest: its fields are the figures that decide it, from a sheet or entered by hand."""

    assumptions: ClassVar[tuple[Wording, ...]] = ()
    """The assumptions, in sentences."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        rename_former(cls, FORMER)

    @classmethod
    def offers_for(cls, sheet: OwnSheet, play: OwnPlay) -> Iterator[Offer]:
        """Yield the forms in which a sheet can enter a contest now, filled with its figures, the usual one first.

        Figures may be invalid, such as no life left; validation reports that later.
        """
        return iter(())

    def meet(self, other: Any) -> Iterator[ContestOdds]:
        """Yield the odds of the contest with another side, this side being the first."""
        return iter(())


accept_former_names(Contest, FORMER)


@cache
def contest_of(package: str) -> type[Contest] | None:
    """Return the Contest of a system, from its module `contest`; None if it has none."""
    return shapes_in(package, "contest", Contest)[-1] if has_module(package, "contest") else None


def target_slots(offers: Iterable[Offer]) -> dict[str, Slot]:
    """Return {figure key: slot that asks for it} for the figures of the target that offers ask for, in order.

    The slot is the Contest's field of that name if there is one, else the roll's, with its `start` as the default.
    """
    found: dict[str, Slot] = {}
    for offer in offers:
        for key, name in offer.target_figures.items():
            if name not in found:
                contest = contest_of(package_of(offer.cls))
                known = slots(contest).get(name) if contest else None
                found[name] = known or offer.asks[key].with_start_as_default()
    return found


def by_turns(lives: tuple[int, int], first: Sequence[Turn], second: Sequence[Turn]) -> Iterator[ContestOdds]:
    """Yield the odds of a fight in alternating turns, for either side starting; each side cycles through its turns."""
    rounds = lcm(len(first), len(second))
    for number, (title, order) in enumerate(((_("If {first} starts"), (first, second)),
                                             (_("If {second} starts"), (second, first)))):
        # With one turn a side, the second order is the same cycle entered one turn later.
        if number == 0 or rounds > 1:
            chances = _chances(lives, [side[turn % len(side)] for turn in range(rounds) for side in order])
        yield _contest_odds(title, chances[number if rounds == 1 else 0] if chances else None)


def by_rounds(lives: tuple[int, int], turn: Turn) -> Iterator[ContestOdds]:
    """Yield the odds of a fight in which each round is one throw for both sides."""
    chances = _chances(lives, [turn])
    yield _contest_odds(_("The whole fight"), chances[0] if chances else None, _EVEN)


def _chances(lives: tuple[int, int], turns: Sequence[Turn]) -> list[dict[str, Fraction]] | None:
    """Return the `outcome_chances` of a fight; None if they take too much work."""
    try:
        return outcome_chances(*lives, turns)
    except TooMuch:
        return None


def _contest_odds(title: Wording, chances: dict[str, Fraction] | None, note: Wording = "") -> ContestOdds:
    exact = Odds({end: chance for end, chance in chances.items() if chance}) if chances else None
    return ContestOdds(title, exact, ENDS, note=note if exact else _LONG)
