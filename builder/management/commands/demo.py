import uuid

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from rulesets import systems
from sheets.models import Sheet

PLAYER, GM = "spieler", "spielleitung"
# Not a secret: it opens two accounts that exist only where this command runs, on a developer's machine.
PASSWORD = "amboss-und-bogen"  # noqa: S105


class Command(BaseCommand):
    """Fill a developer's database; running it again changes nothing that somebody has edited since."""

    help = "Creates a player and a GM to sign in as, and every system's examples as the player's sheets."

    def handle(self, *args, **options):
        if not settings.DEVELOPMENT:
            raise CommandError("The demo accounts have a known password: they are for development only.")
        player, _gm = self.person(PLAYER), self.person(GM)
        for slug, system in systems().items():
            for key, example in system.examples.items():
                # The same example is the same sheet, whoever renames it meanwhile.
                identity = uuid.uuid5(uuid.NAMESPACE_URL, f"bogenschmiede:{slug}:{key}")
                content = {
                    "name": example["name"],
                    "data": example["data"],
                    "house": example.get("house") or {},
                }
                Sheet.objects.get_or_create(id=identity, defaults={"owner": player, "ruleset": slug, **content})
        self.stdout.write(f"Sign in as {PLAYER} (player) or {GM} (GM), password {PASSWORD}")

    def person(self, name):
        user, _ = get_user_model().objects.get_or_create(username=name)
        if not user.check_password(PASSWORD):
            user.set_password(PASSWORD)
            user.save()
        return user
