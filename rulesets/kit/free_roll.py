"""The free roll, which every system has: any dice, for cases that no rule covers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from pydantic import AfterValidator, Field

from rulesets.dice import Outcome, Tray
from rulesets.formula import HIGHEST, LOWEST, MAX_LENGTH, Formula, FormulaError
from rulesets.kit.fields import field
from rulesets.kit.rolls import Luck, Roll

_DIE = pgettext_lazy("dice, as in 3d6", "d")
_SELECTIONS = {HIGHEST: (_("highest"), _("{n} highest")), LOWEST: (_("lowest"), _("{n} lowest"))}
"""{selection: (words for one die, words for several)}."""


def _written(text: str) -> str:
    """Return a formula as it is stored; raise ValueError with the place where it cannot be read."""
    try:
        return str(Formula.read(text))
    except FormulaError as error:
        rest = text[error.at:].strip()
        raise ValueError(_("{message} Reading stopped at “{rest}”.").format(message=error, rest=rest)
                         if rest else str(error)) from None


class FreeRoll(Roll):
    """A sum of any dice and numbers, of which only the highest or lowest dice may count."""

    slug, title, group = "free-roll", _("Any dice"), _("Free roll")
    formula: Annotated[str, Field(max_length=MAX_LENGTH), AfterValidator(_written)] = field(
        _("Formula"), "2d6", help=_("For example 3d6+2, d100 or 2d20 highest."))
    sides: ClassVar[int] = 0
    luckiest: ClassVar[Luck] = "none"
    repeatable = False

    def throw(self, tray: Tray) -> Outcome:
        """Throw the dice of the formula and return their sum."""
        return Formula.read(self.formula).throw(tray)

    def count(self) -> Mapping[Any, int]:
        """Return {sum: number of ways to throw it}."""
        return Formula.read(self.formula).weights()

    def pool(self) -> int | None:
        """Return the number of dice."""
        return Formula.read(self.formula).dice

    def tell(self, outcome: Outcome) -> str:
        """Return the formula as people write it, and the sum."""
        return f"{self.shown()}: {self.label(outcome.value)}"

    def shown(self) -> str:
        """Return the formula as people write it: "3d6 + 2", "2d20 (highest)", in German "3W6 + 2"."""
        text = ""
        for term in Formula.read(self.formula).terms:
            sign = ("−" if term.sign < 0 else "") if not text else " − " if term.sign < 0 else " + "
            text += sign + replace(term, selection="").written(str(_DIE))
            if term.selection:
                text += f" ({_SELECTIONS[term.selection][term.selected > 1].format(n=term.selected)})"
        return text
