from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from builder.backup import database, restoring


class Command(BaseCommand):
    """Restore a backup into the database that it was made from, or another one."""

    help = "Brings a backup into a migrated database, all of it or nothing; stop the program before."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="throws away what the database holds now")
        parser.add_argument("--keep-tokens", action="store_true",
                            help="lets webhooks, devices that are told by push and links of calendars go on")

    def handle(self, *, file: Path, replace: bool, keep_tokens: bool, **options: Any) -> None:
        try:
            summary = restoring.restore(file, replace=replace, keep_tokens=keep_tokens)
        except (database.BackupError, OSError) as error:
            raise CommandError(str(error)) from None
        except DatabaseError as error:
            raise CommandError(f"The database does not do it ({error}); has it been migrated?") from None
        self.stdout.write(f"{sum(summary['counts'].values())} rows of {len(summary['counts'])} tables are back.")
        if ended := summary["ended"]:
            self.stdout.write(f"{ended} webhooks have ended; their GMs can make new ones (--keep-tokens keeps them).")
        if devices := summary["devices"]:
            self.stdout.write(f"{devices} devices are told by push no more; people can turn it on again there.")
        if feeds := summary["feeds"]:
            self.stdout.write(f"{feeds} links of calendars have ended; people can make new ones in their accounts.")
