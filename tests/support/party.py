"""A party with a GM, another GM and a player whose sheet is in it, for tests of approvals."""

import re

from django.contrib.auth.models import User
from django.test import Client

from rulesets import systems
from sheets.models import Member, Sheet
from sheets.parties import services as parties
from sheets.reviews import services as reviews
from sheets.status.reviews import review_status

SITE = "http://testserver"
"""Where the browsers below look."""


class Round:
    """A party with a GM, another GM, and a player whose sheet is in it."""

    def __init__(self, slug="condice", people=("greta", "gero", "paula"), **house):
        self.gm, self.second, self.player = (User.objects.create_user(name) for name in people)
        self.party = parties.found_party(self.gm, "Die Runde", systems()[slug])
        self.party.house = house
        self.party.save()
        for user, role in ((self.second, "co-gm"), (self.player, "player")):
            Member.objects.create(party=self.party, user=user, role=role)
        document = next(iter(systems()[slug].examples.values()))
        self.sheet = Sheet.objects.create(owner=self.player, party=self.party, ruleset=slug, name=document["name"],
                                          data=document["data"], house=house)

    def member(self, user):
        """Somebody's part in the party."""
        return Member.objects.select_related("party", "user").get(party=self.party, user=user)

    def bring(self, which):
        """The sheet is another example."""
        document = systems()[self.sheet.ruleset].examples[which]
        self.sheet.name, self.sheet.data = document["name"], document["data"]
        self.sheet.save()
        return self

    def approve(self, reason="Weil es passt."):
        """The player submits the sheet as it stands, the GM approves it and grants whatever asks for it."""
        reviews.submit(self.sheet, self.player)
        found = reviews.pending_decision(self.sheet, review_status(self.sheet))
        return reviews.approve(self.member(self.gm), self.sheet, found.seal, dict.fromkeys(found.asking, reason), {})

    def change(self, **data):
        """The player edits the sheet."""
        self.sheet.data = {**self.sheet.data, **data}
        self.sheet.version += 1
        self.sheet.save()


class Rooms(Round):
    """A round with a browser for each of its people, and for somebody who is in none."""

    def __init__(self, slug="condice", **house):
        super().__init__(slug, **house)
        self.member_, self.stranger = (User.objects.create_user(name) for name in ("mia", "sten"))
        Member.objects.create(party=self.party, user=self.member_)
        users = {"player": self.player, "gm": self.gm, "second": self.second, "member": self.member_,
                 "stranger": self.stranger}
        self.browsers = {who: browser(user) for who, user in users.items()}
        self.url = f"/sheets/{self.sheet.pk}/review/"

    def read(self, who, url="", **query):
        return self.browsers[who].get(url or self.url, query)

    def press(self, who, do, **fields):
        """Presses a button of the page as it is now; `_seal` is that of the page unless stated."""
        if do in ("approve", "return") and "_seal" not in fields:
            seal = re.search(r'name="_seal" value="(\w+)"', self.read(who).text)
            fields["_seal"] = seal[1] if seal else ""
        return self.browsers[who].post(self.url, {"do": do, **fields})

    def asking(self):
        """The names of the inputs in which an exception's reason is given."""
        return re.findall(r'name="(reason\.\w+)"', self.read("gm").text)

    def ask(self):
        """The sheet asks for approval in one place."""
        ability = {"ability": "custom", "name": "Zeit anhalten", "cost": 2, "description": "", "range": 0}
        self.change(abilities=[ability])
        return self

    def wait(self):
        reviews.submit(self.sheet, self.player)
        return self

    @property
    def state(self):
        self.sheet.refresh_from_db()
        return review_status(self.sheet).state


def browser(user):
    """The browser of somebody, who speaks English; of nobody known without a user."""
    found = Client(headers={"Accept-Language": "en"})
    if user:
        found.force_login(user)
    return found
