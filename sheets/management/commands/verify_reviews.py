"""Whether the chain of reviews is as it was written."""

from itertools import islice

from django.core.management.base import BaseCommand

from sheets.models import Head
from sheets.reviews.chain import faults

SHOWN = 20
"""Faults that are named; the first one is what matters."""


class Command(BaseCommand):
    """Names the first broken or missing entry, and some after it; exit 1 where there is one."""

    help = "Checks every review against the chain of signatures; names the first entry that is broken or missing."

    def add_arguments(self, parser):
        """A head that was noted earlier."""
        parser.add_argument("--head", metavar="NUMBER:MAC", help="a head noted earlier, which the chain must hold")

    def handle(self, *, head: str | None, **_options):
        """Look at all of it."""
        found = list(islice(faults(head), SHOWN))
        for number, one in enumerate(found):
            self.stdout.write(f"{'first broken' if not number else 'then'}: entry {one.number}: {one.what}")
        if found:
            raise SystemExit(1)
        now = Head.objects.filter(pk=1).first() or Head()
        self.stdout.write(f"{now.number} entries hold; head {now.number}:{now.mac[:16]}")
