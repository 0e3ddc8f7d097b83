"""Each act with a roll of each system, in a state in which it is offered, and the logs that its dice belong into."""

import uuid
from contextlib import suppress
from copy import deepcopy
from functools import cache

import pytest
from django.contrib.auth import get_user_model

from rulesets.dice import thrown
from rulesets.document import BYTES, read_tree
from rulesets.kit import Act, Refused, patched
from sheets.documents import length
from sheets.models import Receipt, Scene
from sheets.receipts.chain import check_log
from sheets.rolls.widgets import key_of
from tests.support.rulesets.contract import SYSTEMS, offered, pressed, seeded, taken
from tests.support.sheets.table_people import RoundTable

WALKS, STEPS = 60, 40
LONG = "vor dem, was nachts im Wald hinter der Mühle wartet"
BEGINS = {
    "augen-des-zwielichts": [({}, {"tables": [{"into": "fear", "entries": [LONG, LONG[1:]]}]})],
    "battle-dice": [({}, {"phase": "heal", "healing": 2})],
    "condice": [({}, {"losses_due": 1}), ({}, {"losses_due": 1, "loss_attribute": "life"}),
                ({}, {"bonds": [{"ability": "mindcontrol", "by": "Troll", "dice": 4}]})],
    "daemmersturm": [({}, {"exhaustion_due": True})],
    "dice-rumble": [],
}
"""States that a walk by chance does not come to: what is changed of the first example, and the state of play."""
OF_TWO = {"challenge", "take-seat", "accept-game"}
"""Acts that are offered only where two play each other."""
FULL = "This would bring the sheet"


def with_roll(ruleset):
    """Return the slugs of acts that throw dice of their own."""
    return {slug for slug, act in ruleset.acts.items() if act.roll is not Act.roll}


def rolling(sheet, play, offer):
    """Return an answer to an offer with which it throws; None if there is none."""
    for act in taken(offer, 6):
        with suppress(Refused):
            if act.roll(sheet, play):
                return act
    return None


@cache
def states(ruleset):
    """Return {slug: (data, state of play, widget, its form)} of each act with a roll."""
    found, wanted, examples = {}, with_roll(ruleset) - OF_TWO, [*ruleset.examples.values()]
    begins = [(patched(examples[0]["data"], data), play) for data, play in BEGINS[ruleset.slug]]
    begins += [(examples[walk % len(examples)]["data"], {}) for walk in range(WALKS)]
    for walk, (data, state) in enumerate(begins):
        rng = seeded(f"{ruleset.slug} {walk}")
        sheet = read_tree({**examples[0], "data": data}).sheet
        play = ruleset.play.model_validate(state)
        for _step in range(STEPS):
            for offer in offered(ruleset, sheet, play):
                slug = offer.cls.slug
                if slug in wanted and slug not in found and (act := rolling(sheet, play, offer)):
                    given = {key: getattr(act, key) for key in offer.asks}
                    found[slug] = (sheet.model_dump(), play.model_dump(exclude_defaults=True), key_of(offer), given)
            acts = [*taken(rng.choice(offered(ruleset, sheet, play)), 6)]
            with suppress(Refused, IndexError):
                sheet, play = pressed(ruleset, rng.choice(acts), sheet, play, rng)
        if found.keys() == wanted:
            break
    assert found.keys() == wanted
    return found


EACH = [(ruleset.slug, act) for ruleset in SYSTEMS for act in sorted(with_roll(ruleset) - OF_TWO)]


@pytest.fixture
def fallen(monkeypatch):
    """The dice of each throw of a press, as they fell."""
    found = []

    def noting(throw, tray=None):
        outcome, used = thrown(throw, tray)
        found.append([one.face for one in used.dice])
        return outcome, used

    monkeypatch.setattr("sheets.press.dice.thrown", noting)
    return found


def fill_up(sheet):
    """Write notes until the sheet's document is as long as it may be."""
    sheet.notes = "x"
    sheet.notes = "x" * (1 + BYTES - length(sheet))
    assert length(sheet) == BYTES
    sheet.save()


class Seat:
    """Anna's seat, at a table or on her sheet alone, in a state in which an act with a roll is offered."""

    def __init__(self, slug, act="", where="sheet", *, full=False):
        self.table, self.where = RoundTable(get_user_model().objects, slug), where
        self.sheet = self.table.sheets["anna"]
        if act:
            self.sheet.data, self.sheet.play, self.widget, self.given = deepcopy(states(self.table.ruleset)[act])
        if full:
            fill_up(self.sheet)
        self.sheet.save()

    def press(self, widget="", key=None, who="anna", **more):
        """Return the page after a press."""
        address = self.table.address if self.where == "table" else f"/sheets/{self.sheet.pk}/"
        return self.table.browsers[who].post(f"{address}play/", {
            "w": widget or self.widget, "_press": str(key or uuid.uuid4()), "_by": self.sheet.pk, "_at": "-",
            **({} if widget else self.given), **more}, follow=True)


def assert_logged(fallen):
    """All dice that fell are in logs without a gap, whose links follow from one another."""
    logs = {}
    for one in Receipt.objects.order_by("pk"):
        logs.setdefault(one.log, []).append(one.number)
    for log, numbers in logs.items():
        assert numbers == [*range(1, len(numbers) + 1)]
        assert (check_log(log).broken, check_log(log).last) == (None, len(numbers))
    for scene in Scene.objects.all():
        assert scene.rolls == len(logs.get(f"scene:{scene.uuid}", ()))
        assert scene.hidden_rolls == len(logs.get(f"hidden:{scene.uuid}", ()))
    assert [[die[2] for die in one.dice] for one in Receipt.objects.order_by("pk")] == fallen
