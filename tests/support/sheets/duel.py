"""A game of Battle Dice between two at a party's table, for tests: each presses on the own sheet."""

import uuid

import pytest

from rulesets.kit import patched
from sheets.character import Character
from sheets.forms.inputs import Answers
from sheets.models import Event, PendingEffect, Sheet
from sheets.rolls.widgets import Widget, key_of
from tests.support.sheets.fight import Fight
from tests.support.sheets.secret_game import deck


class Duel(Fight):
    """Anna and Ben with a deck each; nothing is begun yet."""

    def __init__(self, users):
        super().__init__(users, "battle-dice")

    def begin(self, order="first"):
        """Anna has challenged Ben, who has accepted."""
        self.press("act-challenge", order=order)
        self.settle("apply", number=PendingEffect.objects.latest("pk").pk)
        return self

    def character(self, who) -> Character:
        """Somebody as they are played now."""
        sheet = Sheet.objects.select_related("party").get(pk=self.sheets[who].pk)
        return Character(sheet)

    def state(self, who):
        """Somebody's state of play."""
        return self.character(who).play

    def widgets(self, who) -> dict[str, Widget]:
        """What somebody can do now, by the names of the buttons."""
        return {key_of(one): Widget(one) for one in self.character(who).acts()}

    def do(self, who, w, **fields: Answers):
        """Presses a button on somebody's own sheet, which does something."""
        before = self.sheets[who].events.count()
        answer = self.browsers[who].post(f"/sheets/{self.sheets[who].pk}/play/", {
            "w": w, "_press": str(uuid.uuid4()), **fields})
        assert answer.status_code == 302, answer.text
        assert self.sheets[who].events.count() > before, (w, self.state(who).phase)

    def last(self, who) -> Event:
        """What happened to somebody last."""
        return self.sheets[who].events.latest("pk")

    def told_apart(self):
        """Each card bears the name of its owner and a letter, so that raw answers tell which one is meant."""
        own = deck()["data"]["cards"][0]
        for who in ("anna", "ben"):
            cards = [patched(own, {"name": f"Karte-{who}-{letter}"}) for letter in "ABCDEFGH"]
            Sheet.objects.filter(pk=self.sheets[who].pk).update(data={"cards": cards})
        return self

    def hidden(self, who) -> set[str]:
        """The names of the cards that somebody alone knows where they are."""
        play = self.state(who)
        return {*play.hand, *play.deck, *play.discard} - {one.card for one in play.avatars}


@pytest.fixture
def duel(django_user_model):
    return Duel(django_user_model.objects)


@pytest.fixture
def begun(duel):
    """Anna begins."""
    return duel.begin()


def to_battle(duel, who="anna"):
    """Through the turn to the Battle Dice Phase."""
    duel.do(who, "act-put-away-hand-0")
    duel.do(who, "act-focus", change=0)
    duel.do(who, "act-to-battle")


CORONA, PINA, SNOW, FAN = "The Corona Look", "Piña ≠ Rohkinar", "Snowbuddies", "The Biggest Fan"


def avatars(*names, **more):
    return [{"card": name, **more} for name in names]


def defends(duel, dice, *faces):
    """Anna has declared an attack, and Ben throws these dice."""
    duel.do("anna", "act-declare", change=0)
    dice += [[*faces]]
    duel.do("ben", "act-defend", change=0)


@pytest.fixture
def battle(begun):
    """Anna is in her Battle Dice Phase."""
    to_battle(begun)
    return begun
