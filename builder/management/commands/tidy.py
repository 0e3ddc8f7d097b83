from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from builder import drafts, retention
from sheets.outbox.services import forget_settled


class Command(BaseCommand):
    """Delete old drafts of guests, trash, deliveries, log lines and undo histories; a timer runs it each night."""

    help = ("Removes what is kept no longer: guests' drafts and the trash when they are old, deliveries a "
            "week after they were sent, log lines after LOG_DAYS, changes that could be taken back after UNDO_DAYS. "
            "The program may run meanwhile.")

    def handle(self, **_options: Any) -> None:
        try:
            removed = {"sheets": sum(iter(drafts.tidy, 0))}
            if settled := forget_settled():
                removed["deliveries"] = settled
            if settings.LOG_DAYS:
                removed["log lines"] = retention.forget_log(settings.LOG_DAYS)
            if settings.UNDO_DAYS:
                removed["changes"] = retention.forget_changes(settings.UNDO_DAYS)
        except DatabaseError as error:
            raise CommandError(f"The database does not do it ({error}); has it been migrated?") from None
        self.stdout.write("removed " + ", ".join(f"{n} {what}" for what, n in removed.items()))
