from argparse import ArgumentTypeError
from collections import deque
from random import Random
from typing import Any

from django.core.management.base import CommandParser

from rulesets import generate
from rulesets.document import canonical
from sheets.management import base
from sheets.progress import aside, progress

MOST = 100_000
"""The most sheets that one call makes."""
APART = 100
"""So many one after the other bear different names, as far as the system has names."""


def count(text: str) -> int:
    """Return a number of sheets, 0 to `MOST`."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= MOST):
        raise ArgumentTypeError(f"{text} is no whole number from 0 to {MOST}")
    return int(text)


class Command(base.Command):
    help = "Random legal sheets without unspent points, one JSON document a line."
    formats = ()

    def questions(self, parser: CommandParser) -> None:
        parser.add_argument("ruleset", help="the system's slug")
        parser.add_argument("--count", type=count, default=1, metavar="N", help="how many (1)")
        parser.add_argument("--seed", metavar="S", help="any text or number; the same seed makes the same sheets")

        parser.add_argument("--concept", default="", metavar="C",
                            help="what they are; a wrong one is told the right ones")

    def answer(self, *, ruleset: str, count: int, seed: Any, concept: str, **_options: Any) -> None:
        system, rng = base.system(ruleset), Random(seed)  # noqa: S311 - characters are no secrets
        taken = deque(maxlen=APART)
        try:
            for _number in progress(range(count), "generate", count):
                document = generate.character(system, rng, concept=concept, taken=taken).document
                taken.append(document["name"])
                with aside():
                    self.stdout.write(canonical(document).decode())
        except generate.Stuck as error:
            raise base.refusal(str(error)) from None
