from rulesets.dice import thrown
from rulesets.kit import Roll
from sheets.management.roll_arguments import RollCommand


class Command(RollCommand):
    help = "One roll with real dice; it is in no log and has no receipt."

    def tell(self, roll: Roll, format: str) -> None:  # noqa: A002 - the option's name
        outcome, tray = thrown(roll.throw)
        text = roll.tell(outcome)
        if format == "json":
            self.json({"dice": tray.fallen, "tries": tray.tries, "outcome": outcome.value, "text": text})
        else:
            dice = " | ".join(" ".join(map(str, faces)) for faces in (*tray.tries, tray.fallen))
            self.line(f"{dice} → {text}")
