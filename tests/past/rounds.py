"""The parties of a frozen past: their tables, their house rules, their approvals."""

# ruff: noqa: C901, PLC0415, S311, T201 - one story, told once; Django comes after its environment

import re
from collections import Counter
from random import Random

from tests.past.pressing import browser, press_key, pressed

LATE = "battle-dice"
"""Where the house rules come after the approvals."""


def round_table(rng, first):
    """Play a party of each system: everything pressed, dice of GMs, counters, ready-made, remarks, house rules.

    `first` is the word of the button by which a sheet goes first, with its key to be filled in.
    """
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
                offer = roll.offer()
                leads.post(table, {"do": f"throw:{how}", "w": key_of(offer), "_press": press_key(),
                                   **{one.path: one.text for one in Widget(offer).inputs}})
        hidden = Event.objects.filter(party=party, hidden=True).first()
        if hidden:
            leads.post(table, {"do": f"reveal:{hidden.pk}"})
        html = leads.get(table).text
        for word in sorted(set(re.findall(r'value="(count:[^"]+)"', html))):
            leads.post(table, {"do": word})
        for key in sorted(set(re.findall(r'name="w" value="([^"]+)"', html)) | set(
                re.findall(r'value="round[^"]*"[^>]*data-w="([^"]+)"', html))):
            leads.post(table, {"do": "round", "w": key, "_press": press_key()})
        assert leads.post(table, {"do": first.format(sheets[0].pk)}).status_code == 302
        leads.post(f"/parties/{party.pk}/ready/", {"do": "generate", "count": "2"})
        offered = party.sheets.filter(offered=True).first()
        if offered:
            plays.post(f"/parties/{party.pk}/ready/", {"do": f"take:{offered.pk}"})
        if slug != LATE:
            house(system, party, leads)


def house(system, party, leads):
    """Give one figure of the house another value than the book's."""
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


def asked_for_more():
    """Approve with exceptions and comments, return, leave waiting and withdraw on the pages, each in its way."""
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
