"""The rolls of a fight (weak point, round, hits), of the solution of an adventure, and on a custom table."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Annotated, Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from pydantic import Field, ValidationInfo, field_validator

from rulesets.augen_des_zwielichts import headings
from rulesets.augen_des_zwielichts.catalogue import SHADES, Shade
from rulesets.dice import Outcome, Tray
from rulesets.kit import HIGHEST, ROWS, Count, Extreme, Roll, field

Fighters = Annotated[int, Field(ge=1, le=ROWS)]
Face = Annotated[int, Field(ge=1, le=6)]
Danger = Annotated[int, Field(ge=1, le=HIGHEST)]

FIGHTERS_FIELD = field(_("Fighters who roll"), start=3,
                       help=_("Anyone weakening the enemy this round rolls no combat die."))
SECOND_DICE_FIELD = field(_("Fighters with a second die"), 0, help=_("They roll both and keep the better one."))
MAX_SUM = 12
"""The highest sum of two dice; a danger level above it must be lowered first (SZ-31)."""


class WeakPoint(Roll):
    """SZ-30: roll two dice; the higher counts in a light section, the lower in a dark one."""

    shade: Shade = field(_("Section"), choices=SHADES)
    title, rules, unit, group = _("Weak point"), ("SZ-30",), _("weak point {n}"), headings.FIGHT
    luckiest = "none"

    def pool(self) -> int:
        """Return 2, the number of dice, of which one counts."""
        return 2

    def throw(self, tray: Tray) -> Outcome:
        """Return the weak point, which stays the same during the fight."""
        pair = tray.pool(2, 6)
        return Outcome(max(pair) if self.shade == "light" else min(pair))


class CombatDie(Roll):
    """SZ-31, SZ-34: roll the die of one fighter; of two dice the higher counts."""

    second_die: bool = field(_("A second die"), default=False)
    title, rules, group = _("Combat die"), ("SZ-31", "SZ-34"), headings.FIGHT

    def pool(self) -> int:
        """Return 1 die, or 2 with the second die."""
        return 1 + self.second_die

    def throw(self, tray: Tray) -> Outcome:
        """Return the face that counts."""
        return Outcome(tray.pool(self.pool(), 6)[0])


class _Round(Roll):
    """The combat dice of a round."""

    fighters: Fighters = FIGHTERS_FIELD
    second_dice: Count = SECOND_DICE_FIELD
    group = headings.FIGHT

    def pool(self) -> int:
        """Return the number of dice of all fighters."""
        return self.fighters + self.second_dice

    @field_validator("second_dice", check_fields=False)
    @classmethod
    def among_the_fighters(cls, second_dice: int, info: ValidationInfo) -> int:
        """Raise ValueError if there are more second dice than fighters."""
        if second_dice > info.data.get("fighters", HIGHEST):
            message = _("{n} second dice are too many; there are only this many fighters: {fighters}.")
            raise ValueError(message.format(n=second_dice, fighters=info.data["fighters"]))
        return second_dice

    def kept(self, tray: Tray) -> list[int]:
        """Return the face that counts for each fighter, highest first (SZ-34)."""
        single = tray.pool(self.fighters - self.second_dice, 6)
        return sorted([*single, *(max(tray.pool(2, 6)) for _one in range(self.second_dice))], reverse=True)

    def ways(self) -> list[dict[int, int]]:
        """Return for each fighter {face: number of ways to keep it}."""
        return [dict.fromkeys(range(1, 7), 1)] * (self.fighters - self.second_dice) + \
            [{face: 2 * face - 1 for face in range(1, 7)}] * self.second_dice


class CombatRound(_Round):
    """SZ-31: the two highest dice of all together must reach the danger level."""

    fighters: Fighters = FIGHTERS_FIELD
    danger_level: Danger = field(_("Danger level"), target_figure="danger_level", start=8)
    second_dice: Count = SECOND_DICE_FIELD
    title, rules = _("Combat round"), ("SZ-31", "SZ-33", "SZ-34")
    outcomes = {"won": _("won"), "not-yet": _("not yet")}

    def result(self, pair: list[int] | tuple[int, int]) -> str:
        """Return the outcome by the sum of the two highest dice."""
        return "won" if sum(pair) >= self.danger_level else "not-yet"

    def throw(self, tray: Tray) -> Outcome:
        """Throw all dice, because those that do not count may hit weak points as well."""
        kept = self.kept(tray)
        return Outcome(self.result(kept[:2]), kept=kept)

    def count(self) -> Mapping[Any, int | Fraction]:
        """Count fighter by fighter, by the two highest dice so far; replaying would take millions of branches."""
        states = Counter({(0, 0): 1})
        for faces in self.ways():
            after: Counter = Counter()
            for (first, second), weight in states.items():
                for face, ways in faces.items():
                    after[tuple(sorted((first, second, face))[:0:-1])] += weight * ways
            states = after
        found: Counter = Counter()
        for pair, weight in states.items():
            found[self.result(pair)] += weight
        return found

    def tell(self, outcome: Outcome) -> str:
        """Return the sum against the danger level, and all dice."""
        kept = outcome.figures["kept"]
        text = _("{sum} against {danger}: {result}, dice {dice}")
        if self.danger_level > MAX_SUM:
            text = _("{sum} against {danger}: {result}, dice {dice}; above 12 the level must be lowered first")
        return str(text.format(sum=sum(kept[:2]), danger=self.danger_level, result=self.label(outcome.value),
                               dice=", ".join(map(str, kept))))


class WeakHits(_Round):
    """SZ-32: count the dice that show the weak point; each brings a condition."""

    fighters: Fighters = FIGHTERS_FIELD
    weak_point: Face = field(_("Weak point"))
    second_dice: Count = SECOND_DICE_FIELD
    title, rules = _("Hits on a weak point"), ("SZ-32", "SZ-34")
    unit, chance_label, luckiest = ngettext_lazy("{n} hit", "{n} hits", "n"), _("hit on you"), "less"

    def throw(self, tray: Tray) -> Outcome:
        """Throw the dice of all fighters, the actor's included."""
        kept = self.kept(tray)
        return Outcome(kept.count(self.weak_point), kept=kept)

    def count(self) -> Mapping[Any, int | Fraction]:
        """Return {hits: number of ways}, from fighters with one die and those who keep the higher of two."""
        twice = 2 * self.weak_point - 1
        single = _hits(self.fighters - self.second_dice, 1, 6)
        double = _hits(self.second_dice, twice, 36)
        found: Counter = Counter()
        for one, ways in single.items():
            for two, more in double.items():
                found[one + two] += ways * more
        return found

    def tell(self, outcome: Outcome) -> str:
        """Return the hits and all dice."""
        return _("{hits}, dice {dice}").format(hits=self.label(outcome.value),
                                               dice=", ".join(map(str, outcome.figures["kept"])))


