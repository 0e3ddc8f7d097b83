"""Fights of two against two to their end on three phones, with a referee who goes by the sources at the table."""

import pytest
from django.contrib.auth.models import User

from tests.support.browser.phones import OwnPages, Phone, by_phones
from tests.support.everyday import everyday
from tests.support.rulesets.contract import seeded
from tests.support.sheets.fights import fight_of
from tests.support.sheets.judged_duel import Judged, chance_dice
from tests.support.sheets.seeded_dice import seed_dice
from tests.support.sheets.twilight import Twilight

pytestmark = pytest.mark.browser


# The first ones are short, and have each kind of response.
CASES = [("daemmersturm", True, 0), ("condice", False, 8), ("dice_rumble", True, 3), ("dice_rumble", False, 2),
         ("daemmersturm", False, 2), ("dice_rumble", True, 6)]


@pytest.mark.parametrize(("package", "waits", "seed"), everyday(CASES, 0))
def test_two_against_two_fight_to_the_end_on_phones(
        visit, transactional_db, settings, streams, monkeypatch, package, waits, seed):
    settings.LIVE_PORT = streams
    seed_dice(monkeypatch, f"fight {seed}")
    fight_of(package, User.objects, seed, waits=waits, hand=by_phones(visit)).fight_out()


@pytest.mark.rule("BD-10", "BD-11", "BD-14", "BD-16")
@pytest.mark.more
@pytest.mark.parametrize("seed", range(4))
def test_a_game_of_two_on_phones_to_its_end(visit, transactional_db, settings, streams, monkeypatch, seed):
    settings.LIVE_PORT = streams
    rng = seeded(f"phones {seed}")
    chance_dice(monkeypatch, rng)
    game = type("OnPhones", (OwnPages, Judged), {})(User.objects, rng, 1)
    game.sit_down(visit)
    game.to_its_end()


class InThrows:
    """Dice that are laid down by throws, for a fixture that asks for one face after the other."""

    def __init__(self, faces):
        self.faces = faces

    def __iadd__(self, throws):
        self.faces += [face for throw in throws for face in throw]
        return self

    def __len__(self):
        return len(self.faces)


@pytest.mark.rule("SZ-30", "SZ-31", "SZ-33")
def test_a_fight_by_turns_on_phones_to_its_end(visit, transactional_db, settings, streams, dice):
    settings.LIVE_PORT = streams
    table = Twilight(User.objects)
    for who in ("anna", "ben"):
        table.browsers[who] = Phone(visit(client=table.browsers[who], width=390, locale="en"), table.browsers[who])
    table.fight_out(InThrows(dice))
