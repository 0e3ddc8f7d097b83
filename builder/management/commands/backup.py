from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from builder.backup import archive, database


class Command(BaseCommand):
    """Back up the database; the program may keep running."""

    help = "Writes everything that the database holds into FILE, as of one moment, and reads it back; nobody waits."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="is replaced only by a backup that was read back")

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            summary = archive.back_up(file)
        except (database.BackupError, OSError) as error:
            raise CommandError(str(error)) from None
        except DatabaseError as error:
            raise CommandError(f"The database does not do it ({error}); has it been migrated?") from None
        self.stdout.write(f"{file}: {sum(summary['counts'].values())} rows of {len(summary['counts'])} tables, "
                          f"{file.stat().st_size} bytes, SHA-256 of the rows {summary['sha256'][:16]}…")
