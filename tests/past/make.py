"""Makes the frozen past; was run once, on commit 50aac23 as it stood, and is kept to say how.

    python -m tests.past.make

Run on a later version it would make that version's past, which proves nothing of this one.
"""

# ruff: noqa: C901, PLC0415, S311, T201 - one story, told once; Django comes after its environment

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
import uuid
import zipfile
from collections import Counter
from pathlib import Path
from random import Random

from tests.past.keys import HERE, KEYS

WHERE = Path(tempfile.mkdtemp())
PRESSES = 36
"""Presses on a sheet, in each language."""
LATE = "battle-dice"
"""Where the house rules come after the approvals."""


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


def browser(user=None, language="de"):
    from django.test import Client
    client = Client(headers={"Accept-Language": language})
    if user:
        client.force_login(user)
    return client


def pressed(sheet, language, rng, times):
    """Everything that the sheet offers, by its owner, what was pressed least first; now and then taken back."""
    from django.utils.datastructures import MultiValueDict

    from sheets.character import Character
    from sheets.models import Event, Sheet
    from sheets.play.queries import latest_by_widget, recent_events
    from sheets.play.undo import last_act
    from sheets.rolls.followups import roll_cards
    from sheets.rolls.widgets import Widget
    client = browser(sheet.owner, language)
    for number in range(PRESSES):
        character = Character(Sheet.objects.select_related("party", "owner").get(pk=sheet.pk))
        if character.barred:
            return None
        last = latest_by_widget(recent_events(character.sheet))
        found = [card.widget for one in roll_cards(character.ruleset, character.rolls(), last) for card in one.whole()]
        found += [Widget(offer) for offer in character.acts()]
        least = min((times[one.offer.cls, (number % 2) * one.key], rng.random(), place)
                    for place, one in enumerate(found))
        widget = found[least[2]]
        times[widget.offer.cls, ""] += 1
        times[widget.offer.cls, widget.key] += 1
        for _try in range(9):
            answers = {one.path: answered(one, rng) for one in widget.inputs}
            if Widget(widget.offer, MultiValueDict(
                    {key: one if isinstance(one, list) else [one] for key, one in answers.items()})).made:
                break
        client.post(f"/sheets/{sheet.pk}/play/", {
            "w": widget.key, "_press": str(uuid.UUID(int=rng.getrandbits(128))), **answers})
        if number % 9 == 8 and (last := last_act(character.sheet)):
            client.post(f"/sheets/{sheet.pk}/play/", {"w": "undo", "_event": last.pk})
    return Event.objects.filter(sheet=sheet).count()


def answered(one, rng):
    """A text for an input, mostly the one that stands in it."""
    slot = one.slot
    if slot.kind == "choices":
        options = [str(one) for one in slot.choices or ()]
        return rng.sample(options, rng.randint(0, min(2, len(options)))) if options else []
    if slot.kind == "check":
        return rng.choice(["", "on"])
    if slot.choices and rng.random() < 0.5:
        return str(rng.choice([one for one in slot.choices if one is not None]))
    if slot.kind == "number" and rng.random() < 0.5:
        low = slot.low or 0
        return str(rng.randint(low, min(low + 6, slot.high if slot.high is not None else low + 6)))
    return one.text or rng.choice(["Ölkännchen", "Schild „Wächter“", "Fear of heights"])


def people():
    from django.contrib.auth.models import User
    for name in ("märta", "jürgen", "ede", "gast-geber", "geht"):
        User.objects.create_user(name, f"{name}@example.org", "gut-geschmiedet-7")


