from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import localtime

from builder.invitations import DAYS, USES
from builder.models import Invitation


class Command(BaseCommand):
    """Create an invitation and print its link."""

    help = "Makes a link by which people can make an account where SIGNUP=invitation; without --uses it is for one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--uses", type=int, default=1, help="how many people it lets in")
        parser.add_argument("--days", type=int, default=14, help="how long it lasts")
        parser.add_argument("--site", default="", help="where the site is, https://sheets.example.org for one")

    def handle(self, *, uses: int, days: int, site: str, **options: Any) -> None:
        for name, value, (fewest, most) in (("--uses", uses, USES), ("--days", days, DAYS)):
            if not fewest <= value <= most:
                raise CommandError(f"{name} is {value}; it may be {fewest} to {most}.")
        made = Invitation.make(uses, days)
        self.stdout.write(f"{site.rstrip('/')}/invited/{made.token}/")
        self.stderr.write(f"It lets {uses} in, until {localtime(made.until):%Y-%m-%d %H:%M}.")
