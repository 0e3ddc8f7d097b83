"""Makes the frozen past; was run once, on commit 50aac23 as it stood, and is kept to say how.

    python -m tests.past.make

Run on a later version it would make that version's past, which proves nothing of this one.
"""

# ruff: noqa: PLC0415, S311, T201 - one story, told once; Django comes after its environment

import gzip
import io
import json
import lzma
import os
import re
import shutil
import sqlite3
import sys
import tempfile
import zipfile
from pathlib import Path
from random import Random

from tests.past.keys import HERE, KEYS
from tests.past.pressing import browser
from tests.past.rounds import asked_for_more, round_table

WHERE = Path(tempfile.mkdtemp())


def begin():
    """Django on an empty database of its own."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "builder.settings", "BOGENSCHMIEDE_MODE": "development",
                   "DATABASE_URL": f"sqlite:///{WHERE}/past.sqlite3"}
    import django
    from django.conf import settings
    django.setup()
    for name, key in KEYS.items():
        setattr(settings, name, key)
    settings.ALLOWED_HOSTS = ["testserver"]
    from django.core.management import call_command
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)


def people():
    from django.contrib.auth.models import User
    for name in ("märta", "jürgen", "ede", "gast-geber", "geht"):
        User.objects.create_user(name, f"{name}@example.org", "gut-geschmiedet-7")


def drafts():
    """Guests and their drafts with texts that are no values, some thrown away; the same with an account."""
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
    """Everything that is done about approvals, at the table too, an account and sheets that ended in the chain."""
    from django.db import transaction

    from tests.support.sheets.story import Story
    with transaction.atomic():
        return Story()


def others():
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
    """Says what of each system was never done, so that nothing is missed by accident."""
    from rulesets import systems
    from sheets.models import Event
    for slug, system in systems().items():
        here = Event.objects.filter(party__ruleset=slug) | Event.objects.filter(sheet__ruleset=slug)
        print(slug, here.count(), "events, undone", here.filter(undone=True).count(), "hidden",
              here.filter(hidden=True).count(), "never:",
              set(system.rolls) - set(here.values_list("roll", flat=True)),
              set(system.acts) - set(here.values_list("act", flat=True)))


def taken_along():
    """Documents of each example sheet as its owner takes them along, and of an account."""
    from django.contrib.auth.models import User

    from sheets.models import Sheet
    player = User.objects.get(username="jürgen")
    client, found = browser(player), {}
    for sheet in Sheet.objects.filter(owner=player, deleted=None, party__name__startswith="Runde").order_by("id"):
        for form in ("json", "md", "bbcode"):
            answer = client.get(f"/sheets/{sheet.pk}/export.{form}")
            assert answer.status_code == 200
            found[f"{sheet.ruleset}/{sheet.pk}.{form}"] = answer.getvalue().decode()
    # The zip's own packing packs worse than one stream of what is in it.
    with zipfile.ZipFile(io.BytesIO(client.get("/account/download/").getvalue())) as whole:
        account = {name: whole.read(name).decode() for name in sorted(whole.namelist()) if ".all." not in name}
    pack("documents.json", {"documents": found, "account": account})


def pack(name, tree):
    text = tree if isinstance(tree, str) else json.dumps(tree, ensure_ascii=False, sort_keys=True)
    (HERE / f"{name}.xz").write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def main():
    begin()
    from django.core.management import call_command
    from django.db import connection

    from tests.past.reading import told
    rng = Random(50)
    call_command("demo", verbosity=0)
    people()
    story = reviews()
    print("story", story.kept.pk)
    round_table(rng)
    kept = drafts()
    asked_for_more()
    others()
    taken_along()
    call_command("verify_reviews")
    covered()
    call_command("backup", str(WHERE / "past.backup"))
    pack("past.backup", gzip.decompress((WHERE / "past.backup").read_bytes()).decode())
    snapshot = told()
    pack("told.json", {"sessions": kept, **snapshot})
    connection.close()
    with sqlite3.connect(WHERE / "past.sqlite3") as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        dump = "\n".join(base.iterdump())
    pack("past.sql", dump)
    shutil.rmtree(WHERE)


if __name__ == "__main__":
    sys.exit(main())
