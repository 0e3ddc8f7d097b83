from itertools import groupby

from django.utils.translation import gettext_lazy as _

from rulesets.dice import Odds
from rulesets.kit import Roll, decimal, percent
from rulesets.work import TooMuch
from sheets.management.base import refusal
from sheets.management.roll_arguments import RollCommand
from sheets.rolls.widgets import largest_figure

WIDTH = 40
"""Letters of the longest bar."""


class Command(RollCommand):
    help = "The exact odds of a roll."

    def tell(self, roll: Roll, format: str) -> None:  # noqa: A002 - the option's name
        try:
            odds = roll.odds()
        except TooMuch:
            message = _("These odds take too long to calculate exactly; lower {figure}.")
            raise refusal(message.format(figure=largest_figure(roll)[0])) from None
        if format == "json":
            self.json(odds.asdict())
        else:
            self.table(roll, odds)

    def table(self, roll: Roll, odds: Odds) -> None:
        """Write a line for each outcome, neighbours with the same label as one: its words, its chance, a bar."""
        lines = [(label, sum(odds.chances[value] for value in values))
                 for label, values in groupby(odds.chances, roll.label)]
        width, most = max(len(label) for label, _chance in lines), max(chance for _label, chance in lines)
        for label, chance in lines:
            bar = "█" * round(chance / most * WIDTH) or "▏"
            share = percent(chance, 2).replace("\u00a0", " ")
            self.line(f"{label:>{width}}  {share:>9}  {bar}")
        if odds.mean is not None:
            self.line(_("On average {mean} ({exact})").format(mean=decimal(odds.mean), exact=odds.mean))
