from rulesets.dice import thrown
from rulesets.kit import Roll
from sheets.management.roll_arguments import RollCommand


class Command(RollCommand):
    help = "One roll with real dice; it is in no log and has no receipt."

    def tell(self, roll: Roll, format: str) -> None:  # noqa: A002 - the option's name
        outcome, tray = thrown(roll.throw)
        text = roll.tell(outcome)
        if format == "json":
            self.json({"dice": tray.fallen, "outcome": outcome.value, "text": text})
        else:
            self.line(" ".join([*map(str, tray.fallen), "→", text]))
