from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from builder.doctor import examine
from sheets.progress import aside


class Command(BaseCommand):
    """Check an installation; the exit code is 1 if something is wrong."""

    help = "Looks over settings, database, migrations and every stored sheet; exit code 1 where something is wrong."
    # `examine` runs the system checks too; here they would stop the command before the others.
    requires_system_checks = []

    def handle(self, **options: Any) -> None:
        wrong = 0
        try:
            for found in examine():
                wrong += not found.well
                with aside():
                    self.stdout.write(f"{'ok   ' if found.well else 'WRONG'} {found.text}")
        except DatabaseError as error:
            raise CommandError(f"The database does not answer: {error}", returncode=1) from None
        if wrong:
            raise CommandError(f"{wrong} of it is wrong.", returncode=1)