def round_table(rng):
    """A party in each system: everything pressed in it, dice of GMs, counters, ready-made, remarks, house rules."""
    from django.contrib.auth.models import User

    from rulesets import systems
    from sheets.models import Event, Party, Sheet
    gm, player = User.objects.get(username="märta"), User.objects.get(username="jürgen")
    second = User.objects.get(username="ede")
    for slug, system in systems().items():
        leads, plays = browser(gm, "de"), browser(player, "en")
        leads.post("/parties/", {"name": f"Runde „{system.title}“", "ruleset": slug})
        party = Party.objects.get(name=f"Runde „{system.title}“")
        Party.objects.filter(pk=party.pk).update(approval=False)
        leads.post(f"/parties/{party.pk}/", {"do": "invite"})
        party.refresh_from_db()
        for client in (plays, browser(second, "de")):
            assert client.post(f"/join/{party.invitation}/").status_code == 302
        party.members.filter(user=second).update(role="co-gm")
        leads.post(f"/parties/{party.pk}/", {"do": "notes", "notes": f"Geheim: {slug} 🏹"})
        documents = list(system.examples.items())
        sheets = []
        for number, (which, document) in enumerate(documents):
            plays.post(f"/build/{slug}/")
            sheet = Sheet.objects.filter(owner=player, ruleset=slug, party=None).latest("created")
            sheet.name, sheet.data = document["name"], document["data"]
            sheet.notes = f"Notiz zu {which}: ein Pfeil ist zerbrochen.\nZweite Zeile \u2028 Ünïcode"
            sheet.save()
            plays.post(f"/sheets/{sheet.pk}/place/", {"do": "bring", "party": str(party.pk)})
            seen_by = ("private", "party", "public")[number % 3]
            plays.post(f"/sheets/{sheet.pk}/place/", {"do": "see", "seen_by": seen_by})
            plays.post(f"/sheets/{sheet.pk}/keep/", {"do": "share"})
            leads.post(f"/sheets/{sheet.pk}/remark/", {"text": f"Prüfen: {which}"})
            sheet.refresh_from_db()
            assert sheet.party_id == party.pk
            sheets.append(sheet)
        times = Counter()
        for sheet in sheets:
            for language in ("de", "en"):
                pressed(sheet, language, rng, times)
        table = f"/parties/{party.pk}/table/"
        for how in ("open", "hidden", "hidden"):
            for roll in system.rolls.values():
                from sheets.rolls.widgets import Widget, key_of
                offer = roll.asking()
                leads.post(table, {"do": f"throw:{how}", "w": key_of(offer), "_press": str(uuid.uuid4()),
                                   **{one.path: one.text for one in Widget(offer).inputs}})
        hidden = Event.objects.filter(party=party, hidden=True).first()
        if hidden:
            leads.post(table, {"do": f"reveal:{hidden.pk}"})
        html = leads.get(table).text
        for word in sorted(set(re.findall(r'value="(count:[^"]+)"', html))):
            leads.post(table, {"do": word})
        for key in sorted(set(re.findall(r'name="w" value="([^"]+)"', html)) | set(
                re.findall(r'value="round[^"]*"[^>]*data-w="([^"]+)"', html))):
            leads.post(table, {"do": "round", "w": key, "_press": str(uuid.uuid4())})
        leads.post(table, {"do": f"first:{sheets[0].pk}"})
        leads.post(f"/parties/{party.pk}/ready/", {"do": "generate", "count": "2"})
        offered = party.sheets.filter(offered=True).first()
        if offered:
            plays.post(f"/parties/{party.pk}/ready/", {"do": f"take:{offered.pk}"})
        if slug != LATE:
            house(system, party, leads)


def house(system, party, leads):
    """One figure of the house is another than the book's."""
    from sheets.forms.house_rules import HouseForm, settings_of
    from sheets.forms.inputs import input_text
    from sheets.models import Party
    changed = {}
    for where, _heading, slot in settings_of(system):
        if slot.kind == "number" and slot.default is not None:
            changed = {where: input_text(slot.default + 1)}
        elif slot.kind == "check":
            changed = {where: "" if slot.default else "on"}
        elif slot.choices:
            changed = {where: str(next(one for one in slot.choices if one not in (slot.default, "book")))}
        if changed and HouseForm(system, system.house(), changed).house is not None:
            break
    url, version = f"/parties/{party.pk}/house/", Party.objects.get(pk=party.pk).version
    page = leads.post(url, {"_version": version, **changed, "do": "preview"}).text
    seen = re.search(r'name="_seen" value="([^"]*)"', page)
    leads.post(url, {"_version": version, "_seen": seen[1], **changed, "do": "save"})
    print(system.slug, "house", changed, Party.objects.get(pk=party.pk).house)
    assert Party.objects.get(pk=party.pk).house


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

    from tests.sheets.audit_log.story import Story
    with transaction.atomic():
        return Story()


def asked_for_more():
    """An approval with exceptions and comments through the pages, one returned, one waiting, another way in each."""
    from django.contrib.auth.models import User

    from rulesets import systems
    from sheets.models import Party, Sheet
    for slug in systems():
        party = Party.objects.get(name__startswith="Runde", ruleset=slug)
        leads, plays = browser(User.objects.get(username="märta")), browser(User.objects.get(username="jürgen"), "en")
        sheets = party.sheets.filter(owner__username="jürgen", offered=False).order_by("created")
        for number, sheet in enumerate(sheets):
            url = f"/sheets/{sheet.pk}/review/"
            print(slug, sheet.name, plays.post(url, {"do": "submit"}).status_code, end=" ")
            page = leads.get(url).text
            seal = re.search(r'name="_seal" value="(\w+)"', page)
            if not seal:
                print("nothing waits")
                continue
            said = {"_seal": seal[1], "comment": f"Gesehen – {sheet.name}."}
            said |= dict.fromkeys(re.findall(r'name="(reason\.\w+)"', page), "So besprochen: „ja“.")
            said |= dict.fromkeys(re.findall(r'name="(at\.[^"]+)"', page)[:2], "Hier bitte genauer.")
            word = ("approve", "return", "approve", "")[number % 4]
            print(word, word and leads.post(url, {"do": word, **said}).status_code)
            if number == 2:
                leads.post(url, {"do": "withdraw", "comment": "Doch noch einmal ansehen."})
        if slug == LATE:
            house(systems()[slug], party, leads)
        Party.objects.filter(pk=party.pk).update(approval=True)
        for sheet in sheets[:1]:
            pressed(sheet, "de", Random(slug), Counter())
            # What only changes a thing of the draft leaves what is played as it was approved.
            changed = Sheet.objects.get(pk=sheet.pk)
            Sheet.objects.filter(pk=sheet.pk).update(name=f"{changed.name} (Entwurf)", version=changed.version + 1)


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
