from rulesets.dice import thrown
from sheets.management import base, roll_arguments


class Command(base.Command):
    help = "One roll with real dice."

    def questions(self, parser):
        roll_arguments.questions(parser)

    def answer(self, *, ruleset, roll, parameters, format, **_options):  # noqa: A002 - the option's name
        roll = roll_arguments.asked(ruleset, roll, parameters)
        outcome, tray = thrown(roll.throw)
        text = roll.tell(outcome)
        if format == "json":
            self.json({"dice": tray.fallen, "outcome": outcome.value, "text": text})
        else:
            self.line(" ".join([*map(str, tray.fallen), "→", text]))
