"""Tables of players for the load: run as a module with a number, it lays them down and answers in JSON who they are."""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "builder.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from rulesets import systems  # noqa: E402
from sheets.models import Sheet  # noqa: E402
from sheets.parties import services as parties  # noqa: E402

SEATS = 4
"""Players at each table, besides its GM."""


def session(user):
    """That of a browser in which somebody is signed in."""
    browser = Client()
    browser.force_login(user)
    return browser.cookies[settings.SESSION_COOKIE_NAME].value


def tables(number):
    """For each table: its address, the GM's session, and (sheet, session) of each player."""
    call_command("migrate", verbosity=0)
    system = systems()["condice"]
    data = system.examples["juan"]["data"]
    for table in range(number):
        gm = User.objects.create_user(f"gm{table}")
        made = parties.found_party(gm, "Runde", system)
        seats = []
        for seat in range(SEATS):
            user = User.objects.create_user(f"player{table}-{seat}")
            parties.join_party(made, user)
            sheet = Sheet.objects.create(ruleset="condice", name=user.username, data=data, owner=user, party=made,
                                         seen_by="party")
            seats.append((str(sheet.pk), session(user)))
        yield {"table": f"/parties/{made.pk}/table/", "gm": session(gm), "seats": seats}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(list(tables(int(sys.argv[1])))))
