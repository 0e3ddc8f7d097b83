"""A whole scene at a party's table: a GM and three players press, and a referee says after each press what is so."""

import re
from uuid import uuid4

from sheets.models import Event, Sheet
from sheets.parties import services as parties
from sheets.scenes.order import turn_of, turn_token
from tests.support.guest import text_of
from tests.support.rulesets.contract import seeded
from tests.support.sheets.fight import Fight
from tests.support.sheets.table_people import browser_of

HEROES, OPPONENTS = ("anna", "ben", "cleo"), ("ork", "troll", "wolf")
AGAIN = 10
"""Each so many-th press is taken back and done once more."""


class WholeScene(Fight):
    """Three against three, with the referee of their system; `anew` are the fields of play that fall anew."""

    anew: frozenset[str] = frozenset()
    roll = ""
    """A roll of the system that a GM throws, with what it asks for."""
    asks: dict[str, object] = {}
    heroes: tuple[str, ...] = HEROES
    opponents: tuple[str, ...] = OPPONENTS

    def __init__(self, users, slug, referee, seed, **data):
        super().__init__(users, slug)
        self.users["cleo"], self.browsers["cleo"] = browser_of(users, "cleo")
        parties.join_party(self.party, self.users["cleo"])
        documents = [one["data"] for one in self.ruleset.examples.values()]
        if "cleo" in self.heroes:
            self.bring("Cleo", owner=self.users["cleo"], opponent=False, seen_by="party", data=documents[2])
        for number, name in enumerate(self.opponents):
            self.bring(name.title(), data=documents[number % len(documents)])
        for name, more in data.items():
            self.have(name, **more)
        self.names = {str(sheet.pk): name for name, sheet in self.sheets.items()}
        self.referee, self.chance = referee(self.heroes, self.opponents), seeded(f"{slug} {seed}")
        self.presses, self.burnt = self.chance.randrange(AGAIN), []

    def data(self, name):
        """The figures of somebody as they are written on the sheet."""
        return self.sheet(name).data

    def player(self, name):
        """Who plays somebody: whoever is called so, the GM for opponents."""
        return "gm" if name in self.referee.opponents else name

    def stored(self):
        """What is stored of play, the round and whose turn it is."""
        return dict(Sheet.objects.filter(party=self.party).values_list("pk", "play")), turn_of(self.scene)

    def turn(self, word, who="gm"):
        """Press a button of the turns as the page shows them; answer its event."""
        return self._pressed(lambda: self.settle("turn", who, word, _turn=turn_token(self.scene)),
                             lambda event: self.settle("turn", who, f"back:{event.pk}", ""))

    def act(self, name, which, who=None, /, **fields):
        """Press an act of somebody; answer its event."""
        who = who or self.player(name)
        return self._pressed(lambda: self.try_act(name, which, who, **fields),
                             lambda event: self.settle("back", who, event.pk))

    def try_act(self, name, which, who, /, **fields):
        """Press an act of somebody, offered or not."""
        return self.browsers[who].post(f"{self.address}play/?{self.seats(name, None)}", {
            "w": f"act-{which}", "_press": str(uuid4()), **fields})

    def _pressed(self, press, back):
        before, last = self.stored(), _last()
        event = _pressed(press, last)
        if self.tenth():
            first = self.stored()
            assert back(event).status_code == 302
            assert self.stored() == before
            event.refresh_from_db()
            assert event.undone
            event = _pressed(press, _last())
            assert self._lying(self.stored()) == self._lying(first)
        return event

    def tenth(self):
        """Count a press, and tell whether it is one that is taken back and done once more."""
        self.presses += 1
        return self.presses % AGAIN == 0

    def _lying(self, stored):
        """What is stored but for what falls anew with each round, and who begins by that."""
        plays, turn = stored
        if not self.anew:
            return stored
        return {key: {name: value for name, value in play.items() if name not in self.anew}
                for key, play in plays.items()}, {**turn, "on": None}

    def check(self):
        """The code says what the referee says: whose turn it is in which round, and what is spent."""
        scene, plays = self.scene, dict(Sheet.objects.filter(party=self.party).values_list("pk", "play"))
        there = {name: plays[sheet.pk] for name, sheet in self.sheets.items() if sheet.pk in plays}
        on = {self.names[key] for key in scene.on} & set(there)
        found = {"there": set(there), "round": scene.round, "on": on} | {
            name: self.referee.read(name, play) for name, play in there.items()}
        said = {"there": self.referee.there, "round": self.referee.round, "on": self.referee.on & set(there)} | {
            name: self.referee.written(name) for name in there}
        assert found == said, {key: (found[key], said[key]) for key in found if found[key] != said[key]}

    def ends_turn(self, name):
        """Whoever has the turn says that it is over, as a GM does for opponents and for whoever is away."""
        away = self.chance.random() < .2 and "cleo" not in self.referee.on
        who = "gm" if away else self.player(name)
        over = {*self.referee.on} if who == "gm" else {name}
        if who == "gm" or len(self.referee.on) == 1:
            other = next((one for one in HEROES if one not in self.referee.on and one in self.referee.there), None)
            assert other is None or self.settle("turn", other, "next").status_code == 404
        event = self.turn("next", who)
        assert (event.who.username, {self.names[key] for key in event.turn["of"]} & self.referee.there) == (
            who, over & self.referee.there)
        self.referee.passed(over, event)

    def begins(self):
        """Open a scene, and begin the fight."""
        self.browsers["gm"].post(f"/parties/{self.party.pk}/scenes/", {"do": "begin", "name": "Die Brücke"})
        self.prepare()
        self.referee.begun(self.turn("begin"))
        self.check()

    def ends(self):
        """End the fight, if it goes on."""
        if self.referee.round:
            self.turn("end")
            self.referee.over()
            self.check()

    def play_through(self, rounds):
        """Begin, go round so many times, somebody coming, leaving and falling on the way, and end."""
        self.begins()
        self.throw()
        changes = [(2, self.comes), (2, self.leaves), (2, self.falls), (3, self.is_burnt)]
        while 0 < self.referee.round <= rounds:
            if changes and changes[0][0] <= self.referee.round and changes[0][1]():
                changes.pop(0)
                self.check()
                continue
            # Cleo comes last where only she is left to come.
            name = self.chance.choice(sorted(self.referee.on - {"cleo"} or self.referee.on))
            for _time in range(self.chance.randint(0, 2)):
                if name in self.referee.on & self.referee.there:
                    self.acts(name)
                    self.check()
            if name in self.referee.on:
                self.ends_turn(name)
            self.check()
        assert not changes
        self.ends()
        self.log_says_who_pressed()
        self.numbered_without_a_gap()

    def prepare(self):
        """Set the order, if it is the GM who does so."""

    def acts(self, name):
        """Have somebody whose turn it is do something by chance."""
        raise NotImplementedError

    def falls(self):
        """Have somebody fall."""
        raise NotImplementedError

    def throw(self):
        """The GM rolls for all to see, and hidden; what has no dice is beside it."""
        for how in ("open", "hidden", "hidden"):
            assert self.do(f"throw:{how}", w=self.roll, **self.asks).status_code == 302

    def comes(self):
        """An opponent comes to the table."""
        assert self.make("copy", _name="Dora", _count="1", sheet=self.sheets["wolf"].pk).status_code == 302
        self._met("dora", Sheet.objects.get(name="Dora"))
        self.referee.came("dora", opponent=True)
        return True

    def brings(self, who, name):
        """A player brings a sheet of their own."""
        first = next(iter(self.ruleset.examples.values()))
        sheet = Sheet.objects.create(owner=self.users[who], ruleset=self.ruleset.slug, name=name.title(),
                                     data=first["data"], seen_by="party")
        self.browsers[who].post(f"/parties/{self.party.pk}/", {"do": "bring", "sheet": sheet.pk})
        self._met(name, sheet)

    def _met(self, name, sheet):
        self.sheets[name], self.names[str(sheet.pk)] = sheet, name

    def leaves(self):
        """An opponent is taken out of the party; its turn passes on."""
        self.browsers["gm"].post(f"/parties/{self.party.pk}/", {"do": f"drop:{self.sheets['ork'].pk}"})
        self.referee.left("ork")
        if "ork" in self.referee.on:
            self.referee.passed({"ork"}, self.party.events.filter(widget="turn").latest("pk"))
        return True

    def is_burnt(self):
        """Whose turn it is alone throws the sheet away for good, and the turn goes on; it waits until that is so."""
        if self.referee.on != {"cleo"}:
            return False
        sheet, before = self.sheets["cleo"], self.referee.round
        rolls = self.party.events.filter(sheet=sheet, number__isnull=False)
        self.burnt += rolls.values_list("number", flat=True)
        others = {one for one in self.referee.there - {"cleo"} if one not in self.referee.had and self.referee.due(one)}
        self.browsers["cleo"].post(f"/drafts/{sheet.pk}/", {"do": "delete"})
        self.browsers["cleo"].post("/sheets/trash/", {"do": f"burn:{sheet.pk}"})
        assert not Sheet.objects.filter(pk=sheet.pk).exists()
        self.referee.left("cleo")
        self.referee.passed({"cleo"}, self.turn("next"))
        assert self.scene.round == before + (not others)
        return True

    def log_says_who_pressed(self):
        """A turn that the GM ended for somebody else stands in the log as the GM's."""
        ended = Event.objects.filter(party=self.party, widget="turn", who=self.users["gm"]).exclude(turn__of=[])
        assert ended.exists()
        assert re.search(r"gm The turn is over: \w+", text_of(self.read("anna")))

    def numbered_without_a_gap(self):
        """Rolls, and only rolls, are numbered from 1, hidden ones in a row of their own."""
        events = Event.objects.filter(party=self.party).order_by("pk")
        rolls, hidden = ([one for one in events if one.roll and one.hidden == how] for how in (False, True))
        assert sorted([*(one.number for one in rolls), *self.burnt]) == [*range(1, self.scene.rolls + 1)]
        assert [one.hidden_number for one in hidden] == [*range(1, self.scene.hidden_rolls + 1)]
        assert {one.hidden_number for one in rolls} | {one.number for one in hidden} == {None}
        assert {(one.number, one.hidden_number) for one in events if not one.roll} == {(None, None)}


def _last():
    found = Event.objects.order_by("-pk").values_list("pk", flat=True).first()
    return found or 0


def _pressed(press, last):
    """The event of a press; what it did to others are steps of it."""
    answer = press()
    assert answer.status_code == 302, answer.text
    return Event.objects.filter(pk__gt=last, step_of=None).get()
