"""Rolls asked for in words: `odds RULESET ROLL dice=5 defence=2`."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext_lazy as _

from rulesets.kit import Roll
from sheets.management import base
from sheets.rolls.parameters import BadParameters, roll_from_texts


class RollCommand(base.Command):
    """A command about one roll; subclasses state `tell(roll, format)`."""

    def questions(self, parser: CommandParser) -> None:
        """Add the arguments that name a roll."""
        parser.add_argument("ruleset", help="the system's slug")
        parser.add_argument("roll", help="the roll's slug")
        parser.add_argument("parameters", nargs="*", metavar="key=value", help="what the roll asks for")

    def answer(self, *_args: Any, **options: Any) -> None:
        """Write the answer for the roll that the arguments name."""
        self.tell(roll_from_arguments(options["ruleset"], options["roll"], options["parameters"]), options["format"])

    def tell(self, roll: Roll, format: str) -> None:  # noqa: A002 - the option's name
        """Write the answer for a roll."""
        raise NotImplementedError


def roll_from_arguments(ruleset: str, roll: str, parameters: list[str]) -> Roll:
    """Return the roll with its parameters (CommandError naming those that are unknown, repeated or make no sense)."""
    rolls = base.system(ruleset).rolls
    if roll not in rolls:
        message = _("“{roll}” is not a {ruleset} roll; there are: {rolls}.")
        raise base.refusal(message.format(roll=roll, ruleset=ruleset, rolls=", ".join(rolls)))
    given = {}
    for parameter in parameters:
        key, equals, value = parameter.partition("=")
        if not equals:
            raise base.refusal(_("“{parameter}” is not a parameter; write key=value.").format(parameter=parameter))
        if key in given:
            raise base.refusal(_("“{key}” is given twice; give it once.").format(key=key))
        given[key] = value
    return valid_roll(rolls[roll], given)


def valid_roll(roll: type[Roll], given: dict[str, str]) -> Roll:
    """Return the roll with parameters that are texts (CommandError with a line for each offence)."""
    try:
        return roll_from_texts(roll, given)
    except BadParameters as error:
        lines = [f"{name}: {message}" for name, message in error.errors]
        raise base.refusal("\n".join([*lines, error.known_text] if error.known_text else lines)) from None
