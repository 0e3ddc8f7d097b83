"""Check that the chain of signed reviews is complete and unchanged."""

import re
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from builder.backup.database import ensure_snapshot
from sheets.audit_log.chain import chain_faults
from sheets.audit_log.signing import MIGRATED
from sheets.models import Head, Revision

SHOWN = 20
"""The most faults that are printed; the first one is the most important."""


class Command(BaseCommand):
    """Print the first broken or missing entries of the chain of reviews; exit with 1 if there are any."""

    help = ("Checks every review against the chain of signatures; names the first entry that is broken or missing. "
            "A database that was put back as a whole to an earlier state is in itself sound: note the head that is "
            "printed, outside of the database, and pass it as --head the next time.")

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --head, a head that an earlier run printed."""
        parser.add_argument("--head", metavar="NUMBER:MAC", help="a head noted earlier, which the chain must hold")

    def handle(self, *, head: str | None, **_options: Any) -> None:
        """Check the chain in one snapshot of the database, while others can go on writing reviews."""
        if head and not re.fullmatch(r"0:|[1-9]\d{0,17}:[0-9a-f]{1,64}", head, re.ASCII):
            raise CommandError(f"--head {head} is no head: it is what an earlier run printed, NUMBER:MAC", returncode=2)
        with ensure_snapshot():
            found = list(islice(chain_faults(head), SHOWN))
            now = (Head.objects.filter(pk=1).first() if not found else None) or Head()
        for number, one in enumerate(found):
            self.stdout.write(f"{'first broken' if not number else 'then'}: entry {one.number}: {one.message}")
        if len(found) == SHOWN and found[0].number == 1:
            self.stdout.write("if all of it was well before: is REVIEW_KEY the one that it was signed with?")
        if found:
            raise SystemExit(1)
        self.stdout.write(f"{now.number} entries hold; head {now.number}:{now.mac[:16]}")
        if older := Revision.objects.filter(signed=MIGRATED).count():
            self.stdout.write(f"{older} revisions are older than signatures of revisions: who kept them, when, why and "
                              "at which version is as a migration found it; their content is as it was submitted")
