"""A fight at a party's table, for tests: who acts, whom it is aimed at, what lands there."""

import re
import uuid
from copy import copy
from urllib.parse import urlencode

import pytest
from django.db.models.base import ModelState

from sheets.models import Event, PendingEffect, Sheet
from sheets.rolls.rows import AUTOMATIC_MARK
from tests.support.sheets.table_people import RoundTable

ATTACK = "roll-attack-attacks-0"
CLUB = [{"name": "Keule", "dice": 4, "range": 0, "description": ""}]
TROLL = {"_name": "Troll", "_count": "1", "dice": 6, "defence": 3, "life": 16}


class Fight(RoundTable):
    """A table at which one presses what stands there for whom one plays."""

    def seats(self, by="anna", at="ben"):
        return urlencode({"_by": self.sheets[by].pk, **({"_at": self.sheets[at].pk} if at else {})})

    def look(self, who="anna", by="anna", at="ben", **headers):
        return self.browsers[who].get(f"{self.address}?{self.seats(by, at)}", headers=headers)

    def press(self, w=ATTACK, who="anna", by="anna", at="ben", key=None, *, htmx=False, **fields):
        """Presses a roll or an act of whom somebody plays, aimed at somebody."""
        return self.browsers[who].post(
            f"{self.address}play/?{self.seats(by, at)}", {"w": w, "_press": str(key or uuid.uuid4()), **fields},
            headers={"HX-Request": "true"} if htmx else {})

    @property
    def scene(self):
        """The open scene."""
        return self.party.scene

    @property
    def on(self):
        """The names of those whose turn it is."""
        names = {str(one.pk): one.name for one in self.party.sheets.all()}
        return sorted(names.get(key, "") for key in self.scene.on)

    def settle(self, word, who="ben", number=None, key=None, **fields):
        """Presses a button at what has landed last."""
        number = number or self.newest_effect().pk
        return self.browsers[who].post(f"{self.address}play/", {
            "do": f"{word}:{number}", "_press": str(key or uuid.uuid4()), **fields})

    def newest_effect(self):
        """What has landed last, but for what a roll did by itself."""
        return PendingEffect.objects.exclude(applied__widget__contains=AUTOMATIC_MARK).latest("pk")

    def wait(self, number):
        """So many of what has landed first wait, each of a throw of its own; their keys, the oldest first."""
        first = PendingEffect.objects.select_related("event").order_by("pk").first()
        missing = number - PendingEffect.objects.count()
        thrown = Event.objects.bulk_create(_thrown_anew(first.event) for _n in range(missing))
        PendingEffect.objects.bulk_create(
            PendingEffect(event=event, sheet=first.sheet, act=first.act, filled=first.filled) for event in thrown)
        return list(PendingEffect.objects.order_by("pk").values_list("pk", flat=True))

    def bring(self, name="Troll", **more):
        """Bring a sheet of the GM's to the table: an opponent who is written as Anna is, unless stated otherwise."""
        self.sheets[name.lower()] = Sheet.objects.create(name=name, **{
            "owner": self.users["gm"], "party": self.party, "ruleset": self.ruleset.slug, "opponent": True,
            "data": self.sheet("anna").data, **more})
        return self.sheets[name.lower()]

    def make(self, word="figures", who="gm", **fields):
        """Press a button of the page of opponents; answer it."""
        return self.browsers[who].post(f"/parties/{self.party.pk}/opponents/", {"do": word, **TROLL, **fields})

    def troll(self, **fields):
        """Make a troll of a few figures; its sheet is called so."""
        assert self.make(**fields).status_code == 302
        self.sheets["troll"] = Sheet.objects.get(opponent=True)
        return self.sheets["troll"]

    def put(self, who, **state):
        """Says how it stands with somebody."""
        sheet = self.sheet(who)
        sheet.play = {**sheet.play, **state}
        sheet.save()

    def life(self, who):
        """The life points that somebody has left."""
        return self._life(self.sheet(who).play, self.sheet(who).data)

    def full(self, who):
        """The life points that somebody has at the most."""
        return self._life({}, self.sheet(who).data)

    def _life(self, play, data):
        gauges = self.ruleset.play.model_validate(play).gauges(self.ruleset.sheet.model_validate(data))
        return next(one.current for one in gauges if one.key == "life")


def _thrown_anew(event):
    """The same roll of another press."""
    made = copy(event)
    made.pk, made.number, made.key, made._state = None, None, uuid.uuid4(), ModelState()
    return made


def kept():
    """Return all that a press at a table could change."""
    return [list(model.objects.order_by("pk").values_list()) for model in (Event, PendingEffect)] + [
        list(Sheet.objects.order_by("pk").values_list("pk", "play", "data", "version"))]


def fallen_again(monkeypatch, *faces):
    """Have these faces fall next, in a throw of which some dice lie."""
    left = list(faces)
    monkeypatch.setattr("sheets.rolls.repeats.RealTray.face", lambda _tray, _faces: left.pop(0))


def table_of(*slugs):
    """Have a test that asks for a table sit at that of a system, or in turn of each."""
    return pytest.mark.parametrize("table", slugs, indirect=True)


@pytest.fixture
def table(request, django_user_model):
    """A table of ConDice, or of the system that `table_of` says."""
    return Fight(django_user_model.objects, getattr(request, "param", "condice"))


@pytest.fixture
def hit(table, dice):
    """Anna has hit Ben for two."""
    table.have("ben", **table.sheets["anna"].data | {"defence": 2, "life": 5})
    table.have("anna", attacks=CLUB)
    dice += [[6, 5, 4, 1]]
    assert table.press().status_code == 302
    return table


@pytest.fixture
def struck(django_user_model, dice):
    """In Dice Rumble, Anna has won a duel against Ben by seven."""
    fight = Fight(django_user_model.objects, "dice-rumble")
    fight.have("ben", **fight.sheets["anna"].data)
    dice += [[2, 9]]
    fight.press("roll-duel-damage", weapon=0)
    assert PendingEffect.objects.get().filled == {"points": 7}
    return fight


def looks(fight, who):
    """What asks as the page of somebody's sheet does, as it is now, whether there is something new."""
    page = fight.own(who).text
    address = re.search(r'hx-get="([^"]+/landed/)"', page)[1]
    shown = {name: re.search(rf'id="{name}"[^>]* data-shown="([^"]*)"', page)[1] for name in ("seen", "landings")}
    return lambda: fight.browsers[who].get(address, shown, headers={"HX-Request": "true"})