def _hits(dice: int, hitting: int, among: int) -> dict[int, int]:
    """Return {hits: number of ways} of independent dice, each of which hits in `hitting` of `among` cases."""
    return {n: comb(dice, n) * hitting**n * (among - hitting)**(dice - n) for n in range(dice + 1)}


class Solve(Roll):
    """SZ-26: roll two dice against the difficulty, lowered by the clues used; two ones always fail."""

    difficulty: Count = field(_("Difficulty of the adventure"), start=10)
    clues: Count = field(_("Clues used"), 0)
    raised: Count = field(_("Difficulty raised by"), 0, help=_("Including the GM's corruption points."))
    title, rules, group = _("Solve the adventure"), ("SZ-26",), headings.ADVENTURE
    outcomes = {"solved": _("solved"), "fight": _("on to the final fight")}

    def pool(self) -> int:
        """Return 2, the number of dice."""
        return 2

    def extreme(self, outcome: Outcome) -> Extreme:
        """SZ-26: mark two ones, which always fail, as a fumble."""
        return "fumble" if outcome.figures["sum"] == 2 else ""

    @property
    def left(self) -> int:
        """The difficulty after clues and corruption points."""
        return max(0, self.difficulty + self.raised - self.clues)

    def throw(self, tray: Tray) -> Outcome:
        """Return "solved" if the sum reaches the difficulty, which two ones never do, else "fight"."""
        pair = tray.pool(2, 6)
        good = sum(pair) >= self.left and pair != (1, 1)
        return Outcome("solved" if good else "fight", sum=sum(pair))

    def tell(self, outcome: Outcome) -> str:
        """Return the sum, the remaining difficulty and the outcome."""
        return _("{sum} against {left}: {outcome}").format(
            sum=outcome.figures["sum"], left=self.left, outcome=self.label(outcome.value))


class Draw(Roll):
    """SZ-03: draw an entry of a table that the group has pasted."""

    entries: Annotated[int, Field(ge=1, le=ROWS)] = field(_("Entries of the table"), 20)
    title, rules, unit = _("Custom table"), ("SZ-03",), _("entry {n}")
    sides, group, luckiest = 20, headings.SECTION, "none"

    def throw(self, tray: Tray) -> Outcome:
        """Throw a die with as many sides as there are entries."""
        return Outcome(tray.die(self.entries))
