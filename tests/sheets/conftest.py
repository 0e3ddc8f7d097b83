import json
from types import SimpleNamespace

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils.translation import override

from rulesets import systems
from rulesets.dice import LoadedTray, thrown
from sheets.models import CO_GM, Sheet
from sheets.parties import services as parties
from tests.support.guest import Guest, example
from tests.support.party import Rooms, Round
from tests.support.push import service
from tests.support.sheets.acts_with_rolls import fallen
from tests.support.sheets.duel import battle, begun, duel
from tests.support.sheets.evenings import Clock, Evenings
from tests.support.sheets.fight import hit, struck, table
from tests.support.sheets.secret_game import Game
from tests.support.sheets.seeded_dice import seed_dice
from tests.support.sheets.webhooks import out

__all__ = ["battle", "begun", "duel", "fallen", "hit", "out", "service", "struck", "table"]


@pytest.fixture
def run(django_user_model):
    """A ConDice party: a GM, a co-GM and two players, each with a browser that speaks English."""
    made = SimpleNamespace(users={}, browsers={})
    for who in ("gm", "second", "anna", "ben"):
        made.users[who] = user = django_user_model.objects.create_user(who)
        made.browsers[who] = browser = Client(headers={"Accept-Language": "en"}, raise_request_exception=False)
        browser.force_login(user)
        if who == "gm":
            made.party = parties.found_party(user, "Die Runde", systems()["condice"])
        else:
            parties.join_party(made.party, user)
    made.party.members.filter(user=made.users["second"]).update(role=CO_GM)
    for user in made.users.values():
        user.notifications.all().delete()
    made.url = f"/parties/{made.party.pk}/"

    def sheet(who, *, inside=True, name="Juan", **more):
        return Sheet.objects.create(owner=made.users[who], ruleset="condice", name=name, data=example()["data"],
                                    party=made.party if inside else None, **more)

    def told(who):
        return list(made.users[who].notifications.order_by("pk").values_list("kind", flat=True))

    made.sheet, made.told = sheet, told
    return made


@pytest.fixture
def english():
    with override("en"):
        yield


@pytest.fixture
def round_(db):
    return Round()


@pytest.fixture
def rooms(db):
    return Rooms()


@pytest.fixture
def juan():
    """A guest at work on Juan."""
    return Guest(example())


@pytest.fixture
def proven(db):
    """An approved sheet with one exception."""
    return Round().bring("own-ability")


@pytest.fixture(scope="module")
def played(lasting_database):
    """A game that holds secrets, made once for all tests of a file."""
    return Game(get_user_model().objects)


@pytest.fixture
def game(played):
    """The same game as it was made."""
    return played.again()


@pytest.fixture
def file(tmp_path):
    """A function that writes a file and answers its path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write


@pytest.fixture
def seeded(monkeypatch):
    """Lets all dice fall the same way each time."""
    seed_dice(monkeypatch, 7)


@pytest.fixture
def dice(monkeypatch):
    """Faces for the next throws, one tray each."""
    faces = []

    def loaded(throw, tray=None):
        return thrown(throw, LoadedTray(*faces.pop(0)) if faces else tray)

    monkeypatch.setattr("sheets.press.dice.thrown", loaded)
    return faces


@pytest.fixture
def clock(monkeypatch):
    """It is Monday, 30 November 2026, 12:00 UTC, until the test goes on to another time."""
    return Clock(monkeypatch)


@pytest.fixture
def evenings(clock, run):
    return Evenings(run)
