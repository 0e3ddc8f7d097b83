from argparse import ArgumentTypeError
from random import Random

from rulesets import generate
from rulesets.document import canonical
from sheets.management import base

MOST = 100_000
"""The most sheets that one call makes."""


def count(text: str) -> int:
    """A number of sheets, 0 to `MOST`."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= MOST):
        raise ArgumentTypeError(f"{text} is no whole number from 0 to {MOST}")
    return int(text)


class Command(base.Command):
    help = "Random legal sheets without unspent points, one JSON document a line."
    formats = ()

    def questions(self, parser):
        parser.add_argument("ruleset", help="the system's slug")
        parser.add_argument("--count", type=count, default=1, metavar="N", help="how many (1)")
        parser.add_argument("--seed", metavar="S", help="any text or number; the same seed makes the same sheets")

    def answer(self, *, ruleset, count, seed, **_options):
        system, rng = base.system(ruleset), Random(seed)  # noqa: S311 - characters are no secrets
        try:
            for _number in range(count):
                self.stdout.write(canonical(generate.sheet(system, rng)).decode())
        except generate.Stuck as error:
            raise base.refusal(str(error)) from None
