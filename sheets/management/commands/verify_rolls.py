import os
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext_lazy as _

from sheets.management import base
from sheets.management.commands.validate import spoken
from sheets.progress import progress
from sheets.receipts.verifying import (
    BYTES,
    HOLDS,
    NOT_PROVED,
    REFUSED,
    UNREADABLE,
    CheckedReceipt,
    PublishedKeys,
    Unverifiable,
    check,
    keys_in,
    receipts_in,
)

EXITS = {HOLDS: 0, NOT_PROVED: 1, REFUSED: 1, UNREADABLE: 2}
VERDICTS = {
    HOLDS: _("holds"),
    NOT_PROVED: _("not proved"),
    REFUSED: _("refused"),
    UNREADABLE: _("unreadable"),
}


class Command(base.Command):
    help = "Checks receipts of rolls. Exit code 0: all hold; 1: one does not; 2: one is unreadable."

    def questions(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="a receipt or several; - reads standard input")
        parser.add_argument("--keys", metavar="FILE", help="the site's keys, as rolls/keys.json answers them")

    def answer(self, *, files: list[str], keys: Any, format: str,  # noqa: A002 - the option's name
               **_options: Any) -> None:
        published = PublishedKeys() if keys is None else self.published(keys)
        checked = [entry for file in progress(files, "verify_rolls", len(files))
                   for entry in self.checked(file, published)]
        self.report(checked, EXITS, format)

    def published(self, file: str) -> PublishedKeys:
        """Return the keys of a file (CommandError)."""
        try:
            return keys_in(read(file))
        except (OSError, Unverifiable) as error:
            what = spoken(error) if isinstance(error, OSError) else error
            message = _("The keys in {file} cannot be used. {what}")
            raise base.refusal(message.format(file=file, what=what)) from None

    def checked(self, file: str, published: PublishedKeys) -> list[dict]:
        """Return the entries of one file, one for each receipt in it."""
        try:
            found = [check(tree, published) for tree in receipts_in(read(file))]
        except OSError as error:
            found = [CheckedReceipt(UNREADABLE, spoken(error))]
        except Unverifiable as error:
            found = [CheckedReceipt(UNREADABLE, str(error))]
        # A file name need not be text; what is not shows as a mark.
        name = os.fsencode(file).decode("utf-8", "replace")
        return [{"file": name, "log": one.log, "number": one.number, "verdict": one.verdict,
                 "outcome_proved": one.outcome, "message": one.message} for one in found]

    def tell_entry(self, entry: dict) -> None:
        """Write an entry for people."""
        place = f" {entry['log']} {entry['number']}" if entry["log"] else ""
        self.line(f"{entry['file']}{place}: {VERDICTS[entry['verdict']]}: {entry['message']}")


def read(file: str) -> bytes:
    """Return the bytes of a file or of standard input, never many more than one may have (OSError)."""
    if file == "-":
        return sys.stdin.buffer.read(BYTES + 1)
    with Path(file).open("rb") as opened:
        return opened.read(BYTES + 1)
