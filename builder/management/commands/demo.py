import uuid
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from rulesets import systems
from rulesets.document import read_tree
from sheets import models
from sheets.models import Party, Sheet
from sheets.parties import services as parties
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status

PLAYER, GM = "spieler", "spielleitung"
# Not a secret: it opens two accounts that exist only where this command runs, on a developer's machine.
PASSWORD = "amboss-und-bogen"  # noqa: S105
GOES_ON = 2
"""The number of a party's reviews after its first sheet: one that submitted it, and one that approved it."""


class Command(BaseCommand):
    """Fill a developer's database; running it again adds only what is missing."""

    help = "Creates a player and a GM to sign in as, and each system's examples as the player's sheets in a party."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEVELOPMENT:
            raise CommandError("The demo accounts have a known password: they are for development only.")
        player, gm = self.get_or_create_user(PLAYER), self.get_or_create_user(GM)
        for slug, system in systems().items():
            party, new = Party.objects.get_or_create(
                id=uuid.uuid5(uuid.NAMESPACE_URL, f"bogenschmiede:{slug}"),
                defaults={"ruleset": slug, "name": str(system.title), "invitation": parties.new_token(),
                          "approval": system.needs_approval})
            if new:
                party.members.create(user=gm, role=models.GM)
                party.members.create(user=player)
            for key, example in system.examples.items():
                # An example keeps its id, so that a sheet that was renamed is found again.
                identity = uuid.uuid5(uuid.NAMESPACE_URL, f"bogenschmiede:{slug}:{key}")
                content = {
                    "name": example["name"],
                    # Stored data is complete, so what an example leaves out is added.
                    "data": read_tree(example).asdict()["data"],
                    "house": example.get("house") or {},
                }
                # A character in a party follows the party's house rules, so one with its own joins none.
                content |= {} if content["house"] else {"party": party, "seen_by": models.PARTY}
                defaults = {"owner": player, "ruleset": slug, **content}
                sheet, new = Sheet.objects.get_or_create(id=identity, defaults=defaults)
                if new and sheet.party_id:
                    self.submit_and_approve(sheet, gm)
        self.stdout.write(f"Sign in as {PLAYER} (player) or {GM} (GM), password {PASSWORD}")

    @transaction.atomic
    def submit_and_approve(self, sheet: Sheet, gm: User) -> None:
        """Submit the first two sheets of a party, and have the GM approve the first."""
        if sheet.party is None or sheet.owner is None:
            return
        known = sheet.party.reviews.count()
        if known <= GOES_ON:
            reviews.submit(sheet, sheet.owner)
        if not known and (found := reviews.pending_decision(sheet, review_status(sheet))):
            reviews.approve(sheet.party.members.get(user=gm), sheet, found.seal,
                          dict.fromkeys(found.asking, "Abgesprochen."), {})

    def get_or_create_user(self, name: str) -> User:
        user, _ = get_user_model().objects.get_or_create(username=name)
        if not user.check_password(PASSWORD):
            user.set_password(PASSWORD)
            user.save()
        return user
