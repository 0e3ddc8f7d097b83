from typing import Any

from django.core.management.base import BaseCommand

from sheets.notifications.push import new_key


class Command(BaseCommand):
    """Print a new key for web push, as a line for the environment."""

    help = "Makes a key for web push; with another key everybody's devices end."

    def handle(self, **options: Any) -> None:
        self.stdout.write(f"VAPID_KEY={new_key()}")
