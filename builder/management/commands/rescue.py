from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from builder.accounts import new_password


class Command(BaseCommand):
    """Let somebody in again who lost the password or the second factor and has no e-mail address."""

    help = "Gives an account a new password, shown once, turns its second factor off and ends its sessions."

    def add_arguments(self, parser):
        parser.add_argument("name")

    def handle(self, *, name, **options):
        user = get_user_model().objects.filter(username__iexact=name).first()
        if user is None:
            raise CommandError(f"There is no account {name!r}.")
        password = new_password()
        # A session holds a hash of the password, so that a new one ends it.
        user.set_password(password)
        with transaction.atomic():
            user.save(update_fields=["password"])
            Authenticator.objects.filter(user=user).delete()
        self.stdout.write(f"{user.username} signs in with the password {password}")
        self.stdout.write("It is shown only now; the second factor is off. Make sure whom you send it to.")
