"""Games of Battle Dice of two at a table, as requests, with a referee beside them who goes by the rules alone."""

import pytest

from sheets.models import Party, Question
from tests.support.everyday import everyday
from tests.support.rulesets.contract import seeded
from tests.support.sheets.judged_duel import Judged, chance_dice


@pytest.mark.rule("BD-10", "BD-11", "BD-12", "BD-13", "BD-14", "BD-16", "BD-17", "BD-19", "BD-20", "BD-22")
@pytest.mark.parametrize("seed", everyday((5, *range(5))))
@pytest.mark.alike
def test_a_game_of_two_goes_as_the_referee_says_to_its_end_and_alike_where_rolls_wait(
        django_user_model, monkeypatch, seed):
    rng = seeded(f"judged duel {seed}")
    chance_dice(monkeypatch, rng)
    game = Judged(django_user_model.objects, rng)
    # What one does in the other's turn is a phase of its own, and not asked besides.
    Party.objects.filter(pk=game.party.pk).update(waits=seed % 2)
    game.to_its_end()
    assert game.anew
    assert not Question.objects.exists()
