"""The tables of the second past: odd names at them, an evening open, a fight going on, hits that wait."""

# ruff: noqa: PLC0415 - one story, told once; Django comes after its environment

from collections import Counter
from urllib.parse import urlencode

from tests.past.odd import NAMES, dealt, spread
from tests.past.pressing import Seldom, browser, filled, press_key, pressed

DUEL = 100
"""Presses of each of two in a game against one another."""


def named(row, name, page=None, **form):
    """Name something on its page, or by hand where the page takes no such name; return whether the page did."""
    answer = page and page[0].post(page[1], {"name": name, **form})
    row.refresh_from_db()
    if row.name == name:
        return True
    assert answer is None or answer.status_code in (302, 422)
    type(row).objects.filter(pk=row.pk).update(name=name)
    row.refresh_from_db()
    return False


class Table:
    """A party with a table of odd names; `names` says how the next of each kind is called."""

    def __init__(self, system, names, gm, second, players, rng):
        self.system, self.names, self.rng = system, names, rng
        self.gm, self.second, self.players = gm, second, players
        self.leads = browser(gm)
        self.found()
        self.sheets = [self.hero(number, player) for number, player in enumerate((*players, players[0]))]
        self.opponents()

    def post(self, client, address, **form):
        """Press a button of one of the party's pages, which takes it."""
        answer = client.post(f"/parties/{self.party.pk}/{address}", {"_press": press_key(), **form})
        assert answer.status_code == 302, (address, form, answer.status_code)

    def found(self):
        """Found the party; the others come in."""
        from sheets.models import Party
        self.leads.post("/parties/", {"name": "Runde ohne Namen", "ruleset": self.system.slug})
        self.party = Party.objects.latest("created")
        named(self.party, self.names["party"](), (self.leads, f"/parties/{self.party.pk}/"), do="rename")
        self.post(self.leads, "", do="approval")
        self.post(self.leads, "", do="invite")
        self.party.refresh_from_db()
        for user in (self.second, *self.players):
            assert browser(user).post(f"/join/{self.party.invitation}/").status_code == 302
        self.party.members.filter(user=self.second).update(role="co-gm")

    def hero(self, number, player):
        """Bring in a sheet from a document, with odd names in it and a picture; the first of them is approved."""
        from django.core.files.uploadedfile import SimpleUploadedFile

        from tests.support.sheets.files import file_of, thirds
        documents = sorted(self.system.examples.values(), key=lambda one: -str(one["data"]).count("'name'"))
        document = documents[number % len(documents)]
        if number != 1:
            document = {**document, "data": spread(document["data"], self.names["item"])}
        client, name = browser(player), self.names["sheet"]()
        sheet = imported(client, document, name)
        client.post(f"/sheets/{sheet.pk}/place/", {"do": "bring", "party": str(self.party.pk)})
        client.post(f"/sheets/{sheet.pk}/place/", {"do": "see", "seen_by": ("party", "private", "public")[number]})
        if number < 2:
            file = SimpleUploadedFile("bild.png", file_of(thirds(upright=bool(number))))
            assert client.post(f"/sheets/{sheet.pk}/picture/", {"do": "bring", "file": file}).status_code == 302
            client.post(f"/sheets/{sheet.pk}/picture/", {"do": "move", "focus": str(20 + 60 * number)})
        sheet.refresh_from_db()
        assert (sheet.party, bool(sheet.portrait_id)) == (self.party, number < 2)
        return sheet

    def opponents(self):
        """Make opponents of a few figures, by the dice and like a sheet; show one, take one out."""
        from sheets.models import Sheet
        like = {"do": "copy", "sheet": str(self.sheets[1].pk)}
        for form in ({"do": "random"}, like, self.figures() or like, like):
            name = self.names["opponent"]()
            self.post(self.leads, "opponents/", _name=name, _count="1", **form)
            named(Sheet.objects.filter(opponent=True).latest("created"), name)
        self.post(self.leads, "opponents/", _name="Kobold", _count="2", **like)
        made = self.party.sheets.filter(opponent=True)
        self.post(self.leads, "opponents/", do=f"out:{made.get(name='Kobold 1').pk}")
        self.foes = list(made.order_by("created", "pk"))
        self.post(self.leads, "opponents/", do=f"show:{self.foes[0].pk}")

    def figures(self):
        """Return the form that makes an opponent of a few figures, None where the system knows none that suffice."""
        from sheets.rolls.widgets import Widget
        side = self.system.crossing.side
        return side and {"do": "figures", **{one.path: one.text for one in Widget(side.offer()).inputs}}

    def evenings(self):
        """Hold three evenings and begin a fourth, with what the system does then for all."""
        from sheets.models import Evening
        for number in range(4):
            form = {"name": self.names["evening"]()}
            if number != 1:
                form["also"] = [f"act-{act.slug}" for act in self.system.table.begins]
            self.post(self.leads, "evenings/", do="begin", **form)
            evening = Evening.objects.latest("pk")
            assert evening.party == self.party
            named(evening, form["name"])
            if number < 3:
                self.throw("open")
                self.post(self.leads, "evenings/", do=f"end:{evening.pk}")

    def throw(self, how):
        """Throw one of the GM's rolls."""
        from sheets.rolls.widgets import Widget, key_of
        offer = self.rng.choice(list(self.system.rolls.values())).offer()
        self.post(self.leads, "table/", do=f"throw:{how}", w=key_of(offer),
                  **{one.path: one.text for one in Widget(offer).inputs})

    def hidden(self):
        """Throw some of the GM's rolls so that nobody sees them, and show one of these."""
        from sheets.models import Event
        for how in ("hidden", "open", "hidden", "hidden"):
            self.throw(how)
        self.post(self.leads, "table/", do=f"reveal:{Event.objects.filter(party=self.party, hidden=True)[1].pk}")

    def hand_out(self):
        """Hand out something to all, to one player, and a picture; some of it is opened."""
        from django.core.files.uploadedfile import SimpleUploadedFile

        from sheets.models import Handout
        from tests.support.sheets.files import file_of, thirds
        one = str(self.party.members.get(user=self.players[0]).pk)
        for number, whom in enumerate(("all", one, one, "all")):
            name = self.names["handout"]()
            more = {"file": SimpleUploadedFile("plan.png", file_of(thirds()))} if number in (0, 2) else {}
            # A title that is blank is refused; there may be such from before.
            title = name if name.strip() else "Ohne Titel"
            self.post(self.leads, "handouts/", do="give", title=title, text=f"Für euch: {name}", whom=whom, **more)
            made = Handout.objects.latest("pk")
            Handout.objects.filter(pk=made.pk).update(title=name)
            if number < 2:
                self.post(browser(self.players[0]), "handouts/", do=f"open:{made.pk}")

    def hits(self, many):
        """Aim at one another until so much has landed; apply, dismiss and take back some of it, let the rest wait."""
        from sheets.models import Landing
        there = [*self.sheets[:2], *self.foes[:1]]
        for number in range(12 * many):
            by, at = there[number % 3], there[(number + 1 + number // 3 % 2) % 3]
            self.aim(by, at)
            if Landing.objects.filter(event__party=self.party).count() >= many:
                break
        for word in ("apply", "dismiss", "back", "apply"):
            landing = Landing.objects.filter(event__party=self.party, state="open").order_by("pk").first()
            if landing is None:
                break
            self.settle("apply" if word == "back" else word, landing.pk)
            landing.refresh_from_db()
            if word == "back" and landing.applied_id:
                self.settle("back", landing.applied_id)

    def duel(self):
        """Play in turns, where the system has games of two and one has begun, whatever leads on in it."""
        from sheets.character import Character
        leading = self.system.crossing.foremost
        others = {*self.system.acts.values(), *self.system.rolls.values()} - {*leading}
        times = Seldom(dict.fromkeys(others, 99))
        for _turn in range(DUEL if self.system.crossing.pairs else 0):
            for sheet in self.sheets[:2]:
                sheet.refresh_from_db()
                if any(one.cls in leading for one in Character(sheet).acts()):
                    pressed(sheet, "de", self.rng, times, 1)

    def settle(self, word, number):
        """Press a button at what has landed, or at what was done."""
        self.post(self.leads, "table/play/", do=f"{word}:{number}")

    def aim(self, by, at):
        """Press something of a sheet that lands at another."""
        from sheets.character import Character
        from sheets.models import Sheet
        from sheets.rolls.widgets import Widget
        character = Character(Sheet.objects.select_related("party", "owner").get(pk=by.pk))
        offers = (*character.rolls(), *character.acts(aimed=True))
        found = [one for one in offers if one.cls in self.system.crossing.lands]
        if not found:
            return
        widget = Widget(self.rng.choice(found))
        self.leads.post(f"/parties/{self.party.pk}/table/play/?{urlencode({'_by': by.pk, '_at': at.pk})}", {
            "w": widget.key, "_press": press_key(), **filled(widget, self.rng)})

    def fight(self):
        """Begin a fight in an order of the GM's, and go on until the second round."""
        self.post(self.leads, "table/", do=f"place:{self.sheets[1].pk}:0")
        self.post(self.leads, "table/play/", do="turn:begin")
        self.party.refresh_from_db()
        while self.party.round < 2:
            self.post(self.leads, "table/play/", do="turn:next")
            self.party.refresh_from_db()
        self.post(self.leads, "table/play/", do="turn:hold")
        self.post(self.leads, "table/play/", do="turn:next")

    def ask(self):
        """Ask all players for a roll, with an odd note; one of them answers."""
        from sheets.stage.asked import askable
        from sheets.stage.table import PartyTable
        me = self.party.members.get(user=self.gm)
        titles = askable(PartyTable(me))
        if titles:
            self.post(self.leads, "table/asked/", do="ask", _roll=titles[0], _note=self.names["note"](),
                      _whom=[str(one.pk) for one in self.sheets])

    def review(self):
        """Submit the first sheet, which a GM approves."""
        import re
        sheet = self.sheets[0]
        url = f"/sheets/{sheet.pk}/review/"
        browser(sheet.owner).post(url, {"do": "submit"})
        page = self.leads.get(url).text
        if seal := re.search(r'name="_seal" value="(\w+)"', page):
            said = {"_seal": seal[1], "comment": self.names["note"]()}
            said |= dict.fromkeys(re.findall(r'name="(reason\.\w+)"', page), "So besprochen: *ja* | <nein>.")
            self.leads.post(url, {"do": "approve", **said})

    def play(self, times):
        """Play the whole evening."""
        self.review()
        self.evenings()
        self.hand_out()
        self.fight()
        self.hits(6)
        self.duel()
        for sheet in self.sheets[2:] if self.system.crossing.pairs else self.sheets:
            pressed(sheet, "de", self.rng, times, 9)
        self.hits(12)
        self.hidden()
        self.ask()


def imported(client, document, name):
    """Make a sheet of a document on the page for that, and name it."""
    import json

    from sheets.models import Sheet
    text = json.dumps({"format": "bogenschmiede.sheet", "version": 1, **document, "name": name})
    answer = client.post("/import/", {"do": "import", "document": text})
    assert answer.status_code == 302, (answer.status_code, name, document["ruleset"])
    sheet = Sheet.objects.latest("created")
    named(sheet, name)
    return sheet


def tables(accounts, rng):
    """Play at an odd table of each system; return the tables."""
    from django.contrib.auth.models import User

    from rulesets import systems
    gm, second, player = (User.objects.get(username=one) for one in ("märta", "ede", "jürgen"))
    kinds = ("party", "sheet", "item", "opponent", "evening", "handout", "note")
    names = {kind: dealt(2 * place) for place, kind in enumerate(kinds)}
    found = []
    for number, system in enumerate(systems().values()):
        table = Table(system, names, gm, second, (player, accounts[number % len(accounts)]), rng)
        table.play(Counter())
        found.append(table)
    return found


def all_parties(rng):
    """Found a party of every odd name; nobody else is in it."""
    from django.contrib.auth.models import User

    from rulesets import systems
    from sheets.models import Party
    client = browser(User.objects.get(username="ede"))
    taken = {}
    for name in NAMES:
        client.post("/parties/", {"name": "Leer", "ruleset": rng.choice(list(systems()))})
        party = Party.objects.latest("created")
        taken[name] = named(party, name, (client, f"/parties/{party.pk}/"), do="rename")
    return taken
