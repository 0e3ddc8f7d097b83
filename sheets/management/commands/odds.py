from django.utils.translation import gettext_lazy as _

from rulesets.kit import decimal
from rulesets.work import TooMuch
from sheets.management.base import refusal
from sheets.management.roll_arguments import RollCommand
from sheets.rolls.widgets import heaviest

WIDTH = 40
"""Letters of the longest bar."""


class Command(RollCommand):
    help = "The exact odds of a roll."

    def tell(self, roll, format):  # noqa: A002 - the option's name
        try:
            odds = roll.odds()
        except TooMuch:
            message = _("These odds take too long to be reckoned exactly; lower {figure}.")
            raise refusal(message.format(figure=heaviest(roll)[0])) from None
        if format == "json":
            self.json(odds.asdict())
        else:
            self.table(roll, odds)

    def table(self, roll, odds):
        """A line for each outcome: its words, its chance, a bar."""
        labels = [roll.label(value) for value in odds.chances]
        width, most = max(map(len, labels)), max(odds.chances.values())
        for label, chance in zip(labels, odds.chances.values(), strict=True):
            bar = "█" * round(chance / most * WIDTH) or "▏"
            self.line(f"{label:>{width}}  {decimal(chance * 100):>6} %  {bar}")
        if odds.mean is not None:
            self.line(_("On average {mean} ({exact})").format(mean=decimal(odds.mean), exact=odds.mean))
