from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from builder.accounts import account_called, new_password


class Command(BaseCommand):
    """Restore access to an account whose owner lost the password or second factor and cannot get e-mail."""

    help = ("Gives an account a new password, shown once, turns its second factor off and ends its sessions. Says "
            "which e-mail addresses it has.")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--forget-addresses", action="store_true",
                            help="takes its e-mail addresses away, to which a new password can be sent")

    def handle(self, *, name: str, forget_addresses: bool, **options: Any) -> None:
        if (user := account_called(name)) is None:
            raise CommandError(f"There is no account {name!r}.")
        password = new_password()
        # Sessions contain a hash of the password, so a new password ends them.
        user.set_password(password)
        with transaction.atomic():
            addresses = EmailAddress.objects.filter(user=user).order_by("pk")
            # The address that the account was made with may be on the user only.
            found = {user.email: False} | {one.email: one.verified for one in addresses}
            found.pop("", None)
            if forget_addresses:
                addresses.delete()
                user.email = ""
            user.save(update_fields=["password", "email"])
            Authenticator.objects.filter(user=user).delete()
        self.stdout.write(f"{user.username} signs in with the password {password}")
        self.stdout.write("It is shown only now; the second factor is off. Make sure whom you send it to.")
        for address, confirmed in found.items():
            end = "is gone" if forget_addresses else "stays: a new password can be sent there"
            self.stdout.write(f"{address} ({'confirmed' if confirmed else 'not confirmed'}) {end}")
        if found and not forget_addresses:
            self.stdout.write("If one of them is somebody else's, do it again with --forget-addresses.")
