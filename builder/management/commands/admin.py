from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from builder.accounts import account_called, new_password
from rulesets.names import one_line


class Command(BaseCommand):
    """Make an account an admin; the first one must be made here, because on the site only admins can do it."""

    help = "Makes an account an admin, who may invite people; a missing account is made, with a password shown once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--revoke", action="store_true", help="the account stays and is no admin any more")

    @no_translations
    def handle(self, *, name: str, revoke: bool, **options: Any) -> None:
        user = account_called(name)
        if revoke and user is None:
            raise CommandError(f"There is no account {name!r}.")
        if user is None:
            user = self.create_account(one_line(name))
        user.is_superuser = user.is_staff = not revoke
        user.save()
        self.stdout.write(f"{user.username} is {'no admin any more' if revoke else 'an admin'}.")

    def create_account(self, name: str) -> User:
        user = get_user_model()(username=name)
        password = new_password()
        user.set_password(password)
        try:
            user.full_clean()
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        self.stdout.write(f"A new account, {name}, with the password {password}")
        self.stdout.write("It is shown only now; change it after signing in.")
        return user
