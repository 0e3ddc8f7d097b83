"""Fights of two against two to their end, as requests, with a referee who goes by the sources at the table."""

import pytest

from tests.support.everyday import everyday
from tests.support.sheets.fights import FIGHTS, fight_of
from tests.support.sheets.seeded_dice import seed_dice


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("package", FIGHTS)
@pytest.mark.parametrize("seed", everyday(range(8)))
def test_two_against_two_fight_to_the_end_as_the_referee_says(django_user_model, monkeypatch, package, seed, waits):
    seed_dice(monkeypatch, f"fight {seed}")
    fight_of(package, django_user_model.objects, seed, waits=waits).fight_out()
