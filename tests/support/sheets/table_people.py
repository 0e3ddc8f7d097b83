"""A party at its table, for tests: a GM, a co-GM and two players with a sheet each."""

import re
import uuid
from itertools import cycle, islice

from django.test import Client

from rulesets import systems
from sheets.character import Character
from sheets.models import CO_GM, Party, PendingEffect, Sheet
from sheets.parties import services as parties
from sheets.press.pending import MOST

NAMES = ("gm", "helper", "anna", "ben")


def keep_waiting(event, sheet):
    """More than a page shows waits at a sheet, as what may be done there; it came of an event."""
    offers = islice(cycle([*Character(sheet).acts()]), MOST + 1)
    return PendingEffect.objects.bulk_create(
        PendingEffect(event=event, sheet=sheet, act=one.cls.slug, filled=dict(one.filled)) for one in offers)


def browser_of(users, name):
    """Make an account; answer it with a browser that speaks English and is signed in."""
    user, browser = users.create_user(name), Client(headers={"Accept-Language": "en"})
    browser.force_login(user)
    return user, browser


class RoundTable:
    """The party of a system; each of its people asks in a language of their own, English unless stated."""

    def __init__(self, users, slug="condice", seen_by="party"):
        self.ruleset, self.users, self.browsers = systems()[slug], {}, {}
        for name in NAMES:
            self.users[name], self.browsers[name] = browser_of(users, name)
        self.party = parties.found_party(self.users["gm"], "Die Runde", self.ruleset)
        # Whether only approved sheets are played is a matter of its own.
        self.party.approval = False
        self.party.save()
        for name in NAMES[1:]:
            parties.join_party(self.party, self.users[name])
        self.party.members.filter(user=self.users["helper"]).update(role=CO_GM)
        documents = [*self.ruleset.examples.values()]
        self.sheets = {name: Sheet.objects.create(
            owner=self.users[name], party=self.party, seen_by=seen_by, ruleset=slug, name=name.title(),
            data=documents[number % len(documents)]["data"]) for number, name in enumerate(("anna", "ben"))}
        self.address = f"/parties/{self.party.pk}/table/"

    def read(self, who="gm", language="en", **headers):
        """The page as somebody reads it."""
        return self.browsers[who].get(self.address, headers={"Accept-Language": language, **headers})

    def since(self, who, now=None):
        """What htmx gets of it; the word that was given last is read from there."""
        return self.browsers[who].get(self.address, {"since": now or ""}, headers={"HX-Request": "true"})

    def now(self, who):
        """The word that says what somebody has seen."""
        return re.search(r"\?since=([^\"]+)\"", self.read(who).text)[1]

    def do(self, word, who="gm", *, w="", press=None, **fields):
        """Presses a button of the table."""
        return self.browsers[who].post(self.address, {
            "do": word, "w": w, "_press": str(press or uuid.uuid4()), **fields})

    def play(self, who, w, **fields):
        """Presses a button of somebody's own sheet."""
        answer = self.browsers[who].post(
            f"/sheets/{self.sheets[who].pk}/play/", {"w": w, "_press": str(uuid.uuid4()), **fields})
        assert answer.status_code == 302, answer.text
        return answer

    def decide(self, who, do, **fields):
        """Press a button of the approval of Anna's sheet, on a page that is read just then."""
        where = f"/sheets/{self.sheets['anna'].pk}/review/"
        seal = re.search(r'name="_seal" value="([0-9a-f]+)"', self.browsers[who].get(where).text)
        answer = self.browsers[who].post(where, {"do": do, "_seal": seal[1] if seal else "", **fields})
        assert answer.status_code == 302, answer.text

    def have(self, who, **data):
        """Write on somebody's sheet, beside what stands there."""
        Sheet.objects.filter(pk=self.sheets[who].pk).update(data=self.sheet(who).data | data)

    def own(self, who, asks=None, language="en"):
        """The page of somebody's sheet as they read it themselves, or as somebody else does."""
        return self.browsers[asks or who].get(f"/sheets/{self.sheets[who].pk}/", headers={"Accept-Language": language})

    def sheet(self, who) -> Sheet:
        """Somebody's sheet as it is stored now."""
        return Sheet.objects.get(pk=self.sheets[who].pk)

    @property
    def stored(self) -> Party:
        """The party as it is stored now."""
        return Party.objects.get(pk=self.party.pk)

    def names(self, who="gm"):
        """The characters in the order in which the table shows them."""
        return re.findall(r'<h3>([^<]*)</h3><span class="seat-note', self.read(who).text)
