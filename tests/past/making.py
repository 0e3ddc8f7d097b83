"""How a frozen past is made: an empty database, people, drafts, reviews; and how it is packed."""

# ruff: noqa: PLC0415, T201 - one story, told once; Django comes after its environment

import gzip
import io
import json
import logging
import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
from pathlib import Path

from tests.past.keys import KEYS
from tests.past.pressing import browser

WHERE = Path(tempfile.mkdtemp())


def begin():
    """Start Django on an empty database of its own."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "builder.settings", "BOGENSCHMIEDE_MODE": "development",
                   "DATABASE_URL": f"sqlite:///{WHERE}/past.sqlite3"}
    import django
    from django.conf import settings
    django.setup()
    for name, key in KEYS.items():
        setattr(settings, name, key)
    settings.ALLOWED_HOSTS = ["testserver"]
    # Whatever is refused is refused on purpose; what breaks is said.
    logging.getLogger("django.request").setLevel(logging.ERROR)
    from django.core.management import call_command
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)


def people():
    """Make the accounts of those who play."""
    from django.contrib.auth.models import User
    for name in ("märta", "jürgen", "ede", "gast-geber", "geht"):
        User.objects.create_user(name, f"{name}@example.org", "gut-geschmiedet-7")


def drafts():
    """Make drafts of a guest and of an account, with texts that are no values; throw some away.

    Return the session of the guest.
    """
    from django.contrib.auth.models import User

    from builder.wizard.steps import steps
    from rulesets import systems
    from sheets.models import Sheet
    kept = {}
    for who, user in (("guest", None), ("jürgen", User.objects.get(username="jürgen"))):
        client = browser(user, "de")
        for slug, system in systems().items():
            client.post(f"/build/{slug}/")
            sheet = Sheet.objects.latest("created")
            document = next(iter(system.examples.values()))
            Sheet.objects.filter(pk=sheet.pk).update(name=f"{document['name']} im Werden", data=document["data"])
            for step in steps(system):
                page = client.get(f"/drafts/{sheet.pk}/{step}/")
                tags = re.findall(r'<input [^>]*inputmode="numeric"[^>]*>', page.text)
                numbers = re.findall(r' name="([a-z_.0-9]+)"', " ".join(tags))
                if numbers:
                    sheet.refresh_from_db()
                    client.post(f"/drafts/{sheet.pk}/{step}/", {"_version": sheet.version, numbers[0]: "viele"})
            sheet.refresh_from_db()
            print(who, slug, "typed", sheet.typed, sheet.version)
            client.post(f"/build/{slug}/", {"do": "random"})
            lost = Sheet.objects.latest("created")
            client.post(f"/drafts/{lost.pk}/", {"do": "delete"})
            client.post(f"/drafts/{sheet.pk}/", {"do": "copy"})
            client.post(f"/drafts/{sheet.pk}/finish/", {"_version": sheet.version, "do": "finish"})
        if user is None:
            kept["guest"] = client.cookies["sessionid"].value
    return kept


def reviews():
    """Do everything that is done about approvals, at the table too, with an account and sheets that ended since."""
    from django.db import transaction

    from tests.support.sheets.story import Story
    with transaction.atomic():
        return Story()


def others():
    """Make an address for mails, invitations to the site, read notifications, and an account that ends."""
    from django.contrib.auth.models import User

    from builder.models import Invitation
    from sheets.notifications.mail import ask
    user = User.objects.get(username="jürgen")
    user.emailaddress_set.create(email=user.email, primary=True, verified=True)
    ask(user, "de")
    Invitation.make(3, 3_000)
    browser(user).post("/notifications/", {"do": "read"})
    gone = User.objects.get(username="geht")
    gone.delete()


def covered():
    """Print what of each system was never done, so that nothing is missed by accident."""
    from rulesets import systems
    from sheets.models import Event
    for slug, system in systems().items():
        here = Event.objects.filter(party__ruleset=slug) | Event.objects.filter(sheet__ruleset=slug)
        print(slug, here.count(), "events, undone", here.filter(undone=True).count(), "hidden",
              here.filter(hidden=True).count(), "never:",
              set(system.rolls) - set(here.values_list("roll", flat=True)),
              set(system.acts) - set(here.values_list("act", flat=True)))


def taken_along(past, *more):
    """Pack the documents of each example sheet, and of `more` sheets, as the owner takes them along, and an account."""
    from django.contrib.auth.models import User

    from sheets.models import Sheet
    player = User.objects.get(username="jürgen")
    client, found = browser(player), {}
    own = Sheet.objects.filter(owner=player, deleted=None, party__name__startswith="Runde").order_by("id")
    for sheet in (*own, *more):
        for form in ("json", "md", "bbcode"):
            answer = browser(sheet.owner).get(f"/sheets/{sheet.pk}/export.{form}")
            assert answer.status_code == 200
            found[f"{sheet.ruleset}/{sheet.pk}.{form}"] = answer.getvalue().decode()
    # The zip's own packing packs worse than one stream of what is in it.
    with zipfile.ZipFile(io.BytesIO(client.get("/account/download/").getvalue())) as whole:
        account = {name: whole.read(name).decode() for name in sorted(whole.namelist()) if name.endswith(TEXTS)
                   and ".all." not in name}
    past.pack("documents.json", {"documents": found, "account": account})


TEXTS = (".json", ".md", ".bbcode", ".txt")
"""The files of an account that are no pictures."""


def finish(past, told, kept):
    """Pack the backup, what is `told` of it with the sessions that were `kept`, and the dump; remove the database."""
    from django.contrib.sessions.models import Session
    from django.core.management import call_command
    from django.db import connection
    # What browsers were signed in tells nothing and packs badly.
    Session.objects.exclude(pk__in=kept.values()).delete()
    call_command("verify_reviews")
    call_command("backup", str(WHERE / "past.backup"))
    past.pack("past.backup", gzip.decompress((WHERE / "past.backup").read_bytes()).decode())
    past.pack("told.json", json.loads(json.dumps({"sessions": kept, **told})))
    connection.close()
    with sqlite3.connect(WHERE / "past.sqlite3") as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        dump = "\n".join(base.iterdump())
    past.pack("past.sql", dump)
    shutil.rmtree(WHERE)
